"""Worked examples for a rules card, computed from the rules of the table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.domain.cards.card import Card, card_named
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, card_value, first_meld_points, hand_value, read_meld
from scorekeeper.domain.rounds.facts import Round, RoundScore, Seat
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP

FIRST_MELDS = (
    ("10H 10S 10C",),
    ("JH QH KH AH",),
    ("7H 7S 7C", "5D 6D 7D"),
    ("7H 7S 7C", "6D 7D 8D"),
    ("10H 10S 10C", "4D 5D 6D"),
)
JOKERS = ("JH QH JK AH", "9H JK JK QH", "8H 9H JK", "8H 9H JK JK", "4C 4S JK", "QH KH AH 2H")
WILD_TWOS = ("9C 2H JC", "2H 3H 4H", "2C 2D 5S")
HANDS = (("KH 9C AS JK", "2D 3D QC"), ("KH 9C AS 7D", "2D 3D QC"))
"""The hands of two losers, with a joker and without."""
RESTS = ("9 5", "K 5 5 2")
KNOCKS = {"gin": ((6, 24), (8, 5), (0, 24)), "knock": ((5, 12, 20), (12, 5, 20), (0, 12, 20))}
"""Deadwood or counts, the knocker's first: a win, a loss, and going out with nothing left."""
TEAM_KNOCKS = ((3, 9, 12, 14), (3, 9, 12, 6), (0, 9, 12, 14))
PLAYERS = "ABCD"
Sentences = list[str]


def cards_of(text: str) -> tuple[Card, ...]:
    """Return cards by their canonical names."""
    return tuple(map(card_named, text.split()))


@dataclass(frozen=True)
class Examples:
    """Example melds, hands and rounds under a rule set."""

    rules: RuleSet
    lang: Language

    def all(self) -> Iterator[tuple[str, Sentences]]:
        """Yield heading and sentences of every kind of example that applies."""
        for name, sentences in (
            ("first", self._first_melds()),
            ("jokers", self._jokers()),
            ("round", self._rounds()),
        ):
            if found := list(sentences):
                yield self.lang(f"paper.card.example.{name}"), found

    def _first_melds(self) -> Iterator[str]:
        needed = self.rules.meld.first_min
        if self.rules.family != "lay" or not needed:
            return
        for turn in FIRST_MELDS:
            try:
                melds = [read_meld(cards_of(meld), self.rules) for meld in turn]
            except RuleError:
                continue  # not a meld under these rules
            points = first_meld_points(melds, self.rules)
            verdict = "enough" if points >= needed else "too_low"
            cards = " + ".join(self._short(meld.cards) for meld in melds)
            yield self.lang(f"paper.card.{verdict}", cards=cards, points=points)

    def _jokers(self) -> Iterator[str]:
        rules = self.rules
        texts = (*(JOKERS if rules.deck.jokers else ()), *(WILD_TWOS if rules.wild.twos else ()))
        for text in texts:
            cards = cards_of(text)
            if any(card.is_joker for card in cards) or rules.wild.twos:
                yield self._meld_verdict(cards)
        if rules.deck.jokers and rules.family in ("lay", "hand"):
            held = cards_of(HANDS[0][0])
            terms = " + ".join(str(card_value(card, rules)) for card in held)
            yield self.lang(
                "paper.card.hand", cards=self._short(held), terms=terms,
                points=hand_value(held, rules),
            )  # fmt: skip

    def _meld_verdict(self, cards: Sequence[Card]) -> str:
        """Return whether the cards are a meld: what wild cards stand for, or why not."""
        short = self._short(cards)
        try:
            meld = read_meld(cards, self.rules)
        except RuleError as refused:
            why = self.lang.problem(refused.problems[0])
            return self.lang("paper.card.refused", cards=short, why=why)
        return self.lang("paper.card.meld", cards=short, all=self._short(self._meant(meld)))

    def _meant(self, meld: Meld) -> list[Card]:
        """Return the cards that wild cards stand for; a joker of undetermined suit stays one."""
        return [place.at if place.at.suit else place.card for place in meld.places]

    def _rounds(self) -> Iterator[str]:
        family = self.rules.family
        if family in KNOCKS:
            yield from self._knocks()
        elif family == "hand":
            rests = tuple(map(cards_of, RESTS))
            winner = cards_of("3") if self.rules.out.max_rest >= 3 else ()
            seats = (Seat(rest=winner), *(Seat(rest=rest) for rest in rests))
            yield from self._round(Round(outcome="out", winner=0, seats=seats), "out")
        else:
            held = tuple(map(cards_of, HANDS[0] if self.rules.deck.jokers else HANDS[1]))
            seats = (Seat(), *(Seat(hand=hand) for hand in held))
            hand_romme = self.rules.hand_romme.enabled
            facts = Round(outcome="out", winner=0, hand_romme=hand_romme, seats=seats)
            yield from self._round(facts, "hand_romme" if hand_romme else "out")

    def _round(self, facts: Round, how: str) -> Iterator[str]:
        players = self.rules.players
        if not players.min <= len(facts.seats) <= players.max:
            return
        try:
            score = score_round(facts, self.rules, len(facts.seats))
        except RuleError:
            return  # these rules ask for more than the hands, or play with other cards
        yield self.lang(f"paper.card.{how}", player=PLAYERS[0])
        for player, seat in zip(PLAYERS, facts.seats, strict=False):
            if cards := seat.hand or seat.rest:
                yield self.lang("paper.card.holds", player=player, cards=self._short(cards))
        yield self._written(score)

    def _knocks(self) -> Iterator[str]:
        rules = self.rules
        known = TEAM_KNOCKS if rules.teams else KNOCKS[rules.family]
        most = 4 if rules.teams else rules.players.max
        for left in known:
            seats = tuple(
                Seat(deadwood=own) if rules.family == "gin" else Seat(count=own)
                for own in left[:most]
            )
            card = card_named("KS") if rules.gin.oklahoma else None
            facts = Round(outcome="knock", knocker=0, seats=seats, oklahoma_card=card)
            try:
                score = score_round(facts, rules, len(seats))
            except RuleError:
                continue  # more than these rules allow to knock with
            others = self.lang.all_of(
                f"{player}{NBSP}{own}"
                for player, own in zip(PLAYERS[1:], left[1:most], strict=False)
            )
            sentence = self.lang("paper.card.knocks", player="A", own=left[0], others=others)
            yield f"{sentence} {self._written(score)}"

    def _written(self, score: RoundScore) -> str:
        """Return the points that everyone writes down."""
        sides = ("A + C", "B + D") if self.rules.teams else PLAYERS
        written = [
            self.lang(f"paper.card.{tally}", player=side, points=points)
            for side, own in zip(sides, score.scores, strict=False)
            if own is not None
            for tally, points in (("minus", own.minus), ("plus", own.plus))
            if points
        ]
        return self.lang("paper.card.written", written=", ".join(written) or "0")

    def _short(self, cards: Iterable[Card]) -> str:
        return " ".join(map(self.lang.card, (card.physical for card in cards)))
