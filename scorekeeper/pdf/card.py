"""The rules card: what is played at a table, in sentences on one page, house rules in bold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportlab.platypus import Flowable

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import read_meld
from scorekeeper.domain.rules import GROUPS, RuleSet
from scorekeeper.domain.rules.presets import deviations
from scorekeeper.i18n import Language
from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.card_body import CardBody, Cards, Item, Section, Text
from scorekeeper.pdf.examples import Examples, cards_of
from scorekeeper.pdf.layout import FOOTER_HEIGHT, HEADER_HEIGHT, PAGE_FORMATS, HeaderFooter, build
from scorekeeper.wording.systems import terms_in_words
from scorekeeper.wording.terms import LIMIT, STAKE, rule_or_limit, stake_sentences

WORDED_HERE = frozenset(
    {"family", "players.min", "players.max", "deck.packs", "deck.jokers", "rank.measure"}
).union(STAKE, LIMIT, ("settle.measure",))
"""Options that the card words in sentences of its own, or not at all."""
IN_STRIP = frozenset({"value.ace_hand", "joker.hand_value", "wild.twos_value"})
"""Options whose values are shown in the strip at the bottom."""
UNSAID: Mapping[str, Sequence[object]] = {
    "teams": (False,),
    "deal.first_dealer": (0,),
    "deal.upcard": (False,),
    "draw.two_small_table": (False,),
    "wild.twos": (False,),
    "ace.corner": (False,),
    "meld.rainbow": (False,),
    "meld.first_min": (0,),
    "meld.max_per_turn": (0,),
    "joker.max_adjacent": (0,),
    "joker.swap": ("none",),
    "layoff.scope": ("none",),
    "out.max_rest": (0,),
    "score.mode": ("gin", "knock"),
    "score.winner_reduction": (0,),
    "hand_romme.enabled": (False,),
    "klopfen.mode": ("off",),
    "gin.cyclic": (False,),
    "gin.oklahoma": (False,),
    "gin.tedesco": (False,),
    "gin.joker_rule": (False,),
    "gin.joker_layon": (False,),
    "gin.hirschn": (False,),
    "gin.glass": (False,),
    "gin.pro_min_wins": (0,),
    "gin.training": (False,),
    "settle.mode": ("none",),
    "end.eliminate": (False,),
    "ace.low": (True,),
    "meld.lives": ((0, 0),),
    "drop.points": ((0, 0, 0),),
    "deck.ranks": (52,),
    "out.one_run": ("none",),
    "score.out_bonus": (0,),
    "score.cap": (0,),
    "score.not_laid": (0,),
    "settle.round_stake": (0,),
    "round.plan": ((),),
    "round.plan_by": ("table",),
    "wild.rank": ("none",),
    "value.ace_red": (None,),
    "value.fives_to": (0,),
    "klopfen.max": (0,),
    "end.rejoin_max": (0,),
    "end.rejoin_up_to": (None,),
}
"""Options with the values that say only what is not played, or nothing; house rules are said all
the same."""
RUNS = ("QH KH AH 2H 3H", "JH QH KH AH", "5H 6H 7H 8H")
SETS = ("9D 9S 9C",)
"""Example melds; the first that the rules allow is drawn."""


@dataclass(frozen=True)
class RulesCard:
    """The rules card of a table."""

    rules: RuleSet
    lang: Language
    title: str = ""

    def print(self) -> bytes:
        """Return the card as a PDF file of one page."""
        header_footer, lang = self.header_footer, self.lang
        page_format = header_footer.page_format
        body: Flowable = CardBody(
            intro=" ".join(self._intro()),
            sections=list(self.sections()),
            examples=list(self._examples()),
            rules=self.rules,
            lang=lang,
            size=(page_format.width, page_format.height - HEADER_HEIGHT - FOOTER_HEIGHT),
        )
        return build([body], header_footer, subject=lang("paper.card.subject"), language=lang.code)

    @property
    def header_footer(self) -> HeaderFooter:
        lang = self.lang
        system, kind = lang.preset(self.rules.preset), lang("paper.card.title")
        footer = lang("paper.card.bold") if self._different else ""
        return HeaderFooter(
            PAGE_FORMATS["A4"],
            system,
            printable(self.title),
            lambda number, pages: kind,
            (footer, "scorekeeper"),
        )

    @cached_property
    def _different(self) -> frozenset[str]:
        names = (deviation.name for deviation in deviations(self.rules))
        return frozenset("end.mode" if name in LIMIT else name for name in names) - WORDED_HERE

    def _intro(self) -> Iterator[str]:
        """Yield who plays, what for, and who wins."""
        players, lang = self.rules.players, self.lang
        if players.min == players.max:
            yield lang("paper.card.players.just", least=players.min)
        else:
            yield lang("paper.card.players", least=players.min, most=players.max)
        yield lang(f"paper.card.aim.{self.rules.family}")
        yield lang.rule_sentence("rank.measure", self.rules.rank.measure)
        if terms := terms_in_words(self.rules.preset, lang):
            yield printable(terms)

    def sections(self) -> Iterator[Section]:
        """Yield each group of rules with its heading: its sentences, house rules in bold."""
        for group, parts in GROUPS.items():
            names = [name for name in self._shown() if name.partition(".")[0] in parts]
            usual = self._sentences(set(names) - self._different, names)
            if group == "deal":
                usual = [*self._packs(), *usual]
            if group == "end":
                usual += map(printable, stake_sentences(self.rules, self.lang))
            own = self._sentences(self._different, names)
            items: list[Item] = [Text("Serif", " ".join(usual))] if usual else []
            items += [Text("Serif-Bold", sentence) for sentence in own]
            items += self._melds() if group == "melds" else []
            if items:
                yield Section(self.lang(f"pages.group.{group}"), items)

    def _shown(self) -> Iterator[str]:
        """Yield the options that the card shows."""
        for name in self.rules.effective_names():
            if name == "meld.first_scope" and not self.rules.meld.first_min:
                continue
            unsaid = name in IN_STRIP or self.rules[name] in UNSAID.get(name, ())
            if name not in WORDED_HERE and (not unsaid or name in self._different):
                yield name

    def _sentences(self, wanted: set[str] | frozenset[str], names: Sequence[str]) -> list[str]:
        return [rule_or_limit(name, self.rules, self.lang) for name in names if name in wanted]

    def _packs(self) -> Iterator[str]:
        lang, deck = self.lang, self.rules.deck
        yield lang("paper.card.packs", n=deck.packs, cards=deck.ranks)
        if deck.jokers:
            yield lang("paper.card.jokers", n=deck.jokers)

    def _melds(self) -> list[Item]:
        """Return a run and a set as cards."""
        found = (self._first_meld(texts) for texts in (RUNS, SETS))
        return [Cards(cards) for cards in found if cards]

    def _first_meld(self, texts: Sequence[str]) -> tuple[Card, ...]:
        for text in texts:
            cards = cards_of(text)
            try:
                read_meld(cards, self.rules)
            except RuleError:
                continue
            return cards
        return ()

    def _examples(self) -> Iterator[Section]:
        for heading, sentences in Examples(self.rules, self.lang).all():
            yield Section(heading, [Text("Serif", sentence) for sentence in sentences])
