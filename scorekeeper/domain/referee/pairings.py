"""Pairings: the melds after a turn in which the melds before it continue (RULES 10.3).

An old meld continues in a new one if each of its cards does: a natural card as itself, a
wild card as the card it stands for, or swapped for that card. With two packs and wild cards
an old meld may fit into several new ones, so a search assigns them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from scorekeeper.domain.budget import current
from scorekeeper.domain.melds import Meld, Place
from scorekeeper.domain.rounds.facts import Cards


@dataclass(frozen=True)
class Pairing:
    """One way in which an old meld continues in a new one."""

    old: int
    new: int
    swapped: tuple[Place, ...]
    """The places of its wild cards that now hold the real card."""
    added: tuple[Place, ...]
    """The cards laid off on it."""

    @property
    def is_touched(self) -> bool:
        return bool(self.swapped or self.added)

    @property
    def played(self) -> Cards:
        """The cards added to the meld: real cards for its jokers, and lay-offs."""
        return (*(place.at for place in self.swapped), *(place.card for place in self.added))

    @property
    def gained(self) -> Cards:
        return tuple(place.card for place in self.swapped)

    @property
    def wild_added(self) -> Cards:
        return tuple(place.card for place in self.added if place.is_wild)


def pairings_of(i: int, old: Meld, after: Mapping[int, Meld]) -> list[Pairing]:
    """Return every way in which an old meld continues in one of the new ones."""
    alike = (
        (k, new)
        for k, new in after.items()
        if old.natural_places <= new.natural_places and new.kind == old.kind
    )
    return list(dict.fromkeys(pairing for k, new in alike for pairing in _fits(i, old, k, new)))


def _fits(i: int, old: Meld, k: int, new: Meld) -> Iterator[Pairing]:
    """Yield a pairing for each way to place the old wild cards; several only with an open suit.

    The natural cards of the old meld are known to be in the new one.
    """
    wild = [place for place in old.places if place.is_wild]
    free = [n for n, cell in enumerate(new.places) if cell not in old.natural_places]
    for chosen in product(*([n for n in free if _holds(new.places[n], one)] for one in wild)):
        if len(set(chosen)) < len(chosen):
            continue
        pairs = [(place, new.places[n]) for place, n in zip(wild, chosen, strict=True)]
        swapped = tuple([place for place, cell in pairs if not cell.is_wild])
        stayed = [(place.card, cell.card) for place, cell in pairs if cell.is_wild]
        if Counter(one for one, _ in stayed) == Counter(other for _, other in stayed):
            added = tuple([new.places[n] for n in free if n not in chosen])
            yield Pairing(i, k, swapped, added)


def _holds(cell: Place, place: Place) -> bool:
    """Return whether a cell can hold an old wild card, or the card that it stands for."""
    is_open = place.at.suit is None or cell.at.suit is None
    return cell.at == place.at or (is_open and cell.at.rank == place.at.rank)


def assignments(
    pairings: list[list[Pairing]], taken: frozenset[int] = frozenset()
) -> Iterator[tuple[Pairing, ...]]:
    """Yield every way to give each old meld a new one of its own, those with the fewest first.

    A natural card is in at most two new melds, so an old meld has at most two pairings, apart
    from jokers of an open suit. Each pairing decides the pairings of its neighbours, so a group of
    rivals has no more ways than melds.
    """
    free = [[pairing for pairing in each if pairing.new not in taken] for each in pairings]
    if not free:
        yield ()
        return
    tightest = min(free, key=len)
    free.remove(tightest)
    budget = current()
    for pairing in tightest:
        budget.spend()
        for others in assignments(free, taken | {pairing.new}):
            yield (pairing, *others)


def rivals(pairings: Iterable[list[Pairing]]) -> list[list[list[Pairing]]]:
    """Return old melds in groups that share no pairing with other groups."""
    groups: list[tuple[set[int], list[list[Pairing]]]] = []
    for each in pairings:
        wanted, members, apart = {pairing.new for pairing in each}, [each], []
        for group in groups:
            if group[0] & wanted:
                wanted |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (wanted, members)]
    return [members for _, members in groups]
