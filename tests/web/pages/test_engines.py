"""An evening, the referee, a group and every page in Firefox and in WebKit, which iPhones run.

What an engine cannot show here is listed in docs/tests.md.
"""

import os
from contextlib import ExitStack

import pytest

from engines import ENGINES, missing
from web.pages.phone import SIX
from web.pages.test_sight import FINGER, FLAWS
from web.pages.walk import NARROW, PHONE, PICTURES, addresses, ending

TOTALS = "() => [...document.querySelectorAll('.pad .total')].map((one) => one.textContent)"
ENTERED = "() => [...document.querySelectorAll('[data-keys=way]')].map((one) => one.value)"

MARK = "() => { window.isLeft = true; }"
"""A page that a browser keeps to go back to keeps this too."""


@pytest.fixture(params=ENGINES)
def engine(request, tmp_path, external):
    """A browser of another kind; without it the test is skipped, but never on CI."""
    name = request.param
    if absent := missing(name):
        if os.environ.get("CI") == "true":
            pytest.fail(f"no {name}: {absent}")
        pytest.skip(f"no {name}: {absent}")
    with ExitStack() as stack:
        opened = stack.enter_context(ENGINES[name](tmp_path))
        opened.resize(**PHONE)
        yield opened


@pytest.fixture
def pen(engine, address, anna):
    """The same browser as Anna's."""
    known = anna.client.get_cookie("browser").value
    engine.open(f"{address}/offline")
    engine.run("(value) => { document.cookie = `browser=${value};path=/`; }", known)
    return engine


def opens(engine, page: str) -> None:
    """Open an entry form."""
    engine.open(page)
    engine.find("form.fast")
    engine.run(MARK)


def returns(engine) -> None:
    """Go back from the board to the entry form, which is loaded again."""
    engine.until("() => document.querySelector('#pad') && document.readyState === 'complete'")
    engine.back()
    engine.until("() => document.querySelector('form.fast') && !window.isLeft")
    engine.run(MARK)


def digits(engine, number: int) -> None:
    for digit in str(number):
        engine.press(f".digits [data-digit='{digit}']")


def save(engine) -> None:
    engine.press("#save:enabled")
    engine.until("() => location.hash === '#next' && document.readyState === 'complete'")


@pytest.mark.long
def test_an_evening_its_referee_and_its_group(engine, address):
    engine.open(f"{address}/groups/new")
    for seat, name in enumerate(SIX[:4]):
        engine.run(
            "(seat, name) => { document.querySelectorAll('[name=member]')[seat].value = name; }",
            seat,
            name,
        )
    engine.type("[name=name]", "Kegelclub")
    engine.press("[value=found]")
    group = engine.until("() => document.querySelector('a[href^=\"/s/\"]')?.pathname")

    engine.open(f"{address}/new?preset=german-family")
    for seat, name in enumerate(SIX[:4], 1):
        engine.type(f":nth-child({seat} of .seat) [name=name]", name)
    engine.press(".foot button")
    game = engine.until("() => location.pathname.startsWith('/g/') && location.pathname")

    engine.open(f"{address}{game}/round")
    engine.find("form.fast")
    engine.press("label[for=ender-0]")
    engine.press(".asks-way label[for=way-1-points]")
    for seat, points in enumerate((12, 35, 60), 1):
        engine.press(f"#cell-{seat}")
        digits(engine, points)
    save(engine)
    assert engine.run(TOTALS) == ["0", "12", "35", "60"]

    engine.open(f"{address}{game}/round")
    engine.find("form.fast")
    engine.press("label[for=ender-1]")
    for seat, cards in ((0, ("KH", "9S")), (2, ("2C",)), (3, ("AD", "10D"))):
        engine.press(f"#cell-{seat}")
        if not engine.run(f"() => document.querySelector('#way-{seat}-cards').checked"):
            engine.press(f"label[for=way-{seat}-cards]")
        for card in cards:
            engine.press(f"[data-pad=cards] [data-key='{card}']")
    save(engine)
    before = engine.run(TOTALS)
    assert before[1] == "12" and before[0] != "0"

    engine.open(f"{address}{game}/round/1/correct")
    engine.find("form.fast")
    engine.press("#cell-2")
    digits(engine, 45)
    save(engine)
    after = engine.run(TOTALS)
    assert int(after[2]) == int(before[2]) + 10

    engine.open(f"{address}{game}/share")
    assert engine.run("() => document.querySelectorAll('.qr').length") >= 1
    engine.open(f"{address}/referee")
    engine.type("[name=cards]", "8♥ 9♥ 10♥")
    engine.until("() => document.querySelector('#ruling .cards')")
    engine.open(f"{address}{game}/more")
    engine.press(f"form[action='{game}/end'] button")
    engine.until("() => location.pathname.endsWith('/end')")
    assert engine.run("() => document.querySelector('.winner h2').textContent.trim()") == "Bernd"
    engine.open(f"{address}{game}/settlement")
    assert engine.run("() => document.querySelector('h1').textContent.length") > 3
    engine.open(f"{address}{group}")
    assert "Kegelclub" in engine.run("() => document.querySelector('h1').textContent")


def test_the_way_back_leads_to_the_form_as_it_was_entered(game, pen, address):
    """Browsers keep pages to go back to; WebKit then empties the fields of such a form."""
    opens(pen, f"{address}{game}/round")
    pen.press("label[for=ender-0]")
    pen.press(".asks-way label[for=way-1-points]")
    digits(pen, 9)
    pen.press("#cell-2")
    digits(pen, 12)
    pen.press(".bar .back")
    returns(pen)
    pen.press("#cell-3")
    digits(pen, 5)
    assert pen.run(ENTERED) == ["", "9", "12", "5"]

    save(pen)
    returns(pen)
    assert pen.run("() => document.querySelector('h1').textContent.trim()") == "Round 2"
    pen.press("label[for=ender-0]")
    digits(pen, 3)
    assert pen.run(ENTERED) == ["", "3", "", ""]

    opens(pen, f"{address}{game}/round/1/correct")
    pen.press("#cell-1")
    digits(pen, 45)
    pen.press(".bar .back")
    returns(pen)
    save(pen)
    assert pen.run(TOTALS) == ["0", "45", "12", "5"]


def test_the_way_back_leads_to_the_cards_of_the_referee(engine, address):
    engine.open(f"{address}/referee")
    for card in ("8H", "9H", "10H"):
        engine.press(f".deck [data-key='{card}']")
    engine.until("() => document.querySelector('#ruling .cards')")
    engine.open(f"{address}/offline")
    engine.back()
    engine.find(".deck [data-key='JH']")
    drawn = engine.run("() => document.querySelectorAll('.drawn button').length")
    engine.press(".deck [data-key='JH']")
    typed = engine.run("() => document.querySelector('[name=cards]').value.split(' ')")

    assert len(typed) == drawn + 1
    assert typed in (["8H", "9H", "10H", "JH"], ["JH"])  # where the page is loaded again


def test_the_way_back_leads_to_the_names_of_a_new_game(engine, address):
    engine.open(f"{address}/new")
    engine.type("[name=name]", "Anna")
    engine.run(MARK)
    engine.open(f"{address}/offline")
    engine.back()
    engine.find("[name=name]")
    names = "() => [document.querySelector('[name=name]').value, Boolean(window.isLeft)]"

    assert engine.run(names) in (["Anna", True], ["", False])  # where the page is loaded again


@pytest.mark.long
def test_every_page_fits_both_phones(app, address, anna, played, group, pen):
    engine, found = pen, []
    for what, path in (addresses(played, group) | ending(app, group)).items():
        engine.open(address + path)
        for size in (PHONE, NARROW):
            engine.resize(**size)
            flaws = engine.run(FLAWS, FINGER)
            if flaws or "SCREENS" in os.environ:
                engine.picture(PICTURES / f"{engine.name}-{size['width']}" / f"{what}.png")
            found += [f"{what} at {size['width']}: {flaw}" for flaw in flaws]

    assert found == []
