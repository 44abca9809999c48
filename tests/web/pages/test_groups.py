"""A group on the phone: founding it, its evenings and its members."""

import pytest

from scorekeeper.store.ledger import Ledger
from web.pages.conftest import NAMES, codes, evening
from web.pages.walk import OF_GROUP, PHONE, open_phone

FORMS = ("/members", "/members/1", "/members/1/erase", "/name", "/house", "/new", "/money")


def names_in(form) -> list[str]:
    return form.getlist("name")


# ---- founded and shared ------------------------------------------------------------


def test_a_founded_group_shows_its_link_to_watch(anna):
    page = anna.send("/groups/new", name="Kegelclub", member=["Anna", "", "Bernd"], do="found")

    assert "Der Stammtisch ist gegründet." in page.text
    assert len(codes(page.text)) == 1
    assert page.text.count('class="qr"') == 1


def test_the_link_of_a_group_leads_to_its_page_and_opens_its_games(anna, bernd):
    group = anna.found("Kegelclub", ["Anna", "Bernd"])
    watch = anna.code(group)
    game = anna.next_evening(group)
    answer = bernd.send("/enter", code=watch)

    assert (answer.status_code, answer.location) == (303, group)
    assert bernd.get(group).status_code == 200
    assert bernd.get(game).status_code == 200
    assert bernd.get(f"{game}/round").status_code == 403
    links = [reader.get("/evenings").text.split(f'href="{group}"')[1] for reader in (anna, bernd)]
    assert ["liest mit" in link.split("</a>")[0] for link in links] == [False, True]


def test_a_repeated_form_founds_one_group(anna):
    form = anna.filled("/groups/new", name="Kegelclub", member=["Anna", "Bernd"], do="found")
    first, again = anna.post("/groups/new", form), anna.post("/groups/new", form)

    assert (first.status_code, again.status_code) == (200, 303)
    assert f'href="{again.location}"' in first.text


@pytest.mark.parametrize(
    ("name", "members", "why"),
    [
        ("", ["Anna"], "leer"),
        ("Kegelclub", ["Anna", "Bernd", "Anna"], "Zwei heißen „Anna“"),
        ("Kegelclub", ["Anna", "x" * 41], "Höchstens 40"),
    ],
)
def test_a_refused_group_keeps_what_was_typed(anna, name, members, why):
    answer = anna.send("/groups/new", name=name, member=members, do="found")

    assert answer.status_code == 422
    assert why in answer.text
    assert anna.form_in(answer)["name"] == name
    assert anna.form_in(answer).getlist("member") == members


def test_a_replaced_link_of_a_group_no_longer_opens_it(anna, bernd):
    group = anna.found("Kegelclub", ["Anna"])
    bernd.send("/enter", code=anna.code(group))
    anna.new_code(group)

    assert bernd.get(group).status_code == 404


def test_a_group_is_not_found_without_a_right(bernd, group):
    for path in ("", *OF_GROUP.values()):
        assert bernd.get(group + path).status_code == 404


def test_watchers_of_a_group_see_no_buttons(anna, bernd, group):
    bernd.send("/enter", code=anna.code(group))
    for path in ("/members", "/money", "/money/0"):
        page = bernd.get(group + path)

        assert page.status_code == 200
        assert 'name="version"' not in page.text
    assert "Du liest mit." in bernd.get(group).text


def test_watchers_of_a_group_cannot_write_in_it(anna, bernd, group):
    bernd.send("/enter", code=anna.code(group))
    token = bernd.form("/enter")
    for path in FORMS:
        answer = bernd.post(group + path, {**token, "key": "k", "version": "1", "do": "pay"})

        assert answer.status_code == 403, path


# ---- home and its own page ---------------------------------------------------------


def test_the_list_names_groups_and_only_the_games_that_belong_to_none(anna, stammtisch):
    alone = anna.begin(title="Küchentisch")
    inside = anna.next_evening(stammtisch)
    home = anna.get("/evenings").text

    assert home.index("Kegelclub") < home.index("Küchentisch")
    assert f'href="{alone}"' in home
    assert f'href="{inside}"' not in home
    assert "läuft seit" in home


def test_the_page_of_a_group_shows_debts_and_winners(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30, title="Erster")
    page = anna.get(stammtisch).text

    assert "Anna gewinnt" in page
    assert "Erster" in page
    for said in ("bekommt", "+6\xa0Pf", "schuldet", "−6\xa0Pf", "Summe 0."):
        assert said in page


def test_the_page_of_a_group_does_not_replay_finished_evenings(anna, stammtisch, monkeypatch):
    """The queries that must not grow with 2,000 evenings."""
    over = [evening(anna, stammtisch, 0, 10, 20, 30) for _ in range(2)]
    running = anna.next_evening(stammtisch)
    read, book = [], Ledger.book

    def noted(ledger, book_id):
        read.append(f"/g/{book_id}")
        return book(ledger, book_id)

    monkeypatch.setattr(Ledger, "book", noted)
    page = anna.get(stammtisch).text

    assert {one for one in read if one in (running, *over)} == {running}
    assert all(f"/e/{one[3:]}" in page for one in over)


def test_the_pages_of_a_game_link_to_its_group(anna, stammtisch):
    game = anna.next_evening(stammtisch)
    for path in ("", "/history", "/settlement", "/rules"):
        page = anna.get(game + path).text

        assert f'href="{stammtisch}"' in page, path
        assert "Kegelclub" in page, path


def test_a_link_to_a_game_does_not_reveal_its_group(anna, bernd, stammtisch):
    game = anna.next_evening(stammtisch)
    bernd.send("/enter", code=anna.code(game))

    assert bernd.get(game).status_code == 200
    assert "Kegelclub" not in bernd.get(game).text + bernd.get(f"{game}/more").text
    assert bernd.get(stammtisch).status_code == 404


def test_an_open_board_shows_a_new_name_of_the_group(anna, stammtisch):
    game = anna.next_evening(stammtisch)
    seen = anna.get(game).headers["ETag"]
    anna.send(f"{stammtisch}/name", name="Freitag")
    answer = anna.get(game, **{"If-None-Match": seen})

    assert answer.status_code == 200
    assert "Freitag" in answer.text


# ---- the next evening --------------------------------------------------------------


def test_the_first_evening_proposes_all_members(anna, stammtisch):
    assert names_in(anna.form(f"{stammtisch}/new")) == list(NAMES)


def test_the_next_evening_is_prefilled_from_the_last_one(anna, stammtisch):
    form = anna.form_in(anna.send(f"{stammtisch}/new", preset="romme-palast", do="rules"))
    form.setlist("name", ["Dieter", "Anna", "Emil"])
    form["point_value"], form["joker.hand_value"], form["do"] = "1/5", "50", "start"
    form["money"] = "yes"
    anna.post(f"{stammtisch}/new", form)
    proposed = anna.form(f"{stammtisch}/new")

    assert names_in(proposed) == ["Dieter", "Anna", "Emil"]
    assert proposed["preset"] == "romme-palast"
    assert (proposed["point_value"], proposed["joker.hand_value"]) == ("1/5", "50")


def test_the_next_evening_is_prefilled_from_the_last_game_of_a_day(anna, stammtisch):
    for number in range(1, 6):
        anna.next_evening(stammtisch, point_value=f"1/{number}")

    assert anna.form(f"{stammtisch}/new")["point_value"] == "1/5"


def test_a_repeated_form_begins_one_evening(anna, stammtisch):
    form = anna.filled(f"{stammtisch}/new", do="start")
    first, again = (anna.post(f"{stammtisch}/new", form) for _ in range(2))

    assert first.location == again.location
    assert anna.get(stammtisch).text.count('href="/g/') == 1


def test_two_phones_that_begin_the_same_evening_begin_one(anna, stammtisch):
    slow = anna.filled(f"{stammtisch}/new", name=["Anna", "Claire"], place="Küche", do="start")
    anna.next_evening(stammtisch)
    answer = anna.post(f"{stammtisch}/new", slow)

    assert answer.status_code == 409
    assert "Jemand war schneller:" in answer.text
    assert names_in(anna.form_in(answer)) == ["Anna", "Claire"]
    assert anna.form_in(answer)["place"] == "Küche"
    assert anna.get(stammtisch).text.count('href="/g/') == 1

    form = anna.form_in(answer)
    form["do"] = "start"

    assert anna.post(f"{stammtisch}/new", form).status_code == 303


def test_a_refused_evening_keeps_what_was_typed(anna, stammtisch):
    answer = anna.send(f"{stammtisch}/new", name=["Anna", "Anna"], place="Küche", do="start")

    assert answer.status_code == 422
    assert "Zwei heißen „Anna“" in answer.text
    assert anna.form_in(answer)["place"] == "Küche"


def test_absent_members_can_be_seated_with_one_button(anna, stammtisch):
    form = anna.filled(f"{stammtisch}/new", name=["Anna", ""], do="sit:Claire")

    assert names_in(anna.form_in(anna.post(f"{stammtisch}/new", form))) == ["Anna", "Claire"]


def test_the_next_evening_uses_the_house_rules(anna, stammtisch):
    anna.next_evening(stammtisch)
    answer = anna.send(f"{stammtisch}/house", point_value="1/4", unit="Pf", do="save")

    assert answer.status_code == 303
    assert anna.form(f"{stammtisch}/new")["point_value"] == "1/4"


def test_refused_house_rules_keep_what_was_typed(anna, stammtisch):
    answer = anna.send(f"{stammtisch}/house", point_value="viel", do="save")

    assert answer.status_code == 422
    assert "Geht nicht:" in answer.text
    assert anna.form_in(answer)["point_value"] == "viel"


def test_training_does_not_count_and_is_marked(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30, training="yes")
    page = anna.get(stammtisch).text

    assert "Training" in page
    assert "Alles ist ausgeglichen" in page


# ---- members -----------------------------------------------------------------------


def test_a_repeated_form_adds_one_member(anna, stammtisch):
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
def test_a_refused_name_stays_in_the_form(anna, stammtisch, path, name, why):
    answer = anna.send(stammtisch + path, name=name)

    assert answer.status_code == 422
    assert why in answer.text
    assert anna.form_in(answer)["name"] == name


def test_a_member_can_be_renamed(anna, stammtisch):
    game = evening(anna, stammtisch, 0, 10, 20, 30)
    anna.send(f"{stammtisch}/members/1", name="Berni")

    assert "Berni" in anna.get(stammtisch).text
    assert "Bernd" in anna.get(game).text


def test_a_name_is_erased_only_after_a_confirmation(anna, stammtisch):
    game = evening(anna, stammtisch, 0, 10, 20, 30)
    page = anna.get(f"{stammtisch}/members/1/erase").text

    assert "Den Namen Bernd löschen?" in page
    assert "nicht rückgängig" in page
    assert "Bernd" in anna.get(stammtisch).text

    anna.send(f"{stammtisch}/members/1/erase")
    for path in (stammtisch, game, f"{stammtisch}/money", f"{stammtisch}/season"):
        assert "Bernd" not in anna.get(path).text, path
    assert "Mitglied 2" in anna.get(stammtisch).text


def test_an_unknown_member_has_no_page(anna, stammtisch):
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
def test_an_outdated_group_form_is_refused_and_loses_nothing(anna, stammtisch, path, fields):
    slow = anna.filled(stammtisch + path, **fields)
    anna.send(f"{stammtisch}/members", name="Schneller")
    answer = anna.post(stammtisch + path, slow)
    form = anna.form_in(answer)

    assert answer.status_code == 409
    assert "Jemand war schneller:" in answer.text
    assert all(text in form.getlist(name) for name, text in fields.items() if name != "do")

    for name, text in fields.items():
        form.setlist(name, [text])

    assert anna.post(stammtisch + path, form).status_code == 303


# ---- a game put into a group -------------------------------------------------------


def put(reader, game: str, **fields: object):
    return reader.send(f"{game}/group", **{"do": "admit", **fields})


def test_a_game_can_be_added_to_the_group_with_its_players_as_members(anna, stammtisch):
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


def test_removing_a_game_from_its_group_removes_its_bookings(anna, stammtisch):
    game = evening(anna, stammtisch, 0, 10, 20, 30)
    form = anna.filled(f"{game}/group", do="release")
    for _ in range(2):
        assert anna.post(f"{game}/group", form).status_code == 303

    page = anna.get(stammtisch).text
    assert anna.get(f"{game}/round/1/correct").status_code == 200
    assert game[3:] not in page
    assert "Alles ist ausgeglichen" in page
    assert "nicht mehr dazugehört" in anna.get(f"{stammtisch}/money").text


def test_adding_a_game_needs_the_pen_of_the_group(anna, bernd, stammtisch):
    game = bernd.begin()
    form = bernd.form(f"{game}/more")
    stolen = {**form, "group": stammtisch[3:], "do": "admit", "key": "k", "version": "1"}

    assert bernd.post(f"{game}/group", stolen).status_code == 404
    assert bernd.get(f"{game}/group?group={stammtisch[3:]}").status_code == 404
    assert game[3:] not in anna.get(stammtisch).text


def test_without_a_group_the_page_links_to_founding_one(bernd):
    game = bernd.begin()

    assert 'href="/groups/new"' in bernd.get(f"{game}/group").text


def test_one_of_several_groups_is_chosen_first(anna, stammtisch):
    other = anna.found("Freitag", ["Anna"])
    game = anna.begin()
    page = anna.get(f"{game}/group").text

    assert "Zu welchem Stammtisch?" in page
    anna.send(f"{game}/group", page=f"{game}/group?group={other[3:]}", do="admit")
    assert game[3:] in anna.get(other).text


# ---- in a browser ------------------------------------------------------------------


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


def test_pasting_a_link_to_a_group_opens_it(chromium, address, anna, bernd):
    watch = anna.code(anna.found("Kegelclub", ["Anna"]))
    bernd.begin()
    phone = open_phone(chromium, address, bernd)
    page = phone.new_page()
    page.goto(f"/enter#{watch}")

    page.wait_for_url("**/s/*")
    assert page.get_by_role("heading", name="Kegelclub").is_visible()
    phone.close()


# ---- retiring ------------------------------------------------------------------------


def retire(anna, stammtisch, member, retired="yes"):
    page = f"{stammtisch}/members/{member}"
    return anna.send(f"{page}/retire", page=page, retired=retired)


def test_a_retired_member_is_not_proposed_and_stays_in_the_list(anna, stammtisch):
    answer = retire(anna, stammtisch, 1)
    members, form = anna.get(f"{stammtisch}/members").text, anna.form(f"{stammtisch}/new")

    assert answer.location == f"{stammtisch}/members"
    assert names_in(form) == [NAMES[0], *NAMES[2:]]
    assert f'value="sit:{NAMES[1]}"' not in anna.get(f"{stammtisch}/new").text
    assert members.index(NAMES[-1]) < members.index("Spielen nicht mehr mit")
    assert members.index("Spielen nicht mehr mit") < members.index(NAMES[1])
    assert "Ist wieder dabei" in anna.get(f"{stammtisch}/members/1").text


def test_the_next_evening_leaves_out_who_has_retired_since_the_last(anna, stammtisch):
    anna.next_evening(stammtisch)
    retire(anna, stammtisch, 0)

    assert names_in(anna.form(f"{stammtisch}/new")) == list(NAMES[1:])


def test_a_retired_member_comes_back(anna, stammtisch):
    retire(anna, stammtisch, 1)
    retire(anna, stammtisch, 1, retired="no")

    assert names_in(anna.form(f"{stammtisch}/new")) == list(NAMES)


def test_a_member_is_renamed_at_all_evenings_on_request(anna, stammtisch):
    first = anna.next_evening(stammtisch)
    anna.send(f"{stammtisch}/members/1", name="Benno")
    kept = anna.get(first).text
    anna.send(f"{stammtisch}/members/0", name="Annemarie", everywhere="yes")

    assert "Benno" not in kept
    assert "Annemarie" in anna.get(first).text


def test_a_name_that_was_not_sent_is_not_invented(anna, stammtisch):
    form = anna.filled(f"{stammtisch}/members")
    form.pop("name")

    assert anna.post(f"{stammtisch}/members", form).status_code == 422
