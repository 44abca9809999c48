"""From indices to cards: which indices belong to one card, what it is, and in which row it lies.

Indices are put together because of where they are, never because of what they say, so that
identical cards stay two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from scorekeeper.camera.indices import Index, Pixels, Vector, likelihood

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
JOKER = "JK"
EVERY = (*NAMES, JOKER)
ALIKE = 0.7
"""The least cosine between the directions of two indices of a card, or of their opposites."""
SIZES = 1.8
"""The most that one index of a card is larger than another."""
SLENDER = 0.7
"""The way from the middle of a card to its indices: across, as a share of the way up."""
PLACE_OFF = 0.3
"""How far an index may be from where another index of its card expects it."""
MIDDLES_OFF = 2.0
"""How far apart two indices may guess the middle of their card, as a share of the way there."""
GUESS_OFF, VOTE_OFF = 0.25, 0.05
"""How far off the guesses of the detector and the places of indices usually are, as logarithms."""
TOGETHER = 1.3
"""How badly two indices of a card may fit if a third fits both."""
CORNERS = 4
AGREED = 0.02
"""The least chance that two indices of one card say the same."""
IS_INDEX = 0.9
AROUND = 0.75
"""What belongs to the picture of an index around its middle, in sizes of the index."""
ROW_GAP = 0.3
"""Rows are at least this share of the height of a card apart."""


@dataclass(frozen=True)
class Reading:
    """What an index says: how likely each card is (the joker is the last), and that it is one."""

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
    """The middle of those of its indices that show."""
    middle: Vector
    """The middle of the card, less exact."""
    up: Vector
    height: float


def readings(indices: list[Index], values: Pixels) -> list[Reading]:
    """Return what the classifier says about indices, without those that are none."""
    ranks, suits = _shares(values[:, :14]), _shares(values[:, 14:18])
    chances = (ranks[:, :13, None] * suits[:, None, :]).reshape(len(indices), 52)
    whole = np.concatenate([chances, ranks[:, 13:]], 1)
    valid = likelihood(values[:, 18])
    found = [Reading(i, c, float(v)) for i, c, v in zip(indices, whole, valid, strict=True)]
    return [reading for reading in found if reading.valid > IS_INDEX]


def _shares(values: Pixels) -> Pixels:
    raised = np.exp(values - values.max(1, keepdims=True))
    shares: Pixels = raised / raised.sum(1, keepdims=True)
    return shares


# ---- which indices are of one card -----------------------------------------------------


def _apart(one: Index, other: Index) -> tuple[float, float, float]:
    """Return the cosine between two indices, and how far right of and below the first the other is.

    Right and below are as on a card on which the first is upright.
    """
    cosine = float(one.up @ other.up)
    up = one.up + other.up * np.sign(cosine)
    up = up / max(1e-6, float(np.hypot(*up)))
    way = other.place - one.place
    return cosine, float(way @ np.array([-up[1], up[0]])), float(-(way @ up))


def half_height(found: list[Reading]) -> float:
    """Return how far above the middle of a card its upper indices are, for all cards of a picture.

    The detector guesses it for each index. Among all pairs of indices that are upside down to each
    other, those of one card are as far apart as each other, so what many pairs say counts.
    """
    ways = [abs(float((v.index.middle - v.index.place) @ v.index.up)) for v in found]
    guess = max(1.0, float(np.median(ways)))
    pairs = (_apart(a.index, b.index) for a, b in combinations(found, 2))
    halves = [abs(y) / 2 for cosine, x, y in pairs if cosine < -ALIKE and abs(x) < abs(y)]
    if not halves:
        return guess
    logs = np.log(halves)
    trust = np.exp(-(((logs - np.log(guess)) / GUESS_OFF) ** 2) / 2)
    votes = np.exp(-(((logs[:, None] - logs) / VOTE_OFF) ** 2) / 2) @ trust
    return float(np.exp(logs[np.argmax(votes * trust)]))


def misfit(one: Index, other: Index, half: float) -> float:
    """Return how badly two indices fit on one card; above 1 they do not.

    They are at opposite corners, or above each other, upside down; or beside each other.
    """
    cosine, x, y = _apart(one, other)
    way = float(np.hypot(half, half * SLENDER))
    middles = float(np.hypot(*(one.middle - other.middle))) / way / MIDDLES_OFF
    upside_down = cosine < 0
    if abs(cosine) < ALIKE or max(one.size, other.size) > SIZES * min(one.size, other.size):
        return np.inf
    beside = float(np.hypot(abs(x) - 2 * half * SLENDER, y - 2 * half * upside_down))
    off = beside / (2 * way if upside_down else 2 * half * SLENDER)
    if upside_down:
        off = min(off, float(np.hypot(x, y - 2 * half)) / (2 * half))
    return max(off / PLACE_OFF, middles)


def _contradict(one: Reading, other: Reading) -> bool:
    """Whether two indices can hardly be those of one card, as they say different things."""
    return float(one.chances @ other.chances) < AGREED


def grouped(found: list[Reading]) -> list[list[Reading]]:
    """Return the readings of each card, the best fitting pairs first."""
    half = half_height(found) if found else 0.0
    fits = np.full((len(found), len(found)), np.inf)
    for (m, one), (n, other) in combinations(enumerate(found), 2):
        if not _contradict(one, other):
            fits[m, n] = fits[n, m] = misfit(one.index, other.index, half)
    groups = {n: [n] for n in range(len(found))}
    pairs = sorted((fits[m, n], m, n) for m, n in combinations(range(len(found)), 2))
    for fit, m, n in pairs:
        if fit <= 1 and groups[m] is not groups[n]:
            both = groups[m] + groups[n]
            if len(both) <= CORNERS and fits[np.ix_(groups[m], groups[n])].max() <= TOGETHER:
                groups.update(dict.fromkeys(both, both))
    return [[found[n] for n in group] for first, group in groups.items() if group[0] == first]


def named(
    groups: list[list[Reading]], size: tuple[int, int], copies: Sequence[int] | None = None
) -> list[Seen]:
    """Return the cards that have these indices in a picture of a size.

    ``copies`` says how many there can be of each of ``EVERY``; the surest get their names first.
    A card whose likeliest name is used up gets the next one, and is no surer for it.
    """
    left = np.full(len(EVERY), len(groups)) if copies is None else np.array(copies)
    found = []
    for group in sorted(groups, key=lambda group: -_surest(group)):
        seen = card(group, size, left > 0)
        left[EVERY.index(seen.name)] -= 1
        found.append(seen)
    return found


def _surest(group: list[Reading]) -> float:
    return float(_together(group).max()) * max(reading.valid for reading in group)


def _together(group: list[Reading]) -> Vector:
    """Return how likely each card is by all indices of one."""
    logs = sum(np.log(reading.chances + 1e-4) for reading in group)
    chances: Vector = np.exp(logs - np.max(logs))
    chances /= chances.sum()
    return chances


def card(group: list[Reading], size: tuple[int, int], possible: Vector | None = None) -> Seen:
    """Return the card that has these indices in a picture of a size."""
    best = max(group, key=lambda reading: reading.valid * reading.chances.max())
    chances = _together(group)
    order = np.argsort(-chances, kind="stable")
    if possible is not None and possible.sum() > 1:
        order = order[possible[order]]
    first, second = (int(n) for n in order[:2])
    ways = [abs(float((v.index.middle - v.index.place) @ v.index.up)) for v in group]
    x, y = (float(v) for v in best.index.place / size)
    return Seen(
        name=EVERY[first],
        sure=float(chances[first]) * max(reading.valid for reading in group),
        likeliest=(EVERY[first], EVERY[second]),
        place=(x, y),
        box=_box(group, size),
        indices=np.mean([reading.index.place for reading in group], 0),
        middle=np.mean([reading.index.middle for reading in group], 0),
        up=best.index.up,
        height=2 * float(np.mean(ways)),
    )


def _box(group: list[Reading], size: tuple[int, int]) -> tuple[float, float, float, float]:
    places = np.array([reading.index.place for reading in group])
    reach = max(reading.index.size for reading in group) * AROUND
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

    Cards turned by half or by quarter of a turn have the same axes.
    """
    turns = sum(np.exp(4j * np.arctan2(card.up[0], -card.up[1])) for card in cards)
    lean = float(np.angle(turns)) / 4
    right = np.array([np.cos(lean), np.sin(lean)])
    return np.array([-right[1], right[0]]), right
