"""Orders for pads, and the pads and rules cards that are printed for them."""

from typing import Any

import pytest

from pdf.paper import Print
from scorekeeper.domain.errors import RuleError
from scorekeeper.i18n import language
from scorekeeper.services.printing import pad_order, printed_card, printed_pad

ENGLISH = language("en")


def pad(preset: str, **order: Any) -> Print:
    return Print(printed_pad(preset, pad_order(order), ENGLISH))


def refused(preset: str, **order: Any) -> tuple[str, tuple[object, ...], dict[str, object]]:
    with pytest.raises(RuleError) as error:
        pad(preset, **order)
    (problem,) = error.value.problems
    return problem.code, tuple(problem.path), dict(problem.facts)


def test_partners_share_a_column_of_the_pad() -> None:
    paper = pad("gin-palast", teams="yes", names="Anna,Bernd,Claire,Dieter").text

    assert "Anna + Claire" in paper
    assert "Bernd + Dieter" in paper


def test_a_partner_without_a_name_leaves_the_column_to_the_other() -> None:
    paper = pad("gin-palast", teams="yes", names="Anna,Bernd,,Dieter").text

    assert "Bernd + Dieter" in paper
    assert "Anna +" not in paper and "+ Anna" not in paper


@pytest.mark.parametrize(
    ("preset", "order", "columns"),
    [
        ("german-family", {}, 4),
        ("chinchon", {}, 4),
        ("german-family", {"players": "2"}, 2),
        ("german-family", {"names": "Anna,Bernd,Claire,Dora,Emil"}, 5),
        ("german-family", {"players": "3", "names": "Anna"}, 3),
        ("german-family", {"players": "2", "names": "Anna,,Zoë"}, 3),
    ],
)
def test_a_pad_has_a_column_for_everybody_and_usually_four(
    preset: str, order: dict[str, str], columns: int
) -> None:
    paper = pad(preset, **order).text

    assert "No." + columns * " Round Total" + " 1 2 3" in paper


def test_gin_has_a_column_for_each_of_its_two_players() -> None:
    assert "No." + 2 * " Deadwood K G U Total" + " 1 2 3" in pad("gin-palast").text


def test_more_may_play_than_usual_if_the_cards_suffice() -> None:
    assert "− 7 × one’s own" in pad("german-family", players="7").text
    code, path, facts = refused("chinchon", names="a,b,c,d,e,f,g,h")

    assert (code, path) == ("E_CONFIG", ("players",))
    assert facts["why"] == "deck_too_small"
    assert refused("gin-palast", teams="yes", names="a,b,c") == (
        "E_CONFIG", ("players",), {"why": "player_count", "count": 3, "least": 4, "most": 4}
    )  # fmt: skip


def test_a_pad_without_a_stake_has_no_rows_for_money() -> None:
    with_stake, without = (pad("german-family", stake=stake).text for stake in ("yes", "no"))

    for words in ("Stake", "Balance", "Amount"):
        assert words in with_stake and words not in without


def test_three_games_of_gin_stand_side_by_side() -> None:
    assert "Game 1 Game 2 Game 3" in pad("gin-american", hollywood="yes").text
    assert "Game 1" not in pad("gin-american").text


def test_size_sheets_and_pages_are_those_of_the_order() -> None:
    usual = pad("german-family").reader.pages
    order = pad("german-family", size="A6", up="4", pages="3").reader.pages

    assert [[round(float(n)) for n in page.mediabox[2:]] for page in usual] == [[420, 595]]
    assert [[round(float(n)) for n in page.mediabox[2:]] for page in order] == [[595, 842]] * 3


@pytest.mark.parametrize(
    ("order", "facts"),
    [
        ({"names": 5}, {"why": "type", "expected": "string"}),
        ({"names": "a,b,c,d,e,f,g,h,i"}, {"why": "length", "least": 0, "most": 8}),
        ({"names": 281 * "a"}, {"why": "length", "least": 0, "most": 8}),
        ({"names": 41 * "a"}, {"why": "length", "least": 1, "most": 40}),
        ({"names": ["Anna", "\x00"]}, {"why": "text"}),
        ({"up": "3"}, {"why": "choice", "allowed": ("1", "2", "4")}),
        ({"players": "1"}, {"why": "choice", "allowed": tuple("2345678")}),
        ({"stake": "maybe"}, {"why": "choice", "allowed": ("no", "yes")}),
        ({"pages": "21"}, {"why": "choice", "allowed": tuple(map(str, range(1, 21)))}),
    ],
)
def test_an_order_is_refused_with_the_reason_at_its_field(
    order: dict[str, Any], facts: dict[str, object]
) -> None:
    assert refused("robber", **order) == ("E_FORM", tuple(order), facts)


def test_names_come_as_a_list_or_with_commas_and_as_long_as_allowed() -> None:
    long = [letter * 35 for letter in "abcdefgh"]

    assert pad_order({"names": " Anna,, Zoë "}).names == ("Anna", "", "Zoë")
    assert pad_order({"names": ["Anna", "", "Zoë"]}).names == ("Anna", "", "Zoë")
    assert pad_order({"names": long}).names == tuple(long)
    assert pad_order({"names": " "}).names == ()


def test_a_rules_card_is_about_its_rule_system() -> None:
    card = Print(printed_card("robber", ENGLISH))

    assert card.text.startswith("Robber Rommé Rules card For 2 to 6 players.")
    assert len(card.reader.pages) == 1
