"""Rule systems and melds without a game."""

import pytest

from rest import Table, codes
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES

# ---- rules ---------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_preset_is_listed_with_all_options_in_the_readers_language(
    nobody: Table, lang: str
) -> None:
    answer = nobody.get("/presets", lang=lang).json["presets"]

    assert [preset["preset"] for preset in answer] == list(PRESETS)
    assert all(preset["name"] and preset["description"] for preset in answer)
    assert answer[0]["options"] == PRESETS["romme-palast"].resolved()


def test_a_preset_is_found_by_its_name_and_its_alias(nobody: Table) -> None:
    assert nobody.get("/presets/klop").json["preset"] == "knock-rummy"
    assert nobody.get("/presets/bridge").status_code == 404


def test_every_option_is_listed_with_its_range_and_source(nobody: Table) -> None:
    answer = {option["name"]: option for option in nobody.get("/options").json["options"]}

    assert list(answer) == list(OPTIONS)
    assert answer["joker.hand_value"]["allowed"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 100,
    }
    assert answer["gin.oklahoma"]["families"] == ["gin"]


@pytest.mark.parametrize("name", PRESETS)
def test_the_options_of_an_answer_can_be_sent_back(nobody: Table, name: str) -> None:
    preset = nobody.get(f"/presets/{name}").json
    rules = {"preset": name, "options": preset["options"]}

    answer = nobody.post("/rules/check", {"rules": rules})

    assert answer.status_code == 200, answer.text
    assert answer.json["options"] == preset["options"]
    assert answer.json["deviations"] == []


def test_another_family_is_refused_with_that_of_the_system(nobody: Table) -> None:
    rules = {"preset": "wiener", "options": {"family": "gin"}}

    (problem,) = nobody.post("/rules/check", {"rules": rules}).json["problems"]

    assert problem["path"] == ["rules", "options", "family"]
    assert problem["facts"] == {"why": "family", "option": "family", "expected": "hand"}
    assert problem["message"].startswith("The kind of game belongs to the rule system")


def test_house_rules_are_resolved_and_their_deviations_worded(nobody: Table) -> None:
    rules = {"preset": "german-family", "options": {"joker.hand_value": 50, "deck.jokers": 4}}

    answer = nobody.post("/rules/check", {"rules": rules}, lang="de").json

    assert answer["options"]["joker.hand_value"] == 50
    assert [(d["option"], d["value"], d["usual"]) for d in answer["deviations"]] == [
        ("deck.jokers", 4, 6),
        ("joker.hand_value", 50, 20),
    ]
    assert all(d["message"] and d["otherwise"] for d in answer["deviations"])


def test_unusual_house_rules_are_accepted_with_a_warning(nobody: Table) -> None:  # RULES 3.7.8
    rules = {"preset": "german-family", "options": {"score.winner_reduction": 10}}

    answer = nobody.post("/rules/check", {"rules": rules}).json

    assert [warning["code"] for warning in answer["warnings"]] == ["W_OPTION_UNUSUAL"]


@pytest.mark.parametrize(
    ("rules", "place"),
    [
        ({"preset": "nobody"}, ["rules", "preset"]),
        ({"preset": "robber", "options": {"x.y": 1}}, ["rules", "options", "x.y"]),
        ({"preset": "robber", "options": {"gin.oklahoma": True}}, ["rules", "options"]),
        ({"preset": "robber", "options": {"ace.high": False}}, ["rules", "options", "ace.high"]),
    ],
)
def test_contradictory_rules_are_refused(nobody: Table, rules: object, place: list[str]) -> None:
    answer = nobody.post("/rules/check", {"rules": rules})

    assert answer.status_code == 422
    assert [code for code, _ in codes(answer)] == ["E_CONFIG"]
    assert codes(answer)[0][1][: len(place)] == place


# ---- melds ---------------------------------------------------------------------------


def meld(cards: str, preset: str = "romme-palast", **more: object) -> dict[str, object]:
    return {"rules": {"preset": preset}, "cards": cards, **more}


def test_a_meld_has_its_points_and_what_its_joker_stands_for(nobody: Table) -> None:  # M04
    answer = nobody.post("/melds/check", meld("JH QH JK AH")).json

    assert (answer["valid"], answer["kind"], answer["points"]) == (True, "run", 41)
    assert answer["cards"][2] == {"card": "JK", "stands_for": "KH"}
    assert answer["problems"] == []


def test_a_joker_may_be_read_in_two_ways_and_the_order_decides(nobody: Table) -> None:  # M22
    answer = nobody.post("/melds/check", meld("8H 9H JK")).json

    assert answer["points"] == 27
    assert sorted(reading["points"] for reading in answer["readings"]) == [24, 27]


def test_cards_that_are_no_meld_get_an_answer_not_an_error(nobody: Table) -> None:  # M10
    answer = nobody.post("/melds/check", meld("7H 7H 7S", "german-family"))

    assert (answer.status_code, answer.json["valid"]) == (200, False)
    assert codes(answer) == [("E_SET", ["cards"])]
    assert answer.json["kind"] is answer.json["points"] is None


def test_a_first_meld_needs_the_minimum(nobody: Table) -> None:  # M01
    cheap = nobody.post("/melds/check", meld("7H 7S 7C", first=True))
    dear = nobody.post("/melds/check", meld("10H 10S 10C", first=True))

    assert codes(cheap) == [("E_FIRST_MIN", ["cards"])]
    assert (cheap.json["valid"], cheap.json["points"]) == (False, 21)
    assert dear.json["valid"]


def test_an_undetermined_joker_in_a_set_gets_a_warning(nobody: Table) -> None:  # RULES 5.3.6
    answer = nobody.post("/melds/check", meld("9D JK 9C", "german-family")).json

    assert answer["valid"]
    assert [warning["code"] for warning in answer["warnings"]] == ["W_JOKER_UNPINNED"]
    assert answer["cards"][-1]["stands_for"] == "9"


def test_german_letters_are_read_as_the_game_is_played(nobody: Table) -> None:  # N04
    answer = nobody.post("/melds/check", meld("KK HK PK", "german-family", notation="de")).json

    assert {card["card"] for card in answer["cards"]} == {"KC", "KH", "KS"}
    assert [warning["code"] for warning in answer["warnings"]] == ["W_SUIT_K_KREUZ"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (meld("KD 8H", notation="auto"), "E_NOTATION_AMBIGUOUS"),  # N01
        (meld("TH 8H 9H"), "E_NOTATION"),
        (meld("2C..KC AC 2D 3D 4D 5D"), "E_FORM"),
        (meld("8H", first="yes"), "E_FORM"),
    ],
)
def test_cards_that_cannot_be_read_are_refused(nobody: Table, body: object, code: str) -> None:
    answer = nobody.post("/melds/check", body)

    assert answer.status_code == 422
    assert codes(answer)[0][0] == code
