"""Long work in a few processes of its own: paper, exact searches, the checks of an import.

Nothing here knows of requests; ``web.background`` decides what goes to the pool.
"""
