"""Everything of one browser on another: a code that is valid for ten minutes, and once."""

import logging
import re
from dataclasses import replace

import pytest

from scorekeeper.web.browser_codes import LENGTH, LIFE_S
from scorekeeper.web.rate_limits import MINUTE, TokenBucket
from web.pages.conftest import NAMES, Browser, words


def code_of(reader, do: str = "copy") -> str:
    """Return the code that a browser is shown."""
    token = reader.form("/evenings")["csrf_token"]
    page = reader.post("/evenings/code", {"csrf_token": token, "do": do})

    assert page.status_code == 200
    assert "private" in page.headers["Cache-Control"]
    (code,) = re.findall(r">(\w{4} \w{4} \w{4})</p>", page.text)
    return code


def held(reader) -> set[str]:
    """Return the addresses of what a browser holds."""
    return set(re.findall(r'href="(/[gs]/\w+)"', reader.get("/evenings").text))


@pytest.fixture
def everything(anna) -> set[str]:
    """A game and a group, both with their pens."""
    game, group = anna.begin(name=["Anna", "Bernd"]), anna.found("Kegelclub", NAMES)
    return {game, group}


def test_a_code_copies_games_groups_and_pens(anna, bernd, everything):
    answer = bernd.send("/enter", code=code_of(anna))

    assert (answer.status_code, answer.location) == (303, "/evenings?notice=copied")
    assert held(bernd) == held(anna) == everything
    assert "Alles ist da." in words(bernd.get(answer.location).text)
    for book in everything:
        for reader in (anna, bernd):
            assert reader.get(f"{book}/share").status_code == 200  # only with the pen


def test_a_code_moves_everything(anna, bernd, everything):
    answer = bernd.send("/enter", code=code_of(anna, "move"))

    assert answer.location == "/evenings?notice=moved"
    assert held(bernd) == everything
    assert held(anna) == set()
    assert anna.get(next(iter(everything))).status_code == 404


def test_a_browser_keeps_what_it_had(anna, bernd, everything):
    own = bernd.begin(name=["Emil", "Frieda"])
    bernd.send("/enter", code=code_of(anna))

    assert held(bernd) == everything | {own}


@pytest.mark.parametrize("do", ["copy", "move"])
def test_nothing_is_lost_if_a_browser_takes_its_own_code(anna, everything, do):
    anna.send("/enter", code=code_of(anna, do))

    assert held(anna) == everything


def test_a_code_is_valid_once(app, anna, bernd, everything):
    code = code_of(anna)
    bernd.send("/enter", code=code)
    late = Browser(app)

    assert late.send("/enter", code=code).status_code == 404
    assert held(late) == set()


def test_a_code_is_valid_for_ten_minutes(app, anna, bernd, everything, clock):
    code = code_of(anna)
    clock[0] += LIFE_S - 1

    assert bernd.send("/enter", code=code).status_code == 303

    code = code_of(anna)
    clock[0] += LIFE_S + 1

    assert Browser(app).send("/enter", code=code).status_code == 404


def test_a_new_code_ends_the_last_one(anna, bernd, everything):
    old, new = code_of(anna), code_of(anna, "move")

    assert bernd.send("/enter", code=old).status_code == 404
    assert bernd.send("/enter", code=new).status_code == 303


@pytest.mark.parametrize("typed", ["{code}", "http://here/enter#{dashed}", " {lower} "])
def test_a_code_may_be_typed_or_pasted_in_any_form(anna, bernd, everything, typed):
    code = code_of(anna)
    forms = {"code": code, "dashed": code.replace(" ", "-"), "lower": code.lower()}

    assert bernd.send("/enter", code=typed.format(**forms)).status_code == 303
    assert held(bernd) == everything


def test_a_browser_with_nothing_is_shown_no_code(anna):
    token = anna.form("/enter")["csrf_token"]

    assert anna.post("/evenings/code", {"csrf_token": token}).location == "/evenings"
    assert "/evenings/code" not in anna.get("/evenings").text


def test_the_pen_that_was_replaced_is_not_given(anna, bernd, everything):
    game = next(book for book in everything if book.startswith("/g/"))
    anna.send("/enter", code=anna.new_code(game, "pen"))
    bernd.send("/enter", code=code_of(anna))

    assert held(bernd) == everything


def test_wrong_codes_are_limited_like_short_ones(app, anna, bernd, everything):
    code = code_of(anna)
    three = TokenBucket(3, MINUTE, clock=lambda: 0)
    app.extensions["limits"] = replace(app.extensions["limits"], wrong_short=three)
    wrong = [bernd.send("/enter", code="x" * LENGTH).status_code for _ in range(4)]

    assert wrong == [404, 404, 404, 429]
    assert bernd.send("/enter", code=code).status_code == 429


def test_no_code_is_written_into_a_log(app, anna, bernd, everything, caplog):
    caplog.set_level(logging.DEBUG)
    code = code_of(anna)
    bernd.send("/enter", code=code)
    said = caplog.text.upper()

    assert not any(code.replace(" ", sign) in said for sign in ("", " ", "-", "%20", "+"))
