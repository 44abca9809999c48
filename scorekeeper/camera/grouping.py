"""Which indices in a picture are of one card: a question of where they are.

All cards of a picture have the same size, and an index in the same corners: in the upper left and
the lower right one, or in all four. Those below are upside down. So an index says where the others
of its card can be:

1. ``Pairs`` says how every two indices lie, as if the picture was taken from straight above.
2. ``_votes`` says what pairs that may be of one card say about its size. From all of them together
   follow ``nearer``, by which factors cards look larger where they are nearer to the camera, and
   ``reach``, how far the indices of a card are from its middle.
3. ``_misfits`` says how badly every two indices fit on one card.
4. ``_best_groups`` finds the groups that fit best together. Taking the best pair first would leave
   over an index whose only partner was taken by a better fitting one.

Matrices have a row for each index and a column for each other one. Ways lead right and down as on
a card on which the first of the two indices is upright, in pixels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from scorekeeper.camera.indices import Index, Pixels, Vector

Group = tuple[int, ...]
"""The numbers of indices of one card."""
Corner = tuple[int, int]
"""Left is -1 and right 1, above is -1 and below 1."""

TOP_LEFT, TOP_RIGHT, LOW_LEFT, LOW_RIGHT = (-1, -1), (1, -1), (-1, 1), (1, 1)
OPPOSITE = [(TOP_LEFT, LOW_RIGHT)]
"""The corners of two indices of a card that has two, if the first of them is upright."""
ANY = [
    (one, other)
    for one in (TOP_LEFT, TOP_RIGHT)
    for other in (TOP_LEFT, TOP_RIGHT, LOW_LEFT, LOW_RIGHT)
    if one != other
]
"""The same for a card that has four."""
FOUR, FOUR_SHARE = 1.0, 0.1
"""How much speaks for four indices on a card if there are four: so much, and for every index."""

ALIKE = 0.8
"""The least cosine between the directions of two indices of a card, or of their opposites."""
SIZES = 1.8
"""The most that one index of a card is larger than another."""
AGREED = 0.02
"""The least chance that two indices of one card say the same."""
PLACE_OFF, PLACE_OFF_OF_FOUR = 0.45, 0.37
"""How far an index may be from the place where another of its card expects it, as a share of the
diagonal, when both guess the middle of the card exactly. It is less for cards with four indices,
because those of an identical card beside it are nearly in the places of its own."""
MIDDLE_OFF = 1.2
"""How far both may guess beside the middle of the card, as a share of the half diagonal, when they
are exactly in the expected places."""
TWICE = (0.35, 0.9)
"""How far apart across and along, in sizes of an index, the same one is found twice. One of two
cards so close to each other would cover the index of the other."""

GUESS_OFF, VOTE_OFF = 0.5, 0.05
"""How far off the guesses of the detector and the places of indices usually are, as logarithms."""
SLENDER, SLENDER_OFF = 0.75, 0.3
"""The way from the middle of a card to its indices across, as a share of the way up, and how far
off that usually is, as a logarithm: cards differ in shape, and the camera is seldom straight."""
TRUSTED, MOST_VOTES = 0.005, 400
"""The least trust in two indices that say how large cards are, and how many such pairs count."""
STEADY = 0.3
"""How strongly sizes must differ across the picture to count as perspective."""
SAME_SIZE = 0.25
"""How much cards differ in size because of perspective, as a logarithm."""
LARGEST = 8
"""The most indices among which the best groups are sought: the effort may double with each."""


def grouped(
    indices: Sequence[Index], likely: Pixels, jokers: Vector | None = None
) -> tuple[list[Group], Pixels]:
    """Return the groups of indices that are of one card, and how badly every two indices fit.

    ``likely`` says how likely every two indices say the same, ``jokers`` which ones say that they
    are of a joker. Every index is in one group.
    """
    if jokers is None:
        jokers = np.zeros(len(indices), bool)
    near = nearness(indices)[:, None]
    near = near * nearer(Pairs(indices, near), likely)
    pairs = Pairs(indices, near)
    size = _sizes(pairs, likely, jokers)
    two = _misfits(pairs, size, likely, OPPOSITE, PLACE_OFF)
    four = _misfits(pairs, size, likely, ANY, PLACE_OFF_OF_FOUR)
    gain, groups = _groups(two)
    gain_of_four, groups_of_four = _groups(four)
    on_the_right = np.count_nonzero(pairs.guess[:, 0] < 0)  # no card with two has an index there
    if gain_of_four - gain + on_the_right > FOUR + FOUR_SHARE * len(indices):
        return groups_of_four, four
    return groups, two


class Pairs:
    """How every two indices lie to each other."""

    place: Pixels
    """Where each index is in the picture."""
    cosine: Pixels
    """Between their directions."""
    larger: Pixels
    """By which factor one of them is larger."""
    size: Pixels
    """Their size, a mean of both."""
    way: Pixels
    """From the first to the second."""
    middles: tuple[Pixels, Pixels]
    """From the first to where either says that the middle of its card is."""
    guess: Pixels
    """From each index to where it says that the middle of its card is."""

    def __init__(self, indices: Sequence[Index], near: Pixels) -> None:
        self.place = place = _places(indices)
        up = np.array([index.up for index in indices])
        middle = np.array([index.middle for index in indices])
        size = np.array([index.size for index in indices])
        self._near = np.sqrt(near * near[:, None])
        self.cosine = up @ up.T
        self.larger = np.maximum(size / size[:, None], size[:, None] / size)
        self.size = np.sqrt(size * size[:, None]) / self._near.mean(-1)
        both = up[:, None] + up * np.sign(self.cosine)[..., None]
        self._up = both / np.maximum(1e-6, _length(both))[..., None]
        self.way = self._seen(place - place[:, None])
        own = np.broadcast_to((middle - place)[:, None], both.shape)
        self.middles = self._seen(own), self._seen(middle - place[:, None])
        each = np.arange(len(indices))
        self.guess = self.middles[0][each, each]

    def _seen(self, way: Pixels) -> Pixels:
        """Return ways of the picture as ways right and down, from straight above."""
        right = np.stack([-self._up[..., 1], self._up[..., 0]], -1)
        seen = np.stack([(way * right).sum(-1), -(way * self._up).sum(-1)], -1)
        result: Pixels = seen / self._near
        return result


def _places(indices: Sequence[Index]) -> Pixels:
    return np.array([index.place for index in indices])


def nearness(indices: Sequence[Index]) -> Vector:
    """Return by which factor each index looks larger than usual because it is nearer.

    Indices differ in size for other reasons too: a 10 is wider than a 9. So only how their sizes
    change across the picture counts.
    """
    place, logs = _places(indices), np.log([index.size for index in indices])
    return _growth(place, place, logs - np.median(logs), np.ones(len(place)))


def _growth(places: Pixels, known: Pixels, logs: Vector, weights: Vector) -> Vector:
    """Return the sizes in some places by those in known ones, which are given as logarithms."""
    middle = weights @ known / weights.sum()
    width = max(1.0, float(np.abs(places - middle).max()))
    way = (known - middle) / width
    weighted = way.T * weights
    slope = np.linalg.solve(weighted @ way + STEADY * np.eye(2), weighted @ logs)
    factor: Vector = np.exp((places - middle) / width @ slope)
    return factor


@dataclass(frozen=True)
class _Votes:
    """Votes for the size of a card, by pairs of indices that may be in its opposite corners."""

    logs: Pixels
    """How far right of and below its upper left index its middle is, as logarithms."""
    trust: Vector
    place: Pixels
    """Its middle in the picture."""


def _votes(pairs: Pairs, likely: Pixels, among: Vector) -> _Votes:
    """Return what pairs among some indices say about the size of cards.

    The detector guesses it for each index, not well. The indices in opposite corners are twice as
    far apart, equally far on all cards: what many pairs near the guess say counts, above all pairs
    that say the same.
    """
    down = _guessed(pairs, among)
    is_opposite = (likely >= AGREED) & (pairs.cosine < -ALIKE) & (pairs.way[..., 1] > 0)
    first, second = np.nonzero(np.triu(is_opposite & among & among[:, None], 1))
    logs = np.log(np.maximum(1.0, np.abs(pairs.way[first, second]) / 2))
    height = (logs[:, 1] - np.log(down)) / GUESS_OFF
    shape = (logs[:, 0] - logs[:, 1] - np.log(SLENDER)) / SLENDER_OFF
    trust = _bell(np.stack([height, shape], -1)) * likely[first, second]
    order = np.argsort(-trust, kind="stable")[:MOST_VOTES]
    order = order[trust[order] > TRUSTED]
    place = (pairs.place[first] + pairs.place[second]) / 2
    return _Votes(logs[order], trust[order], place[order])


def _guessed(pairs: Pairs, among: Vector) -> float:
    """Return how far below their upper indices the middles of cards are by the detector's guess."""
    return max(1.0, float(np.median(np.abs(pairs.guess[among, 1])))) if among.any() else 1.0


def nearer(pairs: Pairs, likely: Pixels) -> Pixels:
    """Return by which factors cards look larger across and along where each index is."""
    votes = _votes(pairs, likely, np.ones(len(likely), bool))
    if not len(votes.logs):
        return np.ones((len(likely), 2))
    off = votes.logs - _densest(votes.logs, votes.trust)
    weights = votes.trust * _bell(off[:, 1:] / SAME_SIZE)
    off -= weights @ off / weights.sum()
    return np.stack([_growth(pairs.place, votes.place, logs, weights) for logs in off.T], 1)


def _sizes(pairs: Pairs, likely: Pixels, jokers: Vector) -> Pixels:
    """Return the reach of the cards that two indices may be of.

    Jokers have their own: their indices are longer, so the middles of these are nearer to the
    middle of the card.
    """
    both = (jokers & jokers[:, None])[..., None]
    return np.where(both, reach(pairs, likely, jokers), reach(pairs, likely, ~jokers))


def reach(pairs: Pairs, likely: Pixels, among: Vector) -> Vector:
    """Return how far right of and below its upper left index the middle of a card is."""
    votes = _votes(pairs, likely, among)
    if not len(votes.logs):
        return np.array([SLENDER, 1.0]) * _guessed(pairs, among)
    return np.exp(_densest(votes.logs, votes.trust))


def _densest(logs: Pixels, weights: Vector) -> Vector:
    """Return what most of these logarithms agree about."""
    near = _bell((logs[:, None] - logs) / VOTE_OFF) * weights
    best = near[np.argmax(near.sum(1))]
    value: Vector = best @ logs / best.sum()
    return value


def _bell(off: Pixels) -> Pixels:
    height: Pixels = np.exp(-(off**2).sum(-1) / 2)
    return height


def _length(way: Pixels) -> Pixels:
    length: Pixels = np.hypot(way[..., 0], way[..., 1])
    return length


# ---- how badly two indices fit ---------------------------------------------------------


def _misfits(
    pairs: Pairs,
    size: Pixels,
    likely: Pixels,
    places: list[tuple[Corner, Corner]],
    place_off: float,
) -> Pixels:
    """Return how badly every two indices fit on one card; above 1 they do not.

    Two indices fit if they lie like two corners of a card, or if they are the same one found twice.
    """
    twice = _length(pairs.way / pairs.size[..., None] / TWICE)
    fits = np.where(pairs.cosine >= ALIKE, twice, np.inf)
    for one, other in places:
        is_possible = pairs.cosine * one[1] * other[1] >= ALIKE
        fit = _misfit(pairs, size, one, other, place_off)
        fits = np.where(is_possible, np.minimum(fits, fit), fits)
    impossible = (pairs.larger > SIZES) | (likely < AGREED) | np.eye(len(fits), dtype=bool)
    return np.where(impossible, np.inf, fits)


def _misfit(pairs: Pairs, size: Pixels, one: Corner, other: Corner, place_off: float) -> Pixels:
    """Return how badly indices fit in two corners of a card."""
    half = _length(size)
    way, middle = np.subtract(other, one) * size, -np.array(one) * size
    off = _length(pairs.way - way) / (2 * half)
    wrong = np.hypot(*(_length(guess - middle) / half for guess in pairs.middles)) / np.sqrt(2)
    fit: Pixels = np.hypot(off / place_off, wrong / MIDDLE_OFF)
    return fit


# ---- the groups that fit best together -------------------------------------------------


def _groups(fits: Pixels) -> tuple[float, list[Group]]:
    """Return the groups that fit best together, and how many indices they put together.

    That number is less the worse they fit.
    """
    gain = 0.0
    groups: list[Group] = []
    for neighbours in _neighbourhoods(fits):
        more, some = _best_groups(fits, neighbours)
        gain += more
        groups += some
    return gain, groups


def _neighbourhoods(fits: Pixels) -> list[Group]:
    """Return sets of indices that can be grouped independently of each other.

    Indices that fit are in one set, the best fitting ones first. No set grows beyond ``LARGEST``.
    """
    sets: dict[int, Group] = {n: (n,) for n in range(len(fits))}
    rows, columns = np.nonzero(np.triu(fits <= 1))
    for place in np.argsort(fits[rows, columns], kind="stable"):
        one, other = sets[int(rows[place])], sets[int(columns[place])]
        if one is not other and len(one) + len(other) <= LARGEST:
            both = tuple(sorted(one + other))
            sets.update(dict.fromkeys(both, both))
    return sorted(set(sets.values()))


def _best_groups(fits: Pixels, among: Group) -> tuple[float, tuple[Group, ...]]:
    """Return the groups of the greatest gain, and that gain."""
    cards = list(_cards(fits, among))

    @cache
    def best(left: frozenset[int]) -> tuple[float, tuple[Group, ...]]:
        if not left:
            return 0.0, ()
        first = min(left)
        ways: list[tuple[float, Group]] = [(0.0, (first,))]
        ways += [(gain, card) for gain, card in cards if card[0] == first and left.issuperset(card)]
        rest = [best(left.difference(card)) for _, card in ways]
        return max(
            (gain + more, (card, *others))
            for (gain, card), (more, others) in zip(ways, rest, strict=True)
        )

    return best(frozenset(among))


def _cards(fits: Pixels, among: Group) -> Iterator[tuple[float, Group]]:
    """Yield what can be one card, and the gain: one for each index put to another, less misfits."""
    for count in range(2, 5):
        for card in combinations(among, count):
            off = [fits[pair] ** 2 for pair in combinations(card, 2)]
            gain = (count - 1) * (1 - float(np.mean(off)))
            if gain > 0:
                yield gain, card
