"""The page of the referee: a meld, a hand, a turn, without a game and by its rules."""

import pytest
from flask import Flask

from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.web.pages.referee.views import judge
from web.pages.conftest import Browser, words


def seen(browser, path="/referee", **fields: str) -> str:
    answer = browser.send(path, **fields)

    assert answer.status_code == 200
    return answer.text


def ruling(html: str) -> str:
    return words(html.split('id="ruling"')[1].split("<details")[0])


def test_a_meld_is_checked_without_a_game(anna):  # M22
    text = ruling(seen(anna, preset="romme-palast", cards="H8 H9 Joker"))

    assert "Gilt: Reihe. Beim Melden 27 Punkte." in text
    assert "(Rommé Palast)." in text
    assert "Rasche" not in text
    assert text.split("Die Karten lassen sich auch anders lesen:")[1].count("Reihe") == 1


def test_a_refusal_lists_possible_jokers_and_remedies(anna):  # M08
    text = ruling(seen(anna, preset="romme-palast", cards="H8 H9 J J"))

    assert "Gilt nicht." in text
    assert "entweder Herz 10, Herz-Bube oder aber Herz 6, Herz 7" in text
    assert "(Rommé Palast)" in text
    assert "Mit Herz-Dame dazu wäre es eine Meldung." in text


def test_the_keys_write_the_notation_that_the_cards_are_read_in(anna):
    html = seen(anna, "/referee?ask=meld&notation=en")

    assert 'data-key="JH"' in html  # in German it would be HB


@pytest.mark.parametrize(("cards", "enough"), [("H10 P10 KR10", True), ("H7 P7 KR7", False)])
def test_a_first_meld_must_reach_the_minimum(anna, cards, enough):  # M01
    text = ruling(seen(anna, preset="romme-palast", cards=cards, first="yes"))

    assert ("Für das erste Auslegen reicht das: 30 Punkte" in text) is enough
    assert ("für das erste Auslegen sind 30 nötig" in text) is not enough


def test_a_hand_is_arranged_with_first_melds_and_ways_out(anna):
    text = ruling(seen(anna, ask="hand", cards="H10 HB HD KR4 P4 KA4 H2"))

    assert "Übrig bleiben 2 Punkte." in text
    assert "Erstes Auslegen geht: 42 Punkte (nötig sind 40)." in text
    assert "Am billigsten" not in text
    assert "Rommé geht mit diesem Abwurf: Herz 2." in text
    assert "Reihe 30" in text
    assert "Satz 12" in text


def test_the_cheapest_and_the_dearest_first_meld_are_shown_where_they_differ(anna):
    text = ruling(seen(anna, ask="hand", cards="H10 HB HD HK KR4 P4 KA4 H2"))

    assert "Erstes Auslegen geht (nötig sind 40 Punkte): mindestens 40, höchstens 52." in text
    assert "Am billigsten" in text


def test_lay_offs_on_the_table_count(anna):  # G34
    table = "P4 P5 P6 P7 P8 P9\nH9 P9 KA9"
    fields = {"preset": "gin-palast", "ask": "hand", "cards": "P10 KAA"}

    doubled = seen(anna, **fields, table=table)
    fitting = seen(anna, **fields, table=table.splitlines()[0])

    assert "liegt 2-mal" in words(doubled)
    assert "an Meldung 1" in ruling(fitting)
    assert "Übrig bleibt ein Punkt." in ruling(fitting)


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ({"before": "P4 P5 P6 P7", "hand_used": "P8 P9", "after": "P4 P5 P6\nP7 P8 P9"}, True),
        ({"before": "P4 P5 P6 P7", "hand_used": "P8", "after": "P4 P5 P6\nP7 P8"}, False),
    ],
)
def test_a_turn_is_checked_by_the_table_before_and_after(anna, fields, allowed):  # R01
    text = words(seen(anna, preset="robber", has_laid="yes", **fields))

    assert ("Der Zug ist erlaubt." in text) is allowed
    assert ("Der Zug ist nicht erlaubt." in text) is not allowed


def test_the_owner_of_a_meld_can_be_stated(anna):  # R10
    turn = {"hand_used": "H10 KR4 P4", "after": "H9 H10 HB\nKR4 P4 JK", "has_laid": "yes"}

    own = seen(anna, preset="romme-palast", own="H9 JK=H10 HB", **turn)
    others = seen(anna, preset="romme-palast", before="H9 JK=H10 HB", **turn)

    assert "liegt in der eigenen Meldung" in words(own)
    assert "Der Zug ist erlaubt." in words(others)


@pytest.mark.parametrize(
    ("fields", "field", "fault"),
    [
        ({"cards": "H8 X9"}, "cards", "„X9“"),
        ({"ask": "hand", "cards": "H2 H2 H2"}, "cards", "höchstens 2-mal"),
        ({"ask": "hand", "cards": "H2", "table": "H5 H6"}, "table", "Mindestens drei"),
        ({"before": "H5 H6 H7", "own": "X", "after": "H5 H6 H7"}, "own", "„X“"),
        ({"ask": "hand", "cards": "KRA..KRK KA2..KAK"}, "cards", "höchstens 24"),
    ],
)
def test_unreadable_input_is_reported_at_its_field(anna, fields, field, fault):
    html = seen(anna, **fields)

    assert fault in words(html.split(f'id="fault-{field}"')[1].split("</div>")[0])
    assert f'name="{field}"' in html


def test_a_link_carries_the_question(anna):
    html = anna.get("/referee?preset=romme-palast&cards=H8+H9+JK&ask=meld").text

    assert "Gilt: Reihe." in ruling(html)
    assert anna.get("/referee?preset=nobody").status_code == 200


def test_the_referee_of_a_game_uses_its_rules(anna):
    game = anna.begin(options_of="german-family", **{"meld.first_min": "50"})
    html = seen(anna, f"{game}/referee", ask="meld", cards="H10 HB HD HK", first="yes")

    assert "für das erste Auslegen sind 50 nötig" in ruling(html)
    assert 'name="preset"' not in html
    assert f"{game}/referee" in anna.get(f"{game}/more").text
    assert "/referee" in anna.get("/").text


def test_the_referee_of_a_game_needs_the_right_to_read_it(anna, bernd):
    path = f"{anna.begin()}/referee"

    assert bernd.get(path).status_code == 404
    assert anna.get(path).status_code == 200


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_referee_speaks_every_language(app: Flask, lang):
    path = "/referee?cards=8♥ 9♥ JK&before=4♥ 5♥ 6♥&after=4♥ 5♥"
    html = Browser(app, lang).get(path).text

    assert language(lang)("referee.refused") in html
    assert "referee." not in words(html).replace("referee.js", "")


def test_without_input_nothing_is_checked(app: Flask):
    with app.test_request_context("/referee"):
        answer = judge(preset("robber"), {"notation": "en", "cards": " "}, {})

    assert (answer.meld, answer.hand, answer.turn, answer.faults) == (None, None, None, {})


def test_the_line_above_the_button_leads_to_cards_that_cannot_be_read(anna):
    page = seen(anna, cards="H8 H9 X")

    assert '<a class="hop" href="#message-1">' in page
    assert page.count("Geht nicht:") == 1


# ---- the round that is asked about ---------------------------------------------------


def begun(browser: Browser, name: str, *rounds: dict[str, str]) -> str:
    """Begin a game of three and enter some rounds by points."""
    game = browser.begin(preset=name, name=["Anna", "Bernd", "Claire"])
    for facts in rounds:
        ways = {f"way__{seat}": "points" for seat in range(3)}
        answer = browser.send(f"{game}/round", do="save", winner="0", **ways, **facts)
        assert answer.status_code == 303, words(answer.text)[:2000]
    return game


def chosen_row(html: str) -> list[str]:
    """Return the row of the plan that is selected."""
    part = html.split('name="plan_row"')[1].split("</select>")[0]
    options = part.split("<option")[1:]
    return [words(one.split(">", 1)[1]).strip() for one in options if " selected" in one]


TWO_SETS = "HK KAK PK H9 KA9 P9"


def test_outside_a_game_the_round_is_asked_for_where_there_is_a_plan(anna):
    planned = seen(anna, preset="contract-rummy", ask="hand", cards=TWO_SETS)
    chosen = seen(anna, preset="contract-rummy", ask="hand", cards=TWO_SETS, plan_row="2")

    assert 'name="plan_row"' in planned and 'name="wild"' not in planned
    assert 'name="plan_row"' not in seen(anna, preset="german-family")
    assert "Kontrakt" not in ruling(planned)
    assert "Der Kontrakt ist noch nicht beisammen: ein Satz ab 3 und" in ruling(chosen)
    first = seen(anna, preset="contract-rummy", ask="hand", cards=TWO_SETS, plan_row="1")
    assert "Der Kontrakt ist beisammen: 2 Sätze ab 3." in ruling(first)


def test_the_wild_rank_is_asked_for_only_where_it_is_cut(anna):
    run = {"preset": "indian-points", "cards": "KR9 KA7 KRB", "ask": "meld"}

    assert 'name="wild"' in seen(anna, preset="indian-points")
    assert 'name="wild"' not in seen(anna, preset="three-thirteen")
    assert "Gilt nicht." in ruling(seen(anna, **run))
    assert "Gilt: Reihe." in ruling(seen(anna, **run, wild="7"))
    assert "Gilt nicht." in ruling(seen(anna, **run, wild="8"))


def test_the_wild_rank_of_a_plan_follows_from_its_row(anna):  # N78
    hand = {"preset": "three-thirteen", "ask": "hand", "cards": "H3 KAK PK"}

    assert "Es bleibt nichts übrig." in ruling(seen(anna, **hand, plan_row="1"))
    assert "Übrig bleiben 23 Punkte." in ruling(seen(anna, **hand, plan_row="2"))


def test_a_row_that_the_plan_does_not_have_is_refused_at_its_field(anna):
    html = seen(anna, preset="contract-rummy", ask="hand", cards=TWO_SETS, plan_row="9")

    assert "Möglich ist 1 bis 7." in words(html.split('id="fault-plan_row"')[1].split("</div>")[0])
    for odd in ("0", "-1", "x", "99999999999999999999", "2.5"):
        seen(anna, preset="contract-rummy", ask="hand", cards=TWO_SETS, plan_row=odd, wild="Z")


def test_a_first_meld_is_one_of_the_contract(anna):
    meld = {"preset": "contract-rummy", "cards": "HK KAK PK", "plan_row": "3"}

    assert "gehört nicht zum Kontrakt" in ruling(seen(anna, **meld, first="yes"))
    assert "Gilt: Satz." in ruling(seen(anna, **meld))


def test_in_a_game_the_coming_round_is_chosen_and_another_may_be(anna):
    game = begun(anna, "contract-rummy", {"hand__1": "5", "hand__2": "10"})
    ask = {"path": f"{game}/referee", "ask": "hand", "cards": TWO_SETS}

    assert chosen_row(anna.get(f"{game}/referee").text) == ["2: ein Satz ab 3 und eine Reihe ab 4"]
    coming, other = seen(anna, **ask), seen(anna, **ask, plan_row="1")
    assert "Der Kontrakt ist noch nicht beisammen: ein Satz ab 3 und" in ruling(coming)
    assert "Der Kontrakt ist beisammen: 2 Sätze ab 3." in ruling(other)
    assert chosen_row(other) == ["1: 2 Sätze ab 3"]
    assert "ask=turn&amp;plan_row=1" in other and "ask=turn&amp;plan_row" not in coming


def test_the_turn_of_a_game_is_judged_by_the_contract_of_the_coming_round(anna):
    game = begun(anna, "contract-rummy", {"hand__1": "5", "hand__2": "10"})
    turn = {"path": f"{game}/referee", "ask": "turn", "drawn": "stock", "first": "yes"}
    turn |= {"melded": "HK KAK PK\nH9 KA9 P9"}

    assert "Das ist nicht der Kontrakt." in words(seen(anna, **turn))
    assert "nicht der Kontrakt" not in words(seen(anna, **turn, plan_row="1"))


def test_where_everybody_has_an_own_row_the_player_decides(anna):
    laid = {"laid__1": "no", "hand__1": "5", "laid__2": "no", "hand__2": "10"}
    game = begun(anna, "phases", laid)
    turn = {"path": f"{game}/referee", "ask": "turn", "drawn": "stock", "first": "yes"}
    turn |= {"melded": "HK KAK PK\nH9 KA9 P9"}

    assert "Das ist nicht der Kontrakt." in words(seen(anna, **turn, who="0"))
    assert "nicht der Kontrakt" not in words(seen(anna, **turn, who="1"))
    assert "die eigene Phase" in words(seen(anna, **turn))
    html = seen(anna, path=f"{game}/referee", ask="hand", cards=TWO_SETS)
    assert "2: ein Satz ab 3 und eine Reihe ab 4 (Anna)" in words(html)
    assert "(Bernd, Claire)" in words(html) and chosen_row(html) == []


def test_the_cut_card_is_asked_for_in_a_game(anna):
    game = begun(anna, "indian-pool")
    run = {"path": f"{game}/referee", "cards": "KR9 KA7 KRB", "ask": "meld"}

    assert "Gilt: Reihe." in ruling(seen(anna, **run, wild="7"))
    assert "Gilt nicht." in ruling(seen(anna, **run))


def test_the_deck_is_that_of_those_at_the_table(anna):
    game = begun(anna, "contract-rummy")  # two packs for three

    html = seen(anna, path=f"{game}/referee", ask="meld", cards="HK HK HK")

    assert "liegt 3-mal" in words(html) or "höchstens 2-mal" in words(html)
    assert 'data-packs="2"' in html
    assert "Gilt: Satz." in ruling(seen(anna, preset="contract-rummy", cards="HK HK HK"))
