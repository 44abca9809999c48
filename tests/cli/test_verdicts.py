"""The referee on the command line: single questions as text, batches as JSON lines."""

import json
from io import BytesIO
from typing import Any

import pytest
from click.testing import Result

from commands import run
from scorekeeper.cli.referee import count_lines
from scorekeeper.domain.cards.names import spell
from scorekeeper.domain.cards.notation import read_cards
from scorekeeper.i18n import LANGUAGES, language


def test_a_meld_is_named_with_its_joker_and_the_rule():
    result = run("meld", "8H", "9H", "JK")

    assert result.exit_code == 0
    assert "Valid: Run. Worth 27 points when melded." in result.output
    assert "8♥ 9♥ Joker=10♥" in result.output
    assert "Rasche, §\N{NO-BREAK SPACE}7i" in result.output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cards_that_are_no_meld_get_a_reason_and_a_remedy(lang):  # M08
    cards = [spell(card, language(lang).notation) for card in read_cards("8H 9H JK JK")[0]]

    result = run("meld", "--preset", "romme-palast", *cards, lang=lang)

    assert result.exit_code == 0
    assert result.output.startswith(language(lang)("referee.is_none"))
    assert "(Rommé Palast)" in result.output
    assert language(lang)("referee.laid_so") in result.output


def test_cards_are_read_in_the_notation_of_the_language_or_as_stated():
    words = run("meld", "Herz-Dame", "Kreuz 9", "KaD", lang="de").output
    english = run("meld", "QH", "QS", "QC", "--notation", "en", lang="de").output
    french = run("meld", "DCo", "dame de pique", "DT", lang="fr").output

    assert "Keine Reihe" in words
    assert english.startswith("Gilt: Satz.")
    assert french.startswith("Valable\u202f: Brelan ou carré.")


def test_a_hand_is_arranged_with_first_melds_and_ways_out():
    result = run("arrange", "10H JH QH 4C 4S 4D 2H")

    assert result.exit_code == 0
    assert result.output.startswith("2 points are left.")
    assert "Run: 10♥ J♥ Q♥" in result.output
    assert "(40 points needed): 42 at least, 42 at most." in result.output
    assert "with this discard: 2 of hearts." in result.output


def test_house_rules_and_the_table_are_taken_into_account():
    table = ("--preset", "gin-palast", "--table", "4S 5S 6S")

    assert run("arrange", "7S", *table).output.startswith("Nothing is left.")
    joker = ("arrange", "JK", "--preset", "wiener", "--option", "joker.hand_value=50")
    assert run(*joker).output.startswith("50 points are left.")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("arrange",), "Name the cards"),
        (("arrange", "7H", "7H", "--preset", "gin-palast"), "has only 1"),
        (("arrange", "7X"), "is not a card"),
        (("meld", "7H", "--preset", "bridge"), "bridge"),
        (("meld", "7H", "--option", "deck.jokers"), "needs a name and a value"),
        (("meld", "7H", "--option", "x.y=1"), "x.y"),
        (("arrange", "2C..KC", "AD..KD"), "at most 24"),
        (("arrange", "--batch", "no/such/file"), "no/such/file"),
    ],
)
def test_an_invalid_question_exits_with_1(arguments, words):
    result = run(*arguments)

    assert result.exit_code == 1
    assert words in result.output


def batch(command: str, *lines: object, **more: Any) -> tuple[Result, list[Any]]:
    given = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in lines)
    result = run(command, "--batch", input=given, **more)
    return result, [json.loads(line) for line in result.stdout.splitlines()]


def test_a_batch_answers_line_by_line_like_rest():
    wiener = {"preset": "wiener"}
    result, answers = batch(
        "arrange",
        {"cards": "KH KD KS 2C", "has_laid": True},
        {"cards": ["QD", "5H"], "rules": wiener},
    )

    assert result.exit_code == 0
    assert result.stderr == ""
    assert [answer["points"] for answer in answers] == [2, 15]
    assert answers[0]["rest"] == ["2C"]


def test_an_invalid_line_is_reported_and_the_others_are_answered():
    result, answers = batch(
        "meld", {"cards": "7H 8H 9H"}, "", "{bad", "[]", {"cards": 5}, {"cards": "7S 7H 7D"}
    )

    assert result.exit_code == 1
    assert [answer.get("valid") for answer in answers] == [True, None, None, None, True]
    assert [answer["line"] for answer in answers[1:4]] == [3, 4, 5]
    assert [answer["problems"][0]["code"] for answer in answers[1:4]] == ["E_FORM"] * 3
    assert "Lines not answered, of 5: 3" in result.stderr


def test_a_batch_can_be_read_from_a_file(tmp_path):
    file = tmp_path / "hands.jsonl"
    file.write_text('{"cards": "7H 8H 9H"}\n{"cards": "7H 8H 9S"}\n', "utf-8")

    result = run("meld", "--batch", str(file), lang="lb")

    assert result.exit_code == 0
    valid = [json.loads(line)["valid"] for line in result.stdout.splitlines()]
    assert valid == [True, False]


def test_lines_of_a_file_are_counted_before_it_is_read():
    lines = BytesIO(b'{"cards":"8H"}\n\n{"cards":"9H"}\n')

    assert count_lines(lines) == 2
    assert lines.tell() == 0


# ---- a whole turn ------------------------------------------------------------------------

TAKEN = ("--drawn", "9D", "--before", "6D 7D 8D", "--after", "6D 7D 8D")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--preset", "robber", *TAKEN), "must be melded in the same turn"),
        (("--preset", "robber", "--drawn", "stock", "--discard", "KC"), "The turn is allowed."),
        (("--drawn", "none"), "Nothing was drawn"),
        (("--drawn", "stock", "--drawn", "7C"), "2 cards drawn"),
        (("--melds-first",), "Draw first"),
        (("--out-of-turn", "--after", "7H 8H 9H", "7H 8H 9H"), "Only the player whose turn it is"),
        (
            ("--preset", "luxembourg", "--drawn", "7C", "--discard", "7C"),
            "may not go straight back",
        ),
        (("--discard", "none", "--left", "0"), "must still discard"),
        (("--claim", "7C", "--option", "klopfen.mode=rasche", "--refused"), "did not allow"),
        (("--own", "9H JK=10H JH", "--after", "9H 10H JH", "10H", "--to-hand", "JK"), "allowed."),
        (
            ("--first", "--before", "7H 8H 9H", "--after", "6H..9H", "6H"),
            "melded in an earlier turn",
        ),
        (
            (
                "--preset",
                "gin-palast",
                "--option",
                "gin.glass=true",
                "--glass",
                "7",
                "--glass",
                "H",
            ),
            "called 2 times",
        ),
        (
            ("--preset", "gin-palast", "--option", "gin.hirschn=true", "--hirschn", "--knock"),
            "in the same turn",
        ),
    ],
)
def test_a_turn_is_judged_in_a_terminal(arguments, words):
    result = run("turn", *arguments)

    assert result.exit_code == 0
    assert words in result.output


def test_a_refused_turn_names_the_rule_and_what_would_be_allowed():
    output = run("turn", "--notation", "en", "--preset", "robber", *TAKEN, lang="de").output

    assert "Regel: Den Abwurf darf nur nehmen, wer ihn im selben Zug meldet (Rasche, §" in output
    assert "Erlaubt wäre" in output
    assert "Karo 9 sofort anlegen, an Karo 6, Karo 7, Karo 8" in output


def test_turns_are_judged_in_a_batch():
    result, answers = batch("turn", {"drawn": []}, {"drawn": [{"from": "stock"}]}, {})

    assert result.exit_code == 1
    assert [answer.get("allowed") for answer in answers] == [False, True, None]
