"""Rule sets: all options of a table, and ``override()``, which changes them."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scorekeeper.domain.cards.card import Card, Rank
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.rules.agreed import APPLIES_IF, ELIMINATION_TERMS, OPTIONS, Agreed
from scorekeeper.domain.rules.coins import smallest_coin
from scorekeeper.domain.rules.consistency import clash, inconsistencies, refused_since
from scorekeeper.domain.rules.kinds import UNFIT, at_table, unfit
from scorekeeper.domain.rules.plan import PlanRow


@dataclass(frozen=True, kw_only=True)
class RuleSet(Agreed):
    """The complete rules of one table; they do not change once a game has begun."""

    def unlike(self, others: "RuleSet") -> dict[str, object]:
        """Return the options that other rules have otherwise, with their values here, as JSON."""
        if self is others:
            return {}
        theirs = others.resolved()
        return {name: value for name, value in self.resolved().items() if theirs.get(name) != value}

    @cached_property
    def for_defenders(self) -> "RuleSet":
        """The rules for the knocker's opponents: with Tedesco their aces count more (RULES 7.4.4).

        Cached, because the solver prepares each rule set once, by identity.
        """
        if not self.gin.tedesco:
            return self
        return replace(self, value=replace(self.value, ace_hand=self.gin.tedesco_ace))

    def for_round(
        self, present: int, row: PlanRow | None = None, cut: Card | None = None
    ) -> "RuleSet":
        """Return the rules of one round: with the deck of those present, and the row of the plan.

        ``cut`` is the card that was cut, where its rank is wild (RULES-MORE 3.1, 7.5); if it is
        a joker, aces are wild [DCN].
        """
        by_table = type(self.deck.packs) is not int or type(self.deck.jokers) is not int
        if not (by_table or row or cut):
            return self
        found = self._rounds.get((present, row, cut))
        if found is None:
            found = self._rounds[present, row, cut] = self._round(present, row or PlanRow(), cut)
        return found

    def _round(self, present: int, row: PlanRow, cut: Card | None) -> "RuleSet":
        packs, jokers = at_table(self.deck.packs, present), at_table(self.deck.jokers, present)
        wild = {"plan": row.wild, "cut": cut and (cut.rank or Rank.ACE)}.get(self.wild.rank)
        return replace(
            self,
            deck=replace(self.deck, packs=packs, jokers=jokers),
            deal=replace(self.deal, cards={0: row.deal}) if row.deal else self.deal,
            wild=replace(self.wild, now=int(wild)) if wild else self.wild,
        )

    @cached_property
    def _rounds(self) -> dict[tuple[int, PlanRow | None, Card | None], "RuleSet"]:
        """The rules of rounds, kept because the solver prepares rules by identity."""
        return {}

    def override(self, changes: Mapping[str, object]) -> "RuleSet":
        """Return these rules with options changed; each and all together are checked (RULES 3.7).

        Raises RuleError E_CONFIG for an unknown or inapplicable name, for a value outside its
        range, for another family, and for options that contradict each other.
        """
        rules = self.unchecked(changes)
        agreed = tuple(refused_since(self))
        new = (one for one in refused_since(rules) if one not in agreed)
        contradictions = (*inconsistencies(rules), *new)
        if contradictions:
            raise RuleError.of(contradictions)
        return rules

    def unchecked(self, changes: Mapping[str, object]) -> "RuleSet":
        """Return the same as ``override``, without checking the options against each other."""
        values = {name: _read(name, value) for name, value in changes.items()}
        if values.get("family", self.family) != self.family:
            facts = {"option": "family", "expected": self.family}
            raise RuleError("E_CONFIG", ("family",), why="family", **facts)
        implied: dict[str, object] = {}
        for name, ways in IMPLIED.items():
            value = values.get(name, implied.get(name, self[name]))
            if value != self[name]:
                implied |= ways.get(value, {})
        plan = values.get("round.plan")
        if plan and values.get("round.plan_by", self.round.plan_by) == "table":
            implied |= {"end.mode": "rounds", "end.rounds": len(plan)}
        unit = values.get("settle.unit", self.settle.unit)
        if unit != self.settle.unit:  # a step in the unit before says nothing about this one
            implied["settle.payable"] = smallest_coin(unit)
        rules = _with(self, implied | values)
        rules = replace(
            rules, silent=frozenset(name for name in rules.silent if not APPLIES_IF[name](rules))
        )
        known = set(rules.names())
        strangers = [name for name in changes if name not in known]
        if strangers:
            raise RuleError.of(_inapplicable(name, known) for name in strangers)
        return rules


def _inapplicable(name: str, known: Container[str]) -> Problem:
    """Return the finding about an option that is not among those known, and what it needs."""
    if name in ELIMINATION_TERMS and "end.eliminate" in known:
        return clash("rejoin", name, "end.eliminate")
    return Problem("E_CONFIG", {"why": "not_applicable", "option": name}, (name,))


def encode_rules(rules: RuleSet) -> dict[str, object]:
    """Return a complete rule set as JSON values, so that changes of its preset do not affect it."""
    return {"preset": rules.preset, "options": rules.resolved()}


def decode_rules(values: Mapping[str, Any]) -> RuleSet:
    """Return the rule set that ``encode_rules`` was given; ``presets`` also checks the preset."""
    options = values["options"]
    family = options["family"]
    unsaid = (name for name in APPLIES_IF if family in OPTIONS[name].families)
    silent = frozenset(unsaid) - set(options)
    rules = RuleSet(preset=values["preset"], family=family, silent=silent)
    return _with(rules, {name: _read(name, value) for name, value in options.items()})


UNSAID: Mapping[str, object] = {"end.min_rounds_to_win": "0"}
"""The rules of a game that began before the option existed, where today's default differs.

Whoever won a finished evening keeps the win, the stake and the season's point [dec]: the players
agreed on nothing else, and perhaps paid long ago. A rematch goes on under the rules of its game,
this one included, and shows it as a house rule. House rules of a group are for evenings to come,
so they get today's default.
"""


def as_agreed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored rules of a game, completed by those that applied when it began."""
    options = values["options"]
    unsaid = {
        name: value for name, value in UNSAID.items() if options["family"] in OPTIONS[name].families
    }
    collects = options.get("score.mode") == "winner_collects" and "hand_romme.factor" in options
    # Up to version 1.1 a hand rommé did not multiply what the winner collects.
    once = {"hand_romme.factor": 1} if collects and not unsaid.keys() <= options.keys() else {}
    return {**values, "options": {**unsaid, **options, **once}}


GROUPS: Mapping[str, tuple[str, ...]] = {
    "deal": ("teams", "players", "deck", "deal", "round", "stock", "draw"),
    "melds": ("ace", "meld", "layoff", "robber"),
    "jokers": ("joker", "wild"),
    "out": ("out", "hand_romme", "klopfen", "drop"),
    "score": ("value", "score"),
    "gin": ("gin",),
    "knock": ("knock",),
    "end": ("end", "rank", "settle"),
}
"""Groups of options as players think of them, by the first part of their names."""

IMPLIED: Mapping[str, Mapping[Any, Mapping[str, object]]] = {
    "score.mode": {
        "minus": {"rank.measure": "minus", "end.measure": "minus"},
        "winner_collects": {"rank.measure": "plus", "end.measure": "plus"},
        "melded": {"rank.measure": "net", "end.measure": "net"},
    },
    "gin.cyclic": {True: {"ace.high": True, "ace.corner": True}},
    "gin.joker_rule": {True: {"deck.jokers": 3}, False: {"deck.jokers": 0}},
    "teams": {True: {"players.min": 4, "players.max": 4, "deal.cards": {0: 7}}},
    "klopfen.mode": {
        "palast": {
            "klopfen.extra_cards": 1,
            "klopfen.after_first_meld": True,
            "klopfen.consent": False,
        },
        "rasche": {
            "klopfen.extra_cards": 2,
            "klopfen.after_first_meld": False,
            "klopfen.consent": True,
        },
    },
    "rank.measure": {measure: {"settle.measure": measure} for measure in ("minus", "plus", "net")},
}
"""Other options that a changed value sets, unless the same override sets them.

Another unit of money sets the step of payment in the same way, to its smallest coin.
"""


def _read(name: str, value: object) -> Any:
    if name not in OPTIONS:
        raise RuleError("E_CONFIG", (name,), why="unknown", option=name)
    kind = OPTIONS[name].kind
    try:
        return kind.read(value)
    except UNFIT as error:
        facts = unfit(kind, value, error)
        raise RuleError("E_CONFIG", (name,), why="range", option=name, **facts) from None


def _with(rules: RuleSet, values: Mapping[str, object]) -> RuleSet:
    tops: dict[str, Any] = {}
    for name, value in values.items():
        group, dot, leaf = name.partition(".")
        if dot:
            tops[group] = replace(tops.get(group, getattr(rules, group)), **{leaf: value})
        else:
            tops[group] = value
    return replace(rules, **tops)
