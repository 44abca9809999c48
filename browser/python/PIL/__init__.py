"""Stands in for Pillow, which does not exist for browsers: what scorekeeper does with it.

The picture of an evening is drawn on a canvas. A photograph is decoded by the browser and resized
by camera/pictures.js. reportlab only needs to find the modules.
"""


class UnidentifiedImageError(OSError):
    """The bytes are no picture."""
