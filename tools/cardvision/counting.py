"""Counts which cards of scenes were read rightly, and puts it into a table."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from scorekeeper.camera.cards import JOKER, RANKS, Seen
from tools.cardvision.arrangements import LAYOUTS
from tools.cardvision.designs import LETTERS
from tools.cardvision.labels import Label

CLEAR = 0.6
"""A card is clearly visible if this much of one of its indices is."""
PARTLY = 0.33
NEAR = 0.7
"""How far from an index, in its sizes, a card may be reported."""

MOST_WRONG = 0.003
"""The largest share of wrong cards among those that are not asked for, where the threshold is
chosen. With other decks it may be two or three times as large."""

Facts = dict[str, Any]

FOUR = "four indices on a card"
INVERTED = "bright print on black"
TAGS = ("all", *LAYOUTS, "normal", "dark", "bright", *LETTERS, FOUR, INVERTED)
CLOSE, LARGE = "close cards", 100
"""Cards of which an index is so many pixels high."""


@dataclass
class Outcome:
    """The result of reading the cards of one scene."""

    facts: Facts
    truth: dict[int, str]
    clear: set[int]
    partly: set[int]
    found: dict[int, Seen] = field(default_factory=dict)
    invented: list[Seen] = field(default_factory=list)

    def right(self, card: int) -> bool:
        """Return whether a card was found and is called by its name."""
        return card in self.found and self.found[card].name == self.truth[card]


def judge(facts: Facts, cards: list[Seen], size: tuple[int, int]) -> Outcome:
    """Compare the cards found in a scene with those that are there."""
    labels = [Label(**label) for label in facts["labels"]]
    shown = dict.fromkeys((label.card for label in labels), 0.0)
    for label in labels:
        shown[label.card] = max(shown[label.card], label.visible)
    outcome = Outcome(
        facts,
        {
            label.card: label.name[:2] if label.name.startswith("JK") else label.name
            for label in labels
        },
        {card for card, visible in shown.items() if visible >= CLEAR},
        {card for card, visible in shown.items() if PARTLY <= visible < CLEAR},
    )
    for card in sorted(cards, key=lambda card: -card.sure):
        owner = _owner(card, labels, size)
        if owner is None or owner in outcome.found:
            outcome.invented.append(card)
        else:
            outcome.found[owner] = card
    return outcome


def _owner(card: Seen, labels: list[Label], size: tuple[int, int]) -> int | None:
    """Return which card of the scene is meant."""
    place = np.array(card.place) * size
    far = [(float(np.hypot(*(place - v.centre))) / v.size, v.card) for v in labels]
    nearest = min(far, default=(np.inf, 0))
    return nearest[1] if nearest[0] < NEAR else None


@dataclass(frozen=True)
class Line:
    """A line of the table."""

    name: str
    scenes: int
    cards: int
    right: int
    wrong: int
    invented: int | None
    """None where only some cards of each scene are looked at."""
    asked: int
    wrong_unasked: int
    invented_unasked: int | None

    def cells(self) -> list[str]:
        """Return the line as it is printed."""
        counts = [self.right, self.wrong, self.invented, self.asked]
        counts += [self.wrong_unasked, self.invented_unasked]
        shares = ["" if n is None else f"{100 * n / self.cards:.1f}" for n in counts]
        return [self.name, str(self.scenes), str(self.cards), *shares]


def line(
    name: str,
    some: list[Outcome],
    limit: float,
    of: Callable[[Outcome], set[int]] | None = None,
) -> Line:
    """Count some outcomes, looking at all clearly visible cards or at certain ones."""
    pairs = [(o, card) for o in some for card in (of(o) if of else o.clear)]
    wrong = [(o, c) for o, c in pairs if c in o.found and not o.right(c)]
    return Line(
        name,
        len(some),
        len(pairs),
        sum(o.right(c) for o, c in pairs),
        len(wrong),
        None if of else sum(len(o.invented) for o in some),
        sum(c in o.found and o.found[c].sure < limit for o, c in pairs),
        sum(o.found[c].sure >= limit for o, c in wrong),
        None if of else sum(card.sure >= limit for o in some for card in o.invented),
    )


def twins(outcome: Outcome) -> list[tuple[int, int]]:
    """Return the pairs of identical cards that are clearly visible."""
    cards = sorted(outcome.clear)
    return [
        (a, b) for a, b in combinations(cards, 2) if outcome.truth[a] == outcome.truth[b] != "JK"
    ]


def tags(outcome: Outcome) -> tuple[str, ...]:
    """Return the lines of the table that a scene counts for."""
    facts = outcome.facts
    four = (FOUR,) if facts.get("corners") == 4 else ()
    black = (INVERTED,) if facts.get("print") == "inverted" else ()
    return "all", facts["kind"], facts["light"], facts["letters"], *four, *black


def table(results: list[Outcome], limit: float) -> list[Line]:
    """Return the lines for all scenes, and for scenes and cards of certain kinds."""
    lines = [line(tag, [o for o in results if tag in tags(o)], limit) for tag in TAGS]
    lines.append(line(CLOSE, results, limit, close))
    lines.append(line("jokers", results, limit, jokers))
    for family in sorted({o.facts.get("joker", "") for o in results} - {""}):
        some = [outcome for outcome in results if outcome.facts.get("joker") == family]
        lines.append(line(f"jokers: {family}", some, limit, jokers))
    lines.append(line("partly covered", results, limit, lambda o: o.partly))
    fans = [outcome for outcome in results if outcome.facts["kind"] == "fan"]
    lines.append(line("fans, also partly covered", fans, limit, lambda o: o.clear | o.partly))
    return [each for each in lines if each.cards]


def jokers(outcome: Outcome) -> set[int]:
    """Return the jokers that are clearly visible."""
    return {card for card in outcome.clear if outcome.truth[card] == "JK"}


def close(outcome: Outcome) -> set[int]:
    """Return the clearly visible cards near the camera."""
    labels = [Label(**label) for label in outcome.facts["labels"]]
    return outcome.clear & {label.card for label in labels if label.size > LARGE}


def confusions(results: list[Outcome]) -> dict[str, dict[str, Counter[str]]]:
    """Return what each rank was read as, by the family of glyphs; "missed" if it was not found."""
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for outcome in results:
        for card in outcome.clear:
            rank = _rank(outcome.truth[card])
            read = _rank(outcome.found[card].name) if card in outcome.found else "missed"
            if rank != JOKER:
                counts[outcome.facts.get("glyphs", "fonts")][rank][read] += 1
    return counts


def _rank(name: str) -> str:
    return name if name == JOKER else name[:-1]


def matrix(counts: dict[str, Counter[str]]) -> str:
    """Return a table: a line for each rank, a column for what it was read as."""
    columns = [*RANKS, JOKER, "missed"]
    rows = [
        [rank, *(str(counts[rank][read] or "") for read in columns)]
        for rank in RANKS
        if rank in counts
    ]
    head = ["", *columns]
    return "\n".join(["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)])


def twin_share(results: list[Outcome]) -> tuple[int, int]:
    """Return how many pairs of identical cards were both found, and how many there are."""
    pairs = [(o, pair) for o in results for pair in twins(o)]
    return sum(all(o.right(card) for card in pair) for o, pair in pairs), len(pairs)


def threshold(results: list[Outcome], most_wrong: float = MOST_WRONG) -> float:
    """Return the least sureness from which on at most this share of cards is wrong."""
    cards = sorted(((o.found[c].sure, o.right(c)) for o in results for c in o.found), reverse=True)
    wrong, best = 0, 0.99
    for count, (sure, right) in enumerate(cards, 1):
        wrong += not right
        if wrong <= most_wrong * count:
            best = sure
    return best


HEADINGS = (
    "| | scenes | cards | right % | misread % | invented per 100 | asked % "
    "| misread, not asked % | invented, not asked per 100 |"
)


def markdown(results: list[Outcome], limit: float) -> str:
    """Return the table for the documentation."""
    rows = ["| " + " | ".join(each.cells()) + " |" for each in table(results, limit)]
    text = "\n".join([HEADINGS, "|---" * 9 + "|", *rows])
    found, pairs = twin_share(results)
    for family, counts in sorted(confusions(results).items()):
        text += f"\n\nRanks, and what they were read as ({family}):\n\n{matrix(counts)}"
    return f"{text}\n\nIdentical cards of two packs: both found in {found} of {pairs} pairs.\n"
