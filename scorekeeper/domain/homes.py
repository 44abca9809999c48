"""Homes: where the melds of a table lie on after a turn (RULES 10.3).

An old meld lies on in a new one if each of its cards does: a natural card as itself, a wild
card as what it stands for, or exchanged for that card. With two packs and wild cards an old
meld may fit into several new ones; who gets which is a search.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from scorekeeper.domain.budget import current
from scorekeeper.domain.melds import Meld, Place
from scorekeeper.domain.rounds import Cards


@dataclass(frozen=True)
class Home:
    """One way in which an old meld lies on in a new one."""

    old: int
    new: int
    swapped: tuple[Place, ...]
    """Places of its wild cards that now hold the real card."""
    added: tuple[Place, ...]
    """What was laid off on it."""

    @property
    def is_touched(self) -> bool:
        return bool(self.swapped or self.added)

    @property
    def played(self) -> Cards:
        """What came to the meld: real cards for its jokers, and lay-offs."""
        return (*(place.at for place in self.swapped), *(place.card for place in self.added))

    @property
    def gained(self) -> Cards:
        return tuple(place.card for place in self.swapped)

    @property
    def wild_added(self) -> Cards:
        return tuple(place.card for place in self.added if place.is_wild)


def homes_of(i: int, old: Meld, after: Mapping[int, Meld]) -> list[Home]:
    """Return every way in which an old meld lies on in one of the new ones."""
    alike = (
        (k, new)
        for k, new in after.items()
        if old.natural_places <= new.natural_places and new.kind == old.kind
    )
    return list(dict.fromkeys(home for k, new in alike for home in _fits(i, old, k, new)))


def _fits(i: int, old: Meld, k: int, new: Meld) -> Iterator[Home]:
    """Yield a home for each way to place the old wild cards; only an open suit leaves a choice.

    The natural cards of the old meld are known to lie in the new one.
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
            yield Home(i, k, swapped, added)


def _holds(cell: Place, place: Place) -> bool:
    """Return whether a cell can hold an old wild card, or the card that it stands for."""
    is_open = place.at.suit is None or cell.at.suit is None
    return cell.at == place.at or (is_open and cell.at.rank == place.at.rank)


def choices(
    homes: list[list[Home]], taken: frozenset[int] = frozenset()
) -> Iterator[tuple[Home, ...]]:
    """Every way to give each old meld a new one of its own; whoever has least choice first.

    A natural card lies in two new melds at most, so an old meld has two homes at most
    (jokers of an open suit aside): a choice settles its neighbours, and the ways within a
    group of rivals are no more than its melds.
    """
    free = [[home for home in each if home.new not in taken] for each in homes]
    if not free:
        yield ()
        return
    tightest = min(free, key=len)
    free.remove(tightest)
    budget = current()
    for home in tightest:
        budget.spend()
        for others in choices(free, taken | {home.new}):
            yield (home, *others)


def rivals(homes: Iterable[list[Home]]) -> list[list[list[Home]]]:
    """Old melds in groups that have no home in common with others."""
    groups: list[tuple[set[int], list[list[Home]]]] = []
    for each in homes:
        wanted, members, apart = {home.new for home in each}, [each], []
        for group in groups:
            if group[0] & wanted:
                wanted |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (wanted, members)]
    return [members for _, members in groups]
