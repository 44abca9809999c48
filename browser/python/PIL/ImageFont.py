"""Typefaces, which the worker has loaded under the names of their files."""

from functools import cache
from pathlib import PurePosixPath


class FreeTypeFont:
    """A typeface in a size, in pixels."""

    def __init__(self, path, size):
        self.css = f'{size}px "{PurePosixPath(path).stem}"'

    def getlength(self, text):
        brush = _scratch().brush
        brush.font = self.css
        return brush.measureText(text).width


def truetype(path, size):
    return FreeTypeFont(path, size)


@cache
def _scratch():
    from PIL.Image import Image

    return Image((1, 1))
