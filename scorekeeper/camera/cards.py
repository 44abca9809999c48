"""From indices to cards: which indices belong to one card, what it is, and in which row it lies."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from scorekeeper.camera import grouping
from scorekeeper.camera.indices import Index, Pixels, Vector, likelihood

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
JOKER = "JK"
EVERY = (*NAMES, JOKER)
DOUBTED = 2.5
"""How badly indices that say the same may fit and still be doubted to be of two cards."""
EVEN = 0.5
"""About half of such groups are cards of their own."""
IS_INDEX = 0.7
"""The least likelihood of an index."""
BY_CLASSIFIER, BY_DETECTOR = 0.7, 1.8
"""How much either network counts for that; fitted, as in a logistic regression."""
LEAST_SURE = 0.35
"""What is less sure is more often no card, or one that was found already, than a card."""
LEAST_NEXT = 0.2
"""The least chance of another name for a single index whose likeliest name is used up. One that can
hardly be anything else is more of a card that was found already."""
AROUND = 0.75
"""How far the picture of an index extends around its middle, in sizes of the index."""
ALIGNED = 0.5
"""How strongly the directions of cards in rows must agree; 1 if they are all the same."""
ROW_GAP = 0.3
"""Rows are at least this share of the height of a card apart."""


@dataclass(frozen=True)
class Reading:
    """The chances that an index is that of each card (the joker is the last), and one at all."""

    index: Index
    chances: Vector
    valid: float


@dataclass(frozen=True)
class Seen:
    """A card in a picture."""

    name: str
    sure: float
    likeliest: tuple[str, str]
    place: tuple[float, float]
    """Its clearest index, as shares of width and height."""
    box: tuple[float, float, float, float]
    """Left, top, width and height of the part that shows its indices, as shares."""
    indices: Vector
    """The middle of its visible indices."""
    middle: Vector
    """The middle of the card, less exact."""
    up: Vector
    height: float


def readings(indices: list[Index], values: Pixels) -> list[Reading]:
    """Return what the classifier says about indices, without those that are none.

    Both networks decide together whether it is one, but not against the classifier.
    """
    heat = np.clip([index.heat for index in indices], 0.001, 0.999)
    by_classifier, by_detector = values[:, 18], np.log(heat / (1 - heat))
    valid = likelihood(BY_CLASSIFIER * by_classifier + BY_DETECTOR * by_detector)
    valid[by_classifier <= 0] = 0
    chances = _chances(values)
    found = [Reading(i, c, float(v)) for i, c, v in zip(indices, chances, valid, strict=True)]
    return [reading for reading in found if reading.valid > IS_INDEX]


def sureness(values: Pixels) -> Vector:
    """Return for each index the probability of its likeliest card, times that of being an index."""
    sure: Vector = _chances(values).max(1) * likelihood(values[:, 18])
    return sure


def _chances(values: Pixels) -> Pixels:
    ranks, suits = _shares(values[:, :14]), _shares(values[:, 14:18])
    chances = (ranks[:, :13, None] * suits[:, None, :]).reshape(len(values), 52)
    return np.concatenate([chances, ranks[:, 13:]], 1)


def _shares(values: Pixels) -> Pixels:
    raised = np.exp(values - values.max(1, keepdims=True))
    shares: Pixels = raised / raised.sum(1, keepdims=True)
    return shares


# ---- which indices are of one card -----------------------------------------------------


@dataclass(frozen=True)
class Group:
    """The indices of a card."""

    readings: list[Reading]
    alone: float = 1.0
    """How likely they are a card of their own, and not more indices of another."""

    @cached_property
    def chances(self) -> Vector:
        """How likely each card is by all indices together."""
        logs = sum(np.log(reading.chances + 1e-4) for reading in self.readings)
        chances: Vector = np.exp(logs - np.max(logs))
        chances /= chances.sum()
        return chances

    @property
    def likeliest(self) -> int:
        """The number of the likeliest card in ``EVERY``."""
        return int(self.chances.argmax())

    def sure(self, card: int) -> float:
        """Return how likely these are the indices of a card, and of that one."""
        valid = max(reading.valid for reading in self.readings)
        return float(self.chances[card]) * valid * self.alone


def grouped(found: list[Reading], copies: Sequence[int] | None = None) -> list[Group]:
    """Return the indices of each card.

    Where they are decides that; what they say keeps indices apart that contradict each other.
    ``copies`` says how many there can be of each of ``EVERY``.
    """
    if not found:
        return []
    chances = np.array([reading.chances for reading in found])
    indices = [reading.index for reading in found]
    jokers = chances.argmax(1) == EVERY.index(JOKER)
    numbers, misfits = grouping.grouped(indices, chances @ chances.T, jokers)
    groups = [Group([found[n] for n in group]) for group in numbers]
    near = [
        (float(misfits[np.ix_(numbers[m], numbers[n])].min()), m, n)
        for m, n in combinations(range(len(groups)), 2)
        if groups[m].likeliest == groups[n].likeliest
    ]
    return _decided(groups, [(m, n) for off, m, n in sorted(near) if off <= DOUBTED], copies)


def _decided(
    groups: list[Group], doubts: list[tuple[int, int]], copies: Sequence[int] | None
) -> list[Group]:
    """Decide about groups that say the same and nearly fit on one card, the best fitting first.

    They are one card if the deck has no such two. Else they stay two, the less sure one of which
    is doubted: it is asked for rather than lost.
    """
    left = dict(enumerate(groups))
    count = Counter(group.likeliest for group in groups)
    for m, n in doubts:
        if m not in left or n not in left:
            continue
        name = left[m].likeliest
        if copies is not None and count[name] > copies[name] > 0:
            left[m] = Group(left[m].readings + left.pop(n).readings)
            count[name] -= 1
        else:
            less = min(m, n, key=lambda number: left[number].sure(name))
            left[less] = replace(left[less], alone=EVEN)
    return list(left.values())


# ---- what a card is --------------------------------------------------------------------


def named(
    groups: list[Group], size: tuple[int, int], copies: Sequence[int] | None = None
) -> list[Seen]:
    """Return the cards that have these indices in a picture of a size.

    ``copies`` says how many there can be of each of ``EVERY``; the surest get their names first.
    A card whose likeliest name is used up gets the next one, and is no surer for it. A single index
    is left out if it can hardly be another.
    """
    left = np.full(len(EVERY), len(groups)) if copies is None else np.array(copies)
    found = []
    for group in sorted(groups, key=lambda group: -group.sure(group.likeliest)):
        if group.sure(group.likeliest) < LEAST_SURE:
            break
        next_best = np.where(left > 0, group.chances, 0).max()
        if len(group.readings) == 1 and not left[group.likeliest] and next_best < LEAST_NEXT:
            continue
        seen = _card(group, size, left > 0)
        left[EVERY.index(seen.name)] -= 1
        found.append(seen)
    return found


def _card(group: Group, size: tuple[int, int], possible: Vector) -> Seen:
    """Return the card that has these indices, by the likeliest of the names that are possible."""
    best = max(group.readings, key=lambda reading: reading.valid * reading.chances.max())
    order = np.argsort(-group.chances, kind="stable")
    if possible.sum() > 1:
        order = order[possible[order]]
    first, second = (int(n) for n in order[:2])
    indices = [reading.index for reading in group.readings]
    ways = [abs(float((index.middle - index.place) @ index.up)) for index in indices]
    x, y = (float(v) for v in best.index.place / size)
    return Seen(
        name=EVERY[first],
        sure=group.sure(first),
        likeliest=(EVERY[first], EVERY[second]),
        place=(x, y),
        box=_box(indices, size),
        indices=np.mean([index.place for index in indices], 0),
        middle=np.mean([index.middle for index in indices], 0),
        up=best.index.up,
        height=2 * float(np.mean(ways)),
    )


def _box(indices: list[Index], size: tuple[int, int]) -> tuple[float, float, float, float]:
    places = np.array([index.place for index in indices])
    reach = max(index.size for index in indices) * AROUND
    low, high = (places.min(0) - reach) / size, (places.max(0) + reach) / size
    left, top, right, bottom = np.clip([*low, *high], 0, 1).tolist()
    return left, top, right - left, bottom - top


# ---- rows --------------------------------------------------------------------------


def rows(cards: list[Seen]) -> list[list[Seen]]:
    """Return the cards in reading order, row by row."""
    if not cards:
        return []
    down, right = _axes(cards)
    gap = ROW_GAP * float(np.median([card.height for card in cards]))
    ordered = sorted(cards, key=lambda card: float(card.middle @ down))
    result = [[ordered[0]]]
    for above, card in pairwise(ordered):
        if float((card.middle - above.middle) @ down) > gap:
            result.append([])
        result[-1].append(card)
    return [sorted(row, key=lambda card: float(card.indices @ right)) for row in result]


def _axes(cards: list[Seen]) -> tuple[Vector, Vector]:
    """Return the directions in which rows follow each other and cards within a row.

    Cards turned by half or by quarter of a turn have the same axes. Those of a fan point in so
    many directions that only half turns are disregarded.
    """
    angles = np.array([np.arctan2(card.up[0], -card.up[1]) for card in cards])
    agreed, lean = _mean_angle(angles, 4)
    if agreed <= ALIGNED:
        _, lean = _mean_angle(angles, 2)
    right = np.array([np.cos(lean), np.sin(lean)])
    return np.array([-right[1], right[0]]), right


def _mean_angle(angles: Vector, parts: int) -> tuple[float, float]:
    """Return how strongly angles agree, from 0 to 1, and their mean.

    Those that differ by a part of a turn, such as a quarter, are the same.
    """
    x, y = float(np.cos(parts * angles).mean()), float(np.sin(parts * angles).mean())
    return float(np.hypot(x, y)), float(np.arctan2(y, x)) / parts
