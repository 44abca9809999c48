"""The documents and the front page: links lead somewhere, generated parts are up to date."""

import re
from pathlib import Path

import pytest

from scorekeeper.domain.rules import OPTIONS
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES
from scorekeeper.i18n.catalogue import read_catalogue
from tools import rules

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
INDEX = ROOT / "docs" / "README.md"
SOURCES = [
    file
    for folder in ("scorekeeper", "tests", "tools", "bench", "deploy", "docs", "examples", ".")
    for file in (ROOT.glob("*") if folder == "." else (ROOT / folder).rglob("*"))
]
ABROAD = ("https://", "http://")


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """Return the headings of a page as anchors."""
    headings = re.findall(r"^#+ (.+)$", CODE.sub("", read(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_an_existing_file_and_heading(page):
    for link in LINK.findall(CODE.sub("", read(page))):
        if link.startswith(ABROAD):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page

        assert target.is_relative_to(ROOT) and target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_reached_from_the_front_page():
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page.suffix != ".md" or page in reached or not page.exists():
            continue
        reached.add(page)
        links = (link.partition("#")[0] for link in LINK.findall(read(page)))
        waiting += [(page.parent / link).resolve() for link in links if "://" not in link]

    assert reached >= set(PAGES)


def test_the_index_lists_every_document():
    named = {link.partition("#")[0] for link in LINK.findall(read(INDEX))}

    assert {page.name for page in INDEX.parent.glob("*.md") if page != INDEX} <= named


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_named_in_a_document_exists(page):
    named = set(re.findall(r"`([\w./-]+\.(?:py|toml|txt|po))`", read(page)))
    there = [f"/{file.relative_to(ROOT)}" for file in SOURCES]

    assert {name for name in named if not any(file.endswith(f"/{name}") for file in there)} == set()


def test_names_in_the_architecture_are_defined_in_their_files():
    text = read(ROOT / "docs" / "architecture.md")
    found = re.findall(r"((?:`[\w.]+`(?: \([^)]*\))?(?:, | and )?)+) in `([\w/]+\.py)`", text)
    named = [(one, file) for names, file in found for one in re.findall(r"`([A-Za-z_.]+)`", names)]

    assert len(named) > 20
    assert [one for one in named if not is_defined(*one)] == []


def test_the_tree_in_the_architecture_lists_the_files_of_the_domain():
    text = read(ROOT / "docs" / "architecture.md")
    tree = text.partition("\n  domain/")[2].partition("\n  camera/")[0]
    listed = re.findall(r"\b(\w+\.py)\b", tree)
    there = (ROOT / "scorekeeper" / "domain").rglob("*.py")

    assert sorted(listed) == sorted(file.name for file in there if file.name != "__init__.py")


def is_defined(name: str, file: str) -> bool:
    """Return whether a file of the package defines a function, class or constant."""
    last = name.rpartition(".")[2]
    source = read(ROOT / "scorekeeper" / file)
    return bool(re.search(rf"(?:def|class) {last}\b|^{last}\b.*=", source, re.MULTILINE))


def test_no_document_contains_a_local_path():
    places = re.compile(r"(?:/(?:work|root|tmp|Users)/|/home/(?!scorekeeper))[\w.]+")

    assert [(page.name, found[0]) for page in PAGES for found in places.finditer(read(page))] == []


def test_every_picture_is_used():
    shown = {(page.parent / link).resolve() for page in PAGES for link in LINK.findall(read(page))}

    assert shown >= set((ROOT / "docs" / "pictures").iterdir())


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_tours_use_the_labels_of_the_buttons(code):
    sentences = {form for forms in read_catalogue(code).values() for form in forms}
    pressed = re.findall(r"\*\*(.+?)\*\*", read(ROOT / "docs" / f"tour.{code}.md"))

    assert len(pressed) > 30
    assert [one for one in pressed if not ({one, *with_facts(one)} & sentences)] == []


def with_facts(words: str) -> tuple[str, str]:
    """Return the texts of buttons as in the catalogue, such as ``Weiter zu {player}``."""
    return re.sub(r"\d+", "{number}", words), re.sub("Anna", "{player}", words)


# ---- the rules -----------------------------------------------------------------------


def test_the_rules_documents_are_up_to_date():
    written = {file.name: read(file) for file in rules.PAGES.glob("*.md")}

    assert written == rules.pages(), "make rules writes them anew"


def test_every_option_and_worked_example_is_documented():
    pages = "\n".join(read(file) for file in rules.PAGES.glob("*.en.md"))

    assert {name for name in OPTIONS if f"`{name}`" not in pages} <= {"family", *CALLED}
    assert {one.code for one in rules.examples()} == set(
        re.findall(r"(?<!\[)\b(?:N\d+|[A-Z]\d\db?)\b", pages)
    )


CALLED = {
    name
    for name in OPTIONS
    if all(name in one.silent or name not in one.names() for one in PRESETS.values())
}
"""Options that appear in rule systems only as a consequence of another option."""
