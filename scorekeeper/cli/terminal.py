"""Text for the terminal, without control characters, whoever wrote it.

A file name or a key of a JSON file may contain escape sequences that would colour, hide or rewrite
what a terminal shows. Every message, log line and traceback passes here.
"""

import codecs
import re
import sys
from typing import TextIO, cast

_UNSEEN = re.compile(
    "[\0-\b\v-\x1f\x7f-\x9f"  # control characters but tab and line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # the direction of writing
    "\u2028\u2029]"  # line separators
)


def visible(text: str) -> str:
    """Return a text whose control characters are written as JSON writes them: as 4 digits.

    A line of JSON therefore still means the same.
    """
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class VisibleStream:
    """A text stream that makes control characters visible."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        """The stream itself, for what draws on purpose, such as progress bars."""

    def write(self, text: str) -> int:
        return self.stream.write(visible(text))

    def writelines(self, lines: list[str]) -> None:
        self.stream.writelines(map(visible, lines))

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


def use_visible_streams() -> None:
    """Make standard output and standard error visible streams of this process.

    They replace what their encoding lacks. ASCII becomes UTF-8: click would else write to the
    bytes below.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, VisibleStream):
            continue
        is_ascii = codecs.lookup(stream.encoding).name == "ascii"
        stream.reconfigure(encoding="utf-8" if is_ascii else None, errors="replace")
        setattr(sys, name, VisibleStream(stream))


def drawing_stream() -> TextIO:
    """Return standard error as it is, for progress bars."""
    stream = sys.stderr
    return stream.stream if isinstance(stream, VisibleStream) else cast(TextIO, stream)
