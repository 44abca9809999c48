"""A club night for the tests of tournaments: entrants, draws, results in short form."""

from collections.abc import Sequence
from typing import Any

import short
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.tables import Stated
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.plan import Plan, without_stakes
from scorekeeper.domain.tournament.state import Tournament
from scorekeeper.services import groups, tournaments
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write

RULES = without_stakes(preset("german-family").override({"end.mode": "rounds", "end.rounds": 2}))
NAMES = (
    "Anna", "Bernd", "Claire", "Dieter", "Emil", "Fabienne", "Georg", "Hanna", "Igor", "Josée",
    "Karl", "Lotte", "Marc",
)  # fmt: skip


class Club:
    """A club night of thirteen, Danish, three rounds."""

    def __init__(self, ledger: Ledger, names: Sequence[str] = NAMES, **plan: Any) -> None:
        self.ledger = ledger
        self.id = groups.create_group(ledger, NewGroup("Café Zentral", ())).group.id
        wanted = {"format": "danish", "rounds": 3, "rules": RULES, "keep_apart": False}
        tournaments.create_tournament(ledger, self.id, Plan(**{**wanted, **plan}), Write())
        if names:
            self.enter(*(Entry((name,)) for name in names))

    @property
    def group(self) -> Group:
        return self.ledger.group(self.id)

    @property
    def now(self) -> Tournament:
        return tournaments.tournament_of(self.group)

    def enter(self, *entries: Entry) -> None:
        tournaments.enter(self.ledger, self.id, entries, Write())

    def draw(self) -> None:
        tournaments.draw_round(self.ledger, self.id, Write())

    def play(self, table: int, *rounds: Sequence[int], number: int = 0) -> None:
        """Play the rounds of a table: points by seat, 0 for the winner."""
        one = self.now.rounds[number - 1]
        for points in rounds:
            short.record(self.ledger, one.games[table], *points)

    def play_all(self) -> None:
        for table, there in enumerate(self.now.rounds[-1].tables):
            points = [10 * seat for seat in range(len(there))]
            self.play(table, points, [each + 1 if each else 0 for each in points])

    def state(self, number: int, table: int, *points: int | None) -> None:
        stated = [None if each is None else Stated(each) for each in points]
        tournaments.state_result(self.ledger, self.id, (number, table), stated, Write())

    def close(self, **more: Any) -> None:
        tournaments.close_round(self.ledger, self.id, Write(), **more)

    def kinds(self) -> list[str]:
        return [event.kind for event in self.ledger.events(self.id)]
