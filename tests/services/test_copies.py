"""Copies: everything as one file, taken in elsewhere, and taken back."""

from datetime import datetime

import pytest

from scorekeeper.domain.game.changes import score_for
from scorekeeper.services import games, groups
from scorekeeper.services.copies import (
    Taken,
    copy_lines,
    count_without_copy,
    is_copied,
    last_copy,
    note_copy,
    read_copy,
    take_copy,
)
from scorekeeper.store.check import check
from scorekeeper.store.exports import BadExport
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.schemas import NewGameSchema, NewGroupSchema
from scorekeeper.wire.strict import FormError, load

PLAYERS = [{"name": "Anna"}, {"name": "Bernd"}]


def begin(ledger: Ledger, title: str = "Freitag") -> str:
    order = {"title": title, "rules": {"preset": "german-family"}, "players": PLAYERS}
    return games.create_game(ledger, load(NewGameSchema(), order)).game.id


def play(ledger: Ledger, game_id: str, points: int) -> None:
    game = ledger.game(game_id)
    entry = load_round({"outcome": "out", "winner": 0, "seats": [{}, {"points": points}]})
    write = Write(expected=game.version, key=f"{points}")
    games.record_round(ledger, game_id, score_for(game, entry.round), write)


def copy_of(ledger: Ledger) -> bytes:
    return "".join(copy_lines(ledger)).encode()


def take(ledger: Ledger, copy: bytes) -> Taken:
    return take_copy(ledger, read_copy(copy))


def test_everything_is_the_same_elsewhere(ledger: Ledger, elsewhere: Ledger) -> None:
    game = begin(ledger)
    play(ledger, game, 35)
    begin(ledger, "Samstag")

    assert take(elsewhere, copy_of(ledger)) == Taken(new=2)
    assert elsewhere.export(game) == ledger.export(game)
    assert copy_of(elsewhere) == copy_of(ledger)
    assert check(elsewhere).good


def test_a_game_goes_on_where_it_stood_and_comes_back(ledger: Ledger, elsewhere: Ledger) -> None:
    game = begin(ledger)
    take(elsewhere, copy_of(ledger))
    play(elsewhere, game, 20)
    play(elsewhere, game, 30)

    assert ledger.game(game).sheet.rows == ()
    assert take(ledger, copy_of(elsewhere)) == Taken(continued=1)
    assert len(ledger.game(game).sheet.rows) == 2
    assert ledger.export(game) == elsewhere.export(game)
    assert take(ledger, copy_of(elsewhere)) == Taken(known=1)
    assert check(ledger).good


def test_an_older_copy_takes_nothing_away(ledger: Ledger, elsewhere: Ledger) -> None:
    game = begin(ledger)
    old = copy_of(ledger)
    play(ledger, game, 20)

    assert take(ledger, old) == Taken(known=1)
    assert len(ledger.game(game).sheet.rows) == 1


def test_a_game_continued_in_two_ways_stays_as_it_is_here(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    game = begin(ledger)
    take(elsewhere, copy_of(ledger))
    play(elsewhere, game, 20)
    play(ledger, game, 99)

    assert take(ledger, copy_of(elsewhere)) == Taken(diverged=1)
    assert ledger.game(game).sheet.tallies[1].minus == 99


def test_a_group_comes_with_its_evenings_and_is_continued(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    names = {"name": "Kegelclub", "members": PLAYERS}
    group = groups.create_group(ledger, load(NewGroupSchema(), names)).group.id
    game = begin(ledger)
    groups.admit_game(ledger, group, game, write=Write())
    take(elsewhere, copy_of(ledger))
    play(elsewhere, game, 20)
    games.end_game(elsewhere, game, Write())

    assert take(ledger, copy_of(elsewhere)) == Taken(continued=1)
    assert ledger.game(game).is_over
    assert check(ledger).good


@pytest.mark.parametrize(
    "body", [b"", b"hello", b"[]", b'{"format": "scorekeeper copy 1", "books": 3}\n']
)
def test_another_file_is_refused(ledger: Ledger, body: bytes) -> None:
    with pytest.raises((BadExport, FormError)):
        take(ledger, body)


def test_a_broken_book_takes_in_nothing(ledger: Ledger, elsewhere: Ledger) -> None:
    game = begin(ledger)
    begin(ledger, "Samstag")
    before, _, after = copy_of(ledger).rpartition(b'"head": "')
    broken = before + b'"head": "00' + after[2:]

    with pytest.raises(BadExport):
        take(elsewhere, broken)
    assert elsewhere.version(game) is None


def test_a_copy_is_current_until_something_is_written(ledger: Ledger) -> None:
    game = begin(ledger)

    other = begin(ledger)

    assert not is_copied(ledger)
    assert count_without_copy(ledger) == 2
    assert last_copy(ledger) == ""
    note_copy(ledger)
    assert datetime.fromisoformat(last_copy(ledger))
    assert is_copied(ledger)
    assert count_without_copy(ledger) == 0
    play(ledger, game, 5)
    play(ledger, game, 7)
    assert not is_copied(ledger)
    assert count_without_copy(ledger) == 1
    play(ledger, other, 5)
    assert count_without_copy(ledger) == 2
