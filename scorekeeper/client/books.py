"""The base of games and groups: an id, a secret, and the version last seen."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeVar

from . import shapes
from .http import HttpClient, Reply, headers_of, new_key, without_none

T = TypeVar("T")
Right = Literal["pen", "watch"]
Table = Literal["rounds", "totals", "settlements", "payments"]


@dataclass
class Book:
    """A game or group on the server, opened with one of its secrets.

    A change of existing data sends the version last seen and raises Stale if it is outdated.
    Every change has an idempotency key, so that it can safely be sent again.
    """

    http: HttpClient = field(repr=False)
    id: str
    secret: str = field(repr=False)
    """The secret to write (pen) or to watch with."""
    watch: str = field(default="", repr=False)
    """The secret for watching; known if this object created the game or group."""
    version: str | None = None
    """The version last seen; None before the first answer."""

    kind: ClassVar[str]

    def replace_secret(self, right: Right) -> str:
        """Replace a secret and return the new one; the old one stops working."""
        answer = self._call("POST", "/secrets", {"right": right}).read(shapes.Secret)
        if right == "pen":
            self.secret = answer["secret"]
        else:
            self.watch = answer["secret"]
        return answer["secret"]

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
        return self._call("GET", "/export.csv", table=table).body.decode()

    def _get(self, kind: type[T], path: str, **query: Any) -> T:
        return self._call("GET", path, **query).read(kind)

    def _paper(self, path: str, **query: Any) -> bytes:
        return self._call("GET", path, **query).body

    def _add(self, kind: type[T], path: str, body: Any, key: str | None = None, **query: Any) -> T:
        """Add something, which needs no version."""
        return self._call("POST", path, body, key=key or new_key(), **query).read(kind)

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
        self.version = reply.version or self.version
        return reply
