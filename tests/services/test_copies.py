"""Copies: everything as one file, taken in elsewhere, and taken back."""

import json
from datetime import datetime

import pytest

from forged_exports import sealed
from scorekeeper.domain.errors import RuleError
from scorekeeper.services import games, groups
from scorekeeper.services.copies import (
    FORMAT,
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
from scorekeeper.wire.groups import NewGroupSchema
from scorekeeper.wire.schemas import NewGameSchema
from scorekeeper.wire.strict import FormError, load
from short import record

PLAYERS = [{"name": "Anna"}, {"name": "Bernd"}]


def begin(ledger: Ledger, title: str = "Freitag", value: str | None = "1") -> str:
    rules, stake = {"preset": "german-family"}, {"point_value": value}
    order = {"title": title, "rules": rules, "players": PLAYERS, "stake": stake}
    return games.create_game(ledger, load(NewGameSchema(), order)).game.id


def copy_of(ledger: Ledger) -> bytes:
    return "".join(copy_lines(ledger)).encode()


def take(ledger: Ledger, copy: bytes) -> Taken:
    return take_copy(ledger, read_copy(copy))


def test_everything_is_the_same_elsewhere(ledger: Ledger, elsewhere: Ledger) -> None:
    game = begin(ledger)
    record(ledger, game, 0, 35)
    begin(ledger, "Samstag")

    assert take(elsewhere, copy_of(ledger)) == Taken(new=2)
    assert elsewhere.export(game) == ledger.export(game)
    assert copy_of(elsewhere) == copy_of(ledger)
    assert check(elsewhere).clean


def test_a_game_may_be_called_like_a_copy(ledger: Ledger, elsewhere: Ledger) -> None:
    game = begin(ledger, FORMAT)
    export = json.dumps(ledger.export(game)).encode()

    assert take(elsewhere, export) == Taken(new=1)
    assert take(elsewhere, copy_of(ledger)) == Taken(known=1)


def test_a_game_goes_on_where_it_stood_and_comes_back(ledger: Ledger, elsewhere: Ledger) -> None:
    game = begin(ledger)
    take(elsewhere, copy_of(ledger))
    record(elsewhere, game, 0, 20)
    record(elsewhere, game, 0, 30)

    assert ledger.game(game).sheet.rows == ()
    assert take(ledger, copy_of(elsewhere)) == Taken(continued=1)
    assert len(ledger.game(game).sheet.rows) == 2
    assert ledger.export(game) == elsewhere.export(game)
    assert take(ledger, copy_of(elsewhere)) == Taken(known=1)
    assert check(ledger).clean


def test_an_older_copy_takes_nothing_away(ledger: Ledger, elsewhere: Ledger) -> None:
    game = begin(ledger)
    old = copy_of(ledger)
    record(ledger, game, 0, 20)

    assert take(ledger, old) == Taken(known=1)
    assert len(ledger.game(game).sheet.rows) == 1


def test_a_game_continued_in_two_ways_stays_as_it_is_here(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    game = begin(ledger)
    take(elsewhere, copy_of(ledger))
    record(elsewhere, game, 0, 20)
    record(ledger, game, 0, 99)

    assert take(ledger, copy_of(elsewhere)) == Taken(diverged=1)
    assert ledger.game(game).sheet.tallies[1].minus == 99


def found_club(ledger: Ledger, value: str | None = "1") -> tuple[str, str]:
    """Found a group with one evening; return both."""
    names = {"name": "Kegelclub", "members": PLAYERS}
    group = groups.create_group(ledger, load(NewGroupSchema(), names)).group.id
    game = begin(ledger, value=value)
    groups.admit_game(ledger, group, game, write=Write())
    return group, game


def test_a_group_comes_with_its_evenings_and_is_continued(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    _, game = found_club(ledger)
    take(elsewhere, copy_of(ledger))
    record(elsewhere, game, 0, 20)
    games.end_game(elsewhere, game, Write())

    assert take(ledger, copy_of(elsewhere)) == Taken(continued=1)
    assert ledger.game(game).is_over
    assert check(ledger).clean


def test_an_evening_goes_on_though_its_group_has_not_changed(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    _, game = found_club(ledger)
    take(elsewhere, copy_of(ledger))
    record(elsewhere, game, 0, 20)  # which the group books only at the end

    assert take(ledger, copy_of(elsewhere)) == Taken(continued=1)
    assert ledger.export(game) == elsewhere.export(game)
    assert check(ledger).clean


def test_an_evening_goes_on_though_its_group_has_changed_in_both_places(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group, game = found_club(ledger)
    take(elsewhere, copy_of(ledger))
    record(elsewhere, game, 0, 20)
    games.end_game(elsewhere, game, Write())
    groups.add_member(ledger, group, "Claire", Write())

    assert take(ledger, copy_of(elsewhere)) == Taken(diverged=1)
    assert ledger.export(game) == elsewhere.export(game)
    assert ledger.group(group).members == 3
    assert ledger.group(group).booked[game].amounts
    assert check(ledger).clean


def test_an_evening_that_is_ahead_here_stays_so_in_the_season_of_its_group(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group, game = found_club(ledger, None)  # so that its end changes nothing in the group
    take(elsewhere, copy_of(ledger))
    groups.add_member(elsewhere, group, "Claire", Write())
    record(ledger, game, 0, 20)
    games.end_game(ledger, game, Write())

    assert take(ledger, copy_of(elsewhere)) == Taken(continued=1)
    assert ledger.game(game).is_over
    assert ledger.group(group).members == 3
    assert check(ledger).clean


def test_an_evening_handed_over_alone_comes_back_into_the_account_book_of_its_group(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group, game = found_club(ledger)
    take(elsewhere, json.dumps(ledger.export(game)).encode())
    record(elsewhere, game, 0, 20)
    games.add_player(elsewhere, game, "Claire", Write())
    games.end_game(elsewhere, game, Write())

    assert take(ledger, json.dumps(elsewhere.export(game)).encode()) == Taken(continued=1)
    assert ledger.group(group).players == ("Anna", "Bernd", "Claire")
    assert ledger.group(group).booked[game].amounts
    assert check(ledger).clean


@pytest.mark.parametrize("in_group", [False, True])
def test_points_of_an_earlier_version_stay_and_are_marked(
    ledger: Ledger, elsewhere: Ledger, in_group: bool
) -> None:
    game = found_club(ledger)[1] if in_group else begin(ledger)
    record(ledger, game, 0, 20)
    (book,) = read_copy(copy_of(ledger))
    (one,) = book["games"] if in_group else [book]
    score = one["events"][1]["payload"]["score"]
    score["lines"][0]["minus"] = score["scores"][1][0] = 21  # as if it had been priced so
    sealed(one)

    with pytest.raises(RuleError) as refused:
        take_copy(elsewhere, [book], as_it_was=False)
    assert [problem.code for problem in refused.value.problems] == ["E_IMPORT_DIFFERS"]
    assert elsewhere.version(game) is None
    assert take_copy(elsewhere, [book]) == Taken(new=1)
    assert elsewhere.game(game).sheet.tallies[1].minus == 21
    assert elsewhere.game(game).as_it_was == {1}


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
    other = b"11" if after.startswith(b"00") else b"00"
    broken = before + b'"head": "' + other + after[2:]

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
    record(ledger, game, 0, 5)
    record(ledger, game, 0, 7)
    assert not is_copied(ledger)
    assert count_without_copy(ledger) == 1
    record(ledger, other, 0, 5)
    assert count_without_copy(ledger) == 2
