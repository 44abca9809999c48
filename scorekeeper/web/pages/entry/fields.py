"""Convert the fields of the entry form into the body of a round, and a round into fields.

A field of a seat is named ``hand-2``; seats count from 0. An empty field is left out, a dash
means *none* (RULES 6.1).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scorekeeper.domain.cards.card import Card, Rank, Suit
from scorekeeper.domain.cards.names import NAMES, Notation, spell
from scorekeeper.domain.errors import Where
from scorekeeper.domain.rounds.facts import Glass, LayOff, Round, Seat, Swap
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language
from scorekeeper.web.pages.amounts import MINUS, whole
from scorekeeper.web.pages.entry.layout import ENDER, NOBODY, ROUND_FIELDS, WAYS, EntryLayout

Fields = Mapping[str, str]

TICKS = ("hand_romme", "one_run", "accept_irregular")
"""Facts of the round that are ticked."""
NONE = (*MINUS, "—")
NONE_SHOWN = "–"
SUM = re.compile(r"\s*\d{1,4}(\s*\+\s*\d{1,4})*\s*")


def notation_of(form: Fields) -> Notation:
    """Return the notation of a form's cards."""
    return next((one for one in NAMES if one == form.get("notation")), "en")


# ---- from fields to a round ----------------------------------------------------------


def round_body(form: Fields, players: int, rules: RuleSet) -> dict[str, Any]:
    """Return the body of a round (API 4) from the fields of the entry form."""
    layout = layout_of(form, rules)
    outcome = form.get("outcome", layout.outcome)
    body: dict[str, Any] = {"outcome": outcome, "notation": form.get("notation", "en")}
    if form.get("note", "").strip():
        body["note"] = form["note"]
    if outcome != layout.outcome:
        return body
    ender = whole(form.get(layout.ender, ""))
    if isinstance(ender, int):
        body[layout.ender] = ender
    if ender == NOBODY:
        body["outcome"] = "count"
    for name in TICKS:
        if form.get(name) and (name != "hand_romme" or ender != NOBODY):
            body[name] = True
    back = [seat for seat in range(players) if form.get(f"rejoin-{seat}")]
    if back:
        body["rejoin"] = back
    if layout.asks_wild and form.get("wild"):
        body["wild"] = form["wild"]
    seats = [_seat_body(form, seat, layout, ends=seat == ender) for seat in range(players)]
    body["seats"] = seats
    for seat in seats:
        body |= {name: seat.pop(name) for name in ROUND_FIELDS if name in seat}
    return body | _drawn_body(body) | _special_body(form, rules)


def layout_of(form: Fields, rules: RuleSet) -> EntryLayout:
    """Return the layout that the rules require, with fields that the form already fills."""
    return EntryLayout(rules, {name.rpartition("-")[0] for name, text in form.items() if text})


def _seat_body(form: Fields, seat: int, layout: EntryLayout, *, ends: bool) -> dict[str, Any]:
    def typed(name: str) -> str:
        return form.get(f"{name}-{seat}", "").strip()

    away = typed("absent") or (typed("out") and not typed("rejoin"))
    if away and (layout.asks_gin or not ends):  # at gin nobody comes back by knocking
        return {"absent": True}
    if typed("drop") and not ends and layout.drops:
        return {"wrong": True} if typed("drop") == "wrong" else {"drop": typed("drop")}
    way = typed("way") if typed("way") in WAYS else "cards"
    body: dict[str, Any] = {}
    if typed("hand") and layout.asks_held(way, ends=ends):
        body[layout.held[way]] = _held(way, typed("hand"))
    elif ends and layout.asks_gin and form.get("how") == "gin":
        body["deadwood"] = 0
    for field in layout.shown(way, ends=ends):
        if typed(field.name) or (field.kind == "tick" and not LAID_FACTS & set(body)):
            body[field.name] = PARSERS[field.kind](typed(field.name))
    return body


def _held(way: str, text: str) -> object:
    """Return what a player has left: points, which may be a sum, or cards and ranks."""
    if way != "points":
        return [] if text in NONE else text
    return sum(map(int, text.split("+"))) if SUM.fullmatch(text) else text


def lines(text: str) -> list[str]:
    """Return the non-empty lines of a text field."""
    return [line.strip() for line in text.splitlines() if line.strip()]


MOVES = ("layoffs", "swaps")
PICKED = tuple(f"{name}_" for name in MOVES)
"""Prefixes of the fields that offer a move as a list to choose from."""


def with_chosen_moves(form: Fields) -> dict[str, str]:
    """Return the fields, with moves chosen from lists appended to those that were typed."""
    fields = {name: form[name] for name in form if not name.startswith(PICKED)}
    for name in (name for name in form if name.startswith(PICKED) and "_card-" in name):
        card, to = form[name].strip(), form.get(name.replace("_card-", "_to-"), "")
        if card:
            field = name.replace("_card-", "-")
            fields[field] = f"{fields.get(field, '')}\n{card} {to}".strip()
    return fields


def _moves(text: str) -> Iterator[dict[str, Any]]:
    """Yield lay-offs and swaps, one per line: a card, then the numbers of player and meld."""
    for line in lines(text):
        card, _, target = line.rpartition(" ")
        match [whole(part) for part in target.split(".")]:
            case [int(owner), int(index)] if card:
                yield {"card": card, "meld": {"seat": owner - 1, "index": index - 1}}
            case _:
                yield {"card": line, "meld": {}}


PARSERS: Mapping[str, Callable[[str], object]] = {
    "lines": lambda text: [] if text in NONE else lines(text),
    "moves": lambda text: [] if text in NONE else list(_moves(text)),
    "card": lambda text: None if text in NONE else text,
    "number": whole,
    "points": lambda text: _held("points", text),
    "switch": lambda text: True,
    "drop": lambda text: text,
    "tick": lambda text: text == "yes",
    "maybe": lambda text: text == "yes",
    "source": lambda text: text,
}
"""How to read a field of each kind."""


def _drawn_body(body: dict[str, Any]) -> dict[str, Any]:
    """Return where the knocker's last card came from, and which it was (Tedesco)."""
    card = body.pop("drawn_card", None)
    if "drawn" not in body:
        return {}
    return {"drawn": {"from": body["drawn"], **({"card": card} if card else {})}}


def _special_body(form: Fields, rules: RuleSet) -> dict[str, Any]:
    """Return the special rules of gin that concern the round as a whole (RULES 6.4)."""
    body: dict[str, Any] = {}
    if rules.gin.big_gin and form.get("how") == "gin" and form.get("big_gin"):
        body["big_gin"] = True
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


def wild_ranks() -> list[tuple[Rank | None, str]]:
    """Return the ranks that may be cut, a joker last, each with its name in the form."""
    return [*((rank, rank.letter) for rank in Rank), (None, "JK")]


GLASS = ("by", "call", "hit", "pile")
MAX_GLASS = 20


def glass_rows(form: Fields) -> list[dict[str, str]]:
    """Return the attempts at the glass that name a player, by field."""
    rows = (
        {name: form.get(f"glass_{name}-{k}", "").strip() for name in GLASS}
        for k in range(MAX_GLASS)
    )
    return [row for row in rows if row["by"]]


def glass_calls(lang: Language) -> list[tuple[str, str]]:
    """Return what can be called: three of a rank, or three in sequence of a suit."""
    groups = [(f"group:{rank.letter}", lang("pages.entry.glass.group", rank=rank)) for rank in Rank]
    return groups + [
        (f"sequence:{suit.value}", lang("pages.entry.glass.sequence", suit=suit)) for suit in Suit
    ]


def _glass_body(row: Mapping[str, str]) -> dict[str, Any]:
    """Return an attempt: player, call (``group:7``, ``sequence:H``), whether it hit, pile."""
    kind, _, named = row["call"].partition(":")
    body: dict[str, Any] = {"by": whole(row["by"]), "hit": row["hit"] != "no"}
    if kind:
        body |= {"kind": kind, "rank" if kind == "group" else "suit": named}
    return body | ({"pile": row["pile"]} if row["pile"] else {})


LEFT_FACTS = {"absent", "hand", "points", "rest", "deadwood", "count"}
DROPPED = {"drop", "wrong"}


LAID_FACTS = {"laid_points", "first_meld", "melds", "layoffs", "laid"}
OF_THE_ROUND = {*ENDER.values(), *TICKS, "big_gin", "rejoin", "wild", "oklahoma_card", "note"}


def missing(body: Mapping[str, Any], rules: RuleSet) -> list[int]:
    """Return the seats without a fact that is needed."""
    return [
        seat
        for seat in range(len(body.get("seats", ())))
        if completed(body, seat, rules) != body["seats"][seat]
    ]


def completed(body: Mapping[str, Any], seat: int, rules: RuleSet) -> dict[str, Any]:
    """Return the facts of a seat, with nothing for what is missing."""
    facts: dict[str, Any] = dict(body["seats"][seat])
    has_a_price = rules.score.price_not_laid and facts.get("laid") is False
    if seat != body.get("winner") and not (LEFT_FACTS | DROPPED) & set(facts) and not has_a_price:
        facts["points"] = 0
    if rules.score.mode == "melded" and not (LAID_FACTS | {"absent"}) & set(facts):
        facts["laid_points"] = 0
    return facts


def round_field(place: Where, ender: object = None) -> str:
    """Return the field that a problem is about; empty for the round as a whole."""
    match place:
        case ("seats", int(seat), "wrong"):
            return f"drop-{seat}"
        case ("seats", int(seat), str(name), *_):
            return f"{'hand' if name in LEFT_FACTS - {'absent'} else name}-{seat}"
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
        case (str(name), *_) if name in OF_THE_ROUND:
            return name
    return ""


# ---- from a round to fields ----------------------------------------------------------


def round_form(facts: Round, notation: str) -> dict[str, str]:
    """Return the fields of the entry form for a round, with cards in the reader's notation."""
    form = {"outcome": str(facts.outcome), "notation": notation, "note": facts.note}
    form |= {name: str(seat) for name, seat in _stated(facts, *ENDER.values())}
    if facts.outcome == "count":
        form |= {"outcome": "out", "winner": NOBODY}
    form |= {name: "yes" for name in (*TICKS, "big_gin") if getattr(facts, name)}
    form |= {f"rejoin-{seat}": "yes" for seat in facts.rejoin}
    if facts.wild:
        form["wild"] = facts.wild.rank.letter if facts.wild.rank else "JK"
    if facts.knocker is not None and (facts.big_gin or facts.seats[facts.knocker].deadwood == 0):
        form["how"] = "gin"
    for number, seat in enumerate(facts.seats):
        form |= {f"{name}-{number}": text for name, text in _seat_form(seat, notation).items()}
    return form | _special_form(facts, notation)


def _stated(facts: Round | Seat, *names: str) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name in names if (value := getattr(facts, name)) is not None)


NUMBERS = ("laid_points", "turns", "aces", "announced")
"""Number fields of a seat, besides what it has left."""


def _seat_form(seat: Seat, notation: str) -> dict[str, str]:
    form = {"way": shown_way(seat)}
    for _, points in _stated(seat, "points", "deadwood", "count"):
        form["hand"] = str(points)
    for _, cards in _stated(seat, "hand", "rest"):
        form["hand"] = write_cards(cards, notation) or NONE_SHOWN
    for name, melds in _stated(seat, "first_meld", "melds"):
        form[name] = "\n".join(write_cards(meld, notation) for meld in melds) or NONE_SHOWN
    for name, moves in _stated(seat, *MOVES):
        form[name] = "\n".join(_move_text(move, notation) for move in moves) or NONE_SHOWN
    if seat.discard is not None:
        form["discard"] = write_cards(seat.discard, notation) or NONE_SHOWN
    if seat.laid is not None:
        form["laid"] = "yes" if seat.laid else "no"
    if seat.absent:
        form["absent"] = "yes"
    if seat.drop or seat.wrong:
        form["drop"] = seat.drop or "wrong"
    if seat.klopfen:
        form["klopfen"] = str(seat.klopfen)
    return form | {name: str(number) for name, number in _stated(seat, *NUMBERS)}


def _special_form(facts: Round, notation: str) -> dict[str, str]:
    """Return the fields of the special rules of gin."""
    form: dict[str, str] = {}
    ender = facts.knocker
    if facts.joker_discarded:
        form[f"joker_discarded-{ender}"] = "yes"
    if facts.drawn:
        form[f"drawn-{ender}"] = facts.drawn.source
        if facts.drawn.card:
            form[f"drawn_card-{ender}"] = write_cards((facts.drawn.card,), notation)
    if facts.oklahoma_card:
        form["oklahoma_card"] = write_cards((facts.oklahoma_card,), notation)
    if facts.hirschn:
        form["hirschn_caller"] = str(facts.hirschn.caller)
        form["hirschn_turns"] = str(facts.hirschn.turns_after)
    for k, attempt in enumerate(facts.glass or ()):
        form[f"glass_by-{k}"] = str(attempt.by)
        form[f"glass_call-{k}"] = _call_of(attempt)
        form[f"glass_hit-{k}"] = "yes" if attempt.hit else "no"
        form[f"glass_pile-{k}"] = write_cards(attempt.pile or (), notation)
    return form


def _call_of(attempt: Glass) -> str:
    """Return what was called: ``group:7`` or ``sequence:H``."""
    called = attempt.rank.letter if attempt.rank else attempt.suit.value if attempt.suit else ""
    return f"{attempt.kind}:{called}"


def _move_text(move: LayOff | Swap, notation: str) -> str:
    return f"{write_cards((move.card,), notation)} {move.meld.seat + 1}.{move.meld.index + 1}"


def has_checked_cards(seat: Seat) -> bool:
    """Return whether a seat declares melds or holds cards with suits, and no bare points."""
    counted = any(_stated(seat, "points", "deadwood", "count")) or seat.rest is not None
    bare = any(card.is_bare for card in seat.hand or ())
    return bool(seat.hand or seat.melds or seat.first_meld) and not (counted or bare)


def way_of(seat: Seat) -> str | None:
    """Return the way in which a seat was entered; None if nothing was left."""
    if any(_stated(seat, "points", "deadwood", "count")):
        return "points"
    if seat.rest is not None:
        return "ranks"
    if not seat.hand:
        return "cards" if seat.melds else None
    return "ranks" if any(card.is_bare for card in seat.hand) else "cards"


def shown_way(seat: Seat) -> str:
    """Return the way of entry in which the form shows a seat."""
    return way_of(seat) or ("points" if seat.hand is None else "cards")


def write_cards(cards: Sequence[Card], notation: str) -> str:
    """Return cards as people type them: ``KrD H9 JK``."""
    return " ".join(spell(card, notation) for card in cards)
