"""Translation into the languages of readers: sentences, numbers, money, dates, cards.

The domain uses codes and facts; a ``Language`` turns them into sentences of its catalogue.
Facts are formatted by their type; no format specification or attribute access is evaluated.
"""

import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property, wraps
from itertools import groupby
from typing import Concatenate, Literal, ParamSpec, cast
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_time
from babel.lists import format_list
from babel.numbers import get_decimal_symbol

from scorekeeper.domain.cards import Card, Rank, Suit
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.marks import Mark, box, ending, extras
from scorekeeper.domain.options import OPTIONS
from scorekeeper.domain.presets import Deviation
from scorekeeper.domain.rounds import Round, RoundScore, ScoreLine
from scorekeeper.i18n.catalogue import (
    PLACEHOLDER,
    Catalogue,
    catalogue_problems,
    read_catalogue,
)
from scorekeeper.i18n.languages import LANGUAGES, TRAITS

__all__ = [
    "LANGUAGES",
    "Language",
    "MissingTranslation",
    "catalogue_problems",
    "language",
    "pick_language",
]

SUIT_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
MINUS = "\u2212"
NBSP = "\u00a0"
NO_TIME = "–"
P = ParamSpec("P")
MISSING_FACT = "…"
"""Stands in for a fact that is missing."""
MAX_DECIMALS = 6
MAX_PARTS = 10
"""Stakes with a larger denominator are written as decimals."""
VARIANTS = ("cards", "points", "factor", "own", "least")
"""Facts that select the sentence of a reason, in this order: ``reason.hand.cards``."""

NO_POINTS_YET = ("deadwood", "count")
"""Reasons that explain the points of another line."""


class MissingTranslation(UserWarning, KeyError):
    """A key has no sentence, or a sentence lacks a fact that it refers to.

    It is a warning, so that readers still get the rest of the page; tests turn it into an error.
    """


def pick_language(accepted: Iterable[str], preferred: str | None = None) -> str:
    """Return the preferred language, else the first accepted one that exists, else English."""
    tags = (tag.replace("_", "-").partition("-")[0].lower() for tag in accepted)
    return next((code for code in (preferred, *tags) if code in LANGUAGES), "en")


@cache
def language(code: str, zone: str | None = None) -> "Language":
    """Return a language by its code; times are in ``zone``, or in that of this machine."""
    return Language(code, ZoneInfo(zone) if zone else None)


def dash_if_invalid(
    format_time_fact: Callable[Concatenate["Language", str, P], str],
) -> Callable[Concatenate["Language", str, P], str]:
    """Make a formatter of times return a dash for invalid ones.

    Imports are validated (``import_checks``), but a record may come from an older version that
    did not validate them, and its games must still be shown.
    """

    @wraps(format_time_fact)
    def decorated(self: "Language", time: str, /, *how: P.args, **more: P.kwargs) -> str:
        try:
            return format_time_fact(self, time, *how, **more)
        except (ValueError, OverflowError, OSError):  # not a time, or out of range in its zone
            return NO_TIME

    return decorated


class Language:
    """One language: ``lang("E_FIRST_MIN", reached=27, needed=30)`` is a sentence."""

    def __init__(self, code: str, zone: tzinfo | None = None) -> None:
        self.code = code
        self.zone = zone
        self._traits = TRAITS[code]
        self.name, self.notation = self._traits.name, self._traits.notation
        self._locale = Locale.parse(self._traits.locale)
        self.decimal_sign = get_decimal_symbol(self._locale)
        self._card_words: dict[Card, str] = {}  # cached: needed with every round

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the language by its code; the other process reads its own catalogue."""
        return Language, (self.code, self.zone)

    @cached_property
    def _sentences(self) -> Catalogue:
        """Read on first use, since pages mention the other languages only by name."""
        return read_catalogue(self.code)

    def __contains__(self, key: str) -> bool:
        return key in self._sentences

    def __call__(self, key: str, /, **facts: object) -> str:
        """Return the sentence of a key with its facts filled in, in singular or plural."""
        forms = self._sentences.get(key)
        if forms is None:
            _warn_missing(f"{self.code}: no words for {key}")
            return key
        return self._filled(forms[self._form(forms[-1], facts) if len(forms) > 1 else 0], facts)

    def _form(self, sentence: str, facts: Mapping[str, object]) -> int:
        """Return the plural form for the fact ``n``, or else for the first number."""
        names = ("n", *(place["name"] for place in PLACEHOLDER.finditer(sentence)))
        n = next((number for name in names if isinstance(number := facts.get(name), int)), 0)
        return 0 if self._locale.plural_form(n) == "one" else 1

    def _filled(self, sentence: str, facts: Mapping[str, object]) -> str:
        first, places = _split_sentence(sentence)
        parts = [first]
        for joint, name, text in places:
            if name in facts:
                words = self.words(facts[name])
                parts += _joined(joint, words), words, text
            else:
                _warn_missing(f"{self.code}: no {{{name}}} for: {sentence}")
                parts += MISSING_FACT, text
        return "".join(parts)

    def words(self, fact: object) -> str:
        """Return a fact formatted by its type; strings stay as they are."""
        match fact:
            case Card():
                return self.card_word(fact)
            case Rank():
                return self.rank_word(fact)
            case Suit():
                return self.suit(fact)
            case str():
                return fact
            case bool():
                return self("value.yes" if fact else "value.no")
            case int():
                return self.number(fact)
            case Fraction():
                return self.exact(fact)
            case list() | tuple() if not fact:
                return self("list.none")
            case list() | tuple() if isinstance(fact[0], Card):
                return ", ".join(map(self.words, fact))
            case list() | tuple():
                return self.all_of(map(self.words, fact))
            case Mapping():
                return self._range(fact)
        return self("value.none") if fact is None else str(fact)

    # numbers, money, time, lists

    def number(self, number: int, signed: bool = False) -> str:
        """Return a whole number with a true minus sign, and a plus sign if ``signed``."""
        return _sign(number, signed) + self._grouped(abs(number))

    def _grouped(self, whole: int) -> str:
        return f"{whole:,}".replace(",", self._traits.thousands)

    def exact(self, number: Fraction, signed: bool = False, decimals: int = 0) -> str:
        """Return ``1,8``, or ``1/3`` where the decimals do not end soon; never rounded.

        ``decimals`` is the least number of decimals, so that a column can be aligned.
        """
        return _sign(number, signed) + self._unsigned(abs(number), decimals)

    def _unsigned(self, number: Fraction, least: int) -> str:
        needed = _decimals(number)
        if needed is None:
            return str(number)
        decimals = max(needed, least)
        whole, rest = divmod(int(number * 10**decimals), 10**decimals)
        written = self._grouped(whole)
        return f"{written}{self.decimal_sign}{rest:0{decimals}}" if decimals else written

    def tenths(self, number: Fraction, signed: bool = False) -> str:
        """Return a number rounded to one decimal: ``−29,0``."""
        rounded = round(10 * number)
        whole, tenth = divmod(abs(rounded), 10)
        return f"{_sign(rounded, signed)}{self._grouped(whole)}{self.decimal_sign}{tenth}"

    def money(self, amount: Fraction, unit: str, signed: bool = False, decimals: int = 0) -> str:
        """Return an exact amount with its unit, joined by a no-break space."""
        return self.exact(amount, signed, decimals) + NBSP + unit

    def rate(self, value: Fraction, unit: str) -> str:
        """Return a point value as players say it, ``1/10 ct``, or in decimals."""
        as_fraction = value < 1 and value.denominator <= MAX_PARTS
        return f"{value}{NBSP}{unit}" if as_fraction else self.money(value, unit)

    def cents(self, amount: Decimal) -> str:
        """Return an amount in euros with two decimals: ``0,65 EUR``."""
        euro, _, cent = f"{amount:.2f}".partition(".")
        return f"{self._grouped(int(euro))}{self.decimal_sign}{cent}{NBSP}EUR"

    @dash_if_invalid
    def date(self, at: str, size: str = "long") -> str:
        """Return the date of an event: ``12. Juni 2026``; ``full`` adds the weekday."""
        return self._day_words(format_date(self._local_time(at), size, locale=self._locale))

    @dash_if_invalid
    def numeric_date(self, at: str) -> str:
        """Return the date of an event in figures, as in file names: ``12.06.2026``."""
        return format_date(self._local_time(at), "dd.MM.yyyy", locale=self._locale)

    @dash_if_invalid
    def day(self, day: str) -> str:
        """Return a calendar day, independent of the time zone: ``12. Juni 2026``."""
        day_words = format_date(date.fromisoformat(day), "long", locale=self._locale)
        return self._day_words(day_words)

    def _day_words(self, text: str) -> str:
        """Return a date with the first of the month as the language writes it: ``1er juin``."""
        return re.sub(r"\b1\b", self._traits.first_of_month, text, count=1)

    @dash_if_invalid
    def numeric_day(self, day: str) -> str:
        """Return a calendar day in figures: ``12.06.2026``."""
        return format_date(date.fromisoformat(day), "dd.MM.yyyy", locale=self._locale)

    @dash_if_invalid
    def short_day(self, day: str) -> str:
        """Return a calendar day without its year, for charts: ``12.6.``."""
        found = date.fromisoformat(day)
        return f"{found.day}.{found.month}."

    @dash_if_invalid
    def month(self, day: str) -> str:
        """Return the month of a day, abbreviated for charts: ``6/26``."""
        found = date.fromisoformat(day)
        return f"{found.month}/{found.year % 100:02}"

    @dash_if_invalid
    def time(self, at: str) -> str:
        """Return the time of an event: ``22:14``."""
        return format_time(self._local_time(at), "HH:mm", locale=self._locale)

    def _local_time(self, at: str) -> datetime:
        moment = datetime.fromisoformat(at)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(self.zone)

    def all_of(self, words: Iterable[str]) -> str:
        """Return ``a, b und c``."""
        return self._format_list(words, "standard")

    def one_of(self, words: Iterable[str]) -> str:
        """Return ``a, b oder c``."""
        return self._format_list(words, "or")

    def _format_list(self, words: Iterable[str], style: Literal["standard", "or"]) -> str:
        listed = list(words)
        text = format_list(listed, style, locale=self._locale)
        last = listed[-1] if listed else ""
        head = text.removesuffix(last)
        if head.endswith("(n) "):
            return f"{head.removesuffix('(n) ')}{_eifel_n(last)} {last}"
        return text

    def sign(self, sign: str) -> str:
        """Return a colon or semicolon, in French with a space before it."""
        return self._traits.sign_space + sign

    # cards

    def card(self, card: Card) -> str:
        """Return a card in short: ``♥10``, ``♥D``, ``Joker``; English puts the rank first."""
        if card.rank is None or card.suit is None:
            return self.rank(card.rank)
        return self("card.short", suit=SUIT_SIGNS[card.suit], rank=self.rank(card.rank))

    def card_word(self, card: Card) -> str:
        """Return a card in words: ``Herz-Dame``, ``Herz 10``, ``Joker als Herz 10``."""
        words = self._card_words.get(card)
        if words is None:
            words = self._card_words[card] = self._card_in_words(card)
        return words

    def _card_in_words(self, card: Card) -> str:
        if card.stands_for:
            return self("card.as", card=card.physical, other=card.stands_for)
        if card.rank is None or card.suit is None:
            return self.rank_word(card.rank)
        key = "card.number" if Rank.TWO <= card.rank <= Rank.TEN else "card.picture"
        return self(key, suit=card.suit, rank=card.rank)

    def rank(self, rank: Rank | None) -> str:
        """Return the index on the card: ``D`` for the queen in German; None is the joker."""
        return self(f"card.letter.{_letter(rank)}")

    def rank_word(self, rank: Rank | None) -> str:
        """Return a rank in words: ``Dame``, ``10``; None is the joker."""
        return self(f"card.rank.{_letter(rank)}")

    def suit(self, suit: Suit) -> str:
        """Return a suit in words: ``Herz``."""
        return self(f"card.suit.{suit.value}")

    # rules

    def preset(self, name: str) -> str:
        """Return the name of a rule system: ``Räuber-Rommé``."""
        return self(f"preset.{name}")

    def preset_line(self, name: str) -> str:
        """Return the character of a rule system in one line."""
        return self(f"preset.{name}.line")

    def option(self, name: str) -> str:
        """Return the label of an option: ``Joker auf der Hand``."""
        return self(f"option.{name}")

    def value(self, name: str, value: object) -> str:
        """Return the value of an option in words: ``20``, ``auf die Hand``, ``nein``."""
        wire = OPTIONS[name].kind.write(value)
        key = f"value.{name}.{_last(wire)}"
        if key in self:
            return self(key)
        if isinstance(wire, Mapping):
            return self._deal(cast(Mapping[int, int], value))
        return self.words(wire)

    def rule_sentence(self, name: str, value: object) -> str:
        """Return an option as a sentence: ``Ein Joker auf der Hand zählt 50``."""
        special = f"play.{name}.{_last(OPTIONS[name].kind.write(value))}"
        if special in self:
            return self(special)
        return self(f"play.{name}", value=self.value(name, value))

    def deviation(self, deviation: Deviation) -> tuple[str, str]:
        """Return the rule here, and the usual value: ``Sonst: nein``."""
        return (
            self.rule_sentence(deviation.name, deviation.value),
            self("rules.usual", value=self.value(deviation.name, deviation.usual)),
        )

    def _deal(self, dealt: Mapping[int, int]) -> str:
        """Return ``10 zu zweit, 7 zu dritt und viert``, grouping equal deals."""
        tables = [
            (cards, [self(f"deal.at.{players}") for players, _ in group])
            for cards, group in groupby(dealt.items(), key=lambda pair: pair[1])
        ]
        return ", ".join(
            self("deal.cards_at", cards=cards, players=self.all_of(players))
            for cards, players in tables
        )

    def _range(self, schema: Mapping[str, object]) -> str:
        """Return the values that a field or option accepts, from its JSON Schema."""
        kind = schema.get("type", "choice" if "enum" in schema else "deal")
        name = "fraction" if "pattern" in schema else kind[0] if isinstance(kind, list) else kind
        number = cast(Mapping[str, object], schema.get("items", schema))
        if "oneOf" in schema:
            number = cast(Sequence[Mapping[str, object]], schema["oneOf"])[0]
        facts: dict[str, object] = {
            "low": number.get("minimum"),
            "high": number.get("maximum"),
            "most": schema.get("maxLength"),
            "length": schema.get("minItems"),
            "choices": self.one_of(map(str, cast(Sequence[object], schema.get("enum", ())))),
        }
        return self(f"range.{name}_or_none" if isinstance(kind, list) else f"range.{name}", **facts)

    # findings and reasons

    def problem(self, problem: Problem, players: Sequence[str] = ()) -> str:
        """Return a finding as a sentence; ``players`` names the seats in its facts."""
        why = f"{problem.code}.{problem.facts.get('why')}"
        facts = {
            name: self._option_words(value) if name in ("option", "options", "needs") else value
            for name, value in problem.facts.items()
        }
        named_facts = self._named(facts, "seat", players)
        sentence = self(why if why in self else problem.code, **named_facts)
        # Players choose how their name is written; any other first word takes a capital.
        return sentence if "player" in named_facts else sentence[:1].upper() + sentence[1:]

    def _option_words(self, names: object) -> object:
        if isinstance(names, str):
            return self.option(names) if names in OPTIONS else names
        return [self._option_words(name) for name in cast(Iterable[object], names)]

    def reason(self, line: ScoreLine, players: Sequence[str]) -> str:
        """Return the reason of a score line."""
        variants = (f"reason.{line.reason}.{fact}" for fact in VARIANTS if fact in line.facts)
        key = next((one for one in variants if one in self), f"reason.{line.reason}")
        return self(key, **self._named(line.facts, "of", players))

    def amount(self, line: ScoreLine, measure: str) -> str:
        """Return the points of a score line; minus points in a minus tally have no sign."""
        if line.reduction:
            return self.number(-line.reduction)
        if line.reason in NO_POINTS_YET:
            return ""
        if line.minus and measure == "minus":
            return self.number(line.minus)
        return self.number(line.plus - line.minus, signed=True)

    def marks(self, score: RoundScore, facts: Round, sides: Sequence[str]) -> list[str]:
        """Return the remarks on a knock: how it ended, who won, bonuses and penalties."""
        end, winner = ending(score, facts), score.winner
        remarks = []
        if end and winner in (None, end.side):
            word = self(f"mark.word.{end.name}")
            remarks.append(self("mark.ended", player=sides[end.side], word=word))
        elif winner is not None:
            remarks.append(self("mark.wins", player=sides[winner]))
        if points := box(score):
            remarks.append(self("mark.box", points=points))
        return remarks + [self.mark(mark, sides) for mark in extras(score)]

    def mark(self, mark: Mark, sides: Sequence[str]) -> str:
        """Return a remark on a round: ``Strafe 10 für Anna``."""
        facts = {"player": sides[mark.side], "points": mark.points, **mark.facts}
        if "sides" in mark.facts:
            shared = cast(Iterable[int], mark.facts["sides"])
            facts["players"] = self.all_of(sides[side] for side in shared)
        return self(f"mark.{mark.name}", **facts)

    def _named(
        self, facts: Mapping[str, object], fact: str, players: Sequence[str]
    ) -> dict[str, object]:
        """Return the facts with ``player`` added: the name at the seat that ``fact`` holds."""
        seat = facts.get(fact)
        if not isinstance(seat, int):
            return dict(facts)
        known = players[seat] if 0 <= seat < len(players) else ""
        return {"player": known or self.seat(seat), **facts}

    def seat(self, seat: int) -> str:
        """Return the stand-in for a missing or erased name: ``Spieler 3``."""
        return self("player.seat", number=seat + 1)


@cache
def _split_sentence(sentence: str) -> tuple[str, tuple[tuple[str | None, str, str], ...]]:
    """Return the text before the first placeholder, then joint, name and following text of each.

    The cache is bounded by the size of the catalogues.
    """
    first, *more = PLACEHOLDER.split(sentence)
    return first, tuple(zip(more[::3], more[1::3], more[2::3], strict=True))


def _warn_missing(what: str) -> None:
    warnings.warn(what, MissingTranslation, stacklevel=4)


def most_decimals(numbers: Iterable[Fraction]) -> int:
    """Return the decimals that a column of exact numbers needs."""
    return max((_decimals(number) or 0 for number in numbers), default=0)


def _decimals(number: Fraction) -> int | None:
    """Return the decimals that a number needs; None if they do not end soon."""
    ends = (many for many in range(MAX_DECIMALS + 1) if 10**many % number.denominator == 0)
    return next(ends, None)


def _sign(number: int | Fraction, signed: bool) -> str:
    return MINUS if number < 0 else "+" if signed and number > 0 else ""


def _letter(rank: Rank | None) -> str:
    return rank.letter if rank else "JK"


def _last(value: object) -> object:
    """Return the last part of a value's key: ``yes``, ``no``, ``none``, or the value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else value


def _joined(joint: str | None, following: str) -> str:
    """Return what a joint stands for before a word: ``vun Anna``, ``de Bernd``, ``d’Anna``."""
    match joint:
        case "(n) ":
            return f"{_eifel_n(following)} "
        case "(e) ":
            return _APOSTROPHE if _begins_with_vowel(following) else "e "
    return ""


def _begins_with_vowel(word: str) -> bool:
    """Return whether French *de* is elided before a word; before h and y it need not be."""
    return unicodedata.normalize("NFD", word[:1].casefold())[:1] in _VOWELS


_APOSTROPHE = "\u2019"
_VOWELS = frozenset("aeiouœæ")


def _eifel_n(following: str) -> str:
    """Return the final n that Luxembourgish keeps: *vun Anna*, but *vu Bernd*."""
    return "n" if following[:1].casefold() in _KEEPS_N else ""


_KEEPS_N = frozenset("aeiouäëéöüdhntz" + "012389")
