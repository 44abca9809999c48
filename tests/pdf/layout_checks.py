"""Checks that hold for every PDF, and hostile names to try them with."""

import random

from hypothesis import strategies as st

from bars import seed
from pdf.paper import Box, Print
from scorekeeper.i18n.printable import characters

LETTERS = "".join(sorted(characters() - {" "}))
MAX_LETTERS = 40
HOSTILE = [
    "<b>Anna</b>",
    '<font color="red">Anna</font>',
    '<img src="http://192.0.2.1/x.png"/>',
    '<img src="file:///etc/passwd"/>',
    '<a href="javascript:alert(1)">Anna</a>',
    "<onDraw name=x label=y/>",
    "<para><seq/></para>",
    '<font color="[[[getattr(pow,1)]]]">x</font>',
    "</para>",
    "&lt;Anna&gt; &amp; &#65;",
    "]]><!ENTITY x SYSTEM 'file:///etc/passwd'>",
    "{number} {0.__class__}",
    "%(page)s %d %n",
    "(Anna) Tj ET endstream",
    "\\) /JS (app.alert(1))",
    "=1+1",
    "../../etc/passwd",
    "'; DROP TABLE events; --",
    "Anna, Bernd: 17",
    "□ Anna",
]
names = st.text(LETTERS, min_size=1, max_size=MAX_LETTERS)
tables = st.integers(2, 6).flatmap(lambda n: st.lists(names, min_size=n, max_size=n))


def hostile_names(number: int) -> list[str]:
    """Return hostile names, some of them spliced from two, up to the longest name allowed."""
    chance, names = random.Random(seed("P1")), list(HOSTILE)
    while len(names) < number:
        mixed = "".join(chance.sample(HOSTILE, 2))
        cut = chance.randrange(len(mixed))
        names.append((mixed[cut:] + mixed[:cut])[:MAX_LETTERS].strip())
    return names[:number]


def assert_tidy(paper: Print) -> None:
    """All text lies within the margins, and nothing overlaps."""
    for page in range(len(paper.reader.pages)):
        page_format = paper.page_format(page)
        width, height = page_format.size
        for box in assert_no_overlap(paper, page):
            overhang = 1 + box.size / 20  # a J reaches out of its own box
            assert page_format.side - overhang <= box.left, box
            assert box.right <= width - page_format.side + overhang, box
            assert page_format.bottom - 1 <= box.bottom, box
            assert box.top <= height - page_format.top + 1, box


def assert_no_overlap(paper: Print, page: int) -> list[Box]:
    """Return all texts of a page: none below 9 pt, none over another or a vertical line."""
    boxes = sorted(paper.boxes(page), key=lambda box: box.left)
    for nth, box in enumerate(boxes):
        assert box.size >= 9, box
        for other in boxes[nth + 1 :]:
            if other.left > box.right:
                break
            assert not box.meets(other), (box, other)
    for rule in paper.vertical_lines(page):
        assert not [box for box in boxes if box.meets(rule)], rule
    return boxes


def assert_inert(paper: Print) -> None:
    """The file contains no links, scripts, images, attachments or forms."""
    root = paper.reader.root_object
    assert not {"/Names", "/AcroForm", "/OpenAction", "/AA"} & set(root)
    for page in paper.reader.pages:
        assert "/Annots" not in page
        assert not page.images
