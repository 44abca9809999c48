"""A name that is corrected at one evening, in its group and at all evenings that have it."""

import pytest

import short
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import games, groups
from scorekeeper.services.renaming import correct_everywhere, correct_member
from scorekeeper.store import Ledger
from scorekeeper.store.writes import PROGRAM

FRAME = Frame(words={"title": "Ostern"}, names={1: "Bernd"})


@pytest.fixture
def group(ledger: Ledger) -> str:
    """A member who is Berndt at four evenings, of which one is in the bin, and Benno at one."""
    group = groups.create_group(ledger, NewGroup("Freitag", ("Anna", "Berndt"))).group.id
    order = NewGame("", "", short.FAMILY, ("Anna", "Berndt"))
    for _ in range(5):
        game = groups.open_evening(ledger, group, order, PROGRAM)
    benno = Frame(names={1: "Benno"})
    games.correct_frame(ledger, game.id, "benno", lambda _: benno, PROGRAM)
    games.throw_away(ledger, list(ledger.group(group).evenings)[3], PROGRAM)
    return group


def called(ledger: Ledger, group: str) -> list[str]:
    """Return the name of the member at each evening."""
    return [ledger.game(game).players[1] for game in ledger.group(group).evenings]


def test_whoever_has_the_name_at_an_evening_is_renamed(ledger: Ledger, group: str) -> None:
    assert correct_member(ledger, group, 1, "Bernd", PROGRAM).players == ("Anna", "Bernd")
    assert called(ledger, group) == ["Bernd", "Bernd", "Bernd", "Berndt", "Benno"]


def test_the_name_of_the_evening_is_corrected_too(ledger: Ledger, group: str) -> None:
    """Though the group has another name by now."""
    groups.rename_member(ledger, group, 1, "Bernhard", PROGRAM)
    first, second, *_ = ledger.group(group).evenings
    game = correct_everywhere(ledger, first, "frame", lambda _: FRAME, FRAME.names, PROGRAM)

    assert (game.title, game.players) == ("Ostern", ("Anna", "Bernd"))
    assert ledger.game(second).title == ""
    assert ledger.group(group).players == ("Anna", "Bernd")
    assert called(ledger, group) == ["Bernd", "Bernd", "Bernd", "Berndt", "Benno"]


def test_an_evening_without_a_group_is_corrected_alone(ledger: Ledger, group: str) -> None:
    alone = short.begun(ledger, "Anna", "Berndt")
    game = correct_everywhere(ledger, alone, "frame", lambda _: FRAME, FRAME.names, PROGRAM)

    assert (game.title, game.players) == ("Ostern", ("Anna", "Bernd"))
    assert called(ledger, group) == ["Berndt"] * 4 + ["Benno"]
