"""Turns for the tests of the referee, and the names of its findings."""

from collections.abc import Sequence

from examples import cards
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.referee.table_change import TableChange, TableMeld
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import LANGUAGES, language

ROBBER = preset("robber")
FAMILY = preset("german-family")
PALAST = preset("romme-palast")
LUXEMBOURG = preset("luxembourg")
Cards = tuple[Card, ...]


def turn(
    before: Sequence[str],
    hand: str,
    after: Sequence[str],
    to_hand: str = "",
    *,
    own: Sequence[int] = (),
    has_laid: bool = True,
) -> TableChange:
    return TableChange(
        before=tuple(TableMeld(cards(meld), own=i in own) for i, meld in enumerate(before)),
        hand_used=cards(hand),
        after=tuple(cards(meld) for meld in after),
        to_hand=cards(to_hand),
        has_laid=has_laid,
    )


def named(problems: Sequence[Problem]) -> list[str]:
    """Return the codes with their reasons; each has a sentence in every language."""
    for problem in problems:
        assert problem.facts.get("clause") or problem.code == "E_FORM"
        assert all(language(code).problem(problem) for code in LANGUAGES)
    whys = ((problem.code, problem.facts.get("why")) for problem in problems)
    return [f"{code}.{why}" if why else code for code, why in whys]


def is_allowed(found: Sequence[Problem]) -> bool:
    return not any(problem.code.startswith("E_") for problem in found)
