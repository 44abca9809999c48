"""QR codes in pages."""

from typing import Any

from markupsafe import Markup


def qr_code(text: str, **options: Any) -> Markup:
    """Return a QR code as an SVG; ``options`` are passed on to segno."""
    import segno  # takes 10 ms to load, and the server is ready without it

    drawn = segno.make(text, **options)
    return Markup(drawn.svg_inline(border=0, omitsize=True, svgclass="qr", lineclass=None))
