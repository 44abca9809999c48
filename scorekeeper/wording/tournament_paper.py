"""The texts on the paper of a tournament."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.tables import worth_of
from scorekeeper.domain.history.book import TIME
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import deviations
from scorekeeper.domain.tournament.prizes import purse
from scorekeeper.domain.tournament.standings import Standing, standings
from scorekeeper.domain.tournament.state import Drawn, Tournament
from scorekeeper.i18n import Language
from scorekeeper.i18n.printable import printable
from scorekeeper.wording.terms import LIMIT, rule_or_limit
from scorekeeper.wording.tournaments import (
    entrant_names,
    first_decision,
    money_words,
    tie_break_words,
)

LEADERS = 3
ENDS = ("end.mode", *LIMIT)
"""Options that are worded as one sentence."""
MOST_ROUNDS = 8
"""As many rounds as fit beside the names."""


@dataclass(frozen=True)
class CardWords:
    """A table card."""

    title: str
    day: str
    kind: str
    number: str
    round: str
    seats: tuple[tuple[str, str], ...]
    """Names with a mark; partners sit opposite each other."""
    rules: str
    address: str | None
    """The link that lets this table write."""
    write: str
    how: tuple[str, ...]


def table_cards(
    group: Group,
    tournament: Tournament,
    lang: Language,
    about: Callable[[str], tuple[int, str | None]],
) -> list[CardWords]:
    """Return the cards of the last round; ``about`` gives dealer and link of a game."""
    one, plan = tournament.rounds[-1], tournament.plan
    names = _player_names(group, tournament, one, lang)
    rules = _rules_words(plan.rules, lang)
    cards = []
    for table, game_id in enumerate(one.games):
        dealer, address = about(game_id)
        deals = lang("tournament.paper.deals")
        how = [lang("tournament.paper.scan" if address else "tournament.paper.by_hand")]
        if end := ends_at(one, plan.minutes):
            how.append(lang("tournament.paper.until", time=lang.time(end)))
        cards.append(
            CardWords(
                title=printable(group.name),
                day=lang.date(one.at),
                kind=lang("tournament.table", number="").strip(),
                number=f"{table + 1}",
                round=lang("tournament.round_of", number=one.number, rounds=plan.rounds),
                seats=tuple(
                    (printable(name), deals if seat == dealer else "")
                    for seat, name in enumerate(names[table])
                ),
                rules=rules,
                address=address,
                write=lang("tournament.enter_result"),
                how=tuple(how),
            )
        )
    return cards


def end_of(one: Drawn, minutes: int) -> datetime | None:
    """Return when a round ends; None without a limit, or if an import has an impossible time."""
    if not minutes:
        return None
    try:
        return datetime.strptime(one.at, TIME).replace(tzinfo=UTC) + timedelta(minutes=minutes)
    except (ValueError, OverflowError):
        return None


def ends_at(one: Drawn, minutes: int) -> str | None:
    """Return the end of a round as text; None as in ``end_of``."""
    end = end_of(one, minutes)
    return end.strftime(TIME) if end else None


def _player_names(
    group: Group, tournament: Tournament, one: Drawn, lang: Language
) -> list[list[str]]:
    """Return the names on the seats of each table, as in the games."""
    players = group.players
    return [
        [
            players[member] or lang.seat(member)
            for partner in range(tournament.plan.partners)
            for member in (tournament.entrants[entrant].members[partner] for entrant in table)
        ]
        for table in one.tables
    ]


def _rules_words(rules: RuleSet, lang: Language) -> str:
    """Return the rules in a few sentences: the system, when it ends, who wins, house rules."""
    own = [
        lang.deviation(each)[0]
        for each in deviations(rules)
        if each.name not in ENDS and not each.name.startswith("settle.")
    ]
    usual = "" if own else lang.preset_line(rules.preset)
    wins = lang.rule_sentence("rank.measure", rules.rank.measure)
    end = "" if rules.end.mode == "manual" else rule_or_limit("end.mode", rules, lang)
    if rules.end.mode == "rounds":  # here a round is one of the tournament
        end = lang("tournament.paper.hands", n=rules.end.rounds)
    sentences = dict.fromkeys((lang.preset(rules.preset), usual, end, wins, *own))
    return printable(" ".join(f"{each.rstrip('.')}." for each in sentences if each))


# ---- standings -----------------------------------------------------------------------


@dataclass(frozen=True)
class StandingWords:
    """A row of the standings."""

    rank: str
    name: str
    rounds: tuple[tuple[str, str], ...]
    sums: tuple[str, str, str]
    leads: bool


@dataclass(frozen=True)
class StandingsWords:
    """The standings on paper."""

    kind: str
    title: str
    day: str
    name: str
    rounds: tuple[str, ...]
    sums: tuple[str, str, str]
    rows: tuple[StandingWords, ...]
    notes: tuple[str, ...]
    prizes_title: str
    prizes: tuple[tuple[str, str], ...]
    told: str
    foot: str


def standings_words(
    group: Group, tournament: Tournament, upto: int, lang: Language
) -> StandingsWords:
    """Return the standings after a round, with the last rounds that fit on paper."""
    found, names = standings(tournament, upto), entrant_names(group, tournament, lang)
    shown = range(max(1, upto - MOST_ROUNDS + 1), upto + 1)
    over = tournament.is_over and upto == len(tournament.rounds)
    after = lang("tournament.after", number=upto) if upto else lang("tournament.now")
    notes = [lang("tournament.paper.key"), tie_break_words(tournament, lang),
             first_decision(found, names, tournament, lang)]  # fmt: skip
    if upto > MOST_ROUNDS:
        notes.append(lang("tournament.paper.last", n=MOST_ROUNDS))
    prizes: list[tuple[str, str]] = []
    words = ""
    if money := tournament.plan.money:
        told = purse(money, found)
        prizes = [
            (printable(names[entrant]), money_words(amount, money.unit, lang))
            for entrant, amount in (told.prizes if upto else ())
        ]
        fees, kept = (money_words(sum_, money.unit, lang) for sum_ in (told.fees, told.kept))
        words = lang("tournament.prizes.told", fees=fees, kept=kept)
    measure = tournament.plan.rules.rank.measure
    return StandingsWords(
        kind=lang("tournament.final") if over else after,
        title=printable(group.name),
        day=lang.date(tournament.rounds[0].at if tournament.rounds else group.created_at),
        name=lang("season.column.name"),
        rounds=tuple(lang("pages.round", number=number) for number in shown),
        sums=(
            lang("tournament.sum"),
            lang(f"tournament.pad.{measure}"),
            lang("tournament.won"),
        ),
        rows=tuple(_standing(one, names, shown, tournament, lang) for one in found),
        notes=tuple(printable(note) for note in notes if note),
        prizes_title=lang("tournament.prizes" if over or not upto else "tournament.prizes.now"),
        prizes=tuple(prizes),
        told=words,
        foot=_about(tournament, lang),
    )


def _about(tournament: Tournament, lang: Language) -> str:
    count = lang("tournament.entrants.count", n=_entered(tournament))
    return f"{count}, {lang.preset(tournament.plan.rules.preset)}"


def _standing(
    one: Standing, names: Sequence[str], shown: range, tournament: Tournament, lang: Language
) -> StandingWords:
    by_number = {result.number: result for result in one.rounds}
    cells = []
    for number in shown:
        result = by_number.get(number)
        game = "" if result is None or result.worth is None else _pad(result.worth, tournament)
        cells.append(("–" if result is None else lang.number(result.points), game))
    return StandingWords(
        rank=f"{one.rank}",
        name=printable(names[one.entrant]),
        rounds=tuple(cells),
        sums=(
            lang.number(one.points),
            _pad(sum(result.worth or 0 for result in one.rounds), tournament),
            f"{_tables_won(one)}",
        ),
        leads=one.rank <= LEADERS and bool(shown),
    )


def _pad(worth: int, tournament: Tournament) -> str:
    return f"{worth_of(worth, tournament.plan.rules)}"


def _tables_won(one: Standing) -> int:
    return sum(result.place == 1 for result in one.rounds)


# ---- certificates --------------------------------------------------------------------


@dataclass(frozen=True)
class CertificateWords:
    """A certificate."""

    occasion: str
    belongs: str
    name: str
    """Of a pair, both."""
    place: str
    sentence: str
    figures: tuple[tuple[str, str], ...]
    sign: tuple[str, str, str]


def certificates(group: Group, tournament: Tournament, lang: Language) -> list[CertificateWords]:
    """Return the certificates of the first three."""
    found = [one for one in standings(tournament) if one.rank <= LEADERS and one.rounds]
    return [_certificate(one, group, tournament, lang) for one in found]


def _certificate(
    one: Standing, group: Group, tournament: Tournament, lang: Language
) -> CertificateWords:
    first, members = one.rank == 1, tournament.entrants[one.entrant].members
    names = [printable(group.players[member] or lang.seat(member)) for member in members]
    measure = tournament.plan.rules.rank.measure
    played = [result for result in one.rounds if result.worth is not None]
    best = max((result.worth or 0 for result in played), default=0)
    return CertificateWords(
        occasion=printable(f"{group.name}, {lang.date(tournament.rounds[-1].at)}"),
        belongs=lang("tournament.paper.belongs" if first else "tournament.paper.honour"),
        name=lang.all_of(names),
        place=lang(f"tournament.paper.place.{one.rank}", count=_entered(tournament)),
        sentence=_sentence(one, tournament, lang),
        figures=(
            (lang.number(one.points), lang("tournament.points")),
            (
                _pad(sum(result.worth or 0 for result in played), tournament),
                lang(f"tournament.pad.{measure}"),
            ),
            (_pad(best, tournament), lang("tournament.paper.best")),
        ),
        sign=(
            lang("tournament.paper.where"),
            lang("tournament.paper.director"),
            lang("tournament.paper.club"),
        ),
    )


def _sentence(one: Standing, tournament: Tournament, lang: Language) -> str:
    played, won = sum(each.worth is not None for each in one.rounds), _tables_won(one)
    return lang(
        "tournament.paper.sentence.won" if won else "tournament.paper.sentence",
        rounds=lang("tournament.paper.rounds", n=played),
        opponents=lang("tournament.paper.opponents", n=len(set(_opponents(one, tournament)))),
        wins=lang("tournament.paper.wins", n=won),
    )


def _entered(tournament: Tournament) -> int:
    return sum(not entrant.stayed_away for entrant in tournament.entrants)


def _opponents(one: Standing, tournament: Tournament) -> Iterator[int]:
    for result in one.rounds:
        if result.table is not None:
            table = tournament.rounds[result.number - 1].tables[result.table]
            yield from (entrant for entrant in table if entrant != one.entrant)
