"""Stands in for Pillow, which does not exist for browsers: what scorekeeper draws with it.

The picture of an evening is drawn on a canvas. Photographs cannot be read with it. reportlab only
needs to find the modules.
"""
