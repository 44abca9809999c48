"""A round can be saved although its form is not judged, or is not valid any more."""

from patience import wait_until
from web.pages.line import IN_A_HURRY, Line, is_saving

FORGED = "document.querySelector('.fast [name=csrf_token]').value = 'of another key'"


def test_a_form_with_an_outdated_token_is_saved_with_a_new_one(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.page.evaluate(FORGED)
    with thumb.page.expect_response(lambda answer: answer.status == 400):
        thumb.quick_round(7)
    thumb.page.locator("#save:enabled").wait_for()

    assert not thumb.page.get_by_text("No connection.").is_visible()
    thumb.save()
    thumb.saved()
    assert table.rounds(board) == 1


SOON_GIVEN_UP = """{
    const abort = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (wait) => abort(wait / 20);
}"""
"""Let the outbox wait half a second only for an answer."""


def test_a_new_token_that_does_not_come_is_asked_for_again(plain, table):
    plain.phone.add_init_script(IN_A_HURRY)
    plain.phone.add_init_script(SOON_GIVEN_UP)
    board = plain.begin()
    plain.open(board)
    plain.page.evaluate(FORGED)
    held = []

    def hold_the_first(route) -> None:
        if route.request.method == "GET" and not held:
            return held.append(route)
        return route.continue_()

    plain.phone.route("**/round", hold_the_first)
    plain.quick_round(7)
    plain.save()
    plain.everything_sent()

    assert held
    assert table.rounds(board) == 1


OFTEN = """{
    const every = setInterval;
    window.setInterval = (call, wait) => every(call, wait / 25);
}"""
"""Ask after the pen ten times a second."""


def test_a_form_that_gets_no_answer_asks_once_at_a_time_and_again(plain):
    """A browser has six connections to a server; the round needs one of them."""
    plain.phone.add_init_script(OFTEN)
    plain.phone.add_init_script(SOON_GIVEN_UP)
    board = plain.begin()
    open_now, most, ended = 0, 0, 0

    def began(request) -> None:
        nonlocal open_now, most
        if request.method == "HEAD":
            open_now += 1
            most = max(most, open_now)

    def failed(request) -> None:
        nonlocal open_now, ended
        if request.method == "HEAD":
            open_now -= 1
            ended += 1

    plain.page.on("request", began)
    plain.page.on("requestfailed", failed)
    plain.phone.route("**/round", lambda route: route.request.method == "HEAD" or route.continue_())
    plain.open(board)
    wait_until(lambda: ended > 2, lambda: plain.page.wait_for_timeout(50))

    assert most == 1


def test_a_round_that_waits_is_sent_although_its_token_is_refused_twice(plain, table):
    """As when the key of the server is replaced while a tab is open."""
    line = Line(plain, table)
    plain.phone.add_init_script(IN_A_HURRY)
    board = plain.begin()
    line.is_down = True
    plain.open(board)
    plain.quick_round(7)
    plain.save()
    plain.page.get_by_text("one round is waiting here").wait_for()
    left = [2]

    def refuse(route) -> None:
        if is_saving(route.request) and left[0]:
            left[0] -= 1
            return route.fulfill(status=400, body="")
        return line.carry(route)

    plain.phone.route("**/round", refuse)
    line.is_down = False
    plain.page.evaluate("dispatchEvent(new Event('online'))")
    plain.everything_sent()

    assert left == [0]
    assert table.rounds(board) == 1


SOON = """{
    const setInTime = setTimeout;
    window.setTimeout = (call, wait, ...more) =>
        setInTime(call, wait === 10000 ? 500 : wait, ...more);
}"""
"""Let a form wait a moment only for its verdict."""


def is_check(request) -> bool:
    return request.method == "POST" and not is_saving(request)


def test_a_form_that_is_not_judged_in_time_can_be_saved(thumb, table):
    """Its checks are never answered; the round itself is."""
    board = thumb.begin()
    thumb.phone.add_init_script(SOON)
    thumb.open(board)
    thumb.phone.route("**/round", lambda route: is_check(route.request) or route.continue_())
    thumb.quick_round(7)
    thumb.page.get_by_text("No connection.").wait_for()
    thumb.page.locator("#save:enabled").wait_for()
    thumb.save()
    thumb.saved()

    assert table.rounds(board) == 1
