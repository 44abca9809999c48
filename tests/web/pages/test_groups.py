"""A group on the phone: founded, its evenings in two presses, its members and its money."""

from fractions import Fraction
from random import Random

import pytest

from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import groups
from scorekeeper.store.ledger import Ledger
from scorekeeper.web.pages.money import amount_text
from web.pages.conftest import NAMES, codes
from web.pages.walk import OF_GROUP, PHONE, open_phone

FORMS = ("/members", "/members/1", "/members/1/erase", "/name", "/house", "/new", "/money")


@pytest.fixture
def stammtisch(anna) -> str:
    """Four friends who have not played yet."""
    return anna.found("Donnerstag", NAMES)


def evening(reader, group: str, *points: int, **fields: object) -> str:
    """An evening of one round that is over; whoever has nothing left went out."""
    game = reader.next_evening(group, **{"point_value": "1/10", "unit": "Pf", **fields})
    held = {f"hand-{seat}": str(left) for seat, left in enumerate(points) if left}

    assert reader.enter(game, points.index(0), **held).status_code == 303
    reader.send(f"{game}/end", page=f"{game}/more")
    return game


def names_in(form) -> list[str]:
    return form.getlist("name")


def does(reader, group: str, do: str, **fields: object):
    """Press a button on the page of money."""
    return reader.send(f"{group}/money", do=do, **fields)


def pays(reader, group: str, payer: int, payee: int, amount: str, unit: str = "Pf", **more: object):
    said = {"from": str(payer), "to": str(payee), "amount": amount, "unit": unit, **more}
    return does(reader, group, "pay", **said)


# ---- founded and shared --------------------------------------------------------------


def test_a_founded_group_shows_its_links_once(anna):
    page = anna.send("/groups/new", name="Donnerstag", member=["Anna", "", "Bernd"], do="found")

    assert "Der Stammtisch ist gegründet." in page.text
    assert len(codes(page.text)) == 2
    assert page.text.count('class="qr"') == 2


def test_the_link_of_a_group_leads_to_its_page_and_opens_its_games(anna, bernd):
    page = anna.send("/groups/new", name="Donnerstag", member=["Anna", "Bernd"], do="found")
    watch, _ = codes(page.text)
    group = "/s/" + watch.partition(".")[0]
    game = anna.next_evening(group)
    answer = bernd.send("/enter", code=watch)

    assert (answer.status_code, answer.location) == (303, group)
    assert bernd.get(group).status_code == 200
    assert bernd.get(game).status_code == 200
    assert bernd.get(f"{game}/round").status_code == 403


def test_a_group_is_founded_once_however_often_the_form_is_sent(anna):
    form = anna.filled("/groups/new", name="Donnerstag", member=["Anna", "Bernd"], do="found")
    first, again = anna.post("/groups/new", form), anna.post("/groups/new", form)

    assert (first.status_code, again.status_code) == (200, 303)
    assert f'href="{again.location}"' in first.text
    assert codes(anna.get(f"{again.location}/share").text) == []


@pytest.mark.parametrize(
    ("name", "members", "why"),
    [
        ("", ["Anna"], "leer"),
        ("Donnerstag", ["Anna", "Bernd", "Anna"], "Zwei heißen „Anna“"),
        ("Donnerstag", ["Anna", "x" * 41], "Höchstens 40"),
    ],
)
def test_a_refused_group_keeps_what_was_typed(anna, name, members, why):
    answer = anna.send("/groups/new", name=name, member=members, do="found")

    assert answer.status_code == 422
    assert why in answer.text
    assert anna.form_in(answer)["name"] == name
    assert anna.form_in(answer).getlist("member") == members


def test_a_replaced_link_of_a_group_opens_nothing_any_more(anna, bernd):
    page = anna.send("/groups/new", name="Donnerstag", member=["Anna"], do="found")
    watch, _ = codes(page.text)
    group = "/s/" + watch.partition(".")[0]
    bernd.send("/enter", code=watch)
    new = anna.send(f"{group}/share", right="watch")

    assert len(codes(new.text)) == 1
    assert bernd.get(group).status_code == 404


def test_a_stranger_sees_a_group_as_if_it_were_not_there(bernd, group):
    for path in ("", *OF_GROUP.values()):
        assert bernd.get(group + path).status_code == 404


def test_who_watches_a_group_reads_it_and_finds_nothing_to_press(anna, bernd, group):
    code = codes(anna.send(f"{group}/share", right="watch").text)[0]
    bernd.send("/enter", code=code)
    for path in ("/members", "/money", "/money/0"):
        page = bernd.get(group + path)

        assert page.status_code == 200
        assert 'name="version"' not in page.text
    assert "Du liest mit." in bernd.get(group).text


def test_who_watches_a_group_cannot_write_in_it(anna, bernd, group):
    code = codes(anna.send(f"{group}/share", right="watch").text)[0]
    bernd.send("/enter", code=code)
    token = bernd.form("/enter")
    for path in FORMS:
        answer = bernd.post(group + path, {**token, "key": "k", "version": "1", "do": "pay"})

        assert answer.status_code == 403, path


# ---- home and its own page -----------------------------------------------------------


def test_home_names_groups_and_only_the_games_that_belong_to_none(anna, stammtisch):
    alone = anna.begin(title="Küchentisch")
    inside = anna.next_evening(stammtisch)
    home = anna.get("/").text

    assert home.index("Donnerstag") < home.index("Küchentisch")
    assert f'href="{alone}"' in home
    assert f'href="{inside}"' not in home
    assert "läuft seit" in home


def test_the_page_of_a_group_says_who_owes_and_who_won(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30, title="Erster")
    page = anna.get(stammtisch).text

    assert "Anna gewinnt" in page
    assert "Erster" in page
    for said in ("bekommt", "+6\xa0Pf", "schuldet", "−6\xa0Pf", "Summe 0."):
        assert said in page


def test_an_evening_that_is_over_is_not_read_for_the_page_of_its_group(
    anna, stammtisch, monkeypatch
):
    """What costs the same with 2,000 evenings."""
    over = [evening(anna, stammtisch, 0, 10, 20, 30) for _ in range(2)]
    running = anna.next_evening(stammtisch)
    read, game = [], Ledger.game

    def noted(ledger, game_id):
        read.append(f"/g/{game_id}")
        return game(ledger, game_id)

    monkeypatch.setattr(Ledger, "game", noted)
    page = anna.get(stammtisch).text

    assert read == [running]
    assert all(f"/e/{one[3:]}" in page for one in over)


def test_the_pages_of_a_game_lead_back_to_its_group(anna, stammtisch):
    game = anna.next_evening(stammtisch)
    for path in ("", "/history", "/settlement", "/rules"):
        page = anna.get(game + path).text

        assert f'href="{stammtisch}"' in page, path
        assert "Donnerstag" in page, path


def test_who_was_let_into_the_game_alone_does_not_learn_of_its_group(anna, bernd, stammtisch):
    game = anna.next_evening(stammtisch)
    bernd.send("/enter", code=codes(anna.send(f"{game}/share", right="watch").text)[0])

    assert bernd.get(game).status_code == 200
    assert "Donnerstag" not in bernd.get(game).text + bernd.get(f"{game}/more").text
    assert bernd.get(stammtisch).status_code == 404


def test_a_board_that_is_followed_shows_a_new_name_of_the_group(anna, stammtisch):
    game = anna.next_evening(stammtisch)
    seen = anna.get(game).headers["ETag"]
    anna.send(f"{stammtisch}/name", name="Freitag")
    answer = anna.get(game, **{"If-None-Match": seen})

    assert answer.status_code == 200
    assert "Freitag" in answer.text


# ---- the next evening ----------------------------------------------------------------


def test_the_first_evening_proposes_all_members(anna, stammtisch):
    assert names_in(anna.form(f"{stammtisch}/new")) == list(NAMES)


def test_the_next_evening_is_as_the_last_one_was(anna, stammtisch):
    form = anna.form_in(anna.send(f"{stammtisch}/new", preset="romme-palast", do="rules"))
    form.setlist("name", ["Dieter", "Anna", "Emil"])
    form["point_value"], form["joker.hand_value"], form["do"] = "1/5", "50", "start"
    anna.post(f"{stammtisch}/new", form)
    proposed = anna.form(f"{stammtisch}/new")

    assert names_in(proposed) == ["Dieter", "Anna", "Emil"]
    assert proposed["preset"] == "romme-palast"
    assert (proposed["point_value"], proposed["joker.hand_value"]) == ("1/5", "50")


def test_of_several_games_on_one_day_the_last_one_is_meant(anna, stammtisch):
    for number in range(1, 6):
        anna.next_evening(stammtisch, point_value=f"1/{number}")

    assert anna.form(f"{stammtisch}/new")["point_value"] == "1/5"


def test_an_evening_is_begun_once_however_often_the_form_is_sent(anna, stammtisch):
    form = anna.filled(f"{stammtisch}/new", do="start")
    first, again = (anna.post(f"{stammtisch}/new", form) for _ in range(2))

    assert first.location == again.location
    assert anna.get(stammtisch).text.count('href="/g/') == 1


def test_two_who_begin_the_same_evening_begin_one(anna, stammtisch):
    slow = anna.filled(f"{stammtisch}/new", name=["Anna", "Claire"], place="Küche", do="start")
    anna.next_evening(stammtisch)
    told = anna.post(f"{stammtisch}/new", slow)

    assert told.status_code == 409
    assert "Jemand war schneller:" in told.text
    assert names_in(anna.form_in(told)) == ["Anna", "Claire"]
    assert anna.form_in(told)["place"] == "Küche"
    assert anna.get(stammtisch).text.count('href="/g/') == 1

    form = anna.form_in(told)
    form["do"] = "start"

    assert anna.post(f"{stammtisch}/new", form).status_code == 303


def test_a_refused_evening_keeps_what_was_typed(anna, stammtisch):
    answer = anna.send(f"{stammtisch}/new", name=["Anna", "Anna"], place="Küche", do="start")

    assert answer.status_code == 422
    assert "Zwei heißen „Anna“" in answer.text
    assert anna.form_in(answer)["place"] == "Küche"


def test_members_who_do_not_sit_are_seated_by_a_press(anna, stammtisch):
    form = anna.filled(f"{stammtisch}/new", name=["Anna", ""], do="sit:Claire")

    assert names_in(anna.form_in(anna.post(f"{stammtisch}/new", form))) == ["Anna", "Claire"]


def test_house_rules_begin_the_next_evening(anna, stammtisch):
    anna.next_evening(stammtisch)
    answer = anna.send(f"{stammtisch}/house", point_value="1/4", unit="Pf", do="save")

    assert answer.status_code == 303
    assert anna.form(f"{stammtisch}/new")["point_value"] == "1/4"


def test_refused_house_rules_keep_what_was_typed(anna, stammtisch):
    answer = anna.send(f"{stammtisch}/house", point_value="viel", do="save")

    assert answer.status_code == 422
    assert "Geht nicht:" in answer.text
    assert anna.form_in(answer)["point_value"] == "viel"


def test_training_counts_for_nothing_and_says_so(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30, training="yes")
    page = anna.get(stammtisch).text

    assert "Training" in page
    assert "Alles ist ausgeglichen" in page


# ---- members -------------------------------------------------------------------------


def test_a_member_joins_once_however_often_the_form_is_sent(anna, stammtisch):
    form = anna.filled(f"{stammtisch}/members", name="Emil")
    for _ in range(2):
        assert anna.post(f"{stammtisch}/members", form).status_code == 303

    assert anna.get(f"{stammtisch}/members").text.count("<b>Emil</b>") == 1


@pytest.mark.parametrize(
    ("path", "name", "why"),
    [
        ("/members", "Anna", "Zwei heißen „Anna“"),
        ("/members", "", "leer"),
        ("/members/1", "Anna", "Zwei heißen „Anna“"),
        ("/name", "", "leer"),
    ],
)
def test_a_refused_name_is_kept_as_it_was_typed(anna, stammtisch, path, name, why):
    answer = anna.send(stammtisch + path, name=name)

    assert answer.status_code == 422
    assert why in answer.text
    assert anna.form_in(answer)["name"] == name


def test_a_member_is_called_otherwise_from_now_on(anna, stammtisch):
    game = evening(anna, stammtisch, 0, 10, 20, 30)
    anna.send(f"{stammtisch}/members/1", name="Berni")

    assert "Berni" in anna.get(stammtisch).text
    assert "Bernd" in anna.get(game).text


def test_a_name_is_erased_only_when_asked_for_twice(anna, stammtisch):
    game = evening(anna, stammtisch, 0, 10, 20, 30)
    asked = anna.get(f"{stammtisch}/members/1/erase").text

    assert "Den Namen Bernd löschen?" in asked
    assert "nicht rückgängig" in asked
    assert "Bernd" in anna.get(stammtisch).text

    anna.send(f"{stammtisch}/members/1/erase")
    for path in (stammtisch, game, f"{stammtisch}/money", f"{stammtisch}/season"):
        assert "Bernd" not in anna.get(path).text, path
    assert "Mitglied 2" in anna.get(stammtisch).text


def test_a_member_that_is_not_there_has_no_page(anna, stammtisch):
    for path in ("/members/9", "/members/9/erase", "/money/9"):
        assert anna.get(stammtisch + path).status_code == 404


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/members", {"name": "Emil"}),
        ("/members/1", {"name": "Emil"}),
        ("/members/1/erase", {}),
        ("/name", {"name": "Emil"}),
        ("/house", {"point_value": "1/7", "do": "save"}),
        ("/money", {"from": "0", "to": "1", "amount": "1/7", "unit": "Pf", "do": "pay"}),
    ],
)
def test_whoever_was_slower_is_told_and_loses_nothing(anna, stammtisch, path, fields):
    slow = anna.filled(stammtisch + path, **fields)
    anna.send(f"{stammtisch}/members", name="Schneller")
    told = anna.post(stammtisch + path, slow)
    form = anna.form_in(told)

    assert told.status_code == 409
    assert "Jemand war schneller:" in told.text
    assert all(text in form.getlist(name) for name, text in fields.items() if name != "do")

    for name, text in fields.items():
        form.setlist(name, [text])

    assert anna.post(stammtisch + path, form).status_code == 303


# ---- a game put into a group ---------------------------------------------------------


def put(reader, game: str, **fields: object):
    return reader.send(f"{game}/group", **{"do": "admit", **fields})


def test_an_old_game_is_put_into_the_group_with_who_was_who(anna, stammtisch):
    game = anna.begin(name=["Bernie", "Anna"], point_value="1", unit="Pf")
    anna.enter(game, 0, hand__1="12")
    anna.send(f"{game}/end", page=f"{game}/more")
    proposed = anna.form(f"{game}/group")

    assert (proposed["seat-0"], proposed["seat-1"]) == ("", "0")

    answer = put(anna, game, seat__0="1")

    assert answer.location == stammtisch
    assert "Bernie" not in anna.get(f"{stammtisch}/members").text
    assert "−12\xa0Pf" in anna.get(stammtisch).text


def test_nobody_sits_on_two_seats(anna, stammtisch):
    game = anna.begin(name=["Anna", "Bernd"])
    answer = put(anna, game, seat__0="2", seat__1="2", training="yes")

    assert answer.status_code == 422
    assert "auf zwei Plätzen" in answer.text
    form = anna.form_in(answer)
    assert (form["seat-0"], form["seat-1"], form["training"]) == ("2", "2", "yes")


def test_a_game_is_taken_out_of_its_group_and_its_money_too(anna, stammtisch):
    game = evening(anna, stammtisch, 0, 10, 20, 30)
    form = anna.filled(f"{game}/group", do="release")
    for _ in range(2):
        assert anna.post(f"{game}/group", form).status_code == 303

    page = anna.get(stammtisch).text
    assert anna.get(f"{game}/round/1/correct").status_code == 200
    assert game[3:] not in page
    assert "Alles ist ausgeglichen" in page
    assert "nicht mehr dazugehört" in anna.get(f"{stammtisch}/money").text


def test_only_who_may_write_in_a_group_puts_games_into_it(anna, bernd, stammtisch):
    game = bernd.begin()
    form = bernd.form(f"{game}/more")
    stolen = {**form, "group": stammtisch[3:], "do": "admit", "key": "k", "version": "1"}

    assert bernd.post(f"{game}/group", stolen).status_code == 404
    assert bernd.get(f"{game}/group?group={stammtisch[3:]}").status_code == 404
    assert game[3:] not in anna.get(stammtisch).text


def test_who_has_no_group_is_shown_how_to_found_one(bernd):
    game = bernd.begin()

    assert 'href="/groups/new"' in bernd.get(f"{game}/group").text


def test_one_of_several_groups_is_chosen_first(anna, stammtisch):
    other = anna.found("Freitag", ["Anna"])
    game = anna.begin()
    page = anna.get(f"{game}/group").text

    assert "Zu welchem Stammtisch?" in page
    anna.send(f"{game}/group", page=f"{game}/group?group={other[3:]}", do="admit")
    assert game[3:] in anna.get(other).text


# ---- money ---------------------------------------------------------------------------


def test_the_fewest_payments_are_made_by_one_press_each(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30)
    page = anna.get(f"{stammtisch}/money").text
    presses = page.count('class="tick" name="do" value="pay"')

    assert presses == 2
    for left in (1, 0):
        anna.send(f"{stammtisch}/money", **first_press(anna, stammtisch))
        page = anna.get(f"{stammtisch}/money").text

        assert page.count('class="tick" name="do" value="pay"') == left
    assert "Alles ist ausgeglichen" in page


def first_press(reader, group: str) -> dict[str, str]:
    """The fields of the first payment that is asked for."""
    form = reader.form(f"{group}/money")
    return {name: form[name] for name in ("from", "to", "amount", "unit")} | {"do": "pay"}


def test_a_payment_counts_once_however_often_it_is_sent(anna, stammtisch):
    said = {"from": "0", "to": "1", "amount": "3,20", "unit": "ct", "do": "pay"}
    form = anna.filled(f"{stammtisch}/money", **said)
    for _ in range(2):
        assert anna.post(f"{stammtisch}/money", form).status_code == 303

    assert anna.get(f"{stammtisch}/money").text.count("Anna zahlt Bernd 3,2\xa0ct") == 1


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"amount": "viel"}, "Das ist kein Betrag."),
        ({"amount": "0"}, "größer als 0"),
        ({"amount": ""}, "Hier fehlt etwas."),
        ({"to": "0"}, "Niemand zahlt an sich selbst."),
        ({"to": ""}, "Hier fehlt etwas."),
        ({"unit": ""}, "Hier fehlt etwas."),
        ({"note": "x" * 300}, "zu lang"),
    ],
)
def test_a_refused_payment_keeps_what_was_typed(anna, stammtisch, fields, why):
    typed = {"from": "0", "to": "1", "amount": "3,20", "unit": "ct", "note": "bar", **fields}
    answer = does(anna, stammtisch, "pay", **typed)
    form = anna.form_in(answer)

    assert answer.status_code == 422
    assert why in answer.text
    assert {name: form[name] for name in typed} == typed


def test_units_are_never_mixed(anna, stammtisch):
    pays(anna, stammtisch, 0, 1, "3", "ct")
    pays(anna, stammtisch, 0, 1, "1/10", "DM")
    page = anna.get(f"{stammtisch}/money").text

    assert "Kontostände in ct" in page
    assert "Kontostände in DM" in page
    assert page.count("Summe 0.") == 2


def test_a_unit_is_carried_over_at_the_rate_that_was_agreed(anna, stammtisch):
    pays(anna, stammtisch, 0, 1, "2", "DM")
    refused = does(anna, stammtisch, "convert", **{"unit": "DM", "in": "Pf"})

    assert refused.status_code == 422
    assert "noch kein Kurs" in refused.text

    does(anna, stammtisch, "agree", **{"unit": "DM", "in": "Pf", "rate": "100"})
    assert "1\xa0DM = 100\xa0Pf" in anna.get(f"{stammtisch}/money").text
    does(anna, stammtisch, "convert", **{"unit": "DM", "in": "Pf"})
    page = anna.get(f"{stammtisch}/money").text

    assert "Kontostände in DM" not in page
    assert "+200\xa0Pf" in page
    assert "Umgerechnet: 1\xa0DM = 100\xa0Pf" in page


def test_a_refused_rate_keeps_what_was_typed(anna, stammtisch):
    typed = {"unit": "DM", "in": "DM", "rate": "100"}
    answer = does(anna, stammtisch, "agree", **typed)
    form = anna.form_in(answer)

    assert answer.status_code == 422
    assert "dieselbe Einheit" in answer.text
    assert (form.getlist("unit")[-1], form["rate"], form["in"]) == ("DM", "100", "DM")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_says_where_fewer_payments_might_do(anna, code):
    group = anna.found("Club", [f"M{member}" for member in range(40)])
    ledger, dice = anna.client.application.extensions["ledger"], Random(5)
    with ledger.transaction():
        for member in range(1, 40):
            paid = Fraction(dice.randint(1, 10**6))
            groups.pay(ledger, group[3:], member, 0, paid, "ct", expect=None)

    page = anna.client.get(f"{group}/money", headers={"Accept-Language": code}).text
    assert language(code)("groups.maybe_fewer") in page


def test_everything_is_settled_by_one_press(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30)
    does(anna, stammtisch, "settle", unit="Pf")

    page = anna.get(f"{stammtisch}/money").text
    assert "Alles in Pf ausgeglichen" in page
    assert "Dieter zahlt Anna 6\xa0Pf" in page
    assert "niemand schuldet etwas" in page
    assert does(anna, stammtisch, "settle", unit="Pf").status_code == 422


def test_an_entry_is_taken_back_by_one_more(anna, stammtisch):
    pays(anna, stammtisch, 0, 1, "3", "ct", note="bar")
    number = str(anna.newest_entry(f"{stammtisch}/money"))
    form = anna.filled(f"{stammtisch}/money", do="reverse", number=number)
    for _ in range(2):
        assert anna.post(f"{stammtisch}/money", form).status_code == 303
    page = anna.get(f"{stammtisch}/money").text

    assert f"Zurückgenommen: Nr. {number}, eine Zahlung" in page
    assert "Anna zahlt Bernd 3\xa0ct" in page
    assert "„bar“" in page
    assert f"Nr. {number} zurücknehmen" not in page
    assert "Alles ist ausgeglichen" in page
    again = does(anna, stammtisch, "reverse", number=number)
    assert (again.status_code, "schon zurückgenommen" in again.text) == (422, True)


@pytest.mark.parametrize("number", ["", "x", "0", "999", "9" * 20])
def test_an_entry_that_is_not_there_cannot_be_taken_back(anna, stammtisch, number):
    assert does(anna, stammtisch, "reverse", number=number).status_code in (404, 422)


def test_what_an_evening_booked_is_corrected_in_the_evening(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30)
    page = anna.get(f"{stammtisch}/money").text

    assert "Ergebnis: Abend vom" in page
    assert "zurücknehmen</button>" not in page


def test_a_payment_ticked_in_the_evening_stands_in_the_book(anna, stammtisch):
    game = evening(anna, stammtisch, 0, 10, 20, 30, title="Erster")
    anna.send(f"{game}/settlement/0", page=f"{game}/settlement", paid="yes")

    assert "(abgehakt: Erster)" in anna.get(f"{stammtisch}/money").text


def test_a_statement_says_where_a_member_stood_after_every_entry(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30, title="Erster")
    pays(anna, stammtisch, 3, 0, "2,5")
    page = anna.get(f"{stammtisch}/money/3").text

    assert page.index("Dieter zahlt Anna 2,5\xa0Pf") < page.index("Ergebnis: Erster")
    assert [part.split("</b>")[0] for part in page.split("</small> <b>")[1:]] == [
        "−3,5\xa0Pf",
        "−6\xa0Pf",
    ]
    assert "Bernd" not in page


def test_a_statement_adds_up_what_one_entry_moved_twice(anna, stammtisch):
    evening(anna, stammtisch, 0, 30, 30, name=["Anna", "Bernd", "Claire"])
    does(anna, stammtisch, "settle", unit="Pf")
    page = anna.get(f"{stammtisch}/money/0").text

    assert '<p class="moves">−6\xa0Pf</p>' in page
    assert "Stand jetzt: <b>0</b>" in page


def test_a_press_that_is_none_changes_nothing(anna, stammtisch):
    assert does(anna, stammtisch, "explode").status_code == 400


@pytest.mark.parametrize(
    ("code", "typed", "meant"),
    [
        ("de", "3,20", "3.20"),
        ("de", "3.20", "3.20"),
        ("de", "1.250", "1250"),
        ("de", "1.250,50", "1250.50"),
        ("de", "0.125", "0.125"),
        ("de", ",5", "0.5"),
        ("de", " 1 / 10 ", "1/10"),
        ("lb", "1.250,5", "1250.5"),
        ("en", "3.20", "3.20"),
        ("en", "3,20", "3.20"),
        ("en", "1,250.50", "1250.50"),
        ("en", "-5", "-5"),
    ],
)
def test_an_amount_is_read_as_its_reader_writes_it(code, typed, meant):
    assert amount_text(typed, language(code)) == meant


# ---- in a browser --------------------------------------------------------------------


@pytest.mark.parametrize("script", [True, False])
def test_the_next_evening_is_two_presses_away(chromium, address, anna, stammtisch, script):
    evening(anna, stammtisch, 0, 10, 20, 30)
    phone = open_phone(chromium, address, anna, viewport=PHONE, java_script_enabled=script)
    page = phone.new_page()
    page.goto(stammtisch)
    page.get_by_role("link", name="Neuer Abend wie letztes Mal").click()
    page.locator(".foot").get_by_role("button", name="Abend beginnen").click()

    page.wait_for_url("**/g/*")
    assert page.locator("thead .name").all_text_contents() == list(NAMES)
    phone.close()


def test_a_link_to_a_group_opens_it_at_once(chromium, address, anna, bernd):
    page = anna.send("/groups/new", name="Donnerstag", member=["Anna"], do="found")
    watch, _ = codes(page.text)
    bernd.begin()
    phone = open_phone(chromium, address, bernd)
    page = phone.new_page()
    page.goto(f"/enter#{watch}")

    page.wait_for_url("**/s/*")
    assert page.get_by_role("heading", name="Donnerstag").is_visible()
    phone.close()
