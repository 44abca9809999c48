"""Makes the two small networks that read cards in photographs; docs/camera.md tells how.

Nothing here runs in the scorekeeper that people install.
"""
