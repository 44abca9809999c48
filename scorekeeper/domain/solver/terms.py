"""The terms on which a player may lay cards: before and after the first meld, in a hand rommé.

Before the first meld nothing may be laid off, and melds are allowed only if they reach
``meld.first_min`` (RULES 5.5, 5.6), or if they are the contract of the round, after which
cards are only laid off (RULES-MORE 5.7). With ``layoff.first_turn``, cards may also be laid off
in the turn of the first meld. A hand rommé has terms of its own (RULES 3.4).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.melds import Meld, first_meld_points
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.plan import Needed
from scorekeeper.domain.solver.arrangement import Arrangement
from scorekeeper.domain.solver.condition import Condition

Contract = tuple[Needed, ...]
"""The melds that a player must lay first; none: there is no contract."""


@dataclass(frozen=True)
class Terms:
    """The melds and lay-offs that a player may make in one turn."""

    table: Sequence[Meld] = ()
    """The melds that cards may be laid off on."""
    minimum: int | None = None
    """Points that first melds must reach in this turn; None: no first meld is needed."""
    contract: Contract = ()
    """The melds that must be laid in this turn."""
    melds: bool = True
    """Whether melds may be laid."""

    def allow(self, arrangement: Arrangement, rules: RuleSet) -> bool:
        """Return whether the melds reach the minimum if one is needed, or are the contract.

        Cards may be laid off only together with a first meld.
        """
        if self.contract:
            return self.first(rules).is_satisfied(arrangement.melds)
        if self.minimum is None:
            return True
        if not arrangement.melds:
            return not arrangement.layoffs and not self.minimum
        dearest = sorted(arrangement.melds, key=lambda meld: -meld.points)
        in_one_turn = dearest[: rules.meld.max_per_turn or None]
        return first_meld_points(in_one_turn, rules) >= self.minimum

    def first(self, rules: RuleSet) -> Condition:
        """Return the condition on the melds of this turn and of later ones together."""
        if self.contract:
            lives, most = rules.meld.lives, len(self.contract)
            return Condition(1, most=most, contract=self.contract, lives=lives)
        single = rules.meld.first_scope == "single"
        counted = 1 if single else rules.meld.max_per_turn
        return Condition(max(1, self.minimum or 0), counted)

    def in_one_turn(self, rules: RuleSet) -> Condition:
        """Return the condition on all the melds if they are laid in this turn."""
        if self.contract:
            return self.first(rules)
        condition = Condition() if self.minimum is None else self.first(rules)
        return condition._replace(most=rules.meld.max_per_turn)


def is_waiting(rules: RuleSet, *, has_laid: bool) -> bool:
    """Return whether a player still needs a first meld of ``meld.first_min`` (RULES 5.5, 10.3)."""
    return rules.family == "lay" and rules.meld.first_min > 0 and not has_laid


def terms_of_first_turn(rules: RuleSet, table: Sequence[Meld], contract: Contract = ()) -> Terms:
    """Return the terms of the turn in which a player lays their first meld."""
    return Terms(table if rules.layoff.first_turn else (), rules.meld.first_min, contract)


def terms_of_going_out(
    hand: Sequence[Card],
    rules: RuleSet,
    table: Sequence[Meld],
    *,
    has_laid: bool,
    contract: Contract = (),
) -> tuple[Terms, ...]:
    """Return the terms on which a player may go out; one of them must be satisfied.

    A player who goes out with a whole hand and has not laid out before makes a hand rommé
    (RULES 6.6.6). With fewer cards than were dealt there is none [dec].
    """
    if rules.family != "lay":
        return (Terms(),)
    if has_laid or not (contract or is_waiting(rules, has_laid=False)):
        return (Terms(table, melds=not contract),)
    terms = [terms_of_first_turn(rules, table, contract)]
    if rules.hand_romme.enabled and len(hand) >= min(rules.deal.cards.values()):
        waived = rules.hand_romme.waives_first_min
        least = 0 if waived else rules.meld.first_min
        terms.append(Terms(table if rules.hand_romme.allow_layoff else (), least, contract))
    return tuple(terms)
