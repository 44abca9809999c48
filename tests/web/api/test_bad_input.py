"""What cannot be in a round of the further systems: refused over REST, with what would be right."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from scorekeeper.i18n import LANGUAGES

Seat = dict[str, Any]


def round_of(*others: int | Seat, **facts: Any) -> dict[str, Any]:
    """Return a round that the first player ends; the others have points, or facts."""
    held = [{"points": one} if isinstance(one, int) else one for one in others]
    return {"outcome": "out", "winner": 0, "seats": [{}, *held], **facts}


def knock(own: int, other: int) -> dict[str, Any]:
    seats = [{"deadwood": own}, {"deadwood": other}]
    return {"outcome": "knock", "knocker": 0, "seats": seats}


AWAY = {"absent": True}
CONTRACT = ["4H 4D 4S", "9C 9D 9H"]


class Case(NamedTuple):
    preset: str
    rounds: list[dict[str, Any]]
    """All but the last are good."""
    finding: str
    """Its code, and why."""
    right: dict[str, str]
    """Words of the sentence that say what would be right."""
    options: Mapping[str, Any] = MappingProxyType({})


LEAVE_OUT = {"de": "weg", "en": "Leave", "fr": "nlevez", "lb": "ewech"}
ABSENT = {"de": "fehlt", "en": "as absent", "fr": "absence", "lb": "feelt"}
CASES = {
    "eliminated": Case("scala-40", [round_of(101, 60), round_of(5, 5)], "E_ELIMINATED", ABSENT),
    "eliminated, may come back": Case(
        "kalooki",
        [round_of(10, 160), round_of(5, 5)],
        "E_ELIMINATED.may_return",
        {"de": "zurück", "en": "back", "fr": "retour", "lb": "zréck"},
    ),
    "too late": Case(
        "kalooki",
        [round_of(10, 160, 20), round_of(5, AWAY, 5), round_of(5, 5, 5, rejoin=[2])],
        "E_REJOIN.too_late",
        ABSENT,
    ),
    "too often": Case(
        "kalooki",
        [
            round_of(10, 160, 20),
            round_of(5, 140, 20, rejoin=[2]),
            round_of(5, 5, 5, rejoin=[2]),
        ],
        "E_REJOIN.too_often",
        ABSENT,
        {"end.rejoin_max": 1},
    ),
    "named twice": Case(
        "kalooki",
        [round_of(10, 160, 20), round_of(5, 5, 5, rejoin=[2, 2])],
        "E_REJOIN.twice",
        {"de": "Einmal", "en": "Once", "fr": "Une fois", "lb": "Eemol"},
    ),
    "not out": Case(
        "kalooki",
        [round_of(10, 10, rejoin=[2])],
        "E_REJOIN.not_out",
        {**LEAVE_OUT, "en": "Do not enter", "fr": "Ne notez pas"},
    ),
    "contract": Case(
        "contract-rummy",
        [{**round_of(10, 5), "seats": [{"melds": CONTRACT[:1]}, {"points": 10}, {"points": 5}]}],
        "E_CONTRACT.melds",
        {"de": "2 Sätze", "en": "2 sets", "fr": "2 groupes", "lb": "2 Gruppe"},
    ),
    "laid after the contract": Case(
        "contract-rummy",
        [round_of({"first_meld": CONTRACT, "melds": ["JH JD JS"], "points": 10}, 5)],
        "E_CONTRACT.more",
        {"de": "weg", "en": "Leave", "fr": "Retirez", "lb": "ewech"},
    ),
    "drop with cards": Case(
        "indian-pool", [round_of({"drop": "first", "points": 20}, 5)], "E_DROP.facts", LEAVE_OUT
    ),
    "drop of the winner": Case(
        "indian-pool",
        [{**round_of(), "seats": [{"drop": "first"}, {"points": 5}]}],
        "E_DROP.winner",
        {"de": "Wähle", "en": "Choose", "fr": "Choisissez", "lb": "Wiel"},
    ),
    "two out": Case(
        "scala-40",
        [round_of({"hand": ""}, 5)],
        "E_TWO_OUT",
        {"de": "Trage", "en": "Enter", "fr": "Indiquez", "lb": "Dro"},
    ),
    "closed columns": Case(
        "gin-american",
        [knock(0, 80), knock(0, 80), knock(0, 80), knock(1, 5)],
        "E_GAME_OVER",
        {"de": "wieder auf", "en": "Reopen", "fr": "Rouvrez", "lb": "nees op"},
        {"gin.hollywood": True},
    ),
}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
def test_bad_input_gets_a_sentence_with_what_would_be_right(
    nobody: Any, name: str, code: str
) -> None:
    case = CASES[name]
    players = "ABCD"[: len(case.rounds[0]["seats"])]
    rules = {"preset": case.preset, "options": dict(case.options)}
    pen = nobody.begin(players=players, rules=rules)
    *good, bad = case.rounds
    for one in good:
        assert pen.record(one).status_code == 201
    before = pen.get("/games/{id}").json

    refused = pen.record(bad, lang=code)

    assert refused.status_code in (409, 422), refused.json
    (problem, *_) = refused.json["problems"]
    reason = problem.get("facts", {}).get("why")
    assert ".".join(filter(None, (problem["code"], reason))) == case.finding
    assert case.right[code] in problem["message"]
    assert pen.get("/games/{id}").json == before


def test_points_of_a_second_player_who_seems_to_be_out_are_doubted(nobody: Any) -> None:
    pen = nobody.begin(players="ABC", rules={"preset": "scala-40"})

    noted = pen.record(round_of(0, 5)).json

    assert [(one["code"], one["path"]) for one in noted["score"]["warnings"]] == [
        ("W_POINTS_IMPOSSIBLE", ["seats", 1, "points"])
    ]
