"""The values of cards and of ways to end a round, for pads and rules cards."""

from collections.abc import Callable, Iterator

from scorekeeper.domain.rounds.scoring.gin import has_boxes
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP
from scorekeeper.wording.terms import card_values


def values(rules: RuleSet, lang: Language) -> Iterator[tuple[str, str]]:
    """Yield what cards and ways of ending a round are worth under these rules."""
    yield from card_values(rules, lang)
    yield from _terms(rules, lang)


def value_rows(
    rules: RuleSet, lang: Language, width: float, cell_width: Callable[[str, str], float]
) -> list[list[tuple[float, str, str]]]:
    """Return the values in as few rows of this width as possible, about as many in each.

    Each is a cell of its width, title and value; ``cell_width`` gives the width that they need.
    """
    cells = [(cell_width(*pair), *pair) for pair in values(rules, lang)]
    for count in range(1, len(cells) + 1):
        across = -(-len(cells) // count)
        rows = [cells[at : at + across] for at in range(0, len(cells), across)]
        if all(sum(wide for wide, _, _ in row) <= width for row in rows):
            break
    return rows


def _terms(rules: RuleSet, lang: Language) -> Iterator[tuple[str, str]]:
    bonus = lang.number
    if rules.family == "lay" and rules.meld.first_min:
        yield lang("paper.pad.first"), lang("paper.pad.from", points=rules.meld.first_min)
    if rules.hand_romme.enabled and rules.family == "lay":
        yield lang("paper.pad.hand_romme"), f"×{NBSP}{rules.hand_romme.factor}"
    if rules.family == "hand":
        yield lang("paper.pad.rest"), lang("paper.pad.to", points=rules.out.max_rest)
    if rules.family == "knock":
        yield lang("paper.pad.rummy"), bonus(rules.knock.rummy_bonus, signed=True)
        yield lang("paper.pad.penalty"), bonus(-rules.knock.penalty)
    if rules.family == "gin":
        if not rules.gin.oklahoma:
            limit = lang("paper.pad.to", points=rules.gin.knock_limit)
            yield lang("paper.pad.knock_mark"), limit
        small, big = rules.gin.team_small_gin, rules.gin.team_big_gin
        bonuses = [small, big] if rules.teams else [rules.gin.gin_bonus]
        yield lang("paper.pad.gin_mark"), " ".join(bonus(one, signed=True) for one in bonuses)
        yield lang("paper.pad.undercut"), bonus(rules.gin.undercut_bonus, signed=True)
        if rules.gin.big_gin:
            yield lang("reason.big_gin"), bonus(rules.gin.big_gin, signed=True)
        if has_boxes(rules):
            yield lang("paper.pad.box"), bonus(rules.gin.box_bonus, signed=True)
        if rules.gin.game_bonus:
            yield lang("pages.finale.won"), bonus(rules.gin.game_bonus, signed=True)
