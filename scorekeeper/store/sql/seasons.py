"""The results of the evenings of groups."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, tzinfo
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

from scorekeeper.domain.group.days import end_of_day, local_day, start_of_day
from scorekeeper.domain.group.rating import Pair
from scorekeeper.domain.group.results import Encounter, Result
from scorekeeper.domain.group.season import ALWAYS, WITH_TRAINING, Choices, Figures, Span
from scorekeeper.store.evenings import (
    COLUMNS,
    FIELDS,
    SUMS,
    TABLES,
    Attendance,
    Best,
    Record,
    Rows,
    StoredEvening,
    read_result,
    read_stored_evening,
    rows_of,
)
from scorekeeper.store.sql.engine import Engine, placeholders

NO_LIMIT = 2**62
"""As many rows as there are."""
_COUNT = "sum(CASE WHEN {} THEN 1 ELSE 0 END)"
_YEAR = re.compile(r"(?!0000)[0-9]{4}")

_RECORDS: dict[Record, str] = {
    "worst": "worst",
    "won": "won",
    "streak": "streak",
    "rounds": "evenings.rounds",
    # A partner has the same place and the same points, but was not met.
    "lead": """CASE WHEN place = 1 THEN worth - (SELECT other.worth FROM results AS other
        WHERE other.group_id = results.group_id AND other.game = results.game
        AND other.seat <> results.seat AND other.played > 0
        AND (other.place > 1 OR EXISTS (SELECT 1 FROM encounters AS met
            WHERE met.group_id = results.group_id AND met.game = results.game
            AND (results.member, other.member) IN ((met.one, met.other), (met.other, met.one))))
        ORDER BY other.place LIMIT 1) ELSE 0 END""",
    "lost_by": "-worth",
    "hand_rommes": "hand_rommes",
    "gins": "gins",
}


class Seasons:
    """The evenings of the groups of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def group_of(self, game_id: str) -> str | None:
        """Return the group that a game belongs to."""
        found = self._engine.row("SELECT group_id FROM evenings WHERE game = ?", (game_id,))
        return str(found[0]) if found else None

    def save_evening(self, group_id: str, stored: StoredEvening) -> None:
        """Store an evening, or replace it."""
        with self._engine.write():
            self.delete_evening(stored.game)
            self.add_evenings(group_id, [stored])

    def add_evenings(self, group_id: str, evenings: Iterable[StoredEvening]) -> None:
        """Store evenings that are not stored yet."""
        rows: Rows = {}
        for evening in evenings:
            for table, more in rows_of(group_id, evening).items():
                rows.setdefault(table, []).extend(more)
        self._insert(rows)

    def put_rows(self, game_id: str, rows: Rows) -> None:
        """Replace the stored rows of an evening; without rows there is none."""
        with self._engine.write():
            self.delete_evening(game_id)
            self._insert(rows)

    def _insert(self, rows: Rows) -> None:
        with self._engine.write():
            for table, added in rows.items():
                if added:
                    into = f"{table} ({', '.join(TABLES[table])})"
                    insert = f"INSERT INTO {into} VALUES ({placeholders(TABLES[table])})"
                    self._engine.execute_many(insert, added)

    def delete_evening(self, game_id: str) -> None:
        """Delete the results of an evening; its game stays."""
        with self._engine.write():
            group = (self.group_of(game_id), game_id)
            self._engine.execute("DELETE FROM results WHERE group_id = ? AND game = ?", group)
            self._engine.execute("DELETE FROM encounters WHERE group_id = ? AND game = ?", group)
            self._engine.execute("DELETE FROM evenings WHERE game = ?", (game_id,))

    def evening_rows(self, game_id: str) -> Rows:
        """Return the stored rows of an evening, as ``rows_of`` makes them."""
        key = (self.group_of(game_id), game_id)  # the beginning of the keys of all results
        order = {"evenings": "game", "results": "seat", "encounters": "one, other"}
        rows: Rows = {
            table: self._engine.rows(
                f"SELECT {', '.join(TABLES[table])} FROM {table} "
                f"WHERE group_id = ? AND game = ? ORDER BY {by}",
                key,
            )
            for table, by in order.items()
        }
        rows["evenings"] = [
            (*row[:3], bool(row[3]), bool(row[4]), *row[5:])  # flags, which SQLite has as integers
            for row in rows["evenings"]
        ]
        return rows

    def misplaced(self) -> list[str]:
        """Return the games with results stored for a group that is not theirs."""
        rows = self._engine.rows(
            """
            SELECT game FROM results JOIN evenings USING (game)
            WHERE results.group_id <> evenings.group_id
            UNION SELECT game FROM encounters JOIN evenings USING (game)
            WHERE encounters.group_id <> evenings.group_id
            """
        )
        return [game for (game,) in rows]

    # ---- queries -------------------------------------------------------------------------

    def times_of(self, game_ids: Sequence[str]) -> dict[str, str]:
        """Return when evenings began, by game."""
        return self._by_game("began", game_ids)

    def recorded_from(self, group_id: str, day: str) -> list[str]:
        """Return the games of a group whose first round was recorded on a day."""
        rows = self._engine.rows(
            """
            SELECT game FROM evenings JOIN events ON book = game
            WHERE group_id = ? AND kind = 'round'
            GROUP BY game HAVING min(at) BETWEEN ? AND ?
            """,
            (group_id, day, f"{day}Z"),
        )
        return [game for (game,) in rows]

    def presets_of(self, game_ids: Sequence[str]) -> dict[str, str]:
        """Return the rule systems of evenings by game."""
        return self._by_game("preset", game_ids)

    def _by_game(self, column: str, game_ids: Sequence[str]) -> dict[str, str]:
        where = f"game IN ({placeholders(game_ids)})"
        return dict(
            self._engine.rows(f"SELECT game, {column} FROM evenings WHERE {where}", game_ids)
        )

    def running(self, group_id: str, limit: int) -> list[str]:
        """Return the games of a group that are not over, the latest first."""
        rows = self._engine.rows(
            """
            SELECT game FROM evenings WHERE group_id = ? AND NOT over
            ORDER BY began DESC, game DESC LIMIT ?
            """,
            (group_id, limit),
        )
        return [game for (game,) in rows]

    def count_evenings(
        self, group_id: str, span: Span = WITH_TRAINING, *, member: int | None = None
    ) -> int:
        """Return the number of evenings of a group or member in a span, unfinished ones too."""
        where, values = _where(group_id, span, over=False, member=member)
        return int(self._engine.row(f"SELECT count(*) FROM evenings WHERE {where}", values)[0])

    def evenings(
        self,
        group_id: str,
        span: Span = WITH_TRAINING,
        *,
        member: int | None = None,
        over: bool = False,
        limit: int = NO_LIMIT,
        offset: int = 0,
    ) -> list[StoredEvening]:
        """Return the evenings of a group or member, the latest first."""
        where, values = _where(group_id, span, over=over, member=member)
        chosen = f"""SELECT game FROM evenings WHERE {where}
            ORDER BY began DESC, game DESC LIMIT :limit OFFSET :offset"""
        values |= {"limit": limit, "offset": offset}
        rows = self._engine.rows(
            f"""
            SELECT game, began, training, over, rounds, family, preset, unit FROM evenings
            WHERE game IN ({chosen}) ORDER BY began DESC, game DESC
            """,
            values,
        )
        results: dict[str, list[tuple[int, Result]]] = {}
        for game, member_of_seat, *columns in self._engine.rows(
            f"""
            SELECT game, member, seat, {", ".join(COLUMNS)} FROM results
            WHERE group_id = :group AND game IN ({chosen}) ORDER BY game, seat
            """,
            values,
        ):
            results.setdefault(game, []).append((member_of_seat, read_result(columns)))
        return [read_stored_evening(row, results.get(row[0], [])) for row in rows]

    def figures(
        self, group_id: str, span: Span = ALWAYS, *, member: int | None = None
    ) -> list[Figures]:
        """Return the totals of every member, or of one, over finished evenings."""
        where, values = _where(group_id, span, over=True)
        where += " AND member = :member" * (member is not None)
        values |= {"member": member}
        joined = f"results JOIN evenings USING (group_id, game) WHERE {where}"
        amounts: dict[int, dict[str, Fraction]] = {}
        for (member, unit, parts), amount in self._money(joined, values).items():
            own = amounts.setdefault(member, {})
            own[unit] = own.get(unit, Fraction()) + Fraction(amount, parts)
        sums = ", ".join(f"sum({name})" for name in SUMS)
        return [
            Figures(
                member=member,
                evenings=evenings,
                evenings_won=evenings_won,
                best=best,
                worst=worst,
                streak=streak,
                amounts=amounts.get(member, {}),
                **dict(zip((FIELDS.get(name, name) for name in SUMS), summed, strict=True)),
            )
            for member, evenings, evenings_won, best, worst, streak, *summed in self._engine.rows(
                f"""
                SELECT member, {_COUNT.format("played > 0")}, {_COUNT.format("place = 1")},
                    min(best), max(worst), max(streak), {sums}
                FROM {joined} GROUP BY member ORDER BY member
                """,
                values,
            )
        ]

    def _money(self, joined: str, values: dict[str, Any]) -> Counter[tuple[int, str, int]]:
        """Return the members' amounts by unit and denominator, in the order of their first use.

        They are summed here, because integers in SQL have 64 bits only.
        """
        sums: Counter[tuple[int, str, int]] = Counter()
        for member, unit, numerator, denominator in self._engine.rows(
            f"""
            SELECT member, unit, numerator, denominator FROM {joined} AND numerator IS NOT NULL
            ORDER BY began, game
            """,
            values,
        ):
            sums[member, unit, int(denominator)] += int(numerator)
        return sums

    def choices(
        self, group_id: str, *, member: int | None = None, zone: tzinfo | None = UTC
    ) -> Choices:
        """Return what the evenings of a group, or of a member, can be filtered by.

        The years are those of a time zone.
        """
        where, values = _where(group_id, ALWAYS, over=True, member=member)
        years: set[str] = set()
        families: Counter[str] = Counter()
        presets: Counter[str] = Counter()
        units: Counter[str] = Counter()
        for earliest, latest, family, preset, unit, count in self._engine.rows(
            f"""
            SELECT min(began), max(began), family, preset, unit, count(*)
            FROM evenings WHERE {where}
            GROUP BY substr(began, 1, 4), family, preset, unit
            """,
            values,
        ):
            if not _YEAR.fullmatch(earliest[:4]):  # early versions accepted any text as a time
                continue
            # Evenings of one year in UTC are of two adjacent years in any other zone, at most.
            years |= {local_day(at, zone)[:4] for at in (earliest, latest)}
            families[family] += count
            presets[preset] += count
            if unit is not None:
                units[unit] += count
        return Choices(
            years=tuple(sorted(years, reverse=True)),
            families=_most_first(families),
            presets=_most_first(presets),
            units=_most_first(units),
        )

    def attendances(
        self, group_id: str, span: Span = ALWAYS, *, member: int | None = None
    ) -> list[Attendance]:
        """Return the members at each finished evening with rank and points, oldest first."""
        where, values = _where(group_id, span, over=True)
        where += " AND member = :member" * (member is not None)
        return [
            Attendance._make(row)
            for row in self._engine.rows(
                f"""
                SELECT game, began, member, place,
                    (SELECT coalesce(sum(CASE WHEN one = member THEN points ELSE -points END), 0)
                        FROM encounters AS met WHERE met.group_id = :group
                        AND met.game = evenings.game AND member IN (one, other))
                FROM evenings JOIN results USING (group_id, game) WHERE {where} AND played > 0
                ORDER BY began, game, seat
                """,
                values | {"member": member},
            )
        ]

    def pairs(self, group_id: str, span: Span = ALWAYS) -> list[list[Pair]]:
        """Return the pairs of members who met for half of an evening, for each, oldest first.

        Partners are no pair, and neither is somebody who left early or came late [dec].
        """
        where, values = _where(group_id, span, over=True)
        ranks = {
            (game, member): place
            for game, member, place in self._engine.rows(
                f"SELECT game, member, place FROM evenings JOIN results USING (group_id, game) "
                f"WHERE {where}",
                values,
            )
        }
        rows = self._engine.rows(
            f"""
            SELECT game, one, other FROM evenings JOIN encounters USING (group_id, game)
            WHERE {where} AND encounters.rounds > 0 AND 2 * encounters.rounds >= evenings.rounds
            ORDER BY began, game, one, other
            """,
            values,
        )
        return [
            [Pair(one, other, ranks[game, one], ranks[game, other]) for _, one, other in pairs]
            for game, pairs in groupby(rows, key=itemgetter(0))
        ]

    def record(self, group_id: str, what: Record, span: Span = ALWAYS) -> Best | None:
        """Return the highest value of a figure in one evening; of equal ones the first."""
        where, values = _where(group_id, span, over=True)
        found = self._engine.row(
            f"""
            SELECT game, began, member, value FROM (
                SELECT game, began, seat, member, {_RECORDS[what]} AS value
                FROM evenings JOIN results USING (group_id, game) WHERE {where}
            ) AS figures
            WHERE value > 0 ORDER BY value DESC, began, game, seat LIMIT 1
            """,
            values,
        )
        return Best(*found) if found else None

    def encounters(
        self, group_id: str, span: Span = ALWAYS, *, member: int | None = None
    ) -> list[Encounter]:
        """Return every pair of members who met, with the sums of their encounters."""
        where, values = _where(group_id, span, over=True)
        where += " AND :member IN (one, other)" * (member is not None)
        return [
            Encounter(one=one, other=other, points=points, rounds=rounds, won=won, lost=lost)
            for one, other, points, rounds, won, lost in self._engine.rows(
                f"""
                SELECT one, other, sum(points), sum(encounters.rounds), sum(won), sum(lost)
                FROM encounters JOIN evenings USING (group_id, game) WHERE {where}
                GROUP BY one, other ORDER BY one, other
                """,
                values | {"member": member},
            )
        ]


def _most_first(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


def _where(
    group_id: str, span: Span, *, over: bool, member: int | None = None
) -> tuple[str, dict[str, Any]]:
    """Return the condition for the evenings of a span, and its parameters."""
    where = "evenings.group_id = :group AND began >= :first AND began < :last"
    where += " AND NOT training" * (not span.training) + " AND over" * over
    where += " AND family = :family" * (span.family is not None)
    where += " AND preset = :preset" * (span.preset is not None)
    values: dict[str, Any] = {
        "group": group_id,
        "first": start_of_day(span.first, span.zone),
        "last": end_of_day(span.last, span.zone),
        "family": span.family,
        "preset": span.preset,
        "member": member,
    }
    if member is not None:
        where += """ AND EXISTS (SELECT 1 FROM results WHERE results.group_id = :group
            AND results.game = evenings.game AND member = :member)"""
    return where, values
