"""The bars of reliability: what must hold, and how often a test tries to break it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """One row of the table; *commit* and *soak* are the texts of its columns."""

    id: str
    area: str
    must: str
    commit: str
    soak: str
    controls: tuple[str, ...] = ()
    alone: bool = False
    """Whether it measures time, so that nothing else may run beside it."""


BARS = {
    bar.id: bar
    for bar in (
        Bar(
            "D1",
            "store",
            "kill -9 during a stream of posts: no acknowledged round lost, none half, chain good",
            "20",
            "1,000",
        ),
        Bar(
            "D2",
            "store",
            "kill, EIO, ENOSPC at every write and sync call of a record, a correction, a strike:"
            " nothing falsely called saved, nothing lost",
            "sample of 40",
            "all",
        ),
        Bar(
            "D3",
            "store",
            "power-cut images (unsynced writes dropped, reordered, torn):"
            " no acknowledged round lost",
            "100",
            "20,000",
            ("WAL+NORMAL", "DELETE+FULL"),
        ),
        Bar(
            "D5",
            "store",
            "disk full, read-only file: reads go on, writes say 'not saved', all resumes alone",
            "1",
            "20",
        ),
        Bar(
            "N1",
            "browser",
            "the edition without a server: its browser killed during a stream of rounds:"
            " no acknowledged round lost, chain good",
            "1",
            "200",
            ("no flush",),
        ),
        Bar(
            "N2",
            "browser",
            "random evenings in the edition without a server: pages, tables and paper are those of"
            " CPython, byte for byte",
            "12",
            "1,000",
        ),
        Bar(
            "N3",
            "browser",
            "an evening of ten rounds on a slow phone, without a network and killed in the middle:"
            " settled, printed, shown to another phone, found whole on a server;"
            " the same beside 1,000 evenings",
            "",
            "1",
        ),
        Bar("D7", "store", "the engine guard: versions and modes, each connection", "all", ""),
        Bar("D8", "store", "bit flips: every change of content is reported", "200", "10,000"),
        Bar(
            "L1",
            "store",
            "settlements of random games are exactly zero, with the fewest payments",
            "500",
            "100,000",
        ),
        Bar(
            "L3",
            "web",
            "create, record, correct, strike, repeat, stale, hand over, export, import, restart"
            " against a plain list",
            "20 x 30",
            "2,000 x 50",
        ),
        Bar("L4", "store", "replayed events equal the projections", "all tests", "10,000"),
        Bar("L5", "store", "no UPDATE or DELETE on events in the whole run", "all tests", ""),
        Bar(
            "C1",
            "web",
            "50 writers on one game who look at the version: no gap, no loss, no double",
            "4 x 20",
            "50 x 100",
            ("no version check", "deferred BEGIN"),
        ),
        Bar(
            "C4",
            "web",
            "posts delivered 1 to 5 times, shuffled: each recorded once",
            "100",
            "10,000",
        ),
        Bar(
            "A1",
            "web",
            "invented ids and secrets: none opens, and players behind the same address are served",
            "",
            "10,000",
            alone=True,
        ),
        Bar("A2", "web", "every route, method and right: exactly the rights table", "all", ""),
        Bar("A3", "web", "a replaced right is refused on the next request", "10", "1,000"),
        Bar(
            "A5",
            "web",
            "canary secrets are in no log line, page, PDF, CSV, referrer",
            "all tests",
            "",
        ),
        Bar("W1", "web", "security headers on every route and status", "all", ""),
        Bar("W2", "web", "hostile names and notes on every page in Chromium", "12", "200"),
        Bar(
            "W5",
            "web",
            "requests made from the schema: no 5xx, no violation, half of the rounds get through",
            "200",
            "100,000",
        ),
        Bar(
            "W6",
            "web",
            "hostile bodies on every route that writes: no 5xx, each under 100 ms",
            "50",
            "150",
            alone=True,
        ),
        Bar(
            "W7",
            "web",
            "500 idle sockets, 200 slow senders: a good phone is still served",
            "",
            "1",
            ("plain WSGI",),
            alone=True,
        ),
        Bar(
            "W8",
            "web",
            "while strangers attack from one address, a phone at another one records with p99 under"
            " 500 ms and reads under 300 ms; under 400 MB; SIGTERM in 5 s",
            "1 x 1 s",
            "3 x 15 s",
            ("plain WSGI",),
            alone=True,
        ),
        Bar(
            "W9",
            "web",
            "forged books: no 5xx on import or on any page, paper, table or call after it",
            "50",
            "20,000",
            ("no checks",),
        ),
        Bar(
            "W10",
            "web",
            "hands made to be hard (up to 24 cards, 8 jokers, wild twos, 37 melds on the table):"
            " answered within a budget of steps and 300 ms, at most 1 in 1,000 refused",
            "50",
            "20,000",
            ("no budget",),
            alone=True,
        ),
        Bar(
            "W11",
            "rules",
            "dealt rounds under every preset, with options of jokers, melds and gin, and gin with"
            " eight jokers in the hands: scored and judged, none refused as too much work",
            "300",
            "100,000",
        ),
        Bar("P1", "web", "hostile names wherever a PDF has names", "50", "300"),
        Bar("P3", "web", "hostile pictures: read or refused within the limits", "20", "all"),
        Bar("P5", "web", "hostile cells of a CSV: inert, numbers still numbers", "60", ""),
        Bar(
            "B1",
            "store",
            "a backup under load, restored: complete and good",
            "3",
            "100",
            ("cp",),
        ),
        Bar("B3", "store", "export, import into an empty place: equal heads", "20", "1,000"),
        Bar(
            "G0", "serving", "one of two processes killed: no round lost or doubled", "20", "1,000"
        ),
        Bar(
            "G3",
            "store",
            "a replaced secret, an erased name, an ended game: seen by every process at once",
            "50",
            "2,000",
            ("heads from memory",),
        ),
        Bar(
            "G4",
            "store",
            "end, record, settle, erase a member, take out of the group, all at once:"
            " no deadlock, no lost change",
            "200",
            "20,000",
            ("game before group",),
        ),
        Bar(
            "G5",
            "store",
            "the connection breaks at COMMIT: reported as unknown, sent again, counted once",
            "50",
            "1,000",
        ),
        Bar(
            "G6",
            "store",
            "a copy between databases, broken off anywhere and run again: equal in everything",
            "10",
            "200",
        ),
        Bar(
            "G7",
            "store",
            "an older app beside a newer one that has added to the tables: both record",
            "1",
            "20",
            ("a column removed",),
        ),
        Bar(
            "G1",
            "cluster",
            "the primary's machine, its PostgreSQL, a process of the app killed, the primary's"
            " network cut: no acknowledged round lost, none doubled, chains good",
            "4",
            "50",
            ("no synchronous standby",),
            alone=True,
        ),
        Bar(
            "G2",
            "cluster",
            "after each of these, phones write again by themselves within 45 s",
            "4",
            "50",
            alone=True,
        ),
        Bar(
            "O1",
            "web",
            "a phone's connection cut, its tab or the server killed: recorded exactly once",
            "12",
            "200",
            ("a new key for every attempt",),
        ),
        Bar(
            "Q1",
            "web",
            "500 games at once, 2,500 phones: p99 of a post under 300 ms, no 5xx",
            "",
            "600 s",
            alone=True,
        ),
        Bar(
            "Q2",
            "web",
            "2,000 games at once, 10,000 phones, two processes on PostgreSQL: no error but 429"
            " and 503, as many rounds stored as were reported as saved or had no answer",
            "",
            "600 s",
            alone=True,
        ),
        Bar(
            "solver",
            "rules",
            "two solvers agree on random hands, rules and tables",
            "500",
            "100,000",
        ),
        Bar(
            "mutants",
            "rules",
            "of small mistakes, tests notice 95 % in domain and store, 90 % around them",
            "",
            "400",
            alone=True,
        ),
    )
}
