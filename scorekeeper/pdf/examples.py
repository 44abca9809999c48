"""Worked examples for a rules card, computed from the rules of the table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

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
RESTS = ("7 5", "K 5 5 2")
DECLARED = "4H 5H 6H 9C 10C QC JK 2S 2D 2H KC 9D 3S"
"""A hand with a pure run, where hands need one."""
LAID = (60, 45, 0)
"""Points laid by three players, where these score."""
MOST_CONTRACTS = 3
SETS = ("4H 4D 4S 4C 4H 4D", "9C 9D 9H 9S 9C", "KC KH KD KS", "2S 2D 2H")
RUNS = ("3C 4C 5C 6C 7C 8C 9C 10C JC QC", "7H 8H 9H 10H JH QH KH", "4S 5S 6S 7S 8S")
"""What the melds of a contract are made of."""
KNOCKS = {"gin": ((6, 24), (8, 5), (0, 24)), "knock": ((5, 12, 20), (12, 5, 20), (0, 12, 20))}
"""Deadwood or counts, the knocker's first: a win, a loss, and going out with nothing left."""
TEAM_KNOCKS = ((3, 9, 12, 14), (3, 9, 12, 6), (0, 9, 12, 14))
PLAYERS = "ABCD"
TOLD = ("laid", "drop_middle", "wrong", "out_bonus")
"""The lines of a score that no hand explains."""
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
            ("contract", self._contracts()),
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

    def _contracts(self) -> Iterator[str]:
        """Yield melds for the first contracts of a plan."""
        planned = [row for row in self.rules.round.plan if row.need]
        for number, row in enumerate(planned[:MOST_CONTRACTS], start=1):
            sets, runs = iter(SETS), iter(RUNS)
            melds = [
                cards_of(next(sets if one.kind == "S" else runs))[: one.least] for one in row.need
            ]
            yield self.lang(
                "paper.card.contract",
                row=number,
                contract=self.lang.plan_row(row._replace(deal=None)),
                cards=" + ".join(map(self._short, melds)),
            )

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
            yield from self._round(self._shown(), "out")
        else:
            hand_romme = self.rules.hand_romme.enabled
            held = tuple(map(cards_of, HANDS[0] if self.rules.deck.jokers else HANDS[1]))
            laid: Sequence[int | None] = LAID if self.rules.score.mode == "melded" else (None,) * 3
            says = True if self.rules.round.plan_by == "player" else None
            losers = zip(held, laid[1:], strict=True)
            seats = (
                Seat(laid_points=laid[0]),
                *(Seat(hand=hand, laid_points=points, laid=says) for hand, points in losers),
            )
            facts = Round(outcome="out", winner=0, hand_romme=hand_romme, seats=seats)
            yield from self._round(facts, "hand_romme" if hand_romme else "out")

    def _shown(self) -> Round:
        """Return a round of the family in which nothing is laid during play."""
        if self.rules.meld.lives[1]:
            dropped = Seat(drop="middle") if self.rules.drop.points[1] else Seat(wrong=True)
            seats = (Seat(), Seat(hand=cards_of(DECLARED)), dropped)[: self.rules.players.max]
            return Round(outcome="out", winner=0, wild=card_named("7"), seats=seats)
        winner = cards_of("3") if self.rules.out.max_rest >= 3 else ()
        seats = (Seat(rest=winner), *(Seat(rest=rest) for rest in map(cards_of, RESTS)))
        return Round(outcome="out", winner=0, seats=seats)

    def _round(self, facts: Round, how: str) -> Iterator[str]:
        players = self.rules.players
        if not players.min <= len(facts.seats) <= players.max:
            return
        if self.rules.round.plan:
            row = (1,) * len(facts.seats) if self.rules.round.plan_by == "player" else 1
            facts = replace(facts, plan_row=row)
        try:
            score = score_round(facts, self.rules, len(facts.seats))
        except RuleError:
            return  # these rules ask for more than the hands
        if facts.wild and facts.wild.rank:
            yield f"{self.lang('plan.wild', rank=facts.wild.rank)}."
        yield self.lang(f"paper.card.{how}", player=PLAYERS[0])
        for player, seat in zip(PLAYERS, facts.seats, strict=False):
            if cards := seat.hand or seat.rest:
                yield self.lang("paper.card.holds", player=player, cards=self._short(cards))
        for line in score.lines:
            if line.reason in TOLD:
                who = f"{PLAYERS[line.seat]}{self.lang.sign(':')}"
                points = self.lang.amount(line, self.rules.rank.measure)
                yield f"{who} {self.lang.reason(line, PLAYERS)} {points}."
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
