"""The documentation site: where its pages are, and what its check finds."""

from collections.abc import Iterator, Mapping

import pytest

from scorekeeper.i18n import LANGUAGES
from tools.documents import arrange, faults, navigation, pages, place


def leaves(nav) -> Iterator[str]:
    for entry in nav:
        (value,) = entry.values() if isinstance(entry, Mapping) else (entry,)
        yield from [value] if isinstance(value, str) else leaves(value)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_document_has_a_place_in_the_contents_of_its_language(code):
    places = [place(page) for page in pages(code)]

    assert len(set(places)) == len(places)
    assert {*leaves(navigation(code)), "documents.md"} == {*places, "documents.md"}


def test_links_lead_to_pages_of_this_language_else_to_english_ones(tmp_path):
    (tour,) = (page for page in pages("de") if page.name == "tour.de.md")
    arrange(tour, "de", tmp_path)
    text = (tmp_path / "index.md").read_text(encoding="utf-8")

    assert "(../tour.html)" in text
    assert "(../fr/index.html)" in text
    assert "(rules/index.md)" in text
    assert "(../install.html)" in text
    assert (tmp_path / "pictures" / "board.de.png").exists()


def test_bars_in_the_code_of_a_table_need_no_backslash_on_the_site(tmp_path):
    (commands,) = (page for page in pages("en") if page.name == "commands.md")
    arrange(commands, "en", tmp_path)

    assert r"A4\|A5" in commands.read_text(encoding="utf-8")
    assert "A4|A5" in (tmp_path / "commands.md").read_text(encoding="utf-8")


def test_what_is_missing_or_loaded_from_abroad_is_named(tmp_path):
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#top">B</a><a href="#top"></a><a href="c.html">C</a>'
        '<a href="https://example.org">fine</a><script src="https://example.org/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<a href="a.html#top">A</a><img src="a.html">')
    (tmp_path / "s.css").write_text('body { background: url("https://example.org/p.png"); }')

    assert sorted(faults(tmp_path)) == [
        "a.html: b.html#top has no such heading",
        "a.html: c.html leads nowhere",
        "a.html: loads https://example.org/x.js",
        "s.css: loads https://example.org/p.png",
    ]
