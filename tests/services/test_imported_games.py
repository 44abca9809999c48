"""Games are imported without loss; points that differ from today's rules are named."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import short
from forged_exports import sealed, whole_game
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import score_for
from scorekeeper.domain.rules.presets import preset
from scorekeeper.services import erasure, games, imports
from scorekeeper.services.clock import set_clock
from scorekeeper.services.discard import discard_due
from scorekeeper.services.imported_games import GAME
from scorekeeper.services.rematch import play_again
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.strict import FormError
from transfers import arrived

Json = dict[str, Any]


def exported(ledger: Ledger, game_id: str) -> Json:
    export: Json = json.loads(json.dumps(ledger.export(game_id)))
    return export


def thrown_away(ledger: Ledger) -> str:
    """Return a game that was thrown away long ago."""
    game_id = short.begun(ledger, "Anna", "Bernd")
    games.throw_away(ledger, game_id, Write())
    with set_clock("2199-01-01T00:00:00Z"):
        discard_due(ledger)
    return game_id


def test_games_with_every_kind_of_event_are_imported_without_loss(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    whole = [whole_game(ledger, "gin"), whole_game(ledger, "knock"), thrown_away(ledger)]
    kinds = {event.kind for game_id in whole for event in ledger.events(game_id)}
    there = [arrived(ledger, game_id, elsewhere) for game_id in whole]

    assert kinds == {"created", *GAME} - {"as_it_was"}
    for game in there:
        assert not game.as_it_was
        assert exported(elsewhere, game.id) == exported(ledger, game.id)
        assert game.sheet == ledger.game(game.id).sheet


def test_a_game_is_imported_from_a_text(ledger: Ledger, elsewhere: Ledger) -> None:
    export = sent(ledger)
    text = json.dumps(export).encode()
    game = imports.write_game(elsewhere, imports.game_from_json(text, as_it_was=False)).game

    assert exported(elsewhere, game.id) == export
    with pytest.raises(FormError):
        imports.game_from_json(text[:-1], as_it_was=False)


def test_a_game_by_a_tally_that_nobody_scores_keeps_its_rules(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    """Version 1.1 accepted them; see ``refused_since``."""
    rules = preset("luxembourg").unchecked({"rank.measure": "minus"})
    game_id = short.begun(ledger, "Anna", "Bernd", "Claire", rules=rules)
    short.record(ledger, game_id, 0, 12, 30)
    game = arrived(ledger, game_id, elsewhere)

    assert game.sheet == ledger.game(game_id).sheet
    assert game.rules == rules
    short.record(elsewhere, game_id, 0, 5, 7)
    again = play_again(elsewhere, elsewhere.game(game_id), Write(), group_id=None).game
    assert again.rules.rank == rules.rank


# ---- differences ---------------------------------------------------------------------


def sent(ledger: Ledger) -> Json:
    """Return the export of a game of two rounds, whose second player is erased."""
    game = short.begun(ledger, "Anna", "Bernd", "Claire")
    short.record(ledger, game, 0, 12, 30)
    short.record(ledger, game, 7, 0, 5)
    erasure.erase_player(ledger, game, 1, Write())
    return exported(ledger, game)


def points(side: int, tally: int, value: int, **line: Any) -> Callable[[Json], None]:
    """Set one total of a side, with a line of the score that explains it."""

    def change(played: Json) -> None:
        score = played["score"]
        score["scores"][side][tally] = value
        if line:
            score["lines"] = [one for one in score["lines"] if one["seat"] != side]
            score["lines"].append({"seat": side, **line})

    return change


def away(played: Json) -> None:
    score = played["score"]
    score["scores"][2] = None
    score["lines"] = [one for one in score["lines"] if one["seat"] != 2]


def won(by: int | None) -> Callable[[Json], None]:
    return lambda played: played["score"].update(winner=by)


def no_meld(played: Json) -> None:
    played["round"]["seats"][0]["melds"] = [["2S", "3H", "4S"]]


DIFFERENCES: dict[str, tuple[Callable[[Json], None], Json]] = {
    "minus points": (
        points(2, 0, 31, reason="hand", minus=31, facts={"points": 31}),
        {"player": "Claire", "tally": "minus", "stored": 31, "now": 30},
    ),
    "plus points": (
        points(0, 1, 8, reason="out_bonus", plus=8),
        {"player": "Anna", "tally": "plus", "stored": 8, "now": 0},
    ),
    "a reduction": (
        points(0, 2, 8, reason="reduction", reduction=8),
        {"player": "Anna", "tally": "reduction", "stored": 8, "now": 0},
    ),
    "points of the league": (
        points(0, 3, 8),
        {"player": "Anna", "tally": "league", "stored": 8, "now": None},
    ),
    "nothing of somebody who played": (
        away,
        {"player": "Claire", "tally": "minus", "stored": None, "now": 30},
    ),
    "points of somebody without a name": (
        points(1, 0, 13, reason="hand", minus=13, facts={"points": 13}),
        {"player": "#2", "tally": "minus", "stored": 13, "now": 12},
    ),
    "another winner": (won(2), {"why": "winner", "stored": "Claire", "now": "Anna"}),
    "a winner without a name": (won(1), {"why": "winner", "stored": "#2", "now": "Anna"}),
    "no winner": (won(None), {"why": "winner", "stored": None, "now": "Anna"}),
    "a meld that is none today": (no_meld, {"why": "refused", "refused": "E_RUN"}),
}


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize(("change", "facts"), DIFFERENCES.values(), ids=DIFFERENCES.keys())
def test_a_round_that_differs_is_named_with_both_values(
    ledger: Ledger, change: Callable[[Json], None], facts: Json
) -> None:
    export = sent(ledger)
    change(export["events"][1]["payload"])
    with pytest.raises(RuleError) as refused:
        imports.import_game(ledger, sealed(export))
    (problem,) = refused.value.problems

    assert (problem.code, problem.facts) == ("E_IMPORT_DIFFERS", {"round": 1, **facts})


def test_every_round_that_differs_is_named_by_its_number_and_marked_for_good(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    """A round keeps the mark of its ordinal when its number moves."""
    game_id = short.begun(ledger, "Anna", "Bernd", "Claire")
    short.record(ledger, game_id, 0, 12, 30)
    short.record(ledger, game_id, 7, 0, 5)
    missed = score_for(ledger.game(game_id), short.facts(0, 1, 2))
    games.insert_round(ledger, game_id, 1, missed, Write())
    short.correct(ledger, game_id, 3, 7, 0, 6)
    export = exported(ledger, game_id)
    _, _, _, inserted, corrected = export["events"]
    for event in (inserted, corrected):
        won(2)(event["payload"])
    with pytest.raises(RuleError) as refused:
        imports.import_game(elsewhere, sealed(export))
    text = json.dumps(export).encode()
    game = imports.write_game(elsewhere, imports.game_from_json(text, as_it_was=True)).game

    assert [one.facts["round"] for one in refused.value.problems] == [1, 3]
    assert elsewhere.events(game_id)[-1].payload == {"rounds": [2, 3]}
    assert [row.number for row in game.sheet.rows if row.ordinal in game.as_it_was] == [1, 3]
    assert game == elsewhere.game(game_id)

    again = imports.ready_game(exported(elsewhere, game_id), as_it_was=False)

    assert again.book.as_it_was == game.as_it_was == {2, 3}


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize(
    "mark",
    [
        {"rounds": []},
        {"rounds": [True]},
        {"rounds": ["1"]},
        {"rounds": [2, 1]},
        {"rounds": [1, 1]},
        {"games": [1]},
        {"seats": [1]},
        {"rounds": [1], "games": ["x"]},
        {},
    ],
    ids=json.dumps,
)
def test_a_mark_that_scorekeeper_would_not_set_is_refused(ledger: Ledger, mark: Json) -> None:
    export = sent(ledger)
    about = {"number": len(export["events"]) + 1, "kind": "as_it_was", "payload": mark}
    export["events"].append({**export["events"][-1], **about})
    with pytest.raises(RuleError) as refused:
        imports.import_game(ledger, sealed(export), as_it_was=True)

    assert refused.value.problems[0].path == ("events", about["number"] - 1)
