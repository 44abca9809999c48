"""The texts and numbers of one score sheet, without their layout."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from unicodedata import normalize

from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game, Payment
from scorekeeper.domain.game.story import limit_passed
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.domain.rounds.facts import RoundScore
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import deviations
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP
from scorekeeper.i18n.printable import printable
from scorekeeper.wording import pool
from scorekeeper.wording.amounts import AmountFormat, amounts_of
from scorekeeper.wording.endings import people, set_behind
from scorekeeper.wording.finale import Finale, finale
from scorekeeper.wording.given import given_words
from scorekeeper.wording.pad import rules_changed
from scorekeeper.wording.settlement import stake_parts
from scorekeeper.wording.terms import LIMIT, STAKE, card_values, limit

ABSENT = "–"
CORRECTED = " *"
TALLIES = {
    "minus": ("minus",),
    "minus_plus": ("minus", "plus"),
    "winner_collects": ("plus",),
    "melded": ("plus", "minus"),
    "gin": ("plus",),
    "knock": ("plus", "minus"),
}
"""The tallies that each scoring mode fills."""
IN_SUMMARY = {"end.mode", *LIMIT, *STAKE, "deal.first_dealer", "players.min", "players.max"}
"""Options that the sheet shows elsewhere: stake, limit, first dealer, how many play."""


def measures(rules: RuleSet) -> tuple[str, ...]:
    """Return the tallies that a sheet shows, the one that ranks first."""
    wanted = [rules.rank.measure, *TALLIES[rules.score.mode]]
    if rules.settle.mode != "none":
        wanted.append(rules.settle.measure)
    if rules.end.mode in ("points", "points_or_rounds"):
        wanted.append(rules.end.measure)
    return tuple(dict.fromkeys(wanted))


@dataclass(frozen=True)
class Words:
    """The texts of one game in one language."""

    game: Game
    lang: Language
    group: str = ""
    """The name of the group, if the reader may know it."""
    spelt: Callable[[str], str] = printable
    """How typed texts are written: for paper, with the characters that its fonts have."""

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Names by seat; an erased name is replaced by its number."""
        return self._spelt_game.players

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The names above the columns: players, or teams."""
        return self._spelt_game.sides

    @cached_property
    def _spelt_game(self) -> Game:
        names = {f"name.{seat}": self.spelt(name) for seat, name in enumerate(self.game.players)}
        game = replace(self.game, texts={**self.game.texts, **names})
        return game.with_stand_ins(self.lang.seat)

    @cached_property
    def people(self) -> int:
        """The number of people on a side, for its verb: a team *pay*."""
        return people(self.game, self.sides[:1])

    @cached_property
    def title(self) -> str:
        return self.spelt(self.game.title)

    @cached_property
    def unit(self) -> str:
        return self.spelt(self.game.rules.settle.unit)

    @cached_property
    def _amounts(self) -> AmountFormat:
        return amounts_of(self.game.rules)

    @property
    def measure(self) -> str:
        """The tally that ranks; the columns show its points."""
        return self.game.rules.rank.measure

    # the head

    def page_label(self, number: int, pages: int) -> str:
        """Return the label of a page: "Blatt 1 von 2"."""
        return self.lang("paper.page", number=number, pages=pages)

    def summary(self, *, short_date: bool = False) -> Iterator[tuple[str, str]]:
        """Yield label and value of each entry at the top of the sheet."""
        game, lang = self.game, self.lang
        if self.group:
            yield lang("groups.one"), self.spelt(self.group)
        if game.created_at:
            date = lang.date(game.created_at, "full")
            yield lang("paper.date"), lang.numeric_date(game.created_at) if short_date else date
            yield lang("paper.time"), self._time()
        if game.place:
            yield lang("paper.place"), self.spelt(game.place)
        yield lang("paper.rules"), lang.preset(game.rules.preset)
        yield lang("paper.stake"), self._stake()
        yield lang("paper.limit"), self._limit()
        if game.drawn_dealer is not None:
            player = self.players[game.drawn_dealer]
            yield lang("paper.first_dealer"), lang("paper.first_dealer.drawn", player=player)
        elif game.sheet.first_dealer:
            yield lang("paper.first_dealer"), self.players[game.sheet.first_dealer]

    def _time(self) -> str:
        start = self.lang.time(self.game.created_at)
        rows = self.game.sheet.rows
        if self.game.is_over and rows:
            return self.lang("paper.from_to", start=start, end=self.lang.time(rows[-1].at))
        return self.lang("paper.since", start=start)

    def _stake(self) -> str:
        terms, lang = self.game.rules.settle, self.lang
        steps = lang.money(terms.payable, self.unit)
        parts = []
        if terms.mode != "none" and terms.point_value is not None:
            amount = lang.rate(terms.point_value, self.unit)
            key = "paper.stake.each" if terms.payable == 1 else "paper.stake.steps"
            parts.append(lang(key, amount=amount, steps=steps))
        if terms.stake:
            key = "paper.stake.pot" if self.game.rules.end.eliminate else "paper.stake.table"
            parts.append(lang(key, amount=self.money(terms.stake)))
        return lang.clauses(parts) or lang("paper.stake.none")

    def _limit(self) -> str:
        rules = self.game.rules
        if rules.end.mode == "manual":
            by_plan = rules.round.plan and rules.round.plan_by == "player"
            return self.lang("paper.limit.plan" if by_plan else "paper.limit.manual")
        return limit(rules, self.lang)

    def house_rules(self) -> str:
        """Return every deviation from the rule system in sentences; empty if there is none."""
        return " ".join(
            self.lang.deviation(deviation)[0]
            for deviation in deviations(self.game.rules)
            if deviation.name not in IN_SUMMARY
        )

    def numbered_names(self) -> str:
        """Return all names in full, with the numbers that mark truncated ones."""
        return self.lang.clauses(
            f"{seat}{NBSP}{name}" for seat, name in enumerate(self.sides, start=1)
        )

    # the rounds

    def points(self, row: Row, side: int) -> str:
        """Return a side's points of a round in the tally that ranks."""
        if not row.score.counts or pool.is_gone(row, side):
            return ""
        worth = row.worth(side, self.measure)
        return ABSENT if worth is None else self.lang.number(worth)

    def running(self, row: Row, side: int) -> str:
        """Return a side's total after a round; empty before they joined."""
        if not row.counts or side >= len(row.tallies) or pool.is_gone(row, side):
            return ""
        return self.lang.number(row.tallies[side].of(self.measure))

    def mark(self, row: Row, names: Sequence[str]) -> str:
        """Return the remark on a round; ``names`` may be truncated to fit."""
        remarks = [self._outcome(row, names), *pool.who_went(self.game, row, names, self.lang)]
        remark = ", ".join(filter(None, remarks)) + (CORRECTED if row.earlier else "")
        if row.struck_at is None:
            return remark
        return self.lang("paper.mark.struck", remark=remark)

    def _outcome(self, row: Row, names: Sequence[str]) -> str:
        if row.score.outcome == "knock":
            return ", ".join(self.lang.marks(row.score, row.round, names))
        if row.score.outcome != "out":
            return self.lang(f"paper.mark.{row.score.outcome}")
        if row.score.winner is None:
            return ""
        remarks = [self._going_out(row, names[row.score.winner])]
        points = row.points(row.score.winner)
        if points and points.plus and self.measure != "plus":
            remarks.append(self.lang("paper.mark.plus", points=points.plus))
        if any(row.taken_off):
            remarks.append(self.lang("paper.mark.reduced", points=sum(row.taken_off)))
        return ", ".join(remarks)

    def _going_out(self, row: Row, winner: str) -> str:
        if row.round.hand_romme:
            factor = row.rules.hand_romme.factor
            key = "pages.board.hand_romme_only" if factor == 1 else "paper.mark.hand_romme"
            return self.lang(key, player=winner, factor=factor)
        return self.lang("paper.mark.out", player=winner)

    # the totals

    def tally_lines(self) -> Iterator[tuple[str, list[str]]]:
        """Yield label and numbers by side for each tally, the one that ranks first; phases last."""
        tallies = self.game.sheet.tallies
        names = list(measures(self.game.rules))
        if self.game.rules.score.winner_reduction:
            names.append("reduced")
        if self.game.rules.counts_for_league:
            names.append("league")
        for name in names:
            yield (
                self.lang(f"paper.tally.{name}"),
                [self.lang.number(tally.of(name)) for tally in tallies],
            )
        if laid := self.game.sheet.rows_laid:
            yield self.lang("paper.tally.laid"), [self.lang.number(n) for n in laid]

    def other_lines(self) -> Iterator[tuple[str, list[str]]]:
        """Yield label and numbers by side: rounds won, and re-entries if anybody came back."""
        needed, tallies = self.game.rules.gin.pro_min_wins, self.game.sheet.tallies
        label = self.lang("paper.won.pro", needed=needed) if needed else self.lang("paper.won")
        yield label, [self.lang.number(tally.won) for tally in tallies]
        entries = [tally.entries for tally in tallies]
        if any(entries):
            yield self.lang("paper.pot.again"), [self.lang.number(n) if n else "" for n in entries]

    def ranks(self) -> list[str]:
        """Return ranks by side as ordinals; the fonts of paper have no raised letters."""
        ordinals = [rank and self.lang.ordinal(rank) for rank in self.game.sheet.ranks]
        return [normalize("NFKC", words) if words else ABSENT for words in ordinals]

    def direction(self) -> str:
        """Return whether the fewest or the most points win, and whether phases count first."""
        if self.game.sheet.rows_laid:
            return self.lang("paper.phases_first")
        return self.lang("paper.fewest" if self.measure == "minus" else "paper.most")

    def ending(self) -> str:
        """Return why the game is over, or that it is not."""
        game, ending = self.game, self.game.sheet.ending
        if not game.is_over:
            open_, out = self.lang("paper.end.open"), game.sheet.sits_out
            if out is None:
                return open_
            return f"{open_}, {self.lang('pages.board.sits_out', player=self.players[out])}"
        if ending is None:
            return self.lang("paper.end.early" if game.ended_early else "paper.end.hand")
        if ending.why == "plan":
            return self.lang("paper.end.plan")
        if ending.why == "one_run":
            return self.lang("paper.end.one_run", player=self.sides[ending.winner or 0])
        if ending.why == "rounds":
            return self.lang("paper.end.rounds", n=ending.limit)
        passed = list(self._who_passed(ending.sides))
        if game.rules.gin.pro_min_wins and ending.winner is not None:
            passed.append(self.lang("mark.wins", player=self.sides[ending.winner]))
        return self.lang.clauses(passed)

    def _who_passed(self, sides: Sequence[int]) -> Iterator[str]:
        """Yield the sides that passed the limit, by the round in which they did."""
        rounds = {side: limit_passed(self.game.sheet, side) for side in sides}
        for number in sorted(set(rounds.values())):
            players = self.lang.all_of(self.sides[one] for one in sides if rounds[one] == number)
            yield self.lang("paper.end.points", players=players, number=number)

    # below the rounds

    def footnotes(self) -> Iterator[str]:
        """Yield what explains ranks, imported points and rules; then corrections and notes."""
        yield from self.behind
        if self.game.as_it_was:
            yield self.lang("paper.as_it_was")
        yield self.lang("paper.values", values=", ".join(self._values()))
        yield from self._new_rules()
        for row in self.game.sheet.rows:
            yield from self._corrections(row)
            if note := self.spelt(self.game.note(row.number)):
                yield self.lang("paper.note", number=row.number, note=note)
        for one in self.game.sheet.given:
            yield self.spelt(given_words(self._spelt_game, one, self.lang)) + "."

    def _values(self) -> Iterator[str]:
        for cards, points in card_values(self.game.rules, self.lang):
            yield self.lang("paper.values.one", card=cards, points=points)

    def _new_rules(self) -> Iterator[str]:
        """Yield the house rules that changed during the evening, perhaps for the next round."""
        rounds = len(self.game.sheet.rows)
        for number in range(2, rounds + (1 if self.game.is_over else 2)):
            if rules := rules_changed(self.game, number, self.lang):
                yield self.lang("paper.new_rules", number=number, rules=rules)

    def _corrections(self, row: Row) -> Iterator[str]:
        written = [(version.at, version.score) for version in row.earlier]
        written.append((row.written_at, row.score))
        for (_, before), (at, after) in pairwise(written):
            changes = list(self._changes(before, after)) or [self.lang("paper.same")]
            yield self.lang(
                "paper.corrected",
                number=row.number,
                time=self.lang.time(at),
                changes=", ".join(changes),
            )

    def _changes(self, before: RoundScore, after: RoundScore) -> Iterator[str]:
        for side, name in enumerate(self.sides):
            was, now = (self._score_points(score, side) for score in (before, after))
            if was != now:
                yield self.lang("paper.instead", what=name, now=now, before=was)
        if before.winner != after.winner:
            was, now = (
                ABSENT if score.winner is None else self.sides[score.winner]
                for score in (before, after)
            )
            yield self.lang("paper.instead", what=self.lang("paper.winner"), now=now, before=was)

    def _score_points(self, score: RoundScore, side: int) -> str:
        points = score.scores[side] if side < len(score.scores) else None
        return ABSENT if points is None else self.lang.number(getattr(points, self.measure))

    # the settlement

    @cached_property
    def finale(self) -> Finale | None:
        """The final count of a whole game of gin, or how its three games stand."""
        return finale(self._spelt_game, self.lang)

    def signed(self, points: int | Fraction) -> str:
        """Return points received (+) or paid (−)."""
        return self.lang.exact(Fraction(points), signed=True)

    def money(self, amount: Fraction, *, signed: bool = False) -> str:
        """Return an amount to pay as people say it."""
        return self.spelt(self._amounts.words(amount, self.lang, signed=signed))

    def bare_money(self, amount: Fraction) -> str:
        """Return an amount received (+) or paid (−) without its unit."""
        return self._amounts.number(amount, self.lang)

    def amounts_unit(self, *, rounded: bool = False) -> str:
        """Return the unit of the amounts in a sentence; ``rounded`` if exact ones stand above."""
        key = "paper.amounts_in.exact" if rounded else "paper.amounts_in"
        return self.lang(key, unit=self.spelt(self._amounts.unit))

    def stake_rows(self, settlement: Settlement) -> Iterator[tuple[str, list[str]]]:
        """Yield the stakes of the sides with their names, without the unit."""
        for label, parts in stake_parts(self.game, settlement, self.lang):
            yield label, self._amounts.numbers(parts, self.lang)

    def exactly(self, amounts: Sequence[Fraction], *, bare: bool = False) -> list[str]:
        """Return amounts before they were rounded to payable ones; ``bare`` without words."""
        exact = self._amounts.numbers(amounts, self.lang)
        if bare:
            return exact
        return [self.lang("paper.exactly", amount=amount) for amount in exact]

    def checks(self, settlement: Settlement) -> Iterator[str]:
        """Yield each balance computed a second way: n times one's own against the sum of all."""

        def term(number: int) -> str:
            text = self.lang.number(number)
            return f"({text})" if number < 0 else text

        everyone = term(sum(settlement.totals))
        for total in settlement.totals:
            own = f"{len(settlement.totals)} × {term(total)}"
            fewest = settlement.measure == "minus"
            yield f"{everyone}\n− {own}" if fewest else f"{own}\n− {everyone}"

    def check_line(self, settlement: Settlement) -> str:
        """Return how to check the balances, or why there is no check."""
        if settlement.pairs is None:
            return self.lang(f"paper.check.{settlement.mode}")
        if not settlement.always_present:
            return self.lang("paper.check.absent")
        way = "minus" if settlement.measure == "minus" else "most"
        return self.lang(f"paper.check.{way}", players=len(settlement.totals))

    def stake_line(self) -> str:
        """Return how the stake of the table is settled; empty if there is none."""
        terms, end = self.game.rules.settle, self.game.rules.end
        if not terms.stake:
            return ""
        amount = self.money(terms.stake)
        if not end.eliminate:
            return self.lang(f"paper.table_stake.{self.game.stake_outcome}", amount=amount)
        again = self.money(terms.stake if terms.rejoin_stake is None else terms.rejoin_stake)
        way = "pool" if end.rejoin == "none" else "pool_again"
        return self.lang(f"paper.table_stake.{way}", amount=amount, again=again)

    @property
    def behind(self) -> list[str]:
        """Who is ranked after others with worse points, and why, a sentence for each."""
        return list(set_behind(self._spelt_game, self.lang))

    def pays(self, payer: str, payee: str) -> str:
        """Return that one side pays the other one."""
        return self.lang("paper.pays", payer=payer, payee=payee, n=self.people)

    def paid(self, payment: Payment) -> str:
        """Return when a payment was ticked; empty if it was not."""
        return self.ways_paid(payment)[0]

    def ways_paid(self, payment: Payment) -> tuple[str, str, str]:
        """Return when a payment was ticked, from the longest words to the shortest.

        The date is left out on the day of the evening.
        """
        at, lang = payment.paid_at, self.lang
        if at is None:
            return "", "", ""
        time, day = lang.time(at), lang.numeric_date(at)
        full = lang("paper.paid", date=lang.date(at), time=time)
        if day == lang.numeric_date(self.game.created_at):
            return full, lang("paper.paid.today", time=time), time
        return full, day, day

    # the footer

    def footer(self, head: str | None) -> tuple[str, str]:
        """Return the number of events and the end of their chain; they identify this state."""
        if head is None:
            return "", ""
        digits = " ".join(head[at : at + 4] for at in range(0, 16, 4))
        events = self.lang("paper.events", n=self.game.version)
        return self.lang("paper.digits", digits=digits), events
