"""The connection between a phone and the server, which is cut."""

from contextlib import suppress

from playwright.sync_api import Error

from web.pages.phone import HOME_NETWORK, Table, Thumb

IN_A_HURRY = """{
    const setInTime = setTimeout;
    window.setTimeout = (call, wait, ...more) =>
        setInTime(call, call.name === "send" ? wait / 20 : wait, ...more);
}"""
"""Let the outbox try again soon; its requests have as much time as always."""


def is_saving(request) -> bool:
    return request.method == "POST" and "do=save" in (request.post_data or "")


class Line:
    """The connection between a phone and the server, cut while a round is sent.

    While it is down only pages are loaded. A request that got through would hide the message about
    waiting rounds; the page is shorter then, and a tap at that moment may land elsewhere.
    """

    def __init__(self, thumb: Thumb, table: Table) -> None:
        self.thumb, self.table, self.cut = thumb, table, ""
        self.is_down, self.first = False, 0
        thumb.phone.route("**/round", self.carry)

    def carry(self, route) -> None:
        if self.is_down and not route.request.is_navigation_request():
            return route.abort("connectionrefused")
        if is_saving(route.request) and self.first:  # rounds that get through before the cut
            self.first -= 1
            return self.deliver(route)
        cut, self.cut = (self.cut, "") if is_saving(route.request) else ("", self.cut)
        match cut:
            case "before":
                route.abort("connectionrefused")
            case "after":  # the server has it, the phone never hears of it
                self.fetch(route)
                route.abort("connectionreset")
            case "half way":
                route.fulfill(status=502, body="")
            case "too much":
                route.fulfill(status=429, headers={"Retry-After": "1"}, body="")
            case "never answered":
                self.waiting = route
            case "after, never answered":
                self.fetch(route)
                self.waiting = route
            case "server killed":
                self.table.stop()
                route.abort("connectionreset")
                self.table.start()
            case "server killed after":
                self.fetch(route)
                self.table.stop()
                route.abort("connectionreset")
                self.table.start()
            case _:
                self.deliver(route)

    def deliver(self, route) -> None:
        with suppress(Error):  # its page may be closed by now
            route.continue_()

    def fetch(self, route) -> None:
        """Let the server have a round; only the browser knows the address in a home network."""
        address = route.request.url.replace(HOME_NETWORK, "127.0.0.1")
        route.fetch(url=address, max_redirects=0)
