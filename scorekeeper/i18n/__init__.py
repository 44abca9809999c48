"""Translation into the languages of readers: sentences, findings, cards, rules.

The domain uses codes and facts; a ``Language`` turns them into sentences of its catalogue.
Facts are formatted by their type; no format specification or attribute access is evaluated.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import cast
from zoneinfo import ZoneInfo

from scorekeeper.domain.cards.card import Card, Rank, Suit
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.rounds.facts import Round, RoundScore, ScoreLine
from scorekeeper.domain.rounds.marks import Mark, box, ending, extras
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.domain.rules.plan import MAX_MELDS, MOST, PlanKind, PlanRow
from scorekeeper.domain.rules.presets import Deviation
from scorekeeper.i18n.catalogue import PLACEHOLDER, Sentences, catalogue_problems, plural_of
from scorekeeper.i18n.elision import joined
from scorekeeper.i18n.formats import Formats
from scorekeeper.i18n.languages import LANGUAGES

__all__ = [
    "LANGUAGES",
    "Language",
    "MissingTranslation",
    "catalogue_problems",
    "language",
    "pick_language",
]

SUIT_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
MISSING_FACT = "…"
"""Stands in for a fact that is missing."""
VARIANTS = ("cards", "points", "factor", "own", "least", "boxes")
"""Facts that select the sentence of a reason, in this order: ``reason.hand.cards``."""

FINDING_VARIANTS = ("expected", "sent", "ace")
"""Facts whose words select the sentence of a finding: ``E_FORM.type.integer``."""

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


class Language(Formats):
    """One language: ``lang("E_FIRST_MIN", reached=27, needed=30)`` is a sentence."""

    def __init__(self, code: str, zone: tzinfo | None) -> None:
        super().__init__(code, zone)
        self.name, self.notation = self._traits.name, self._traits.notation
        self.usual_presets = self._traits.presets
        self.thousands = self._traits.thousands
        _, self._plural = plural_of(code)
        self._sentences = Sentences(code)
        self._card_words: dict[Card, str] = {}  # cached: needed with every round

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the language by its code; the other process reads its own catalogue."""
        return Language, (self.code, self.zone)

    def __contains__(self, key: str) -> bool:
        return bool(self._sentences[key])

    def __call__(self, key: str, /, **facts: object) -> str:
        """Return the sentence of a key with its facts filled in, in singular or plural."""
        forms = self._sentences[key]
        if not forms:
            _warn_missing(f"{self.code}: no words for {key}")
            return key
        return self._filled(forms[self._form(forms[-1], facts) if len(forms) > 1 else 0], facts)

    def _form(self, sentence: str, facts: Mapping[str, object]) -> int:
        """Return the plural form for the fact ``n``, or else for the first number."""
        names = ("n", *(place["name"] for place in PLACEHOLDER.finditer(sentence)))
        n = next((number for name in names if isinstance(number := facts.get(name), int)), 0)
        return self._plural(abs(n))

    def _filled(self, sentence: str, facts: Mapping[str, object]) -> str:
        first, places = _split_sentence(sentence)
        parts = [first]
        for joint, name, text in places:
            if name in facts:
                words = self.words(facts[name])
                parts += joined(joint, words), words, text
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
        if name == "deal.first_dealer":
            return self.seat(cast(int, value))
        if isinstance(OPTIONS[name].kind, PlanKind):
            return self.plan(cast("tuple[PlanRow, ...]", value)) or self("value.none")
        if isinstance(wire, Mapping):
            return self._deal({int(players): number for players, number in wire.items()})
        return self.words(wire)

    def rule_sentence(self, name: str, value: object) -> str:
        """Return an option as a sentence: ``Ein Joker auf der Hand zählt 50``."""
        wire, words = OPTIONS[name].kind.write(value), self.value(name, value)
        if isinstance(wire, Mapping):
            own = f"play.{name}.by_players"
            return self(own if own in self else f"play.{name}", value=words)
        if wire == []:
            return self(f"play.{name}.0")
        special = f"play.{name}.{_last(wire)}"
        return self(special) if special in self else self(f"play.{name}", value=words, n=wire)

    def deviation(self, deviation: Deviation) -> tuple[str, str]:
        """Return the rule here, and the usual value: ``Sonst: nein``."""
        return (
            self.rule_sentence(deviation.name, deviation.value),
            self("rules.usual", value=self.value(deviation.name, deviation.usual)),
        )

    def plan(self, rows: Sequence[PlanRow]) -> str:
        """Return a plan of rounds: ``10 Karten, 2 Sätze ab 3; 12 Karten, ein Satz ab 3 ...``."""
        return self.clauses(map(self.plan_row, rows))

    def plan_row(self, row: PlanRow) -> str:
        """Return what a round of a plan deals, asks for first, and makes wild."""
        parts = [self("plan.cards", n=row.deal)] if row.deal else []
        parts += [self.contract(" ".join(map(str, row.need)))] if row.need else []
        parts += [self("plan.wild", rank=row.wild)] if row.wild else []
        return ", ".join(parts)

    def contract(self, need: str) -> str:
        """Return the melds of a contract like ``S3 S3 R4``."""
        return self.all_of(
            self(f"plan.{token[0]}", n=len(list(alike)), least=int(token[1:]))
            for token, alike in groupby(need.split())
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
        choices = cast(Iterable[object], schema.get("enum", number.get("properties", ())))
        if "oneOf" in schema:
            number = cast(Sequence[Mapping[str, object]], schema["oneOf"])[0]
        facts: dict[str, object] = {
            "low": number.get("minimum"),
            "high": number.get("maximum"),
            "most": schema.get("maxLength"),
            "length": schema.get("minItems"),
            "choices": self.one_of(map(str, choices)),
        }
        if "properties" in number:
            name = "rows"
            each = cast(Mapping[str, Mapping[str, object]], number["properties"])["deal"]
            facts |= {"low": each["minimum"], "high": each["maximum"], "rows": schema["maxItems"]}
            facts |= {"melds": MAX_MELDS, "set": MOST["S"], "run": MOST["R"]}
        if "exclusiveMinimum" in schema:
            name = f"{name}_above_0"
        return self(f"range.{name}_or_none" if isinstance(kind, list) else f"range.{name}", **facts)

    # findings and reasons

    def problem(self, problem: Problem, players: Sequence[str] = ()) -> str:
        """Return a finding as a sentence; ``players`` names the seats in its facts."""
        facts = {name: self._fact_words(name, value) for name, value in problem.facts.items()}
        if "need" in facts:
            facts["need"] = self.contract(str(facts["need"]))
        named_facts = self._named(facts, "seat", players)
        sentence = self(self.key_of(problem), **named_facts)
        # Players choose how their name is written; any other first word takes a capital.
        return sentence if "player" in named_facts else sentence[:1].upper() + sentence[1:]

    def key_of(self, problem: Problem) -> str:
        """Return the key of the sentence for a finding: its code, its reason, and more facts."""
        facts = problem.facts
        why = f"{problem.code}.{facts.get('why')}"
        key = why if why in self else problem.code
        if facts.get("least") == facts.get("most") and f"{key}.exact" in self:
            return f"{key}.exact"  # "2 play", not "2 to 2 play"
        special = (f"{key}.{facts[name]}" for name in FINDING_VARIANTS if name in facts)
        return next((one for one in special if one in self), key)

    def _fact_words(self, name: str, value: object) -> object:
        match name:
            case "option" | "options" | "needs":
                return self._option_words(value)
            case "day":
                return self.day(str(value))
            case "allowed" if isinstance(value, tuple) and isinstance(value[0], str):
                return self.one_of(cast(Iterable[str], value))
        return value

    def _option_words(self, names: object) -> object:
        if isinstance(names, str):
            return self.option(names) if names in OPTIONS else names
        return [self._option_words(name) for name in cast(Iterable[object], names)]

    def reason(self, line: ScoreLine, players: Sequence[str]) -> str:
        """Return the reason of a score line."""
        variants = (f"reason.{line.reason}.{fact}" for fact in VARIANTS if fact in line.facts)
        key = next((variant for variant in variants if variant in self), f"reason.{line.reason}")
        return self(key, **self._named(line.facts, "of", players))

    def amount(self, line: ScoreLine, measure: str) -> str:
        """Return the points of a score line; minus points in a minus tally have no sign."""
        if line.reduction:
            return self.number(-line.reduction)
        if line.reason in NO_POINTS_YET or (line.reason == "box" and not line.plus):
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


def _letter(rank: Rank | None) -> str:
    return rank.letter if rank else "JK"


def _last(value: object) -> object:
    """Return the last part of a value's key: ``yes``, ``no``, ``none``, or the value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else value
