"""A table of rounds that was exported is read back whole, whatever is played."""

import csv
from datetime import date
from typing import Any

import pytest
from flask import Flask

import short
from examples import ENDS, USUAL, examples, played
from rest import Club, codes
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.export.tables import game_table
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.i18n.formulas import escape_formulas, unescape_formulas
from scorekeeper.services.backfill import played_game
from scorekeeper.services.clock import set_clock
from scorekeeper.web.pages.group.transfer import in_words
from scorekeeper.wire.csv_evening import Sheet
from scorekeeper.wire.csv_sheet import read_sheet

TODAY = date(2026, 11, 28)
PLAYERS = ("=Anna", "-2+3", "@Carl", "minus", "Eve; =1+1", "Änne", "Zoë", "plus")
PAID = {"settle.stake": "10", "settle.round_stake": "1", "settle.hand_stake": "2"}
FURTHER: dict[str, dict[str, Any]] = {
    "robber": {"preset": "robber", "rounds": [{"winner": 0, "seats": [{}, {"points": 7}]}]},
    "N25": {
        "preset": "kalooki",
        "options": PAID,
        "rounds": [
            {"winner": 0, "seats": [{}, {"points": 160}, {"points": 20}]},
            {
                "winner": 1,
                "rejoin": [1],
                "hand_romme": True,
                "seats": [{"points": 30}, {}, {"points": 140}],
            },
            {"winner": 0, "seats": [{}, {"points": 131}, {"absent": True}]},
        ],
    },
    "N51": {
        "preset": "indian-pool",
        "options": {"settle.stake": "100"},
        "rounds": [
            {"seats": [{}, {"drop": "middle"}, {"points": 60}]},
            {"seats": [{}, {"drop": "first"}, {"wrong": True}]},
            {"rejoin": [2], "wild": "JK", "seats": [{}, {"points": 41}, {"points": 30}]},
            {"seats": [{}, {"absent": True}, {"drop": "first"}]},
        ],
    },
    "seating": {
        "preset": "knock-rummy",
        "rounds": [{"order": [0, 2, 1], "seats": [{"count": 10}, {"count": 5}, {"count": 5}]}],
    },
    "partners": {
        "preset": "gin-palast",
        "options": {"teams": True},
        "rounds": [
            {
                "knocker": 2,
                "seats": [{"deadwood": 9}, {"deadwood": 30}, {"deadwood": 3}, {"deadwood": 20}],
            },
        ],
    },
}


def all_games() -> list[Any]:
    """Every worked example that is a valid round or game, as a game with its rules."""
    found = []
    for family in ENDS:
        for one in examples(family):
            example = {"preset": USUAL[family], **one.values[0]}
            about = {name: example[name] for name in ("preset", "options") if name in example}
            found.append(pytest.param({**about, "rounds": [example]}, id=f"{family}-{one.id}"))
    return found + examples("games") + [pytest.param(one, id=name) for name, one in FURTHER.items()]


def played_or_none(example: dict[str, Any]) -> Game | None:
    apart = ("preset", "options")
    rounds = [{name: one[name] for name in one if name not in apart} for one in example["rounds"]]
    try:
        return played({**example, "rounds": rounds}, PLAYERS)  # type: ignore[arg-type]
    except RuleError:  # the example is a refusal, or a later round of a plan
        return None


@pytest.mark.parametrize("name", FURTHER)
def test_the_further_games_are_no_refusals(name: str) -> None:
    assert played_or_none(FURTHER[name])


def read_back(game: Game, code: str = "") -> Game:
    lang = language(code) if code else None
    words = (in_words(lang), lang.decimal_sign) if lang else ()
    sheet = read(game_table(game, "rounds", *words))
    return played_game(sheet.evenings[0].as_played(game.rules, f"{TODAY}", f"{TODAY}T12:00:00Z"))[0]


def read(table: str, members: tuple[str, ...] = PLAYERS) -> Sheet:
    return read_sheet(table, members, latest=TODAY)


def results(game: Game) -> dict[str, Any]:
    """Return the results of an evening, once it is over."""
    settled = game.settlement()
    return {
        "players": game.players,
        "tallies": game.sheet.tallies,
        "ranks": game.sheet.ranks,
        "scores": [(row.score.winner, row.score.scores) for row in game.sheet.rows],
        "amounts": settled and settled.amounts,
    }


@pytest.mark.parametrize("example", all_games())
def test_a_worked_example_is_read_back_from_its_table(example: dict[str, Any]) -> None:
    game = played_or_none(example)
    if game is None:
        return
    back = read_back(game)
    again = read_back(game, "de")

    assert results(again) == results(back)
    expected = results(game)
    if game.is_over:
        assert results(back) == expected
    else:
        assert {**results(back), "amounts": None} == {**expected, "amounts": None}


@pytest.mark.parametrize("example", all_games())
def test_all_lines_of_a_table_add_up_to_its_totals(example: dict[str, Any]) -> None:
    game = played_or_none(example)
    if game is None:
        return
    head, *lines, total = csv.reader(game_table(game, "rounds").removeprefix("\ufeff").splitlines())
    columns = range(5, 5 + 2 * game.sheet.sides)
    counts = [line for line in lines if "struck" not in line[head.index("status")]]

    assert [sum(int(line[n] or 0) for line in counts) for n in columns] == (
        [int(total[n]) for n in columns]
    )


def test_every_preset_has_a_game_that_is_read_back() -> None:
    found = {one.values[0]["preset"] for one in all_games() if played_or_none(one.values[0])}

    assert set(PRESETS) - found == set()


# ---- over REST -----------------------------------------------------------------------

HOSTILE = ("=Anna", "-2+3", "'@Carl")


def club(app: Flask, **more: Any) -> Club:
    return Club(app).found(*HOSTILE, **more)


def post_sheet(into: Club, table: str, preset: str = "", query: str = "", **more: Any) -> Any:
    body = {"sheet": table, **more} | ({"rules": {"preset": preset}} if preset else {})
    return into.post(f"/groups/{{id}}/sheets{query}", body, key=f"key-{next(into.keys)}")


def exported(one: Club) -> str:
    return str(one.get("/games/{game}/export.csv").data.decode())


def round_of(preset: str) -> dict[str, Any]:
    family = PRESETS[preset].family
    seats: list[dict[str, Any]] = {
        "lay": [{}, {"points": 35}, {"points": 12}],
        "hand": [{}, {"points": 35}, {"points": 12}],
        "gin": [{"deadwood": 3}, {"deadwood": 24}],
        "knock": [{"count": 4}, {"count": 22}, {"count": 30}],
    }[family]
    rules = PRESETS[preset]
    if rules.score.mode == "melded":
        seats = [{**seat, "laid_points": 40} for seat in seats]
    if rules.round.plan_by == "player":
        seats = [{**seat, "laid": True} if place else seat for place, seat in enumerate(seats)]
    outcome, ender = ENDS[family]
    return {"outcome": outcome, ender: 0, "seats": seats[: rules.players.max], "note": "+1; =2"}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_system_goes_through_a_table_into_an_empty_group(app: Flask, preset: str) -> None:
    with set_clock("2026-06-12T20:00:00Z"):
        first = club(app)
        one = round_of(preset)
        names = HOSTILE[: len(one["seats"])]
        table = first.evening(*names, rules={"preset": preset})
        answer = table.record(one)
        assert answer.status_code == 201, answer.text
        table.call("PATCH", "/games/{id}", {"over": True}, match=table.version)
        first.post("/groups/{id}/members", {"name": "nobody"})

        second = club(app)
        answer = post_sheet(second, exported(first), preset)
        assert answer.status_code == 201, answer.text

        assert outcome_of(second) == outcome_of(first)
        known = post_sheet(second, exported(first), preset).json["problems"]
        assert known[0]["message"] == language("en")("E_SHEET.known", line=2, day="12 June 2026")


def outcome_of(of: Club) -> dict[str, Any]:
    """Return the results of the only game of a group."""
    (known,) = of.get("/groups/{id}/games").json["games"]
    game = of.get(f"/games/{known['id']}").json
    found = {name: game[name] for name in ("players", "totals", "ranking", "over")}
    found["rounds"] = [one["round"] for one in game["rounds"] if not one["struck_at"]]
    settled = of.get(f"/games/{known['id']}/settlement").json
    return found | {"amounts": settled.get("amounts"), "balances": settled.get("balances")}


POOL = """Date;=Anna;-2+3;'@Carl;first drop;middle drop;winner
2026-11-27;0;20;40;{drops}
"""


def differing(answer: Any) -> list[Any]:
    (evening,) = answer.json["evenings"]
    found = evening["existing"]["differences"]
    return [(one["round"], one["kind"], one["facts"]) for one in found]


def test_a_typed_sheet_that_differs_in_facts_alone_is_no_known_evening(app: Flask) -> None:
    into = club(app, rules={"preset": "indian-pool"})
    sheet = POOL.format(drops="-2+3;'@Carl;")
    sure = {"new_members": ["-2+3"]}  # no column of numbers
    answer = post_sheet(into, sheet, **sure)
    assert answer.status_code == 201, answer.text
    again = post_sheet(into, sheet, query="?preview=true", **sure)
    assert again.json["evenings"][0]["known"]

    # 20 and 40 points in hand are worth the same as the drops.
    corrected = POOL.format(drops="-2+3;;")
    answer = post_sheet(into, corrected, query="?preview=true", **sure)
    assert differing(answer) == [(1, "changed", ["middle drop"])]
    assert codes(post_sheet(into, corrected, **sure)) == [("E_SHEET", ["line", 2])]

    existing = [{"day": "2026-11-27", "do": "replace"}]
    assert post_sheet(into, corrected, existing=existing, **sure).status_code == 201
    (one,) = outcome_of(into)["rounds"]
    assert one["seats"] == [{}, {"drop": "first"}, {"points": 40}]


def test_a_table_with_corrected_facts_corrects_its_evening(app: Flask) -> None:
    into = club(app)
    table = into.evening(*HOSTILE, rules={"preset": "scala-40"})
    table.record(short.body(0, 46, 15) | {"note": "=late"})
    table.record(short.body(0, 10, 20))
    text = exported(into)
    assert post_sheet(into, text, query="?preview=true").json["evenings"][0]["known"]

    corrected = text.replace('""points"":20', '""points"":21').replace(",20,0,", ",21,0,")
    answer = post_sheet(into, corrected, query="?preview=true")
    assert differing(answer) == [(2, "changed", ["record"])]
    existing = [{"day": answer.json["evenings"][0]["day"], "do": "replace"}]
    assert post_sheet(into, corrected, existing=existing).status_code == 201
    assert [one["minus"] for one in outcome_of(into)["totals"]] == [0, 56, 36]
    assert outcome_of(into)["rounds"][0]["note"] == "=late"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (",46,0,", ",47,0,", "shown"),
        (",46,0,", ",many,0,", "shown"),
        ('""points"":46', '""points"":""46""', None),
        ('"{""outcome""', '"{outcome', None),
        (
            '"{""outcome"":""out"",""winner"":0,""seats"":[{},{""points"":46},{""points"":15}]}"',
            "",
            "record",
        ),
        ("\n1,20", "\n1,21", "future"),
        ("'=Anna minus", "'=Anna  minus", "new_member"),
    ],
)
def test_a_table_that_was_changed_by_hand_is_refused_where_it_contradicts_itself(
    app: Flask, old: str, new: str, why: str | None
) -> None:
    first = club(app)
    first.evening(*HOSTILE, rules={"preset": "scala-40"}).record(short.body(0, 46, 15))
    text = exported(first)
    assert old in text, text
    answer = post_sheet(club(app), text.replace(old, new), "scala-40")

    assert answer.status_code == 422, answer.text
    problem = answer.json["problems"][0]
    assert problem["path"][:2] == ["line", 1 if why == "new_member" else 2]
    assert problem["facts"].get("why") == why or why is None


def test_a_cell_that_is_no_number_is_named_by_its_place(app: Flask) -> None:
    first = club(app)
    first.evening(*HOSTILE, rules={"preset": "scala-40"}).record(short.body(0, 46, 15))
    text = exported(first).replace(",46,0,", ",many,0,")
    row = list(csv.reader(text.splitlines()))[1]

    answer = post_sheet(club(app), text, "scala-40")

    place = ["line", 2, "column", row.index("many") + 1]
    assert answer.json["problems"][0]["path"] == place


def test_a_record_that_names_a_seat_nobody_has_is_refused(app: Flask) -> None:
    first = club(app)
    table = first.evening(*HOSTILE, rules={"preset": "scala-40"})
    table.record(short.body(0, 46, 15))
    table.record(short.body(0, 9, 8))
    text, old = exported(first), '""winner"":0,""seats"":[{},{""points"":9},{""points"":8}]'
    assert old in text
    changed = text.replace(old, '""winner"":7,""seats"":[{},{""points"":9}]')

    answer = post_sheet(club(app), changed, "scala-40")

    assert answer.status_code == 422, answer.text


def test_points_without_a_round_are_refused_and_struck_rounds_left_out(app: Flask) -> None:
    first = club(app)
    table = first.evening(*HOSTILE, rules={"preset": "scala-40"})
    table.record(short.body(0, 46, 15))
    table.record(short.body(0, 9, 9))
    table.call("DELETE", "/games/{id}/rounds/2", match=table.version)
    second = club(app)
    assert post_sheet(second, exported(first), "scala-40").status_code == 201
    assert len(outcome_of(second)["rounds"]) == 1

    table.post("/games/{id}/points", {"side": 0, "minus": 7}, match=table.version, key="g")
    answer = post_sheet(club(app), exported(first), "scala-40")
    assert answer.json["problems"][0]["facts"]["why"] == "given"


@pytest.mark.parametrize(
    "text", ["=A", "'=A", "''=A", "A;=B", "A;'-B", '"@', "'A", "A'=B", "-", ""]
)
def test_a_text_that_looks_like_a_formula_is_read_back(text: str) -> None:
    assert unescape_formulas(escape_formulas(text)) == text
    assert text == escape_formulas(text) or escape_formulas(text)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_table_is_recognised_in_every_language(code: str) -> None:
    game = played_or_none(FURTHER["N51"])
    assert game

    assert results(read_back(game, code)) == results(game)


@pytest.mark.parametrize("code", ["", *LANGUAGES])
def test_the_table_of_a_group_is_refused_in_words_of_its_own(code: str) -> None:
    word = in_words(language(code)) if code else str
    names = ("date", "game", "round", "status", "outcome", "winner")
    points = [f"{name} {word(side)}" for name in ("Anna", "Bernd") for side in ("minus", "plus")]
    head = ";".join([*map(word, names), *points, word("note")])

    with pytest.raises(RuleError) as refused:
        read(head + "\n2026-10-07;px7yhmv3ry;1;;x;Anna;0;0;12;0;\n")

    assert [(one.code, one.facts["why"]) for one in refused.value.problems] == [
        ("E_SHEET", "group")
    ]
