"""A whole turn on the page of the referee: its five questions and their answers."""

import re
from itertools import cycle

import pytest
from flask import Flask

from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.web.pages.referee.turns import judge_turn, steps_of
from web.pages.conftest import Browser, words

DE = language("de")
NOTHING_LAID = {"melded_none": "yes", "laid_off_none": "yes", "swapped_none": "yes"}


def ruled(rules: str | object, **fields: str) -> str:
    """Return the codes in the answer to a turn."""
    by = preset(rules) if isinstance(rules, str) else rules
    ruling = judge_turn(by, {"notation": "en", **fields}, {"players": 4}, DE)  # type: ignore[arg-type]

    assert not ruling.faults, ruling.faults
    return " ".join(problem.code for problem in ruling.findings)


LAID = {"laid_off_card_0": "6H", "laid_off_on_0": "7H 8H 9H"}
SWAPPED = {"swapped_card_0": "10H", "swapped_on_0": "9H JK=10H JH"}


TWO = preset("german-family").override({"draw.two_small_table": True})
HAND_ROMME = {
    "drawn": "stock",
    "first": "yes",
    "melded": "AS 2S 3S\n2H 2D 2C\n3H 3D 3C",
    "discarded": "KC",
    "hand_left": "0",
}
ON_FOURS = {"laid_off_card_0": "4S", "laid_off_on_0": "4H 4D 4C"}


@pytest.mark.parametrize(
    ("rules", "fields", "found"),
    [
        ("robber", {}, ""),
        ("robber", {"drawn": "none"}, "E_NOT_DRAWN"),
        ("robber", {"drawn": "more"}, "E_DRAWN_TWICE"),
        ("robber", {"drawn": "stock", "late": "yes"}, "E_DRAW_FIRST"),
        ("robber", {"out_of_turn": "yes", "melded": "7S 8S 9S"}, "E_NOT_IN_TURN"),
        # the card from the discard pile: judged when all is answer
        ("robber", {"drawn": "discard", "drawn_card": "9D", "melded_none": "yes"}, ""),
        (
            "robber",
            {"drawn": "discard", "drawn_card": "9D", **NOTHING_LAID},
            "E_DISCARD_NOT_MELDED",
        ),
        (
            "robber",
            {
                "drawn": "discard",
                "drawn_card": "9D",
                "laid_off_card_0": "9D",
                "laid_off_on_0": "6D 7D 8D",
                "discarded": "4C",
            },
            "",
        ),
        # the table: several cards in any order, several rows, melds of this turn
        ("german-family", {**LAID, "laid_off_card_0": "5H 6H"}, ""),
        ("german-family", {**LAID, "laid_off_card_0": "4H"}, "E_LAYOFF"),
        ("german-family", {**LAID, "first": "yes"}, "E_NOT_LAID"),
        ("romme-palast", {**LAID, "first": "yes", "melded": "KH KD KS"}, ""),
        ("german-family", {"melded": "7H 8H 9H", **LAID}, ""),
        (
            "german-family",
            {**LAID, "laid_off_card_1": "10H", "laid_off_on_1": "7H 8H 9H"},
            "",
        ),
        ("german-family", {"melded": "7H 8H"}, "E_MELD_SHORT"),
        ("luxembourg", {"melded": "7H 8H 9H\n2C 2D 2S"}, "E_MELDS_PER_TURN"),
        # a joker goes to the hand, or into a new meld
        ("german-family", {**SWAPPED, "joker_to_hand": "yes"}, ""),
        ("romme-palast", {**SWAPPED, "joker_to_hand": "yes"}, "E_JOKER_TO_HAND"),
        ("romme-palast", {**SWAPPED, "melded": "4C 4S JK"}, ""),
        (
            "romme-palast",
            {**SWAPPED, "melded": "4C 4S JK", "swapped_own_0": "yes"},
            "E_SWAP_NOT_ALLOWED",
        ),
        ("german-family", {**SWAPPED, "swapped_card_0": "7H"}, "E_SWAP_MISMATCH"),
        (
            "german-family",
            {**SWAPPED, "swapped_card_0": "7H", "joker_to_hand": "yes"},
            "E_SWAP_MISMATCH",
        ),
        # the end of the turn
        ("german-family", {"discarded_none": "yes", "hand_left": "0"}, "E_DISCARD_REQUIRED"),
        ("german-family", {"discarded_none": "yes", "hand_left": "3"}, "E_DISCARD_MISSING"),
        ("german-family", {"discarded_none": "yes"}, "E_DISCARD_MISSING"),
        ("luxembourg", {"discarded_none": "yes"}, ""),
        ("luxembourg", {"melded": "7H 7D 7S", "discarded": "7H"}, "E_DUPLICATE_CARD"),
        # a hand rommé
        ("german-family", HAND_ROMME, ""),
        ("german-family", {**HAND_ROMME, "hand_left": "1"}, "E_FIRST_MIN"),
        ("german-family", {**HAND_ROMME, **ON_FOURS}, ""),
        ("romme-palast", {**HAND_ROMME, **ON_FOURS}, "E_NOT_LAID"),
        ("luxembourg", {"drawn": "discard", "drawn_card": "7C", "discarded": "7C"}, "E_RETURNED"),
        # a claim
        (
            preset("romme-palast").override({"klopfen.mode": "palast"}),
            {"drawn": "claim", "drawn_card": "7C", "out_of_turn": "yes", "melded": "7C 8C 9C"},
            "E_NOT_IN_TURN",
        ),
        (
            preset("german-family").override({"klopfen.mode": "rasche"}),
            {"drawn": "claim", "drawn_card": "7C", "refused": "yes"},
            "E_KLOPFEN_REFUSED",
        ),
        (
            preset("romme-palast").override({"klopfen.mode": "palast"}),
            {"drawn": "claim", "drawn_card": "7C", "out_of_turn": "yes", "penalty": "1"},
            "",
        ),
        (
            preset("romme-palast").override({"klopfen.mode": "palast"}),
            {"drawn": "claim", "drawn_card": "7C", "out_of_turn": "yes", "penalty": "0"},
            "E_CLAIM_PENALTY",
        ),
        # two cards (the table of four here draws one)
        (TWO, {"drawn": "stock"}, ""),
        (TWO, {"drawn": "more"}, "E_DRAWN_TWICE"),
        # without laying out
        ("wiener", {"melded": "7H 7D 7S"}, "E_NO_LAYING"),
        ("wiener", {"melded": "7H 7D 7S", "discarded": "KC", "hand_left": "3"}, ""),
        ("gin-palast", {"melded": "7H 7D 7S"}, "E_NO_LAYING"),
        ("gin-palast", {"melded": "7H 7D 7S", "ended": "knock"}, ""),
        ("knock-rummy", {"melded": "7H 7D 7S", "ended": "no"}, "E_NO_LAYING"),
        ("knock-rummy", {"ended": "knock", "out_of_turn": "yes"}, "E_NOT_IN_TURN"),
        # gin
        (preset("gin-palast").override({"gin.glass": True}), {"glass": "2"}, "E_GLASS_AGAIN"),
        (preset("gin-palast").override({"gin.glass": True}), {"glass": "1"}, ""),
        (
            preset("gin-palast").override({"gin.hirschn": True}),
            {"ended": "knock", "hirschn": "yes"},
            "E_HIRSCHN",
        ),
    ],
)
def test_a_turn_is_checked_as_far_as_it_is_described(
    rules: object, fields: dict[str, str], found: str
):
    assert ruled(rules, **fields) == found  # type: ignore[arg-type]


@pytest.mark.parametrize(("drawn", "found"), [("stock", []), ("discard", []), ("more", True)])
def test_a_small_table_answers_for_both_cards(drawn: str, found: object):  # R25
    ruling = judge_turn(TWO, {"notation": "en", "drawn": drawn}, {"players": 3}, DE)

    assert [problem.code for problem in ruling.findings] == (found and ["E_DRAWN_COUNT"])


def test_the_form_asks_only_questions_that_the_rules_leave_open():
    lay = ("drawn", "melded", "laid_off", "swapped", "discarded")

    assert steps_of(preset("german-family")) == lay
    assert steps_of(preset("luxembourg")) == tuple(step for step in lay if step != "swapped")
    assert steps_of(preset("wiener")) == ("drawn", "melded", "discarded")
    gin = preset("gin-palast").override({"gin.glass": True, "gin.hirschn": True})
    assert steps_of(gin) == ("drawn", "glass", "ended", "melded", "discarded")


def test_equal_cards_are_asked_about(anna):
    game = anna.begin(options_of="german-family", **{"draw.no_immediate_return": "yes"})
    twins = {"ask": "turn", "drawn": "discard", "drawn_card": "♣7", "discarded": "♣7"}

    unsure = anna.send(f"{game}/referee", **twins).text
    same = anna.send(f"{game}/referee", **twins, same="yes").text

    assert 'name="same"' in unsure
    assert language("de")("turn.look") in unsure
    assert language("de")("turn.no") in same
    assert 'name="same"' in same


def test_the_referee_of_a_game_starts_with_the_turn_and_its_players(anna):
    game = anna.begin(preset="robber")
    html = anna.get(f"{game}/referee").text

    assert language("de")("turn.title") in html
    assert "Bernd" in html
    assert 'name="preset"' not in html
    assert 'id="step-drawn" open' in html
    cards = anna.get(f"{game}/referee?ask=meld").text
    assert 'name="cards"' in cards
    assert "ask=turn" in cards


def test_a_verdict_names_the_rule_and_what_would_be_allowed(anna):
    game = anna.begin(preset="robber")
    fields = {"drawn": "discard", "drawn_card": "♦9", "laid_off_card_0": "♥8"}
    fields |= {"laid_off_on_0": "♥5 ♥6 ♥7", "melded": "♠5 ♠6 ♠7", "discarded": "♣K"}
    html = anna.send(f"{game}/referee", ask="turn", who="3", swapped_none="yes", **fields).text
    text = words(html.split('id="ruling"')[1])

    assert "Nicht erlaubt: Die Karte vom Ablagestapel muss im selben Zug gemeldet werden." in text
    assert "Rasche, § 8b" in text
    assert "Erlaubt wäre" in text
    assert "den Abwurf liegen lassen und vom Talon ziehen" in text
    assert "who=0" in html  # the next player after the last one
    assert " open" not in html.split('<ol class="panel steps"')[1].split("</ol>")[0]


def test_after_a_turn_it_is_that_of_the_neighbour_at_the_table(anna):
    game = anna.begin(preset="robber")
    anna.send(f"{game}/edit", seat=["0", "2", "1", "3"], do="save")
    fields = {"drawn": "discard", "drawn_card": "♦9", "melded": "♠5 ♠6 ♠7", "discarded": "♣K"}
    html = anna.send(f"{game}/referee", ask="turn", who="0", swapped_none="yes", **fields).text

    assert "who=2" in html


def test_out_of_turn_is_part_of_the_first_answer(anna):
    laid = {"melded": "♠5 ♠6 ♠7", "out_of_turn": "yes"}
    html = anna.send("/referee", ask="turn", preset="robber", **laid).text

    first = html.split('id="step-drawn"')[1].split("</details>")[0]
    assert 'name="out_of_turn"' in first
    assert language("de")("turn.out_of_turn") in words(first.split("</summary>")[0])
    assert 'id="step-laid_off" open' in html  # nothing need be drawn
    assert "nur, wer am Zug ist" in html


def test_a_whole_turn_that_breaks_no_rule_is_allowed(anna):
    answer = {"ask": "turn", "drawn": "stock", **NOTHING_LAID}

    partly = anna.send("/referee", preset="robber", **answer).text
    whole = anna.send("/referee", preset="robber", **answer, discarded="♣K").text

    assert language("de")("turn.so_far") in partly
    assert 'id="step-discarded" open' in partly
    assert language("de")("turn.yes") in whole


@pytest.mark.parametrize(
    ("field", "text"),
    [("drawn_card", "X9"), ("melded", "H7 H8 X"), ("laid_off_card_0", "?"), ("discarded", "77")],
)
def test_unreadable_input_stays_in_its_field_with_the_error(anna, field, text):
    fields = {"drawn": "discard", "drawn_card": "♦9", field: text}
    html = anna.send("/referee", ask="turn", preset="robber", **fields).text

    assert (
        "lässt sich nicht" in html or "„" in html.split(f'id="fault-{field}"')[1].split("</div>")[0]
    )
    assert text in html
    assert 'class="ruling' not in html


@pytest.mark.parametrize(("name", "lang"), [*zip(PRESETS, cycle(LANGUAGES), strict=False)])
def test_turn_pages_work_in_every_language_and_rule_system(app: Flask, lang, name):
    path = f"/referee?ask=turn&preset={name}&drawn=none&discarded=4♣"
    html = Browser(app, lang).get(path).text

    assert language(lang)("turn.title") in html
    assert language(lang)("turn.no") in html
    assert not re.search(r"\b(turn|instead|clause)\.[a-z_0-9]", words(html))


def test_hostile_fields_are_bounded(anna):
    fields = {f"laid_off_card_{row}": "JK " * 50 for row in range(40)}
    fields |= {f"laid_off_on_{row}": "7H 8H 9H" for row in range(40)}
    answer = anna.send("/referee", ask="turn", notation="en", drawn="x", who="99", **fields)

    assert answer.status_code == 200
    assert anna.send("/referee", ask="turn", glass="9999999", hand_left="-1").status_code == 200
    assert anna.send("/referee", ask="turn", preset="gin-palast", glass="99").status_code == 200
