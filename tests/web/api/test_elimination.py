"""Elimination over REST: who is out, who comes back, and what the pot is."""

from typing import Any

import pytest

from evenings import body


def begin(nobody: Any, **options: object) -> Any:
    rules = {"preset": "scala-40", "options": options}
    return nobody.begin(players="ABC", rules=rules)


def why(answer: Any) -> list[tuple[str, str | None]]:
    """Return the codes of what was refused, with their reasons."""
    return [(one["code"], one["facts"].get("why")) for one in answer.json["problems"]]


def test_an_evening_of_scala_40_is_recorded_and_settled(nobody: Any) -> None:
    pen = begin(nobody, **{"settle.stake": "5"})
    for text in ("A: B 60, C 40", "A: B 41, C 60", "C: A 5"):
        assert pen.record(body(text, 3)).status_code == 201

    late = pen.record(body("A: B 5, C 5", 3))
    over = pen.record(body("A: C 1", 3))
    settled = pen.get("/games/{id}/settlement").json

    assert late.status_code == 422
    assert [(one["code"], one["path"]) for one in late.json["problems"]] == [
        ("E_ELIMINATED", ["seats", 1])
    ]
    assert why(late) == [("E_ELIMINATED", None)]
    assert over.status_code == 201
    game = pen.get("/games/{id}").json
    assert (game["over"], game["ranking"], game["left"]) == (True, [1, 3, 2], [0])
    assert game["eliminated"] == [
        {"seat": 1, "round": 2, "total": 101},
        {"seat": 2, "round": 4, "total": 101},
    ]
    assert settled["amounts"] == settled["pot"] == ["10", "-5", "-5"]


def test_a_player_comes_back_before_the_next_round(nobody: Any) -> None:
    pen = begin(nobody, **{"end.rejoin": "highest"})
    pen.record(body("A: B 110, C 30", 3))

    before = pen.get("/games/{id}").json
    forgotten = pen.record(body("A: B 10, C 20", 3))
    again = pen.record(body("B back; A: B 10, C 20", 3))
    later = pen.record(body("B back; A: B 10, C 20", 3))

    assert before["returning"] == [{"seat": 1, "total": 30}]
    assert why(forgotten) == [("E_ELIMINATED", "may_return")]
    assert again.status_code == 201
    game = pen.get("/games/{id}").json
    assert game["adjustments"] == [{"before_round": 2, "seat": 1, "minus": -80}]
    assert [total["minus"] for total in game["totals"]] == [0, 40, 50]
    assert why(later) == [("E_REJOIN", "not_out")]


def test_a_correction_that_puts_a_later_player_out_is_refused(nobody: Any) -> None:
    pen = begin(nobody)
    pen.record(body("A: B 60, C 40", 3))
    pen.record(body("A: B 5, C 5", 3))

    refused = pen.call("PUT", "/games/{id}/rounds/1", body("A: B 101, C 40", 3), match=pen.version)

    assert refused.status_code == 422
    assert refused.json["problems"][0]["path"] == ["rounds", 1, "seats", 1]
    assert "eliminated" not in nobody.begin().get("/games/{id}").json


def test_who_may_not_play_is_told_before_what_the_cards_say(nobody: Any) -> None:  # 12
    pen = begin(nobody)
    pen.record(body("A: B 110, C 30", 3))
    round_ = {"outcome": "out", "winner": 0, "seats": [{}, {}, {"hand": "KH KH KH"}]}

    out = pen.record(round_)
    off = pen.record({**round_, "rejoin": [2]})

    assert why(out) == [("E_ELIMINATED", None)]
    assert why(off) == [("E_RULE_OFF", "off"), ("E_ELIMINATED", None)]


def test_a_preview_refuses_what_recording_would_refuse(nobody: Any) -> None:
    pen = begin(nobody, **{"end.rejoin": "highest"})
    pen.record(body("A: B 110, C 30", 3))
    preview = "/games/{id}/rounds/preview"

    assert why(pen.post(preview, body("A: B 5, C 5", 3))) == [("E_ELIMINATED", "may_return")]
    assert why(pen.post(preview, body("C back; A: C 5", 3))) == [("E_REJOIN", "not_out")]
    assert pen.post(preview, body("B back; A: B 5, C 5", 3)).status_code == 200
    assert pen.post(preview, {"outcome": "cancelled"}).status_code == 200
    pen.record(body("A: C 71", 3))
    over = pen.post(preview, body("A: C 5", 3))
    assert [one["code"] for one in over.json["problems"]] == ["E_GAME_OVER"]


def test_an_indian_round_is_scored_without_a_game(nobody: Any) -> None:
    played = {
        "outcome": "out",
        "winner": 0,
        "wild": "7",
        "seats": [
            {},
            {"hand": "4H 5H 6H 9C 10C QC JK 2S 2D 2H KC 9D 3S"},
            {"drop": "middle"},
        ],
    }
    asked = {"rules": {"preset": "indian-points"}, "players": 3, "round": played}

    score = nobody.post("/rounds/score", asked).json

    assert [seat["net"] for seat in score["scores"]] == [52, -12, -40]
    assert [line["reason"] for line in score["lines"]][:2] == ["unmelded", "drop_middle"]


def test_somebody_who_stayed_away_plays_on_when_all_others_but_one_went_out(nobody: Any) -> None:
    rules = {"preset": "kalooki"}
    pen = nobody.begin(players="ABCDE", rules=rules)
    pen.record(body("A: B 151, D 160", 5))

    game = pen.get("/games/{id}").json

    assert (game["left"], game["next"]["present"]) == ([0, 2, 4], [0, 2, 4])
    assert (game["next"]["dealer"], game["next"]["first"]) == (2, 4)
    assert pen.record(body("A: C 1, E 1", 5)).status_code == 201


def test_a_player_whose_place_was_taken_is_not_left_in_the_game(nobody: Any) -> None:
    options = {"preset": "indian-pool", "options": {"settle.stake": "6"}}
    pen = nobody.begin(players="AB", rules=options)
    pen.record(body("A: B 40", 2))
    joined = {"player": {"name": "C", "in_place_of": 1}}
    pen.call("PATCH", "/games/{id}", joined, match=pen.version)
    assert pen.get("/games/{id}").json["left"] == [0, 2]

    pen.record(body("A: C 70", 3))

    game = pen.get("/games/{id}").json
    assert (game["over"], game["left"], game["ranking"]) == (True, [0], [1, 3, 2])
    assert pen.get("/games/{id}/settlement").json["amounts"] == ["12", "-6", "-6"]


@pytest.mark.parametrize(
    ("back", "found"),
    [([1, 7], ("E_FORM", "no_seat")), ([1, 1], ("E_REJOIN", "twice"))],
    ids=["a seat that does not exist", "twice"],
)
def test_who_comes_back_has_a_seat_and_comes_back_once(
    nobody: Any, back: list[int], found: tuple[str, str]
) -> None:
    rules = {"preset": "kalooki", "options": {"end.rejoin": "highest"}}
    asked = {"rules": rules, "players": 2, "round": {**body("A: B 5", 2), "rejoin": back}}
    pen = begin(nobody, **{"end.rejoin": "highest"})
    pen.record(body("A: B 110, C 30", 3))

    alone = nobody.post("/rounds/score", asked)
    at_table = pen.record({**body("B back; A: B 5, C 5", 3), "rejoin": back})

    assert why(alone) == why(at_table) == [found]
    assert alone.json["problems"][0]["path"] == ["round", "rejoin", 1]
    assert at_table.json["problems"][0]["path"] == ["rejoin", 1]
