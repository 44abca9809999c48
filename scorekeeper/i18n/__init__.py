"""Words: everything a reader sees is said here, in German, English or Luxembourgish.

The domain speaks in codes and facts; a ``Language`` turns them into sentences of its
catalogue. Facts are shown by their type and never format or reach into anything.
"""

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
from scorekeeper.domain.rounds import RoundScore, ScoreLine
from scorekeeper.i18n.catalogue import (
    LANGUAGES,
    PLACE,
    Catalogue,
    catalogue_problems,
    read_catalogue,
)

__all__ = [
    "LANGUAGES",
    "Language",
    "MissingWords",
    "catalogue_problems",
    "language",
    "pick_language",
]

NAMES = {"de": "Deutsch", "en": "English", "lb": "Lëtzebuergesch"}
LOCALES = {"de": "de", "en": "en_GB", "lb": "lb"}
"""Whose dates and lists are written: English as in Europe, day first and 24 hours."""
SUIT_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
MINUS = "\u2212"
NO_BREAK = "\u00a0"
NO_TIME = "–"
P = ParamSpec("P")
GAP = "…"
"""Stands where a fact should be and is not."""
MOST_DECIMALS = 6
MOST_PARTS = 10
"""A stake of more parts is said in decimals."""
VARIANTS = ("cards", "points", "factor", "own", "least")
"""Facts that choose the sentence of a reason, the first that is there: ``reason.hand.cards``."""

NO_POINTS_YET = ("deadwood", "count")
"""Reasons that only say what the points of another line come from."""


class MissingWords(UserWarning, KeyError):
    """A key without a sentence, or a sentence without a fact that it names.

    A reader gets the rest of the page; the tests turn warnings into errors.
    """


def pick_language(accepted: Iterable[str], wished: str | None = None) -> str:
    """Return the language wished for, else the first accepted one that is ours, else English."""
    tags = (tag.replace("_", "-").partition("-")[0].lower() for tag in accepted)
    return next((code for code in (wished, *tags) if code in LANGUAGES), "en")


@cache
def language(code: str, zone: str | None = None) -> "Language":
    """A language by its code; times in ``zone``, or where this server stands."""
    return Language(code, ZoneInfo(zone) if zone else None)


def told(
    tell: Callable[Concatenate["Language", str, P], str],
) -> Callable[Concatenate["Language", str, P], str]:
    """A time as it is told; a dash for one that no calendar has.

    What comes in is held to the calendar (``import_checks``); a record may have been filled by a
    version that did not ask, and its games are shown all the same.
    """

    @wraps(tell)
    def decorated(self: "Language", time: str, /, *how: P.args, **more: P.kwargs) -> str:
        try:
            return tell(self, time, *how, **more)
        except (ValueError, OverflowError, OSError):  # what is no time; what its zone leads out of
            return NO_TIME

    return decorated


class Language:
    """One language: ``lang("E_FIRST_MIN", reached=27, needed=30)`` is a sentence."""

    def __init__(self, code: str, zone: tzinfo | None = None) -> None:
        self.code = code
        self.name = NAMES[code]
        self.zone = zone
        self._locale = Locale.parse(LOCALES[code])
        self.decimal_sign = get_decimal_symbol(self._locale)
        self._card_words: dict[Card, str] = {}  # asked for with every round, and never change

    def __reduce__(self) -> tuple[object, ...]:
        """A language goes to another process by its name and reads its words there."""
        return Language, (self.code, self.zone)

    @cached_property
    def _sentences(self) -> Catalogue:
        """Read when its first word is needed: a page only names the languages nobody chose."""
        return read_catalogue(self.code)

    def __contains__(self, key: str) -> bool:
        return key in self._sentences

    def __call__(self, key: str, /, **facts: object) -> str:
        """The sentence of a key with its facts, in the form of their number."""
        forms = self._sentences.get(key)
        if forms is None:
            _missed(f"{self.code}: no words for {key}")
            return key
        return self._filled(forms[self._form(forms[-1], facts) if len(forms) > 1 else 0], facts)

    def _form(self, sentence: str, facts: Mapping[str, object]) -> int:
        """For one or for many, by the fact ``n`` or else the first number of the sentence."""
        named = ("n", *(place["name"] for place in PLACE.finditer(sentence)))
        n = next((number for name in named if isinstance(number := facts.get(name), int)), 0)
        return 0 if self._locale.plural_form(n) == "one" else 1

    def _filled(self, sentence: str, facts: Mapping[str, object]) -> str:
        first, places = _split(sentence)
        told = [first]
        for soft, name, text in places:
            if name in facts:
                words = self.words(facts[name])
                told += (f"{_eifel_n(words)} " if soft else ""), words, text
            else:
                _missed(f"{self.code}: no {{{name}}} for: {sentence}")
                told += GAP, text
        return "".join(told)

    def words(self, fact: object) -> str:
        """A fact by its type: cards in words, numbers in figures, texts as they are."""
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
        """A whole number with a real minus sign, with a plus sign where ``signed``."""
        return _sign(number, signed) + str(abs(number))

    def exact(self, number: Fraction, signed: bool = False, decimals: int = 0) -> str:
        """``1,8`` where the decimals end soon, else ``1/3``: never rounded.

        It has at least so many ``decimals``: those of a column stand one below the other.
        """
        return _sign(number, signed) + self._unsigned(abs(number), decimals)

    def _unsigned(self, number: Fraction, least: int) -> str:
        needed = _decimals(number)
        if needed is None:
            return str(number)
        decimals = max(needed, least)
        whole, rest = divmod(int(number * 10**decimals), 10**decimals)
        return f"{whole}{self.decimal_sign}{rest:0{decimals}}" if decimals else str(whole)

    def tenths(self, number: Fraction, signed: bool = False) -> str:
        """``−29,0``: rounded to one decimal, so that averages stand one below the other."""
        rounded = round(10 * number)
        whole, tenth = divmod(abs(rounded), 10)
        return f"{_sign(rounded, signed)}{whole}{self.decimal_sign}{tenth}"

    def money(self, amount: Fraction, unit: str, signed: bool = False, decimals: int = 0) -> str:
        """An exact amount in its unit, never torn apart at the end of a line."""
        return self.exact(amount, signed, decimals) + NO_BREAK + unit

    def rate(self, value: Fraction, unit: str) -> str:
        """What a point is worth as players say it: ``1/10 ct``, else in decimals."""
        spoken = value < 1 and value.denominator <= MOST_PARTS
        return f"{value}{NO_BREAK}{unit}" if spoken else self.money(value, unit)

    def cents(self, amount: Decimal) -> str:
        """An amount in euro with both digits of its cents: ``0,65 EUR``."""
        euro, _, cent = f"{amount:.2f}".partition(".")
        return f"{euro}{self.decimal_sign}{cent}{NO_BREAK}EUR"

    @told
    def date(self, at: str, size: str = "long") -> str:
        """The day of an event: ``12. Juni 2026``; ``full`` adds the weekday."""
        return format_date(self._here(at), size, locale=self._locale)

    @told
    def day(self, day: str) -> str:
        """A day of the calendar, wherever one is: ``12. Juni 2026``."""
        return format_date(date.fromisoformat(day), "long", locale=self._locale)

    @told
    def month(self, day: str) -> str:
        """The month of a day, as short as a chart needs it: ``6/26``."""
        found = date.fromisoformat(day)
        return f"{found.month}/{found.year % 100:02}"

    @told
    def time(self, at: str) -> str:
        """The time of an event: ``22:14``."""
        return format_time(self._here(at), "HH:mm", locale=self._locale)

    def _here(self, at: str) -> datetime:
        moment = datetime.fromisoformat(at)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(self.zone)

    def all_of(self, words: Iterable[str]) -> str:
        """``a, b und c``."""
        return self._listed(words, "standard")

    def one_of(self, words: Iterable[str]) -> str:
        """``a, b oder c``."""
        return self._listed(words, "or")

    def _listed(self, words: Iterable[str], style: Literal["standard", "or"]) -> str:
        listed = list(words)
        text = format_list(listed, style, locale=self._locale)
        last = listed[-1] if listed else ""
        head = text.removesuffix(last)
        if head.endswith("(n) "):
            return f"{head.removesuffix('(n) ')}{_eifel_n(last)} {last}"
        return text

    # cards

    def card(self, card: Card) -> str:
        """A card in short: ``♥10``, ``♥D``, ``Joker``; English puts the rank first."""
        if card.rank is None or card.suit is None:
            return self.rank(card.rank)
        return self("card.short", suit=SUIT_SIGNS[card.suit], rank=self.rank(card.rank))

    def card_word(self, card: Card) -> str:
        """A card in words: ``Herz-Dame``, ``Herz 10``, ``Joker als Herz 10``."""
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
        """The letter on the card, ``D`` for the queen in German; None is the joker."""
        return self(f"card.letter.{_letter(rank)}")

    def rank_word(self, rank: Rank | None) -> str:
        """``Dame``, ``10``; None is the joker."""
        return self(f"card.rank.{_letter(rank)}")

    def suit(self, suit: Suit) -> str:
        """``Herz``."""
        return self(f"card.suit.{suit.value}")

    # rules

    def preset(self, name: str) -> str:
        """A rule system by name: ``Räuber-Rommé``."""
        return self(f"preset.{name}")

    def preset_line(self, name: str) -> str:
        """Its character in one line."""
        return self(f"preset.{name}.line")

    def option(self, name: str) -> str:
        """What an option is about: ``Joker auf der Hand``."""
        return self(f"option.{name}")

    def value(self, name: str, value: object) -> str:
        """The value of an option in a few words: ``20``, ``auf die Hand``, ``nein``."""
        wire = OPTIONS[name].kind.write(value)
        key = f"value.{name}.{_last(wire)}"
        if key in self:
            return self(key)
        if isinstance(wire, Mapping):
            return self._deal(cast(Mapping[int, int], value))
        return self.words(wire)

    def played(self, name: str, value: object) -> str:
        """How it is played, in a sentence: ``Ein Joker auf der Hand zählt 50``."""
        special = f"play.{name}.{_last(OPTIONS[name].kind.write(value))}"
        if special in self:
            return self(special)
        return self(f"play.{name}", value=self.value(name, value))

    def deviation(self, deviation: Deviation) -> tuple[str, str]:
        """How it is played here, and what is usual: ``Sonst: nein``."""
        return (
            self.played(deviation.name, deviation.value),
            self("rules.usual", value=self.value(deviation.name, deviation.usual)),
        )

    def _deal(self, dealt: Mapping[int, int]) -> str:
        """``10 zu zweit, 7 zu dritt und viert``: neighbours with equal deals together."""
        tables = [
            (cards, [self(f"deal.at.{players}") for players, _ in group])
            for cards, group in groupby(dealt.items(), key=lambda pair: pair[1])
        ]
        return ", ".join(
            self("deal.cards_at", cards=cards, players=self.all_of(players))
            for cards, players in tables
        )

    def _range(self, schema: Mapping[str, object]) -> str:
        """What a form or an option takes, from its JSON Schema."""
        kind = schema.get("type", "choice" if "enum" in schema else "deal")
        optional = "_or_none" if isinstance(kind, list) else ""
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
        return self(f"range.{name}{optional}", **facts)

    # findings and reasons

    def problem(self, problem: Problem, players: Sequence[str] = ()) -> str:
        """A finding in a sentence: what is wrong, and what would be right.

        ``players`` are the names that a fact ``seat`` stands for.
        """
        why = f"{problem.code}.{problem.facts.get('why')}"
        facts = {
            name: self._option_words(value) if name in ("option", "options", "needs") else value
            for name, value in problem.facts.items()
        }
        named = self._named(facts, "seat", players)
        sentence = self(why if why in self else problem.code, **named)
        # A name is written as its player writes it; a card may be the first word too.
        return sentence if "player" in named else sentence[:1].upper() + sentence[1:]

    def _option_words(self, names: object) -> object:
        if isinstance(names, str):
            return self.option(names) if names in OPTIONS else names
        return [self._option_words(name) for name in cast(Iterable[object], names)]

    def reason(self, line: ScoreLine, players: Sequence[str]) -> str:
        """Why a seat got this line of the score."""
        base = f"reason.{line.reason}"
        variants = (f"{base}.{fact}" for fact in VARIANTS if fact in line.facts)
        key = next((variant for variant in variants if variant in self), base)
        return self(key, **self._named(line.facts, "of", players))

    def amount(self, line: ScoreLine, measure: str) -> str:
        """What a line brings: minus points bare where they are counted, all else with a sign."""
        if line.reduction:
            return self.number(-line.reduction)
        if line.reason in NO_POINTS_YET:
            return ""
        if line.minus and measure == "minus":
            return self.number(line.minus)
        return self.number(line.plus - line.minus, signed=True)

    def marks(
        self, score: RoundScore, facts: Mapping[str, object], sides: Sequence[str]
    ) -> list[str]:
        """Everything remarkable about a knock: how it ended, who won, what was paid besides."""
        end, winner = ending(score, facts), score.winner
        told = []
        if end and winner in (None, end.side):
            word = self(f"mark.word.{end.name}")
            told.append(self("mark.ended", player=sides[end.side], word=word))
        elif winner is not None:
            told.append(self("mark.wins", player=sides[winner]))
        if points := box(score):
            told.append(self("mark.box", points=points))
        return told + [self.mark(mark, sides) for mark in extras(score)]

    def mark(self, mark: Mark, sides: Sequence[str]) -> str:
        """What is remarkable about a round: ``Strafe 10 für Anna``."""
        facts = {"player": sides[mark.side], "points": mark.points, **mark.facts}
        if "sides" in mark.facts:
            shared = cast(Iterable[int], mark.facts["sides"])
            facts["players"] = self.all_of(sides[side] for side in shared)
        return self(f"mark.{mark.name}", **facts)

    def _named(
        self, facts: Mapping[str, object], fact: str, players: Sequence[str]
    ) -> dict[str, object]:
        """Facts with the fact ``player``: the name of the seat that a fact points to."""
        seat = facts.get(fact)
        if not isinstance(seat, int):
            return dict(facts)
        known = players[seat] if 0 <= seat < len(players) else ""
        return {"player": known or self.seat(seat), **facts}

    def seat(self, seat: int) -> str:
        """Who has no name, or no longer: ``Spieler 3``."""
        return self("player.seat", number=seat + 1)


@cache
def _split(sentence: str) -> tuple[str, tuple[tuple[str | None, str, str], ...]]:
    """A sentence up to its first fact; then each: whether an n goes before it, its name, the text.

    There are as many sentences as the catalogues have.
    """
    first, *more = PLACE.split(sentence)
    return first, tuple(zip(more[::3], more[1::3], more[2::3], strict=True))


def _missed(what: str) -> None:
    warnings.warn(what, MissingWords, stacklevel=4)


def most_decimals(numbers: Iterable[Fraction]) -> int:
    """How many decimals a column of exact numbers takes."""
    return max((_decimals(number) or 0 for number in numbers), default=0)


def _decimals(number: Fraction) -> int | None:
    """How many decimals it takes; None where they do not end soon."""
    ends = (many for many in range(MOST_DECIMALS + 1) if 10**many % number.denominator == 0)
    return next(ends, None)


def _sign(number: int | Fraction, signed: bool) -> str:
    return MINUS if number < 0 else "+" if signed and number > 0 else ""


def _letter(rank: Rank | None) -> str:
    return rank.letter if rank else "JK"


def _last(value: object) -> object:
    """The end of the key of a value: ``yes``, ``no``, ``none``, else the value itself."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else value


def _eifel_n(following: str) -> str:
    """Luxembourgish drops a final n before most consonants: *vun Anna*, *vu Bernd*."""
    return "n" if following[:1].casefold() in _KEEPS_N else ""


_KEEPS_N = frozenset("aeiouäëéöüdhntz" + "012389")
