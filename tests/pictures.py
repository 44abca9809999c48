"""Pictures for the tests: usual ones, and those that somebody sends to do harm."""

import io
import struct
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

PHOTOGRAPHS = Path(__file__).parent / "data" / "photographs"
"""Scenes made by ``tools/cardvision``."""


def scene(name: str) -> bytes:
    """Return a photograph of cards."""
    return (PHOTOGRAPHS / f"{name}.jpg").read_bytes()


def stored(image: Image.Image, kind: str = "JPEG", **options: object) -> bytes:
    target = io.BytesIO()
    image.save(target, kind, **options)
    return target.getvalue()


def photograph(size: tuple[int, int] = (120, 80), mode: str = "RGB") -> Image.Image:
    """A picture whose left half is white and whose right half is black."""
    image = Image.new("L", size, "white")
    image.paste(0, (size[0] // 2, 0, *size))
    return image.convert(mode)


def png(width: int, height: int, data: bytes = b"", kind: bytes = b"\x08\x02") -> bytes:
    """A PNG file as somebody may write it by hand."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    head = struct.pack(">II", width, height) + kind + b"\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


WHOLE = {kind: stored(photograph(), kind) for kind in ("JPEG", "PNG", "WEBP")}
NO_PICTURES = [
    b"", b"\0", b"\xff\xd8", b"\xff\xd8\xff\xe0", b"GIF89a", b"%PDF-1.7", b"RIFF\0\0\0\0WEBPVP8 ",
    b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"\x89PNG\r\n\x1a\n", b"BM" + bytes(50),
    png(0, 0), png(10, 0), png(10, 10), png(10, 10, b"no zlib"), png(10, 10, kind=b"\x63\x63"),
    stored(photograph(), "GIF"), stored(photograph(), "TIFF"), stored(photograph(), "BMP"),
    stored(photograph(), "PDF"), b"GIF89a" + WHOLE["JPEG"], b"\0" + WHOLE["PNG"],
    *(WHOLE[kind][: len(WHOLE[kind]) * part // 8] for kind in WHOLE for part in (1, 3)),
    *(WHOLE[kind][:30] + bytes(200) for kind in WHOLE),
]  # fmt: skip


def frames(kind: str, count: int, size: tuple[int, int] = (120, 80)) -> bytes:
    """Return a moving picture."""
    more = [Image.new("RGB", size, (n * 5 % 256, 0, 0)) for n in range(count)]
    return stored(photograph(size), kind, save_all=True, append_images=more)


def with_text(text: str, *, compressed: bool) -> bytes:
    """Return a PNG file with a text in it."""
    info = PngInfo()
    info.add_text("Comment", text, zip=compressed)
    return stored(photograph(), "PNG", pnginfo=info)


def with_exif(entries: dict[int, object], **options: object) -> bytes:
    """Return a JPEG file with data about how it was taken."""
    exif = Image.Exif()
    for tag, value in entries.items():
        exif[tag] = value
    return stored(photograph(), exif=exif, **options)


def with_scans(count: int, side: int = 2000) -> bytes:
    """Return a progressive JPEG file whose last pass over the pixels is repeated."""
    whole = stored(Image.new("RGB", (side, side), "grey"), progressive=True)
    last = whole[whole.rindex(b"\xff\xda") : -2]
    return whole[:-2] + last * count + b"\xff\xd9"


LARGE = (5000, 4999)
"""Just within the limit."""
BROAD = (15_625, 1599)
"""As large, and a tenth of it for the networks to look at once it is made smaller."""
ORIENTATION, MAKER_NOTE, LATITUDE = 0x0112, 0x927C, 0x8825


def _hostile() -> Iterator[tuple[str, bytes]]:
    yield from ((f"no picture {n}", data) for n, data in enumerate(NO_PICTURES))
    for side in (6000, 20_000, 60_000, 2**31 - 1):
        yield f"bomb {side}", png(side, side, zlib.compress(bytes(100_000)))
    yield "bomb of one row", png(2**31 - 1, 1, zlib.compress(bytes(100_000)))
    yield "bomb without a size", png(1, 2**31 - 1, zlib.compress(b""))
    yield "bomb of text", with_text("A" * 50_000_000, compressed=True)
    yield "large text", with_text("<script>alert(1)</script>" * 10_000, compressed=False)
    for kind in ("PNG", "WEBP"):
        yield f"moving {kind}", frames(kind, 40)
        yield f"large and moving {kind}", frames(kind, 2, (3000, 2500))
    for mode in ("RGB", "CMYK", "L"):
        yield f"large {mode} JPEG", stored(Image.new(mode, LARGE))
    for mode in ("RGB", "RGBA", "P", "1", "I;16", "LA"):
        yield f"large {mode} PNG", stored(Image.new(mode, BROAD), "PNG")
    for mode in ("RGB", "RGBA"):
        yield f"large {mode} WEBP", stored(Image.new(mode, BROAD), "WEBP", method=0)
    yield "palette with holes", stored(Image.new("P", BROAD), "PNG", transparency=bytes(range(256)))
    yield "progressive", stored(Image.new("RGB", LARGE, "grey"), progressive=True)
    yield "many scans", with_scans(200)
    yield "one row", stored(Image.new("RGB", (60_000, 1)))
    yield "one column", stored(Image.new("RGB", (1, 60_000)), "PNG")
    yield "one pixel", stored(Image.new("RGB", (1, 1)), "WEBP")
    for turned in (0, 6, 9, 65_535):
        yield f"turned {turned}", with_exif({ORIENTATION: turned})
    yield "maker's note", with_exif({MAKER_NOTE: bytes(60_000)})
    yield "place", with_exif({LATITUDE: {1: "N", 2: (48.0, 1.0, 2.0)}})
    yield "damaged exif", stored(photograph(), exif=b"Exif\0\0II*\0\xff\xff\xff\xff")
    yield "colour profile", stored(photograph(), icc_profile=bytes(60_000))
    yield "comment", stored(photograph(), comment=b"<?php phpinfo(); ?>" * 1000)
    for name, tail in (("zip", b"PK\x03\x04"), ("html", b"<html><script>"), ("pdf", b"%PDF-1.7")):
        yield f"picture and {name}", WHOLE["JPEG"] + tail * 1000
    yield "two pictures", WHOLE["JPEG"] + WHOLE["PNG"]
    yield "noise", WHOLE["JPEG"][:-2] + bytes(range(256)) * 4000 + b"\xff\xd9"


@cache
def hostile() -> dict[str, bytes]:
    """Return pictures that are made to do harm, by name."""
    return dict(_hostile())
