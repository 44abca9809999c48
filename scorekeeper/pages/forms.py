"""Form fields into the API's bodies and back: the same schemas load both.

A field of a seat is called ``hand-2``; the seat's number counts from 0. An empty field
says nothing, a dash says *none* (RULES 6.1).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.domain.cards import Card, Rank, Suit, card_named
from scorekeeper.domain.errors import Place, RuleError
from scorekeeper.domain.kinds import Choice, Deal, Exact, Flag, Kind, Numbers, Whole
from scorekeeper.domain.options import OPTIONS, RuleSet
from scorekeeper.domain.presets import preset
from scorekeeper.i18n import Language

Fields = Mapping[str, str]

NONE = ("-", "–", "−", "—")
WAYS = ("points", "ranks", "cards")
"""Three speeds of entry (PRODUCT 2)."""
SUM = re.compile(r"\s*\d{1,4}(\s*\+\s*\d{1,4})*\s*")
NOTATIONS = {"de": "de"}
"""The notation that readers of a language write; ``en`` where nothing is said."""


# ---- a round -------------------------------------------------------------------------


def round_body(form: Fields, players: int, rules: RuleSet) -> dict[str, Any]:
    """The body of a round (API 4) from the fields of the entry form."""
    outcome = form.get("outcome", "out")
    body: dict[str, Any] = {"outcome": outcome, "notation": form.get("notation", "en")}
    if form.get("note", "").strip():
        body["note"] = form["note"]
    if outcome != "out":
        return body
    winner = _whole(form.get("winner", ""))
    if isinstance(winner, int):
        body["winner"] = winner
    if form.get("hand_romme"):
        body["hand_romme"] = True
    if form.get("accept_irregular"):
        body["accept_irregular"] = True
    body["seats"] = [
        _seat_body(form, seat, rules, is_winner=seat == winner) for seat in range(players)
    ]
    return body


def _seat_body(form: Fields, seat: int, rules: RuleSet, *, is_winner: bool) -> dict[str, Any]:
    def field(name: str) -> str:
        return form.get(f"{name}-{seat}", "").strip()

    if field("absent") and not is_winner:
        return {"absent": True}
    body: dict[str, Any] = {}
    if field("hand") and (rules.out.max_rest or not is_winner):  # nobody types the winner's zero
        body |= _held(field("way"), field("hand"))
    for name in ("first_meld", "melds"):
        if field(name):
            body[name] = [] if field(name) in NONE else _lines(field(name))
    for name in ("layoffs", "swaps"):
        if field(name):
            body[name] = [] if field(name) in NONE else list(_moves(field(name)))
    if field("discard"):
        body["discard"] = None if field("discard") in NONE else field("discard")
    for name in ("klopfen", "turns"):
        if field(name):
            body[name] = _whole(field(name))
    if field("laid"):
        body["laid"] = field("laid") == "yes"
    return body


def _held(way: str, text: str) -> dict[str, Any]:
    """What a player still holds: points, with sums allowed, or cards and ranks."""
    if way != "points":
        return {"hand": [] if text in NONE else text}
    summed = sum(map(int, text.split("+"))) if SUM.fullmatch(text) else text
    return {"points": summed}


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _moves(text: str) -> Iterator[dict[str, Any]]:
    """Lay-offs and swaps, one a line: the card, then the player's and the meld's number."""
    for line in _lines(text):
        card, _, target = line.rpartition(" ")
        owner, dot, index = target.partition(".")
        known = card and dot and owner.isdecimal() and index.isdecimal()
        yield {
            "card": card if known else line,
            "meld": {"seat": int(owner) - 1, "index": int(index) - 1} if known else {},
        }


def _whole(text: str) -> int | str:
    """A whole number if it is one; anything else goes to the schema, which says why not."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def missing(body: Mapping[str, Any]) -> list[int]:
    """The seats of which nothing is said yet, though something is needed."""
    return [
        seat
        for seat, said in enumerate(body.get("seats", ()))
        if seat != body.get("winner") and not {"absent", "hand", "points"} & set(said)
    ]


def round_field(place: Place) -> str:
    """The field of the entry form that a finding is about; empty: the round as a whole."""
    match place:
        case ("seats", int(seat), "hand" | "points", *_) | ("seats", int(seat)):
            return f"hand-{seat}"
        case ("seats", int(seat), str(name), *_):
            return f"{name}-{seat}"
        case ("winner" | "hand_romme" | "note" as name, *_):
            return name
    return ""


# ---- a round that is already there -----------------------------------------------------


def round_form(wire: Mapping[str, Any], notation: str) -> dict[str, str]:
    """The fields of the entry form for a round in wire form, cards as its reader writes."""
    form = {"outcome": str(wire["outcome"]), "notation": notation, "note": wire.get("note", "")}
    if wire.get("winner") is not None:
        form["winner"] = str(wire["winner"])
    form |= {name: "yes" for name in ("hand_romme", "accept_irregular") if wire.get(name)}
    for seat, said in enumerate(wire.get("seats", ())):
        form |= {f"{name}-{seat}": text for name, text in _seat_form(said, notation).items()}
    return form


def _seat_form(said: Mapping[str, Any], notation: str) -> dict[str, str]:
    form = {"way": way_of(said) or "points"}
    if said.get("absent"):
        form["absent"] = "yes"
    if "points" in said:
        form["hand"] = str(said["points"])
    if "hand" in said:
        form["hand"] = written(said["hand"], notation) or "–"
    for name in ("first_meld", "melds"):
        if name in said:
            form[name] = "\n".join(written(meld, notation) for meld in said[name]) or "–"
    for name in ("layoffs", "swaps"):
        if name in said:
            form[name] = "\n".join(_move_text(move, notation) for move in said[name]) or "–"
    if "discard" in said:
        form["discard"] = written([said["discard"]], notation) if said["discard"] else "–"
    if "laid" in said:
        form["laid"] = "yes" if said["laid"] else "no"
    return form | {name: str(said[name]) for name in ("klopfen", "turns") if name in said}


def _move_text(move: Mapping[str, Any], notation: str) -> str:
    meld = move["meld"]
    return f"{written([move['card']], notation)} {meld['seat'] + 1}.{meld['index'] + 1}"


def way_of(said: Mapping[str, Any]) -> str | None:
    """How a seat was entered; None where nothing was held."""
    if "points" in said:
        return "points"
    if not said.get("hand"):
        return None
    return "ranks" if any(card_named(name).is_bare for name in said["hand"]) else "cards"


GERMAN_SUITS = {Suit.CLUBS: "Kr", Suit.DIAMONDS: "Ka", Suit.HEARTS: "H", Suit.SPADES: "P"}
GERMAN_RANKS = {Rank.JACK: "B", Rank.QUEEN: "D", Rank.KING: "K", Rank.ACE: "A"}


def written(names: Sequence[str], notation: str) -> str:
    """Cards of the canonical notation as one would type them: ``KrD H9 JK``."""
    return " ".join(_typed(card_named(name), notation) for name in names)


def _typed(card: Card, notation: str) -> str:
    if card.stands_for:
        return f"{_typed(card.physical, notation)}={_typed(card.stands_for, notation)}"
    if notation != "de" or card.rank is None:
        return str(card)
    return GERMAN_SUITS.get(card.suit, "") + GERMAN_RANKS.get(card.rank, card.rank.letter)  # type: ignore[arg-type]


# ---- a new game ------------------------------------------------------------------------

STAKE = ("point_value", "unit", "payable")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "deal": ("teams", "players", "deck", "deal", "stock", "draw"),
    "melds": ("ace", "meld", "layoff", "robber"),
    "jokers": ("joker", "wild"),
    "out": ("out", "hand_romme", "klopfen"),
    "score": ("value", "score"),
    "gin": ("gin",),
    "knock": ("knock",),
    "end": ("end", "rank", "settle"),
}
"""Options by the words of the table; each group names the first part of its options."""
NOT_ASKED = {"family", *(f"settle.{term}" for term in STAKE)}
FEW = 12
"""So many values are offered in a list; more are typed."""


def new_game_body(form: Fields, names: Sequence[str]) -> dict[str, Any]:
    """The body of a new game (API 3) from its form."""
    stake = {term: form.get(term, "").strip() for term in STAKE}
    return {
        "title": form.get("title", ""),
        "place": form.get("place", ""),
        "rules": {"preset": form.get("preset", ""), "options": chosen_options(form)},
        "players": [{"name": name} for name in names],
        "stake": {
            "point_value": stake["point_value"].replace(",", ".") or None,
            **({"unit": stake["unit"]} if stake["unit"] else {}),
            **({"payable": stake["payable"].replace(",", ".")} if stake["payable"] else {}),
        },
    }


def chosen_options(form: Fields) -> dict[str, object]:
    """The house rules: what was set differently from the rule system.

    Fields that were shown for another rule system than the one chosen now say nothing.
    """
    if form.get("options_of") != form.get("preset"):
        return {}
    usual = preset(form["preset"])
    chosen = {
        name: option_value(OPTIONS[name].kind, form[name])
        for name in OPTIONS
        if name in form and name not in NOT_ASKED
    }
    return {
        name: value
        for name, value in chosen.items()
        if name not in usual.names() or value != OPTIONS[name].kind.write(usual[name])
    }


def option_value(kind: Kind, text: str) -> object:
    """The wire form of what was typed or chosen; nonsense stays text, which is refused."""
    text = text.strip()
    match kind:
        case Flag():
            return {"yes": True, "no": False}.get(text, text)
        case Choice():
            return next((value for value in kind.values if str(value) == text), text)
        case Whole():
            return None if kind.optional and not text else _whole(text)
        case Numbers():
            return [_whole(number) for number in text.split()]
        case Deal():
            return _dealt(text)
        case Exact():
            return text.replace(",", ".") or None
    return text


def _dealt(text: str) -> object:
    """``13``, or cards by players: ``2:10 3:7 4:7``."""
    pairs = [part.partition(":") for part in text.split()]
    if any(colon for _, colon, _ in pairs):
        return {players: _whole(cards) for players, _, cards in pairs}
    return _whole(text)


def option_text(kind: Kind, value: object) -> str:
    """A value as the form shows it: what ``option_value`` reads back."""
    match kind.write(value):
        case bool(wire):
            return "yes" if wire else "no"
        case None:
            return ""
        case list(wire):
            return " ".join(map(str, wire))
        case dict(wire):
            return " ".join(f"{players}:{cards}" for players, cards in wire.items())
        case wire:
            return str(wire)


def rules_so_far(name: str, options: Mapping[str, object]) -> RuleSet:
    """The rules that a form means, leaving out what does not fit yet."""
    rules = preset(name)
    for option, value in options.items():
        try:
            rules = rules.unchecked({option: value})
        except RuleError:
            continue
    return rules


@dataclass(frozen=True)
class OptionField:
    """One house rule in the form."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...]
    """Value and words of each, where there are few; else it is typed."""
    usual: tuple[str, ...]
    """What people choose among, offered while typing."""
    changed: bool


def option_groups(
    rules: RuleSet, form: Fields, lang: Language
) -> list[tuple[str, list[OptionField]]]:
    """The house rules that exist for these rules, by groups of words people use."""
    asked = [name for name in rules.names() if name not in NOT_ASKED]
    groups = []
    for group, parts in GROUPS.items():
        names = [name for name in asked if name.partition(".")[0] in parts]
        if names:
            groups.append((group, [_option_field(rules, name, form, lang) for name in names]))
    return groups


def _option_field(rules: RuleSet, name: str, form: Fields, lang: Language) -> OptionField:
    option = OPTIONS[name]
    current = option_text(option.kind, rules[name])
    shown = form.get("options_of") == rules.preset
    value = form.get(name, current) if shown else current
    usual = preset(rules.preset)
    return OptionField(
        name=name,
        label=lang.option(name),
        value=value,
        choices=tuple(_choices(name, lang)),
        usual=tuple(str(value) for value in option.usual),
        changed=name not in usual.names() or value != option_text(option.kind, usual[name]),
    )


def _choices(name: str, lang: Language) -> Iterator[tuple[str, str]]:
    kind = OPTIONS[name].kind
    values: Sequence[object] = ()
    match kind:
        case Flag():
            values = (True, False)
        case Choice():
            values = kind.values
        case Whole() if not kind.optional and kind.high - kind.low < FEW:
            values = range(kind.low, kind.high + 1)
    for value in values:
        yield option_text(kind, value), lang.value(name, value)


def new_game_field(place: Place) -> str:
    """The field of the new game that a finding is about; empty: the game as a whole."""
    match place:
        case ("players", int(seat), *_):
            return f"name-{seat}"
        case (*_, str(name)):
            return name.removeprefix("settle.")
    return ""
