"""The ledger: events in, games out.

A game is the list of its events, and everything shown is a function of them. The row in
``games`` only says how long the list is and where the chain stands; the games in memory
are a cache of what replaying would give.
"""

import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from scorekeeper.domain.game import Event, Game, created, replay
from scorekeeper.store.chain import BEGINNING, canonical, link, stored, text_sum
from scorekeeper.store.engine import ENGINE, Engine, choose_journal
from scorekeeper.store.exports import exported, imported
from scorekeeper.store.migrations import migrate
from scorekeeper.store.rights import Rights, digest, secret_digest

GAMES_IN_MEMORY = 256


class Unknown(LookupError):
    """There is no such game, or it never was at that version."""


class Known(Exception):
    """The game is already there."""

    def __init__(self, game_id: str) -> None:
        super().__init__(game_id)
        self.game_id = game_id


class KeyReused(Exception):
    """The idempotency key came before, with another body."""


def open_ledger(path: str | Path, *, journal: str | None = None) -> "Ledger":
    """The ledger in this file, made if it is not there.

    Raises EngineError if it cannot be opened so that it keeps what it confirms.
    """
    engine = Engine(path, choose_journal(ENGINE, journal))
    try:
        migrate(engine)
    except BaseException:
        engine.close()
        raise
    return Ledger(engine)


class Ledger(Rights):
    """All games of one file."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._games = _Memory()

    def close(self) -> None:
        self.engine.close()

    # Writing

    def create(
        self,
        game_id: str,
        *,
        at: str,
        payload: Mapping[str, Any],
        texts: Mapping[str, str],
        pen: str,
        watch: str,
        by: str = "pen",
        key: str | None = None,
        digest: str | None = None,
        browser: str | None = None,
    ) -> Event:
        """Begin a game; ``browser`` holds its pen from then on.

        Raises Known if the game is there, or if this browser began one with this key.
        """
        event = Event(1, at, "created", by, _as_kept(payload), texts, key, digest)
        game = created(game_id, event)
        with self.engine.write() as db:
            earlier = self.created_with(key, browser, digest) if key and browser else None
            if earlier or self.version(game_id):
                raise Known(earlier or game_id)
            start = _start(key, browser) if key and browser else None
            self._insert(db, game_id, [event], pen, watch, start)
            if browser:
                self.remember(browser, game_id, pen)
        self._keep(game)
        return event

    def created_with(self, key: str, browser: str, digest: str | None = None) -> str | None:
        """The game that a browser began with this key; KeyReused if it had another body."""
        found = self.engine.row(
            "SELECT id, digest FROM games JOIN events ON game = id AND number = 1 WHERE start = ?",
            (_start(key, browser),),
        )
        if found is None:
            return None
        game_id, before = found
        if digest is not None and before != digest:
            raise KeyReused(key)
        return str(game_id)

    @contextmanager
    def turn(
        self, game_id: str, *, key: str | None = None, digest: str | None = None
    ) -> Iterator["Turn"]:
        """A transaction on one game: nobody else writes until it is on disk, or dropped.

        Raises Unknown, KeyReused, and NotSaved if the disk did not take it.
        """
        with self.engine.write() as db:
            turn = Turn(self, db, game_id, key, digest)
            yield turn
            turn._finish()
        if turn.appended:
            self._keep(turn.game)

    def _insert(
        self,
        db: Database,
        game_id: str,
        events: Sequence[Event],
        pen: str,
        watch: str,
        start: bytes | None = None,
    ) -> None:
        """A whole game at once."""
        db.execute(
            "INSERT INTO games VALUES (?, 0, x'', ?, ?, ?)",
            (game_id, secret_digest(pen), secret_digest(watch), start),
        )
        head = BEGINNING
        for event in events:
            head = _write(db, game_id, event, head)
        _advance(db, game_id, len(events), head)

    # Reading

    def version(self, game_id: str) -> int | None:
        """How many events a game has; None if there is no such game."""
        found = self.engine.row("SELECT version FROM games WHERE id = ?", (game_id,))
        return int(found[0]) if found else None

    def head(self, game_id: str) -> str:
        """The digits that stand for the game and all its history."""
        found = self.engine.row("SELECT head FROM games WHERE id = ?", (game_id,))
        if found is None:
            raise Unknown(game_id)
        return str(found[0].hex())

    def game(self, game_id: str) -> Game:
        """The game as it stands."""
        version = self.version(game_id)
        if version is None:
            raise Unknown(game_id)
        return self._at_least(game_id, version)

    def game_at(self, game_id: str, version: int) -> Game:
        """The game as it stood after so many events."""
        kept = self._games.get(game_id)
        if kept and kept.version == version:
            return kept
        events = self.events(game_id, version)
        if version < 1 or len(events) != version:
            raise Unknown(game_id, version)
        return replay(game_id, events)

    def events(self, game_id: str, upto: int | None = None, *, after: int = 0) -> list[Event]:
        """What happened, in order, after a version and up to another."""
        version = self.version(game_id)
        if version is None:
            raise Unknown(game_id)
        return self._events(game_id, after, version if upto is None else upto)

    def _at_least(self, game_id: str, version: int) -> Game:
        """The game at this version, or a later one that is already on disk."""
        game = self._games.get(game_id)
        if game and game.version >= version:
            return game
        if game is None:
            game = replay(game_id, self._events(game_id, 0, version))
        else:  # another process wrote
            for event in self._events(game_id, game.version, version):
                game = game.apply(event)
        self._keep(game)
        return game

    def _keep(self, game: Game) -> None:
        """Keep a game in memory, unless its transaction may still be dropped."""
        if not self.engine.db.conn.in_transaction:
            self._games.put(game)

    def _events(self, game_id: str, after: int, upto: int) -> list[Event]:
        span = (game_id, after, upto)
        texts: dict[int, dict[str, str]] = {}
        for number, field, text in self.engine.rows(
            "SELECT number, field, text FROM texts WHERE game = ? AND number > ? AND number <= ?",
            span,
        ):
            texts.setdefault(number, {})[field] = text
        return [
            Event(number, at, kind, by, json.loads(payload), texts.get(number, {}), key, digest)
            for number, at, kind, by, payload, key, digest in self.engine.rows(
                """
                SELECT number, at, kind, by_right, payload, key, digest FROM events
                WHERE game = ? AND number > ? AND number <= ? ORDER BY number
                """,
                span,
            )
        ]

    # In and out

    def export(self, game_id: str) -> dict[str, Any]:
        """Everything of a game but its secrets, as JSON values."""
        return exported(game_id, self.events(game_id))

    def import_game(
        self, data: Mapping[str, Any], *, pen: str, watch: str, browser: str | None = None
    ) -> Game:
        """Take in what ``export`` gave, under new secrets and with the same head.

        Raises BadExport for anything incomplete or changed, Known if the game is there.
        """
        events, game = imported(data)
        with self.engine.write() as db:
            if self.version(game.id):
                raise Known(game.id)
            self._insert(db, game.id, events, pen, watch)
            if browser:
                self.remember(browser, game.id, pen)
        self._keep(game)
        return game

    # Settings

    def setting(self, name: str) -> str | None:
        """Something the program keeps for itself."""
        found = self.engine.row("SELECT value FROM settings WHERE name = ?", (name,))
        return str(found[0]) if found else None

    def keep_setting(self, name: str, value: str) -> None:
        with self.engine.write() as db:
            db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    def secret_key(self) -> str:
        """What this installation signs its cookies with, made when first asked for."""
        with self.engine.write():
            kept = self.setting("secret_key")
            if kept is None:
                kept = secrets.token_urlsafe(32)
                self.keep_setting("secret_key", kept)
        return kept


class Turn:
    """One game while nobody else can write."""

    def __init__(
        self, ledger: Ledger, db: Database, game_id: str, key: str | None, digest: str | None
    ) -> None:
        found = ledger.engine.row("SELECT version, head FROM games WHERE id = ?", (game_id,))
        if found is None:
            raise Unknown(game_id)
        self.version: int
        self.version, self._head = found
        self._ledger, self._db, self._id = ledger, db, game_id
        self._key, self._digest = key, digest
        self._game: Game | None = None
        self.appended: tuple[Event, ...] = ()
        self.repeated = self._repeated()

    def _repeated(self) -> Event | None:
        """The event that was written with this turn's key, if it came before."""
        if self._key is None:
            return None
        found = self._ledger.engine.row(
            "SELECT number, digest FROM events WHERE game = ? AND key = ?", (self._id, self._key)
        )
        if found is None:
            return None
        number, digest = found
        if digest != self._digest:
            raise KeyReused(self._key)
        return self._ledger._events(self._id, number - 1, number)[0]

    @property
    def game(self) -> Game:
        """The game with everything that this turn appended."""
        if self._game is None:
            self._game = self._ledger._at_least(self._id, self.version)
        return self._game

    def append(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        at: str,
        by: str,
        texts: Mapping[str, str] | None = None,
    ) -> Event:
        """One event more; the turn's key goes with its first. ValueError if it cannot follow."""
        key, digest = (None, None) if self.appended else (self._key, self._digest)
        payload = _as_kept(payload)
        event = Event(self.version + 1, at, kind, by, payload, texts or {}, key, digest)
        self._game = self.game.apply(event)
        self._head = _write(self._db, self._id, event, self._head)
        self.version = event.number
        self.appended += (event,)
        return event

    def erase(self, *fields: str) -> None:
        """Take words that people wrote off the disk, wherever this game has them."""
        for field in fields:
            self._db.execute("DELETE FROM texts WHERE game = ? AND field = ?", (self._id, field))

    def replace_secret(self, right: str, secret: str) -> None:
        """From now on only the new secret opens; the old one is refused at once."""
        column = {"pen": "pen", "watch": "watch"}[right]
        self._db.execute(
            f"UPDATE games SET {column} = ? WHERE id = ?", (secret_digest(secret), self._id)
        )

    def _finish(self) -> None:
        if self.appended:
            _advance(self._db, self._id, self.version, self._head)


class _Memory:
    """The games last used, by id."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, game_id: str) -> Game | None:
        with self._lock:
            game = self._games.get(game_id)
            if game:
                self._games.move_to_end(game_id)
            return game

    def put(self, game: Game) -> None:
        """Keep a game as it is on disk, unless a later one is kept already."""
        with self._lock:
            kept = self._games.get(game.id)
            if kept is None or kept.version < game.version:
                self._games[game.id] = game
            self._games.move_to_end(game.id)
            if len(self._games) > GAMES_IN_MEMORY:
                self._games.popitem(last=False)


def _as_kept(payload: Mapping[str, Any]) -> Any:
    """A payload as it comes back from the disk, so that memory and disk agree."""
    return json.loads(canonical(payload))


def _write(db: Database, game_id: str, event: Event, before: bytes) -> bytes:
    """Put an event and its texts down; its link in the chain."""
    columns = stored(event)
    after = link(before, game_id, columns)
    db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (game_id, *columns, after))
    for field, text in event.texts.items():
        crc = text_sum(game_id, event.number, field, text)
        db.execute(
            "INSERT INTO texts VALUES (?, ?, ?, ?, ?)", (game_id, event.number, field, text, crc)
        )
    return after


def _advance(db: Database, game_id: str, version: int, head: bytes) -> None:
    db.execute("UPDATE games SET version = ?, head = ? WHERE id = ?", (version, head, game_id))


def _start(key: str, browser: str) -> bytes:
    """What stands for a browser's wish to begin one game."""
    return digest(canonical([key, browser]))
