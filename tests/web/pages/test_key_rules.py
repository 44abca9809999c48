"""House rules in the form: the ones that tables change first, differences on top, all others."""

import re
from itertools import cycle

import pytest

from scorekeeper.domain.rules import OPTIONS
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.i18n import LANGUAGES
from scorekeeper.web.pages.new_game.fields import SEPARATE_OPTIONS
from scorekeeper.web.pages.new_game.key_rules import KEY_RULES
from web.pages.conftest import Browser, Form, words


def shown(reader, system: str, **fields):
    form = Form(reader.send("/new", preset=system, do="rules").text).fields
    for name, value in {"do": "check", **fields}.items():
        form[name] = value
    return reader.post("/new", form)


def rules_of(reader, game: str) -> str:
    return words(reader.get(f"{game}/rules").text)


@pytest.mark.parametrize(("system", "language"), [*zip(PRESETS, cycle(LANGUAGES), strict=False)])
def test_every_rule_of_a_system_is_in_the_form_once_with_its_words(app, system, language):
    page = shown(Browser(app, language), system).text
    names = set(re.findall(r'name="([\w.]+)"', page.partition('id="who"')[2])) & set(OPTIONS)

    of_seats = {"players.min", "players.max"} if preset(system).applies("teams") else set()
    assert names == set(preset(system).names()) - SEPARATE_OPTIONS - of_seats
    for name in names - set(KEY_RULES[preset(system).family]):
        assert page.count(f'name="{name}"') == 1
    assert "home.rule" not in re.sub(r'(id|for|aria-\w+)="[^"]*"', "", page)


def test_a_limit_is_set_with_one_press(anna):
    game = anna.begin(**{"end.points": "500"})

    assert "Die Punktgrenze ist 500." in rules_of(anna, game)


def test_a_limit_is_removed_with_one_press(anna):
    game = anna.begin(preset="romme-palast", **{"end.points": ""})

    assert "Punktgrenze ist" not in rules_of(anna, game)


def test_a_limit_beside_a_number_of_rounds_ends_at_either(anna):
    game = anna.begin(**{"end.mode": "rounds", "end.rounds": "9", "end.points": "300"})
    board = rules_of(anna, game)

    assert "300" not in board or "9" in board


def test_another_value_is_typed(anna):
    game = anna.begin(**{"end.points": "other", "other.end.points": "750"})
    page = shown(anna, "german-family", **{"end.points": "other", "other.end.points": "750"}).text

    assert "Die Punktgrenze ist 750." in rules_of(anna, game)
    assert re.search(r'id="rule-end.points-750" value="750" checked', page)


@pytest.mark.parametrize("typed", ["", "viel", "0", "100001", "-5"])
def test_an_invalid_typed_value_is_refused_at_its_field(anna, typed):
    fields = {"end.points": "other", "other.end.points": typed, "do": "start"}
    answer = shown(anna, "german-family", name="Anna", **fields)

    if typed:
        assert 'id="fault-end.points" data-part><p class="fault"' in answer.text
        assert f'name="other.end.points" id="other-end.points" value="{typed}"' in answer.text
    else:
        assert 'id="fault-end.points" data-part></div>' in answer.text


def test_a_switch_turns_a_rule_off_and_on(anna):
    assert "Handrommé gibt es nicht." in rules_of(anna, anna.begin(**{"hand_romme.enabled": "no"}))
    assert "Handrommé gibt es:" in rules_of(anna, anna.begin(**{"hand_romme.enabled": "yes"}))


def test_a_difference_is_listed_once_and_reset_with_one_press(anna):
    form = anna.form_in(shown(anna, "german-family", **{"end.points": "500"}))
    form["do"] = "check"
    page = anna.post("/new", form).text

    assert "So spielt ihr anders 1" in words(page)
    assert "Die Punktgrenze ist 500." in page

    form["do"] = "usual:end.points"
    page = anna.post("/new", form).text

    assert "So spielt ihr anders" not in page
    assert '<details class="fold" open>' in page  # the rules stay in sight


def test_two_against_two_is_one_difference(anna):
    page = shown(anna, "gin-palast", teams="yes").text

    assert "So spielt ihr anders 1" in words(page)


@pytest.mark.parametrize("name", ["", "nothing", "end", "settle.unit", "x" * 500])
def test_resetting_an_unknown_rule_breaks_no_page(anna, name):
    assert anna.send("/new", do=f"usual:{name}").status_code == 200


def test_an_evening_with_a_limit_is_repeated_with_it(anna):
    game = anna.begin(**{"end.points": "500"})
    form = anna.form_in(anna.send("/new", do=f"again:{game.removeprefix('/g/')}"))

    assert form["end.points"] == "500"

    form["end.points"] = ""
    form["do"] = "start"
    begun = anna.post("/new", form)

    assert begun.status_code == 303
    assert "Punktgrenze" not in rules_of(anna, begun.location)


def test_a_group_changes_its_rules_with_the_same_switches(anna, stammtisch):
    form = anna.form(f"{stammtisch}/house")
    form["end.points"] = "1000"
    form["do"] = "save"
    saved = anna.post(f"{stammtisch}/house", form)
    page = anna.get(f"{stammtisch}/house").text

    assert saved.status_code == 303
    assert "Die Punktgrenze ist 1000." in page

    form = anna.form(f"{stammtisch}/house")
    form["do"] = "usual:end.points"

    assert "Die Punktgrenze ist 1000." not in anna.post(f"{stammtisch}/house", form).text


def test_the_stake_shows_the_worth_of_a_hundred_points(anna):
    page = shown(anna, "german-family", point_value="5 ct").text

    assert "100 Punkte Unterschied sind 500\u00a0ct." in page
