"""What a browser fetches, counted on the wire."""

from typing import Any


def counting(phone: Any, page: Any) -> tuple[Any, dict[str, int]]:
    """What every answer to a page takes from now on, head and all, by address.

    None has come from an address while it counts nothing. Beside it the line to the
    browser's own tools, by which the net can be made slow.
    """
    tools = phone.new_cdp_session(page)
    asked: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def sent(request: dict[str, Any]) -> None:
        address = request["request"]["url"]
        asked[request["requestId"]] = address
        sizes.setdefault(address, 0)

    def got(answer: dict[str, Any]) -> None:
        sizes[asked[answer["requestId"]]] += answer["encodedDataLength"]

    tools.on("Network.requestWillBeSent", sent)
    tools.on("Network.loadingFinished", got)
    tools.send("Network.enable")
    return tools, sizes
