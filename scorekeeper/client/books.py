"""The base of games and groups: an id, a secret, and the version last seen."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeVar

from . import shapes
from .http import HttpClient, Reply, headers_of, new_key, without_none

T = TypeVar("T")
Right = Literal["pen", "watch"]
Table = Literal["rounds", "totals", "settlements", "payments"]
STATES = (
    shapes.Game,
    shapes.Group,
    shapes.Tournament,
    shapes.History,
    shapes.GroupHistory,
    shapes.Settlement,
    shapes.Money,
    shapes.Statement,
)
"""Answers that show what changes are based on."""


def rules_body(rules: shapes.Rules | str | None) -> shapes.Rules | None:
    """Return the JSON of rules that may be given by the name of a preset."""
    return {"preset": rules} if isinstance(rules, str) else rules


@dataclass
class Book:
    """A game or group on the server, opened with one of its secrets.

    A change of existing data sends the version last seen and raises Stale if it is outdated.
    Answers that do not show the state, such as paper or a preview, leave that version as it is.
    Every change has an idempotency key, so that it can safely be sent again.
    """

    http: HttpClient = field(repr=False)
    id: str
    secret: str = field(repr=False)
    """The secret to write (pen) or to watch with."""
    watch: str = field(default="", repr=False)
    """The secret for watching; known if this object created the game or group."""
    version: str | None = None
    """The version of the state last seen; None before the first answer."""

    kind: ClassVar[str]

    def replace_secret(self, right: Right) -> str:
        """Replace a secret and return the new one; the old one stops working."""
        new = self._replace(right)
        if right == "pen":
            self.secret = new
        else:
            self.watch = new
        return new

    def open_code(self, code: str | None = None) -> shapes.Code:
        """Return a short code that lets somebody watch for a while, or keep one alive."""
        return self._call("POST", "/codes", without_none(code=code)).read(shapes.Code)

    def end_code(self, code: str) -> shapes.Code:
        """End a short code before its time."""
        return self._call("POST", "/codes/end", {"code": code}, idempotent=True).read(shapes.Code)

    def export(self) -> dict[str, Any]:
        """Return everything except the secrets, to be imported elsewhere."""
        return self._get(dict, "/export.json")

    def export_csv(self, table: Table = "rounds") -> str:
        """Return one of its tables as CSV."""
        return self._call("GET", "/export.csv", table=table).body.decode("utf-8-sig")

    def _get(self, kind: type[T], path: str, **query: Any) -> T:
        return self._read(kind, self._call("GET", path, **query))

    def _paper(self, path: str, **query: Any) -> bytes:
        return self._call("GET", path, **query).body

    def _add(self, kind: type[T], path: str, body: Any, key: str | None = None, **query: Any) -> T:
        """Add something, which needs no version."""
        reply = self._call("POST", path, body, key=key or new_key(), **query)
        self._follow(reply)
        return self._read(kind, reply)

    def _replace(self, right: Right | Literal["paper"]) -> str:
        reply = self._call("POST", "/secrets", {"right": right})
        self._follow(reply)
        return reply.read(shapes.Secret)["secret"]

    def _change(self, kind: type[T], method: str, path: str, body: Any = None) -> T:
        """Change the version last seen, fetching it first if there is none."""
        if self.version is None:
            self._call("GET", "")
        return self._call(method, path, body, version=self.version, key=new_key()).read(kind)

    def _call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        version: str | None = None,
        key: str | None = None,
        **about: Any,
    ) -> Reply:
        address = f"/{self.kind}/{self.id}{path}"
        headers = headers_of(self.secret, version, key)
        reply = self.http.call(method, address, body, headers, **about)
        if self.version is None or version is not None:
            self.version = reply.version or self.version
        return reply

    def _follow(self, reply: Reply) -> None:
        """Follow the version after an addition, if nobody else has changed anything meanwhile."""
        if self.version and reply.version == str(int(self.version) + 1):
            self.version = reply.version

    def _read(self, kind: type[T], reply: Reply) -> T:
        """Return the body of an answer; what it shows is known from then on."""
        if kind in STATES:
            self.version = reply.version or self.version
        return reply.read(kind)
