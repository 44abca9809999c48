"""Every page is translated completely."""

import pytest

from scorekeeper import i18n
from scorekeeper.i18n import LANGUAGES, elision, formats
from web.pages.conftest import KEY, words

PAGES = (
    "",
    "/round",
    "/round/1",
    "/round/2",
    "/round/1/correct",
    "/settlement",
    "/share",
    "/history",
    "/more",
    "/rules",
)


@pytest.fixture
def played(anna) -> str:
    """A game with everything that has its own texts."""
    game = anna.begin(place="Köln", **{"out.extra_turn": "yes", "score.winner_reduction": "10"})
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60", note="gut")
    anna.send(f"{game}/round", outcome="cancelled", do="save")
    anna.enter(game, 0, hand_romme="yes", hand__1="33", hand__2="12", absent__3="yes")
    anna.send(f"{game}/round/1/correct", hand__0="43", do="save")
    anna.send(f"{game}/round/3/strike", page=game)
    anna.send(f"{game}/round/3/restore", page=game)
    anna.send(f"{game}/details", page=f"{game}/more", title="Finale")
    anna.send(f"{game}/players", page=f"{game}/more", name="Emil")
    anna.send(f"{game}/settlement/0", page=f"{game}/settlement", paid="yes")
    anna.send(f"{game}/settlement/0", page=f"{game}/settlement", paid="no")
    anna.send(f"{game}/share", right="watch")
    anna.send(f"{game}/end", page=f"{game}/more")
    anna.send(f"{game}/reopen", page=game)
    return game


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_page_lacks_a_translation(anna, played, code):
    pages = [played + page for page in PAGES] + ["/", "/new", "/enter", "/nowhere"]
    for path in pages:
        page = anna.get(path, **{"Accept-Language": code})

        assert page.status_code == (404 if path == "/nowhere" else 200), path
        assert f'<html lang="{code}">' in page.text
        assert KEY.search(words(page.text)) is None, path
        assert "…" not in words(page.text), path


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("preset", ["romme-palast", "german-family", "robber", "luxembourg"])
def test_every_system_can_be_chosen_and_played_in_every_language(anna, code, preset):
    anna.headers["Accept-Language"] = code

    assert anna.send("/new", preset=preset, do="rules").status_code == 200

    game = anna.begin(preset=preset, point_value="")

    assert anna.enter(game, 1, hand__0="33", hand__2="12", hand__3="60").status_code == 303
    for page in ("", "/round", "/round/1", "/settlement", "/rules"):
        assert anna.get(game + page).status_code == 200


DEPENDING = ["german-family", "indian-pool", "phases", "gin-palast", "gin-american", "knock-rummy"]
"""Systems that between them show all words that a browser fills in."""


@pytest.mark.parametrize("code", ["lb", "fr"])
@pytest.mark.parametrize("preset", DEPENDING)
def test_no_letter_depends_on_what_only_the_browser_knows(anna, monkeypatch, code, preset):
    """The server says *vun* or *vu*, *de* or *d’* by the next word; a browser does not."""
    following = []

    def joined(joint, words):
        if joint:
            following.append(words)
        return elision.joined(joint, words)

    def eifel_n(words):
        following.append(words)
        return elision.eifel_n(words)

    monkeypatch.setattr(i18n, "joined", joined)
    monkeypatch.setattr(formats, "eifel_n", eifel_n)
    anna.headers["Accept-Language"] = code
    game = anna.begin(preset=preset, name=["Anna", "Bernd"])
    for page in ("", "/round", "/more", "/rules"):
        assert anna.get(game + page).status_code == 200

    assert [words for words in following if words.startswith("{")] == []


@pytest.mark.parametrize("path", ["/nowhere", "/g/nowhere", "/g/nowhere/round"])
def test_not_found_is_worded_in_the_readers_language(anna, path):
    page = anna.get(path, **{"Accept-Language": "en"})

    assert page.status_code == 404
    assert "There is nothing here" in page.text


def test_names_and_notes_are_escaped(anna):
    game = anna.begin(name=["<b>Anna</b>", "{{777*777}}"], title="<script>alert(1)</script>")
    anna.enter(game, 0, hand__1="12", note='"><img src=x onerror=alert(1)>')
    for page in ("", "/round", "/round/1", "/settlement", "/history", "/more", "/share"):
        html = anna.get(game + page).text

        assert "<b>Anna</b>" not in html
        assert "<script>alert" not in html
        assert "<img" not in html
        assert "603729" not in words(html)
