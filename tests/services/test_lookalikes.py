"""Games and groups of earlier versions may have names that look alike; nobody else may join so."""

from collections.abc import Callable

import pytest

import short
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.plan import Plan
from scorekeeper.services import games, groups, tournaments
from scorekeeper.services.clock import now
from scorekeeper.services.games import new_id
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write

ANNAS = ("Anna", "Аnna", "Bernd")
"""The second one begins with a Cyrillic letter."""
GREEK = "Αnna"


@pytest.fixture
def game(ledger: Ledger) -> str:
    order = NewGame("", "", short.FAMILY, ANNAS)
    return ledger.create(Game, new_id(), order.first_event(now()))[0].id


@pytest.fixture
def group(ledger: Ledger) -> str:
    order = NewGroup("Freitag", ANNAS)
    return ledger.create(Group, new_id(), order.first_event(now()))[0].id


def refused(action: Callable[[str], object]) -> tuple[object, ...]:
    """Return the reason, and the names, of a refusal of another Anna."""
    with pytest.raises(RuleError) as error:
        action(GREEK)
    (problem,) = error.value.problems
    return problem.facts["why"], problem.facts["value"], problem.facts["other"]


LIKE_ANNA = ("lookalike", GREEK, "Anna")


def test_a_player_joins_an_old_game(ledger: Ledger, game: str) -> None:
    def join(name: str) -> Game:
        return games.add_player(ledger, game, name, Write())

    assert refused(join) == LIKE_ANNA
    assert join("Claire").players == (*ANNAS, "Claire")


def test_a_name_in_an_old_game_is_corrected(ledger: Ledger, game: str) -> None:
    def correct(name: str) -> Game:
        frame = Frame(names={2: name})
        return games.correct_frame(ledger, game, name, lambda _: frame, Write())

    assert refused(correct) == LIKE_ANNA
    assert correct("Berndt").players == (*ANNAS[:2], "Berndt")


def test_a_member_joins_an_old_group(ledger: Ledger, group: str) -> None:
    def join(name: str) -> Group:
        return groups.add_member(ledger, group, name, Write())

    assert refused(join) == LIKE_ANNA
    assert join("Claire").players == (*ANNAS, "Claire")


def test_a_member_of_an_old_group_is_renamed(ledger: Ledger, group: str) -> None:
    def rename(name: str) -> Group:
        return groups.rename_member(ledger, group, 2, name, Write())

    assert refused(rename) == LIKE_ANNA
    assert rename("Berndt").players == (*ANNAS[:2], "Berndt")


def test_an_old_group_plays_with_somebody_new(ledger: Ledger, group: str) -> None:
    def play(name: str) -> Game:
        order = NewGame("", "", short.FAMILY, ("Bernd", name))
        return groups.open_evening(ledger, group, order, Write())

    assert refused(play) == LIKE_ANNA
    play("Claire")
    assert ledger.group(group).players == (*ANNAS, "Claire")


def test_somebody_new_enters_a_tournament_of_an_old_group(ledger: Ledger, group: str) -> None:
    plan = Plan(format="swiss", rounds=1, rules=short.FAMILY)
    tournaments.create_tournament(ledger, group, plan, Write())

    def enter(name: str) -> Group:
        return tournaments.enter(ledger, group, [Entry((name,))], Write())

    assert refused(enter) == LIKE_ANNA
    assert enter("Claire").players == (*ANNAS, "Claire")
