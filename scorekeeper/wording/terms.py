"""The terms of a game in words: when it ends, what it is played for, what cards are worth."""

from collections.abc import Iterator

from scorekeeper.domain.cards.card import Rank
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language

LIMIT = ("end.points", "end.rounds", "end.compare", "end.measure")
"""Options that are worded together with ``end.mode``."""
STAKE = ("settle.point_value", "settle.unit", "settle.payable", "settle.stake")
"""Options that are worded together."""
FURTHER_STAKES = ("settle.rejoin_stake", "settle.round_stake", "settle.hand_stake")
"""Options that are worded with the currency."""


def limit(rules: RuleSet, lang: Language) -> str:
    """Return what ends a game: ``bei 100 Pluspunkten``."""
    end, measure = rules.end, "net_lost" if rules.limit_sign < 0 else rules.end.measure
    parts = []
    if end.mode != "rounds":
        parts.append(lang(f"paper.limit.{end.compare}.{measure}", points=end.points))
    if end.mode != "points":
        parts.append(lang("paper.limit.rounds", n=end.rounds))
    return lang.one_of(parts)


def rule_or_limit(name: str, rules: RuleSet, lang: Language) -> str:
    """Return an option as a sentence; that of ``end.mode`` names the limit, a stake its unit."""
    if name == "end.mode" and rules.end.mode != "manual":
        return lang("paper.card.end", limit=limit(rules, lang))
    if name in FURTHER_STAKES and rules[name]:
        return lang(f"play.{name}", value=lang.money(rules[name], rules.settle.unit))
    return lang.rule_sentence(name, rules[name])


def stake_sentences(rules: RuleSet, lang: Language) -> Iterator[str]:
    """Yield the point value and the stake of the table, whichever apply."""
    terms, unit = rules.settle, rules.settle.unit
    if terms.mode != "none" and terms.point_value is not None:
        value, steps = lang.rate(terms.point_value, unit), lang.money(terms.payable, unit)
        yield lang("paper.card.stake", amount=value, steps=steps)
    if terms.stake:
        key = "paper.table_stake.pool" if rules.end.eliminate else "paper.card.table_stake"
        yield lang(key, amount=lang.money(terms.stake, unit))


HIGHEST_NUMBER = {52: 10, 48: 9, 40: 7}
"""The highest card with a number, by the cards of a pack."""


def card_values(rules: RuleSet, lang: Language) -> Iterator[tuple[str, str]]:
    """Yield all cards with what they are worth in a hand: ``2–10``, ``the number``."""
    values, low, high = rules.value, 3 if rules.wild.twos else 2, HIGHEST_NUMBER[rules.deck.ranks]
    tens = " ".join(map(lang.rank, (Rank.JACK, Rank.QUEEN, Rank.KING)))
    if values.fives_to:
        yield f"{low}–{values.fives_to}", lang.number(5)
        above = "–".join(map(str, sorted({values.fives_to + 1, high})))
        tens = tens if values.fives_to >= high else f"{above} {tens}"
    else:
        yield f"{low}–{high}", lang("paper.pad.number")
    yield tens, lang.number(10)
    ace = lang.rank_word(Rank.ACE)
    if values.ace_red is None:
        yield ace, lang.number(values.ace_hand)
    else:
        yield f"{ace} ♣♠", lang.number(values.ace_hand)
        yield f"{ace} ♥♦", lang.number(values.ace_red)
    if rules.deck.jokers:
        yield lang.rank_word(None), lang.number(rules.joker.hand_value)
    if rules.wild.twos:
        face = rules.wild.twos_value == "face"
        yield lang.rank_word(Rank.TWO), lang.number(2 if face else rules.joker.hand_value)
