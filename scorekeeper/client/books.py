"""What games and groups have in common: an id, a secret, and the version that was seen."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeVar

from scorekeeper.client import shapes
from scorekeeper.client.wire import Reply, Wire, new_key

T = TypeVar("T")
Right = Literal["pen", "watch"]
Table = Literal["rounds", "totals", "settlements", "payments"]


@dataclass
class Book:
    """A game or group on the server, opened by one of its secrets.

    A change of what exists names the version that was seen last and is refused as Stale if
    somebody else was faster; every change has a key, so that a repeat changes nothing again.
    """

    wire: Wire = field(repr=False)
    id: str
    secret: str = field(repr=False)
    """The pen or watch."""
    watch: str = field(default="", repr=False)
    """The secret for the others, where this program began or founded it."""
    version: str | None = None
    """What was seen last; None: nothing yet."""

    kind: ClassVar[str]

    def replace_secret(self, right: Right) -> str:
        """A new secret instead of the old one, which opens nothing from now on."""
        told = self._call("POST", "/secrets", {"right": right}).read(shapes.Secret)
        if right == "pen":
            self.secret = told["secret"]
        else:
            self.watch = told["secret"]
        return told["secret"]

    def export(self) -> dict[str, Any]:
        """All of it but its secrets, to be imported elsewhere."""
        return self._get(dict, "/export.json")

    def export_csv(self, table: Table = "rounds") -> str:
        """One of its tables for a spreadsheet."""
        return self._call("GET", "/export.csv", table=table).body.decode()

    def _get(self, kind: type[T], path: str, **query: Any) -> T:
        return self._call("GET", path, **query).read(kind)

    def _paper(self, path: str, **query: Any) -> bytes:
        return self._call("GET", path, **query).body

    def _add(self, kind: type[T], path: str, body: Any, key: str | None = None, **query: Any) -> T:
        """Something more, which needs no version."""
        return self._call("POST", path, body, key=key or new_key(), **query).read(kind)

    def _change(self, kind: type[T], method: str, path: str, body: Any = None) -> T:
        """A change of the version that was seen."""
        if self.version is None:
            self._call("GET", "")
        return self._call(method, path, body, version=self.version, key=new_key()).read(kind)

    def _call(self, method: str, path: str, body: Any = None, **about: Any) -> Reply:
        address = f"/{self.kind}/{self.id}{path}"
        reply = self.wire.call(method, address, body, secret=self.secret, **about)
        self.version = reply.version or self.version
        return reply
