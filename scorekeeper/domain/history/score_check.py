"""Validation of scores in imported games, before ``codec`` decodes them."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.domain.cards.card import card_named
from scorekeeper.domain.rounds.facts import Round


def _cards_left(*others: str) -> set[frozenset[str]]:
    """Return the possible facts of a line about cards left: points, or cards."""
    shown = (("points",), ("cards",), ("cards", "melds"), ("cards", "laid_off"))
    every = (*shown, ("cards", "melds", "laid_off"))
    return {frozenset({*others, *facts}) for facts in every}


def _only(*facts: str) -> set[frozenset[str]]:
    return {frozenset(facts)}


LINE_FACTS: Mapping[str, set[frozenset[str]]] = {
    "hand": _cards_left(),
    "unmelded": _cards_left(),
    "rest": _cards_left(),
    "count": _cards_left(),
    "held": _cards_left(),
    "laid": _only("points") | _only("melds") | _only("laid_off") | _only("melds", "laid_off"),
    "collected": _cards_left("of") | _only("of"),
    "deadwood": _cards_left("of", "held"),
    "hand_romme": _only("factor"),
    "reduction": _only(),
    "not_laid": _only(),
    "cap": _cards_left("counted") | _only("counted"),
    "out_bonus": _only(),
    "no_lives": _cards_left(),
    **dict.fromkeys(("drop_first", "drop_middle", "wrong"), _only()),
    "one_run": _only(),
    "difference": _only("own", "others") | _only("own", "others", "factor") | _only("least"),
    "penalty": _only("least"),
    "rummy": _only("least"),
    "pot": _only("pot", "shared"),
    "box": _only() | _only("boxes"),
    "spades": _only("factor"),
    **dict.fromkeys(("undercut", "gin", "big_gin", "small_gin"), _only()),
    **dict.fromkeys(("glass", "glass_missed"), _only("of")),
    **dict.fromkeys(("hirschn", "hirschn_fail"), _only("of", "turns")),
}
"""The possible combinations of facts of a line, by its reason."""
WARNING_FACTS: Mapping[str, tuple[set[frozenset[str]], tuple[str, ...]]] = {
    "W_BETTER_ARRANGEMENT": (_only("seat", "reached", "best", "cards"), ()),
    "W_CANCELLED": (_only(), ()),
    "W_DISCARD_UNKNOWN": (_only("seat"), ()),
    "W_HANDROMME_UNCHECKED": (_only("seat"), ()),
    "W_HAND_COUNT": (_only("why", "seat", "declared", "expected", "most"), ("many", "few")),
    "W_LIVES_UNCHECKED": (_only("seat"), ()),
    "W_POINTS_IMPOSSIBLE": (_only("why", "seat", "points", "least", "most"), ("low", "high")),
    "W_SUIT_K_KREUZ": (_only("token", "card"), ()),
    "W_JOKER_UNPINNED": (_only("cards"), ()),
}
"""The facts of a warning and its possible reasons, by its code."""
MAX_AMOUNT = 1_000_000
"""More than any round is worth."""
MAX_LINES = 200
MAX_CARDS = 4 * 52 + 8
MAX_WORD_LENGTH = 40


def check_score(stored: Any, facts: Round, seats: int, sides: int) -> None:
    """Raise ValueError if a stored score does not have the form of a score of this round.

    This does not check whether the points are right; but the lines must add up, and everything
    in the score must be displayable.
    """
    _require(set(stored) == {"outcome", "winner", "mark", "scores", "lines", "warnings"})
    _require(stored["outcome"] == facts.outcome)
    _require(stored["mark"] in ("verified", "counted", "unverified"))
    winner = stored["winner"]
    _require(winner is None or _whole(winner, sides))
    _require(len(stored["scores"]) == sides)
    _require(len(stored["lines"]) <= MAX_LINES and len(stored["warnings"]) <= MAX_LINES)
    for line in stored["lines"]:
        _check_line(line, seats, sides)
    for side, points in enumerate(stored["scores"]):
        _check_points(points, [line for line in stored["lines"] if line["seat"] == side])
    for warning in stored["warnings"]:
        known, whys = WARNING_FACTS[warning["code"]]
        _require(set(warning) == {"code", "facts", "path"} and frozenset(warning["facts"]) in known)
        _require(len(warning["path"]) <= MAX_WORD_LENGTH)
        _require(all(_whole(step) or _word(step) for step in warning["path"]))
        _require(not whys or warning["facts"]["why"] in whys)
        _check_facts(warning["facts"], seats)


def _check_line(line: Mapping[str, Any], seats: int, sides: int) -> None:
    _require({"seat", "reason"} <= set(line))
    _require(set(line) <= {"seat", "reason", "minus", "plus", "reduction", "facts"})
    _require(_whole(line["seat"], sides))
    _require(all(_whole(line.get(name, 0)) for name in ("minus", "plus", "reduction")))
    facts = line.get("facts", {})
    _require(frozenset(facts) in LINE_FACTS[line["reason"]])
    _check_facts(facts, seats)


def _check_points(points: Any, lines: Sequence[Mapping[str, Any]]) -> None:
    """Check the points of a side, and that its lines add up to them."""
    if points is None:
        _require(not lines)
        return
    *amounts, league = points
    _require(len(amounts) == 3 and all(map(_whole, amounts)))
    _require(league is None or _whole(league))
    for name, amount in zip(("minus", "plus", "reduction"), amounts, strict=True):
        _require(sum(line.get(name, 0) for line in lines) == amount)


def _check_facts(facts: Mapping[str, Any], seats: int) -> None:
    """Check that each fact has the type that its name implies."""
    for name, value in facts.items():
        match name:
            case "of" | "seat":
                _require(_whole(value, seats))
            case "cards" | "laid_off":
                _check_cards(value)
            case "melds":
                _require(isinstance(value, list) and len(value) <= MAX_CARDS)
                for meld in value:
                    _check_cards(meld)
            case "card":
                card_named(value)
            case "why" | "expected" | "token":
                _require(_word(value))
            case _:
                _require(_whole(value))


def _check_cards(cards: Any) -> None:
    _require(isinstance(cards, list) and len(cards) <= MAX_CARDS)
    for card in cards:
        card_named(card)


def _whole(value: Any, below: int = MAX_AMOUNT) -> bool:
    return type(value) is int and 0 <= value < below


def _word(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_WORD_LENGTH and value.isprintable()


def _require(good: bool) -> None:
    if not good:
        raise ValueError("not a score")
