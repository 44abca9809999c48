"""Counting the bytes that a browser transfers."""

from typing import Any


def counting(phone: Any, page: Any) -> tuple[Any, dict[str, int]]:
    """Count the bytes of every answer to a page, headers included, by address.

    An address without an answer yet counts 0. Also return the DevTools session, by which the
    network can be slowed down.
    """
    tools = phone.new_cdp_session(page)
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def sent(request: dict[str, Any]) -> None:
        address = request["request"]["url"]
        addresses[request["requestId"]] = address
        sizes.setdefault(address, 0)

    def got(answer: dict[str, Any]) -> None:
        sizes[addresses[answer["requestId"]]] += answer["encodedDataLength"]

    tools.on("Network.requestWillBeSent", sent)
    tools.on("Network.loadingFinished", got)
    tools.send("Network.enable")
    return tools, sizes
