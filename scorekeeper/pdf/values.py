"""The values of cards and of ways to end a round, for pads and rules cards."""

from collections.abc import Iterator

from scorekeeper.domain.cards import Rank
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.scoring.gin import has_boxes
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP


def values(rules: RuleSet, lang: Language) -> Iterator[tuple[str, str]]:
    """Yield what cards and ways of ending a round are worth under these rules."""
    yield f"{3 if rules.wild.twos else 2}–10", lang("paper.pad.number")
    yield " ".join(map(lang.rank, (Rank.JACK, Rank.QUEEN, Rank.KING))), lang.number(10)
    yield lang.rank_word(Rank.ACE), lang.number(rules.value.ace_hand)
    if rules.deck.jokers:
        yield lang.rank_word(None), lang.number(rules.joker.hand_value)
    if rules.wild.twos:
        worth = 2 if rules.wild.twos_value == "face" else rules.joker.hand_value
        yield lang.rank_word(Rank.TWO), lang.number(worth)
    yield from _terms(rules, lang)


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
        bonuses = [rules.gin.gin_bonus]
        if rules.teams:
            bonuses = [rules.gin.team_small_gin, rules.gin.team_big_gin]
        yield lang("paper.pad.gin_mark"), " ".join(bonus(one, signed=True) for one in bonuses)
        yield lang("paper.pad.undercut"), bonus(rules.gin.undercut_bonus, signed=True)
        if has_boxes(rules):
            yield lang("paper.pad.box"), bonus(rules.gin.box_bonus, signed=True)
