"""Rate limits and short codes, which the processes that serve one database share and may lose.

The tables are unlogged: changing them waits for no disk, they are on no standby, and they are
empty after a crash. Times are read from the server's clock, in nanoseconds.
"""

from scorekeeper.store.postgres.engine import Engine

NOW = "(extract(epoch FROM clock_timestamp()) * 1000000000)::bigint"
NO_LIMIT = 2**62
"""A span of 146 years."""
TABLES = """
    CREATE UNLOGGED TABLE limits (
        bucket text COLLATE "C" NOT NULL,
        client text COLLATE "C" NOT NULL,
        full_at bigint NOT NULL,
        PRIMARY KEY (bucket, client)
    );
    CREATE UNLOGGED TABLE codes (
        code text COLLATE "C" PRIMARY KEY,
        book text COLLATE "C" NOT NULL,
        mark bytea NOT NULL,
        until bigint NOT NULL
    );
    CREATE INDEX codes_of_book ON codes (book);
    """


class Limits:
    """Token buckets: when each will be full again; see ``LimitStore``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def use(self, bucket: str, client: str, cost: int, span: int) -> int:
        """Use ``cost`` nanoseconds of a span; return 0, or the nanoseconds to wait."""
        values = {"bucket": bucket, "client": client, "cost": cost, "span": span}
        used = self._engine.row(
            f"""
            INSERT INTO limits AS known (bucket, client, full_at)
            VALUES (:bucket, :client, {NOW} + :cost)
            ON CONFLICT (bucket, client)
                DO UPDATE SET full_at = greatest(known.full_at, {NOW}) + :cost
                WHERE greatest(known.full_at, {NOW}) + :cost <= {NOW} + :span
            RETURNING 1
            """,
            values,
        )
        return 0 if used else max(1, self.over(bucket, client, span - cost))

    def over(self, bucket: str, client: str, span: int) -> int:
        """Return by how many nanoseconds a bucket is beyond a span; negative if it is not."""
        found = self._engine.row(
            f"SELECT full_at - {NOW} - ? FROM limits WHERE bucket = ? AND client = ?",
            (span, bucket, client),
        )
        return int(found[0]) if found else -span

    def charge(self, bucket: str, client: str, cost: int) -> None:
        """Use nanoseconds, even if they are more than there are."""
        self.use(bucket, client, cost, NO_LIMIT)

    def purge(self) -> None:
        """Delete buckets that are full again, and codes that have expired."""
        self._engine.row(f"WITH gone AS (DELETE FROM limits WHERE full_at < {NOW}) SELECT 1")
        self._engine.row(f"WITH gone AS (DELETE FROM codes WHERE until < {NOW}) SELECT 1")


class Codes:
    """Short codes that stand for a secret of a book; see ``CodeStore``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, code: str, book_id: str, digest: bytes, life_ns: int, most: int) -> bool:
        """Add a code; False if it is in use. A book keeps the ``most`` codes that live longest."""
        added = self._engine.row(
            f"""
            INSERT INTO codes AS known (code, book, mark, until)
            VALUES (:code, :book, :mark, {NOW} + :life)
            ON CONFLICT (code) DO UPDATE
                SET book = :book, mark = :mark, until = {NOW} + :life WHERE known.until < {NOW}
            RETURNING 1
            """,
            {"code": code, "book": book_id, "mark": digest, "life": life_ns},
        )
        self._engine.row(
            """
            WITH gone AS (DELETE FROM codes WHERE code IN (
                SELECT code FROM codes WHERE book = ? ORDER BY until DESC OFFSET ?
            )) SELECT 1
            """,
            (book_id, most),
        )
        return added is not None

    def renew(self, code: str, book_id: str, digest: bytes, life_ns: int) -> bool:
        """Let a code live on; False if it does not stand for this secret any more."""
        renewed = self._engine.row(
            f"""
            UPDATE codes SET until = {NOW} + ?
            WHERE code = ? AND book = ? AND mark = ? AND until > {NOW} RETURNING 1
            """,
            (life_ns, code, book_id, digest),
        )
        return renewed is not None

    def end(self, code: str, book_id: str) -> None:
        """Delete a code of a book."""
        self._engine.row(
            "DELETE FROM codes WHERE code = ? AND book = ? RETURNING 1", (code, book_id)
        )

    def find(self, code: str) -> tuple[str, bytes] | None:
        """Return the book and the digest of the secret that a code stands for."""
        found: tuple[str, bytes] | None = self._engine.row(
            f"SELECT book, mark FROM codes WHERE code = ? AND until > {NOW}", (code,)
        )
        return found

    def take(self, code: str) -> tuple[str, bytes] | None:
        """Return the same, and end the code."""
        found: tuple[str, bytes] | None = self._engine.row(
            f"DELETE FROM codes WHERE code = ? AND until > {NOW} RETURNING book, mark", (code,)
        )
        return found
