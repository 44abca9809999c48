"""The stored form of rounds and scores: compact JSON values, without sentences.

Events hold a round and its score side by side, so that a later correction of the code does
not affect old evenings. Decoding trusts its input: imported data passes through
``wire.rounds`` and ``checked_score`` first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, TypeVar

from scorekeeper.domain.cards.card import Card, Rank, Suit, card_named
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.rounds.facts import (
    Drawn,
    Glass,
    Hirschn,
    LayOff,
    MeldRef,
    Round,
    RoundScore,
    ScoreLine,
    Seat,
    SeatScore,
    Swap,
)

# ---- rounds --------------------------------------------------------------------------


def encode_round(facts: Round) -> dict[str, Any]:
    """Return the facts of a round as JSON values, without facts not stated."""
    stored: dict[str, Any] = _ROUND.encode(facts)
    return stored


def decode_round(stored: Mapping[str, Any]) -> Round:
    """Return the round that ``encode_round`` was given."""
    facts: Round = _ROUND.decode(stored)
    return facts


Made = TypeVar("Made")


class _Codec(NamedTuple):
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def _list_of(item: _Codec) -> _Codec:
    return _Codec(
        lambda items: list(map(item.encode, items)),
        lambda stored: tuple(map(item.decode, stored)),
    )


def _object(of: type, **codecs: _Codec) -> _Codec:
    """Return the codec of a dataclass, which omits fields with their default."""
    defaults = {field.name: field.default for field in fields(of)}
    known = {name: codecs.get(name) for name in defaults}

    def encode(value: object) -> dict[str, Any]:
        stored = {}
        for name, part in vars(value).items():
            if part != defaults.get(name, part):  # cached properties have no default
                codec = known[name]
                stored[name] = codec.encode(part) if codec else part
        return stored

    def decode(stored: Mapping[str, Any]) -> object:
        parts = {
            name: codec.decode(part) if (codec := known[name]) else part
            for name, part in stored.items()
        }
        return with_fields(of, parts)

    return _Codec(encode, decode)


def with_fields(of: type[Made], parts: Mapping[str, Any]) -> Made:
    """Return an instance of a frozen dataclass, several times as fast as its constructor.

    Omitted fields are found in the class, which holds the defaults.
    """
    value = object.__new__(of)
    vars(value).update(parts)
    return value


def _encode_drawn(drawn: Drawn) -> dict[str, str]:
    return {"from": drawn.source} | ({"card": str(drawn.card)} if drawn.card else {})


def _decode_drawn(stored: Mapping[str, str]) -> Drawn:
    return Drawn(stored["from"], card_named(stored["card"]) if "card" in stored else None)  # type: ignore[arg-type]


_CARD = _Codec(str, card_named)
_CARDS = _list_of(_CARD)
_MELDS = _list_of(_CARDS)
_REF = _object(MeldRef)
_DISCARD = _Codec(
    lambda cards: str(cards[0]) if cards else None,
    lambda name: (card_named(name),) if name else (),
)
_SEAT = _object(
    Seat,
    hand=_CARDS,
    rest=_CARDS,
    first_meld=_MELDS,
    melds=_MELDS,
    layoffs=_list_of(_object(LayOff, card=_CARD, meld=_REF)),
    swaps=_list_of(_object(Swap, card=_CARD, meld=_REF)),
    discard=_DISCARD,
)
_GLASS = _object(
    Glass,
    rank=_Codec(lambda rank: rank.letter, {rank.letter: rank for rank in Rank}.__getitem__),
    suit=_Codec(lambda suit: suit.value, Suit),
    pile=_CARDS,
)
_ROUND = _object(
    Round,
    seats=_list_of(_SEAT),
    oklahoma_card=_CARD,
    drawn=_Codec(_encode_drawn, _decode_drawn),
    hirschn=_object(Hirschn),
    glass=_list_of(_GLASS),
)

# ---- facts ---------------------------------------------------------------------------

CARD_FACTS = ("card", "cards", "melds", "laid_off")
"""Facts that are cards, or lists of cards."""


def plain(value: object) -> Any:
    """Return a fact as JSON: cards in canonical notation, exact numbers as text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if type(value) is Card:
        return str(value)
    if isinstance(value, (tuple, list, range)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return str(value)


def plain_facts(facts: Mapping[str, object]) -> dict[str, Any]:
    """Return facts as JSON values."""
    return {name: plain(value) for name, value in facts.items()}


def facts_of(stored: Mapping[str, Any]) -> dict[str, object]:
    """Return facts from JSON values; those named in CARD_FACTS become cards."""
    return {name: _cards(value) if name in CARD_FACTS else value for name, value in stored.items()}


def _cards(value: Any) -> Card | tuple[Any, ...]:
    return card_named(value) if isinstance(value, str) else tuple(map(_cards, value))


# ---- scores --------------------------------------------------------------------------


def encode_score(score: RoundScore) -> dict[str, Any]:
    """Return the score of a round as JSON values, without zero or empty values."""
    return {
        "outcome": score.outcome,
        "winner": score.winner,
        "mark": score.mark,
        "scores": [_encode_points(points) for points in score.scores],
        "lines": [_encode_line(line) for line in score.lines],
        "warnings": [
            {"code": w.code, "facts": plain_facts(w.facts), "path": list(w.path)}
            for w in score.warnings
        ],
    }


def decode_score(stored: Mapping[str, Any]) -> RoundScore:
    """Return the score that ``encode_score`` was given."""
    return RoundScore(
        outcome=stored["outcome"],
        winner=stored["winner"],
        mark=stored["mark"],
        scores=tuple(None if points is None else SeatScore(*points) for points in stored["scores"]),
        lines=tuple(
            with_fields(ScoreLine, {**line, "facts": facts_of(line.get("facts", {}))})
            for line in stored["lines"]
        ),
        warnings=tuple(
            Problem(w["code"], facts_of(w["facts"]), tuple(w["path"])) for w in stored["warnings"]
        ),
    )


def _encode_points(points: SeatScore | None) -> list[int | None] | None:
    if points is None:
        return None
    return [points.minus, points.plus, points.reduction, points.league]


def _encode_line(line: ScoreLine) -> dict[str, Any]:
    amounts = {"minus": line.minus, "plus": line.plus, "reduction": line.reduction}
    stored: dict[str, Any] = {"seat": line.seat, "reason": line.reason}
    stored |= {name: amount for name, amount in amounts.items() if amount}
    return stored | ({"facts": plain_facts(line.facts)} if line.facts else {})


# ---- imported scores -----------------------------------------------------------------


def _held(*others: str) -> set[frozenset[str]]:
    """Return the possible facts of a line about cards left: points, or cards."""
    shown = (("points",), ("cards",), ("cards", "melds"), ("cards", "laid_off"))
    every = (*shown, ("cards", "melds", "laid_off"))
    return {frozenset({*others, *facts}) for facts in every}


def _only(*facts: str) -> set[frozenset[str]]:
    return {frozenset(facts)}


LINE_FACTS: Mapping[str, set[frozenset[str]]] = {
    "hand": _held(),
    "unmelded": _held(),
    "rest": _held(),
    "count": _held(),
    "collected": _held("of") | _only("of"),
    "deadwood": _held("of", "held"),
    "hand_romme": _only("factor"),
    "reduction": _only(),
    "difference": _only("own", "others") | _only("own", "others", "factor") | _only("least"),
    "penalty": _only("least"),
    "rummy": _only("least"),
    "pot": _only("pot", "shared"),
    **dict.fromkeys(("undercut", "box", "gin", "big_gin", "small_gin"), _only()),
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
    "W_POINTS_IMPOSSIBLE": (_only("why", "seat", "points", "least", "most"), ("low", "high")),
    "W_SUIT_K_KREUZ": (_only("token", "card"), ()),
    "W_JOKER_UNPINNED": (_only("cards"), ()),
}
"""The facts of a warning and its possible reasons, by its code."""
MAX_AMOUNT = 1_000_000
"""More than any round is worth."""
MAX_LINES = 200
MAX_CARDS = 112
MAX_WORD_LENGTH = 40


def checked_score(stored: Any, facts: Round, seats: int, sides: int) -> None:
    """Raise ValueError if a stored score does not have the form of a score of this round.

    This does not check whether the points are right; but the lines must add up, and everything
    in the score must be displayable.
    """
    _demand(set(stored) == {"outcome", "winner", "mark", "scores", "lines", "warnings"})
    _demand(stored["outcome"] == facts.outcome)
    _demand(stored["mark"] in ("verified", "counted", "unverified"))
    winner = stored["winner"]
    _demand(winner is None or _whole(winner, sides))
    _demand(len(stored["scores"]) == sides)
    _demand(len(stored["lines"]) <= MAX_LINES and len(stored["warnings"]) <= MAX_LINES)
    for line in stored["lines"]:
        _check_line(line, seats, sides)
    for side, points in enumerate(stored["scores"]):
        _check_points(points, [line for line in stored["lines"] if line["seat"] == side])
    for one in stored["warnings"]:
        known, whys = WARNING_FACTS[one["code"]]
        _demand(set(one) == {"code", "facts", "path"} and frozenset(one["facts"]) in known)
        _demand(len(one["path"]) <= MAX_WORD_LENGTH)
        _demand(all(_whole(step) or _word(step) for step in one["path"]))
        _demand(not whys or one["facts"]["why"] in whys)
        _check_facts(one["facts"], seats)


def _check_line(line: Mapping[str, Any], seats: int, sides: int) -> None:
    _demand({"seat", "reason"} <= set(line))
    _demand(set(line) <= {"seat", "reason", "minus", "plus", "reduction", "facts"})
    _demand(_whole(line["seat"], sides))
    _demand(all(_whole(line.get(name, 0)) for name in ("minus", "plus", "reduction")))
    facts = line.get("facts", {})
    _demand(frozenset(facts) in LINE_FACTS[line["reason"]])
    _check_facts(facts, seats)


def _check_points(points: Any, lines: Sequence[Mapping[str, Any]]) -> None:
    """Check the points of a side, and that its lines add up to them."""
    if points is None:
        _demand(not lines)
        return
    *amounts, league = points
    _demand(len(amounts) == 3 and all(map(_whole, amounts)))
    _demand(league is None or _whole(league))
    for name, amount in zip(("minus", "plus", "reduction"), amounts, strict=True):
        _demand(sum(line.get(name, 0) for line in lines) == amount)


def _check_facts(facts: Mapping[str, Any], seats: int) -> None:
    """Check that each fact has the type that its name implies."""
    for name, value in facts.items():
        match name:
            case "of" | "seat":
                _demand(_whole(value, seats))
            case "cards" | "laid_off":
                _check_cards(value)
            case "melds":
                _demand(isinstance(value, list) and len(value) <= MAX_CARDS)
                for meld in value:
                    _check_cards(meld)
            case "card":
                card_named(value)
            case "why" | "expected" | "token":
                _demand(_word(value))
            case _:
                _demand(_whole(value))


def _check_cards(cards: Any) -> None:
    _demand(isinstance(cards, list) and len(cards) <= MAX_CARDS)
    for card in cards:
        card_named(card)


def _whole(value: Any, below: int = MAX_AMOUNT) -> bool:
    return type(value) is int and 0 <= value < below


def _word(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_WORD_LENGTH and value.isprintable()


def _demand(good: bool) -> None:
    if not good:
        raise ValueError("not a score")
