"""Drawing on a picture."""

ALIGN = {"l": "left", "m": "center", "r": "right"}


class Draw:
    """The brush of a picture."""

    def __init__(self, image):
        self._brush = image.brush

    def rectangle(self, box, fill):
        """Fill a rectangle; its right and lower edges belong to it."""
        left, top, right, bottom = box
        self._brush.fillStyle = fill
        self._brush.fillRect(left, top, right - left + 1, bottom - top + 1)

    def text(self, place, text, fill, font, anchor="ls"):
        """Write a text on a baseline; the anchor says which of its ends is at the place."""
        self._brush.font, self._brush.fillStyle = font.css, fill
        self._brush.textAlign = ALIGN[anchor[0]]
        self._brush.fillText(text, *place)

    def line(self, points, fill, width=1, joint=None):
        """Draw a line through points, with round joints."""
        self._brush.strokeStyle, self._brush.lineWidth = fill, width
        self._brush.lineJoin = "round" if joint else "miter"
        self._brush.beginPath()
        for number, point in enumerate(points):
            (self._brush.lineTo if number else self._brush.moveTo)(*point)
        self._brush.stroke()
