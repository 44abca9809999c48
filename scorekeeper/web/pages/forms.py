"""Fields of the entry form into the body of a round, and a round into fields.

A field of a seat is called ``hand-2``; the seat's number counts from 0. An empty field
says nothing, a dash says *none* (RULES 6.1).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scorekeeper.domain.cards import Card, Rank, Suit
from scorekeeper.domain.errors import Where
from scorekeeper.domain.notation import Notation
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Glass, LayOff, Round, Seat, Swap
from scorekeeper.i18n import Language
from scorekeeper.web.pages.asks import ENDER, OF_THE_ROUND, WAYS, Asks

Fields = Mapping[str, str]

NONE = ("-", "–", "−", "—")
NONE_SHOWN = "–"
SUM = re.compile(r"\s*\d{1,4}(\s*\+\s*\d{1,4})*\s*")
NOTATIONS: Mapping[str, Notation] = {"de": "de"}
"""The notation that readers of a language write; ``en`` where nothing is said."""


def notation_of(form: Fields) -> Notation:
    """How the cards of a form are written, as far as a page has words for it."""
    return "de" if form.get("notation") == "de" else "en"


# ---- a round -------------------------------------------------------------------------


def round_body(form: Fields, players: int, rules: RuleSet) -> dict[str, Any]:
    """The body of a round (API 4) from the fields of the entry form."""
    asks = asks_of(form, rules)
    outcome = form.get("outcome", asks.outcome)
    body: dict[str, Any] = {"outcome": outcome, "notation": form.get("notation", "en")}
    if form.get("note", "").strip():
        body["note"] = form["note"]
    if outcome != asks.outcome:
        return body
    ender = whole(form.get(asks.ender, ""))
    if isinstance(ender, int):
        body[asks.ender] = ender
    for name in ("hand_romme", "accept_irregular"):
        if form.get(name):
            body[name] = True
    seats = [_seat_body(form, seat, asks, ends=seat == ender) for seat in range(players)]
    body["seats"] = seats
    for seat in seats:
        body |= {name: seat.pop(name) for name in OF_THE_ROUND if name in seat}
    return body | _drawn_body(body) | _special_body(form, rules)


def asks_of(form: Fields, rules: RuleSet) -> Asks:
    """What is asked: what the rules call for, and what the form says already."""
    return Asks(rules, {name.rpartition("-")[0] for name, text in form.items() if text})


def _seat_body(form: Fields, seat: int, asks: Asks, *, ends: bool) -> dict[str, Any]:
    def typed(name: str) -> str:
        return form.get(f"{name}-{seat}", "").strip()

    if typed("absent") and not ends:
        return {"absent": True}
    way = typed("way") if typed("way") in WAYS else "cards"
    body: dict[str, Any] = {}
    if typed("hand") and (not ends or way in asks.ender_holds):
        body[asks.held[way]] = _held(way, typed("hand"))
    for field in asks.fields:
        if typed(field.name) and field.is_asked(way, ends=ends):
            body[field.name] = READ[field.kind](typed(field.name))
    return body


def _held(way: str, text: str) -> object:
    """What a player still has: points, with sums allowed, or cards and ranks."""
    if way != "points":
        return [] if text in NONE else text
    return sum(map(int, text.split("+"))) if SUM.fullmatch(text) else text


def lines(text: str) -> list[str]:
    """The lines of a text field that say something."""
    return [line.strip() for line in text.splitlines() if line.strip()]


MOVES = ("layoffs", "swaps")
PICKED = tuple(f"{name}_" for name in MOVES)
"""Fields that offer a move as a list to choose from."""


def gathered(form: Fields) -> dict[str, str]:
    """The fields with what was chosen from lists, card and meld, written behind what was typed."""
    fields = {name: form[name] for name in form if not name.startswith(PICKED)}
    for name in (name for name in form if name.startswith(PICKED) and "_card-" in name):
        card, to = form[name].strip(), form.get(name.replace("_card-", "_to-"), "")
        if card:
            field = name.replace("_card-", "-")
            fields[field] = f"{fields.get(field, '')}\n{card} {to}".strip()
    return fields


def _moves(text: str) -> Iterator[dict[str, Any]]:
    """Lay-offs and swaps, one a line: the card, then the player's and the meld's number."""
    for line in lines(text):
        card, _, target = line.rpartition(" ")
        match [whole(part) for part in target.split(".")]:
            case [int(owner), int(index)] if card:
                yield {"card": card, "meld": {"seat": owner - 1, "index": index - 1}}
            case _:
                yield {"card": line, "meld": {}}


def whole(text: str) -> int | str:
    """A whole number if it is one; anything else goes to the schema, which says why not."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


READ: Mapping[str, Callable[[str], object]] = {
    "lines": lambda text: [] if text in NONE else lines(text),
    "moves": lambda text: [] if text in NONE else list(_moves(text)),
    "card": lambda text: None if text in NONE else text,
    "number": whole,
    "switch": lambda text: True,
    "maybe": lambda text: text == "yes",
    "source": lambda text: text,
}
"""A field by its kind, in wire form."""


def _drawn_body(body: dict[str, Any]) -> dict[str, Any]:
    """Where the knocker's last card came from, and which it was (Tedesco)."""
    card = body.pop("drawn_card", None)
    if "drawn" not in body:
        return {}
    return {"drawn": {"from": body["drawn"], **({"card": card} if card else {})}}


def _special_body(form: Fields, rules: RuleSet) -> dict[str, Any]:
    """The special rules of gin that concern the round as a whole (RULES 6.4)."""
    body: dict[str, Any] = {}
    if rules.gin.oklahoma and form.get("oklahoma_card", "").strip():
        body["oklahoma_card"] = form["oklahoma_card"].strip()
    if rules.gin.hirschn and form.get("hirschn_caller"):
        turns = form.get("hirschn_turns", "").strip()
        body["hirschn"] = {"caller": whole(form["hirschn_caller"])}
        body["hirschn"] |= {"turns_after": whole(turns)} if turns else {}
    attempts = list(map(_glass_body, glass_rows(form)))
    if rules.gin.glass and attempts:
        body["glass"] = attempts
    return body


GLASS = ("by", "call", "hit", "pile")
MOST_GLASS = 20


def glass_rows(form: Fields) -> list[dict[str, str]]:
    """The attempts at the glass that name who made them, each by its fields."""
    rows = (
        {name: form.get(f"glass_{name}-{k}", "").strip() for name in GLASS}
        for k in range(MOST_GLASS)
    )
    return [row for row in rows if row["by"]]


def glass_calls(lang: Language) -> list[tuple[str, str]]:
    """What can be called: three of a rank, or three in a row of a suit."""
    groups = [(f"group:{rank.letter}", lang("pages.entry.glass.group", rank=rank)) for rank in Rank]
    return groups + [
        (f"sequence:{suit.value}", lang("pages.entry.glass.sequence", suit=suit)) for suit in Suit
    ]


def _glass_body(row: Mapping[str, str]) -> dict[str, Any]:
    """An attempt: who, what (``group:7``, ``sequence:H``), right or wrong, the pile."""
    kind, _, named = row["call"].partition(":")
    body: dict[str, Any] = {"by": whole(row["by"]), "hit": row["hit"] != "no"}
    if kind:
        body |= {"kind": kind, "rank" if kind == "group" else "suit": named}
    return body | ({"pile": row["pile"]} if row["pile"] else {})


LEFT = {"absent", "hand", "points", "rest", "deadwood", "count"}


def missing(body: Mapping[str, Any]) -> list[int]:
    """The seats of which nothing is said yet, though something is needed."""
    return [
        seat
        for seat, said in enumerate(body.get("seats", ()))
        if seat != body.get("winner") and not LEFT & set(said)
    ]


def round_field(place: Where, ender: object = None) -> str:
    """The field of the entry form that a finding is about; empty: the round as a whole."""
    match place:
        case ("seats", int(seat), str(name), *_):
            return f"{'hand' if name in LEFT - {'absent'} else name}-{seat}"
        case ("seats", int(seat), *_):
            return f"hand-{seat}"
        case ("drawn", "card", *_):
            return f"drawn_card-{ender}"
        case ("drawn" | "joker_discarded" as name, *_):
            return f"{name}-{ender}"
        case ("hirschn", "turns_after"):
            return "hirschn_turns"
        case ("hirschn", *_):
            return "hirschn_caller"
        case ("glass", int(number), *_):
            return f"glass-{number}"
        case ("winner" | "knocker" | "hand_romme" | "oklahoma_card" | "note" as name, *_):
            return name
    return ""


# ---- a round that is already there -----------------------------------------------------


def round_form(facts: Round, notation: str) -> dict[str, str]:
    """Return the fields of the entry form for a round, cards as their reader writes them."""
    form = {"outcome": str(facts.outcome), "notation": notation, "note": facts.note}
    form |= {name: str(seat) for name, seat in _stated(facts, *ENDER.values())}
    form |= {name: "yes" for name in ("hand_romme", "accept_irregular") if getattr(facts, name)}
    for number, seat in enumerate(facts.seats):
        form |= {f"{name}-{number}": text for name, text in _seat_form(seat, notation).items()}
    return form | _special_form(facts, notation)


def _stated(facts: Round | Seat, *names: str) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name in names if (value := getattr(facts, name)) is not None)


NUMBERS = ("turns", "aces", "announced")
"""Facts of a seat that are plain numbers, besides what it has left."""


def _seat_form(seat: Seat, notation: str) -> dict[str, str]:
    form = {"way": way_of(seat) or ("points" if seat.hand is None else "cards")}
    for _, points in _stated(seat, "points", "deadwood", "count"):
        form["hand"] = str(points)
    for _, cards in _stated(seat, "hand", "rest"):
        form["hand"] = written(cards, notation) or NONE_SHOWN
    for name, melds in _stated(seat, "first_meld", "melds"):
        form[name] = "\n".join(written(meld, notation) for meld in melds) or NONE_SHOWN
    for name, moves in _stated(seat, *MOVES):
        form[name] = "\n".join(_move_text(move, notation) for move in moves) or NONE_SHOWN
    if seat.discard is not None:
        form["discard"] = written(seat.discard, notation) or NONE_SHOWN
    if seat.laid is not None:
        form["laid"] = "yes" if seat.laid else "no"
    if seat.absent:
        form["absent"] = "yes"
    if seat.klopfen:
        form["klopfen"] = str(seat.klopfen)
    return form | {name: str(number) for name, number in _stated(seat, *NUMBERS)}


def _special_form(facts: Round, notation: str) -> dict[str, str]:
    """Return the fields of the special rules of gin, as they were entered."""
    form: dict[str, str] = {}
    ender = facts.knocker
    if facts.joker_discarded:
        form[f"joker_discarded-{ender}"] = "yes"
    if facts.drawn:
        form[f"drawn-{ender}"] = facts.drawn.source
        if facts.drawn.card:
            form[f"drawn_card-{ender}"] = written((facts.drawn.card,), notation)
    if facts.oklahoma_card:
        form["oklahoma_card"] = written((facts.oklahoma_card,), notation)
    if facts.hirschn:
        form["hirschn_caller"] = str(facts.hirschn.caller)
        form["hirschn_turns"] = str(facts.hirschn.turns_after)
    for k, attempt in enumerate(facts.glass or ()):
        form[f"glass_by-{k}"] = str(attempt.by)
        form[f"glass_call-{k}"] = _call_of(attempt)
        form[f"glass_hit-{k}"] = "yes" if attempt.hit else "no"
        form[f"glass_pile-{k}"] = written(attempt.pile or (), notation)
    return form


def _call_of(attempt: Glass) -> str:
    """Return what was called: ``group:7`` or ``sequence:H``."""
    called = attempt.rank.letter if attempt.rank else attempt.suit.value if attempt.suit else ""
    return f"{attempt.kind}:{called}"


def _move_text(move: LayOff | Swap, notation: str) -> str:
    return f"{written((move.card,), notation)} {move.meld.seat + 1}.{move.meld.index + 1}"


def way_of(seat: Seat) -> str | None:
    """Return how a seat was entered; None where nothing was held."""
    if any(_stated(seat, "points", "deadwood", "count")):
        return "points"
    if seat.rest is not None:
        return "ranks"
    if not seat.hand:
        return "cards" if seat.melds else None
    return "ranks" if any(card.is_bare for card in seat.hand) else "cards"


GERMAN_SUITS = {Suit.CLUBS: "Kr", Suit.DIAMONDS: "Ka", Suit.HEARTS: "H", Suit.SPADES: "P"}
GERMAN_RANKS = {Rank.JACK: "B", Rank.QUEEN: "D", Rank.KING: "K", Rank.ACE: "A"}


def written(cards: Sequence[Card], notation: str) -> str:
    """Return cards as people type them: ``KrD H9 JK``."""
    return " ".join(_typed(card, notation) for card in cards)


def _typed(card: Card, notation: str) -> str:
    if card.stands_for:
        return f"{_typed(card.physical, notation)}={_typed(card.stands_for, notation)}"
    if notation != "de" or card.rank is None:
        return str(card)
    return GERMAN_SUITS.get(card.suit, "") + GERMAN_RANKS.get(card.rank, card.rank.letter)  # type: ignore[arg-type]
