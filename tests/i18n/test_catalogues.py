"""The catalogues: every code, option and reason has its sentence in every language."""

import re
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest
from babel.numbers import get_decimal_symbol
from hypothesis import given
from hypothesis import strategies as st

import scorekeeper
from findings import declared_findings
from scorekeeper.client.games import Language as ClientLanguage
from scorekeeper.domain import melds
from scorekeeper.domain.cards import notation
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.melds import read_meld
from scorekeeper.domain.referee import findings, turn
from scorekeeper.domain.rounds.facts import ScoreLine
from scorekeeper.domain.rules import FAMILIES, OPTIONS, RuleSet
from scorekeeper.domain.rules.kinds import Choice, Flag
from scorekeeper.domain.rules.presets import GERMAN_FAMILY, PRESETS, deviations, preset, remarks
from scorekeeper.i18n import (
    LANGUAGES,
    Language,
    MissingTranslation,
    catalogue,
    catalogue_problems,
    language,
)
from scorekeeper.i18n.formats import most_decimals
from scorekeeper.i18n.languages import TRAITS
from scorekeeper.wording.endings import TAKES_THE_LEAD

CODES = (Path(__file__).parents[1] / "data" / "codes.txt").read_text(encoding="utf-8").split()
HTTP = (400, 401, 403, 404, 405, 412, 413, 415, 422, 428, 429, 500, 501, 503, 507)
HEART_TEN = Card(Rank.TEN, Suit.HEARTS)
HEART_QUEEN = Card(Rank.QUEEN, Suit.HEARTS)
SPADE_SEVEN = Card(Rank.SEVEN, Suit.SPADES)

every_language = pytest.mark.parametrize(
    "lang", [language(code) for code in LANGUAGES], ids=LANGUAGES
)


@pytest.fixture
def de() -> Language:
    return language("de")


# ---- nothing is missing --------------------------------------------------------------


def test_the_catalogues_of_all_languages_match() -> None:
    assert catalogue_problems() == []


@every_language
def test_the_story_of_an_evening_fits_a_player_and_a_team(lang: Language) -> None:
    """A team has two names: no verb depends on ``{player}`` unless its sentence has a plural."""
    subject = re.compile(r"(^|[.!:] |\n){player}")
    sentences = [
        text
        for key, texts in catalogue.read_catalogue(lang.code).items()
        if key.startswith(("end.story.", "season.story.", "W_WINNER_PAYS"))
        and key != "end.story.hand_romme"  # no game in teams has it
        and not key.endswith(tuple(f"end.story.{code}" for code in TAKES_THE_LEAD))
        for text in texts
    ]

    assert len(sentences) > 30
    assert [text for text in sentences if subject.search(text)] == []


@every_language
def test_no_finding_repeats_the_prefix_that_pages_add(lang: Language) -> None:
    refused, codes = lang("pages.refused"), catalogue.read_catalogue(lang.code)
    repeated = [key for key, said in codes.items() if said[0].startswith(f"{refused} ")]

    assert repeated == []


@every_language
def test_sources_are_named_where_code_and_rules_have_tags(lang: Language) -> None:
    texts = catalogue.read_catalogue(lang.code).values()
    tagged = [said for said in texts if re.search(r"\[(00\d|dec)\]", str(said))]

    assert tagged == []


@every_language
def test_a_finding_begins_with_a_capital_unless_a_name_does(lang: Language) -> None:
    problem = Problem("E_RETURNED", {"card": Card(Rank.KING, Suit.HEARTS)})
    held = Problem("W_HAND_COUNT", {"seat": 0, "declared": 9, "expected": 10})

    assert lang.problem(problem)[0].isupper()
    assert lang.problem(held)[0].isupper()
    assert lang.problem(held, ["anna"]).startswith("anna ")


@every_language
def test_every_code_of_rules_12_has_a_sentence(lang: Language) -> None:
    assert [code for code in CODES if code not in lang] == []


@every_language
def test_every_reason_of_a_code_has_a_sentence(lang: Language) -> None:
    whys = (*melds.WHYS, *notation.WHYS, *findings.WHYS, *turn.WHYS)

    assert [why for why in whys if why not in lang] == []


@every_language
def test_every_finding_has_the_facts_that_its_sentence_refers_to(lang: Language) -> None:
    sentences = catalogue.read_catalogue(lang.code)
    for key, facts, more in declared_findings(Path(scorekeeper.__file__).parent):
        words = sentences.get(key) or sentences[key.partition(".")[0]]

        assert more or catalogue.placeholders(words) <= facts, key


def declared_reasons() -> set[str]:
    """Return every reason of a score line in the scoring code."""
    scoring = Path(scorekeeper.__file__).with_name("domain") / "scoring"
    written = "".join(path.read_text(encoding="utf-8") for path in scoring.glob("*.py"))
    return set(re.findall(r'reason="(\w+)"', written))


@every_language
def test_every_score_reason_is_worded(lang: Language) -> None:
    keys = catalogue.read_catalogue(lang.code)
    worded = {key.split(".")[1] for key in keys if key.startswith("reason.")}

    assert declared_reasons() <= worded


@every_language
def test_every_option_is_named(lang: Language) -> None:
    assert all(lang.option(name) for name in OPTIONS)


@every_language
def test_every_choice_has_a_sentence_of_its_own(lang: Language) -> None:
    for name, option in OPTIONS.items():
        values = option.kind.values if isinstance(option.kind, Choice) else option.usual
        values = (True, False) if isinstance(option.kind, Flag) else values
        read = [option.kind.read(value) for value in values]
        if all(isinstance(value, (str, bool)) for value in values):
            assert len({lang.value(name, value) for value in read}) == len(values), name
        assert len({lang.rule_sentence(name, value) for value in read}) == len(values), name


@every_language
@pytest.mark.parametrize("rules", list(PRESETS.values()), ids=list(PRESETS))
def test_every_rule_of_every_preset_has_a_sentence(rules: RuleSet, lang: Language) -> None:
    for name in rules.names():
        assert lang.rule_sentence(name, rules[name]).endswith(".")


@every_language
def test_every_preset_has_a_name_and_a_line(lang: Language) -> None:
    assert len({lang.preset(name) for name in PRESETS}) == len(PRESETS)
    assert len({lang.preset_line(name) for name in PRESETS}) == len(PRESETS)


@every_language
def test_every_family_http_status_and_card_is_worded(lang: Language) -> None:
    assert all(lang(f"value.family.{family}") for family in FAMILIES)
    assert all(lang(f"http.{status}") for status in HTTP)
    assert len({lang.card(card) for card in (*PACK, JOKER)}) == 53
    assert len({lang.card_word(card) for card in (*PACK, JOKER)}) == 53


@every_language
def test_every_range_of_an_option_is_worded(lang: Language) -> None:
    for name in OPTIONS:
        with pytest.raises(RuleError) as refused:
            GERMAN_FAMILY.override({name: object()})

        (problem,) = refused.value.problems
        assert lang.option(name) in lang.problem(problem)


CONTRADICTIONS = (  # RULES 3.7, and one set of options for each reason
    ("german-family", {"players.min": 5, "players.max": 3}),
    ("luxembourg", {"deal.cards": 16}),
    ("gin-palast", {"teams": True, "players.max": 5}),
    ("gin-palast", {"deck.jokers": 3}),
    ("romme-palast", {"ace.corner": True, "ace.high": False}),
    ("gin-palast", {"gin.cyclic": True, "ace.corner": False}),
    ("gin-palast", {"gin.pro_min_wins": 4, "end.mode": "manual"}),
    ("german-family", {"end.mode": "points"}),
    ("german-family", {"end.mode": "rounds"}),
    ("german-family", {"score.mode": "gin"}),
    ("german-family", {"gin.glass": True}),
    ("german-family", {"joker.colour": "red"}),
)


@every_language
@pytest.mark.parametrize(("began", "changes"), CONTRADICTIONS)
def test_every_contradiction_of_options_has_a_sentence(
    began: str, changes: dict[str, object], lang: Language
) -> None:
    with pytest.raises(RuleError) as refused:
        PRESETS[began].override(changes)

    for problem in refused.value.problems:
        assert f"E_CONFIG.{problem.facts['why']}" in lang
        assert lang.problem(problem) != lang("E_CONFIG")


@every_language
def test_the_range_of_an_option_names_its_numbers(lang: Language) -> None:
    dealt = lang.words(OPTIONS["deal.cards"].kind.describe())
    bonus = lang.words(OPTIONS["gin.hirschn_bonus"].kind.describe())

    assert "6" in dealt and "16" in dealt
    assert "0" in bonus and "100" in bonus and "3" in bonus


@every_language
def test_an_option_without_effect_names_the_option_it_depends_on(lang: Language) -> None:
    (remark,) = remarks(GERMAN_FAMILY.override({"end.points": 300}))

    assert lang.option("end.points") in lang.problem(remark)
    assert lang.option("end.mode") in lang.problem(remark)


FAULTS = {
    'msgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgstr "y"\n': "b: missing",
    'msgid "a"\nmsgstr "x {n}"\n': "other facts",
    'msgid "a"\nmsgid_plural "a"\nmsgstr[0] "x"\nmsgstr[1] "y"\n': "plural forms in some only",
    'msgid "a"\nmsgstr " "\n': "empty",
    'msgid "a"\nmsgstr "x"\n\nmsgid "a"\nmsgstr "y"\n': "2 times",
    'msgid "a"\nmsgid_plural "a"\nmsgstr[0] "x"\n': "a: empty",
    'msgid "a"\nmsgstr "x {n.real}"\n': "a brace that holds no name",
    'msgid "a"\nmsgstr "x(n) y"\n': "(n) is for Lëtzebuergesch",
    'msgid "a"\nmsgstr "d(e) y"\n': "(e) is for Français",
}


@pytest.mark.parametrize(("fault", "named"), list(FAULTS.items()), ids=list(FAULTS.values()))
def test_a_fault_in_a_catalogue_is_reported(
    fault: str, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for code in LANGUAGES:
        body = fault if code == "en" else 'msgid "a"\nmsgstr "x"\n'
        header = f'msgid ""\nmsgstr ""\n"Language: {code}\\n"\n'
        header += '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        (tmp_path / f"{code}.po").write_text(header + body, encoding="utf-8")
    monkeypatch.setattr(catalogue, "AREAS", ("codes",))
    monkeypatch.setattr(catalogue, "area_path", lambda code, area: tmp_path / f"{code}.po")

    assert any(named in problem for problem in catalogue_problems())


# ---- sentences and their facts -------------------------------------------------------


def test_a_missing_sentence_warns_and_shows_its_key(de: Language) -> None:
    with pytest.warns(MissingTranslation, match="no words for pages.nowhere"):
        assert de("pages.nowhere") == "pages.nowhere"


def test_a_missing_fact_warns_and_shows_an_ellipsis(de: Language) -> None:
    with pytest.warns(MissingTranslation, match="no {needed}"):
        assert "27 Punkte, nötig sind …" in de("E_FIRST_MIN", player="Anna", reached=27)


@given(st.text())
def test_a_fact_is_never_read_as_a_placeholder(text: str) -> None:
    name = f"{{reached}}{text}{{0.__class__}}"

    assert name in language("de")("E_FIRST_MIN", player=name, reached=27, needed=30)


def test_a_finding_names_the_player_or_else_the_seat(de: Language) -> None:
    finding = Problem("E_TWO_OUT", {"seat": 1})

    assert de.problem(finding, ("Anna", "Bernd")).startswith("Bernd hat keine Karte mehr")
    assert de.problem(finding).startswith("Spieler 2 hat keine Karte mehr")


def test_a_finding_says_what_is_wrong_and_what_would_be_right(de: Language) -> None:
    seven = Card(Rank.SEVEN, Suit.HEARTS)
    with pytest.raises(RuleError) as refused:  # M10
        read_meld((seven, seven, SPADE_SEVEN), GERMAN_FAMILY)

    assert de.problem(refused.value.problems[0]) == (
        "Kein Satz: Herz kommt zweimal vor. Ein Satz hat drei oder vier verschiedene Farben."
    )


def test_the_ambiguous_kd_explains_its_two_readings(de: Language) -> None:  # N01
    with pytest.raises(RuleError) as refused:
        notation.read_cards("KD", "auto")

    sentence = de.problem(refused.value.problems[0])
    assert "englisch Karo-König, deutsch Kreuz-Dame" in sentence
    assert "„KD“ ist englisch der Karo-König, deutsch die Kreuz-Dame" in sentence


def test_an_unknown_preset_lists_the_known_ones(de: Language) -> None:
    with pytest.raises(RuleError) as refused:
        preset("skat")

    assert "romme-palast" in de.problem(refused.value.problems[0])


def test_a_deviation_states_the_rule_and_the_usual_value(de: Language) -> None:
    table = GERMAN_FAMILY.override(
        {
            "out.extra_turn": True,
            "joker.swapped_to": "meld_now",
            "deal.cards": {"2": 10, "3": 7, "4": 7, "5": 6, "6": 6},
            "joker.hand_value": 50,
        }
    )

    assert [de.deviation(deviation) for deviation in deviations(table)] == [
        (
            "Wie viele Karten jeder bekommt, richtet sich nach der Zahl der Spieler:"
            " 10 zu zweit, 7 zu dritt und zu viert, 6 zu fünft und zu sechst.",
            "Sonst: 13.",
        ),
        ("Ein Joker auf der Hand zählt 50.", "Sonst: 20."),
        ("Ein ausgetauschter Joker wird sofort gemeldet.", "Sonst: auf die Hand."),
        ("Nach „Rommé“ hat jeder noch einen Zug.", "Sonst: nein."),
    ]


def test_a_single_point_or_card_is_singular(de: Language) -> None:
    limits = {"player": "Anna", "least": 5, "most": 10}
    impossible = "{} nicht haben; möglich sind 5 bis 10. Bitte nachzählen."

    assert de("W_POINTS_IMPOSSIBLE", points=1, **limits) == impossible.format(
        "Einen Punkt kann Anna"
    )
    assert de("W_POINTS_IMPOSSIBLE", points=2, **limits) == impossible.format("2 Punkte kann Anna")
    assert (
        de("W_BETTER_ARRANGEMENT", player="Anna", best=1, reached=7)
        .split(": ")[1]
        .startswith("Nur ein Punkt bliebe statt 7.")
    )
    assert de("E_HAND_COUNT.few", player="Anna", declared=1, expected=13).startswith(
        "Anna hat eine Karte, also zu wenig"
    )


REASONS = {
    "Auf der Hand: König, 9, Ass, Joker": (
        "hand",
        {"cards": (Card(Rank.KING, None), Card(Rank.NINE, None), Card(Rank.ACE, None), JOKER)},
    ),
    "Auf der Hand, als Punkte eingetragen": ("hand", {"points": 15}),
    "Handrommé: Punkte × 2": ("hand_romme", {"factor": 2}),
    "Rest bei Rommé: Herz 10": ("rest", {"cards": (HEART_TEN,)}),
    "Von Bernd: Herz-Dame, Pik 7": ("collected", {"of": 1, "cards": (HEART_QUEEN, SPADE_SEVEN)}),
    "Von Bernd": ("collected", {"of": 1}),
    "Abzug für den Sieger": ("reduction", {}),
    "Unterschied: 24 gegen 6": ("difference", {"own": 6, "others": 24}),
    "Mehr als der kleinste Rest (5)": ("difference", {"least": 5}),
    "Restkarten von Anna, als 8 Punkte eingetragen": (
        "deadwood",
        {"of": 0, "held": 8, "points": 8},
    ),
}


@pytest.mark.parametrize(("words", "line"), list(REASONS.items()), ids=list(REASONS))
def test_every_score_line_states_its_reason(
    words: str, line: tuple[str, dict[str, object]], de: Language
) -> None:
    reason, facts = line

    assert de.reason(ScoreLine(seat=0, reason=reason, facts=facts), ("Anna", "Bernd")) == words


# ---- numbers, money, time, lists, cards ----------------------------------------------


def test_negative_numbers_have_a_minus_sign_not_a_hyphen(de: Language) -> None:
    assert de.number(-230) == "\u2212230"
    assert de.number(330, signed=True) == "+330"
    assert de.number(0, signed=True) == "0"


@pytest.mark.parametrize(
    ("number", "words"),
    [("9/5", "1,8"), ("-21/10", "\u22122,1"), ("1/3", "1/3"), ("-7/3", "\u22127/3"), ("65", "65")],
)
def test_amounts_are_exact(number: str, words: str, de: Language) -> None:
    assert de.exact(Fraction(number)) == words
    assert de.money(Fraction(number), "Pf") == f"{words}\u00a0Pf"


@every_language
def test_decimals_have_the_sign_of_the_language(lang: Language) -> None:
    assert lang.decimal_sign == get_decimal_symbol(TRAITS[lang.code].locale)


def test_a_column_of_amounts_has_aligned_decimals(de: Language) -> None:
    column = [Fraction(3635, 2), Fraction(-69), Fraction(-1, 20), Fraction(1, 3)]
    decimals = most_decimals(column)

    assert [de.exact(number, decimals=decimals) for number in column] == [
        *("1817,50", "−69,00", "−0,05", "1/3")
    ]


@pytest.mark.parametrize(
    ("worth", "words"),
    [
        ("1/10", "1/10"),
        ("1/100", "0,01"),
        ("3/10", "3/10"),
        ("5/2", "2,5"),
        ("1", "1"),
        ("20", "20"),
    ],
)
def test_a_point_value_is_written_as_players_say_it(worth: str, words: str, de: Language) -> None:
    assert de.rate(Fraction(worth), "ct") == f"{words}\u00a0ct"


@given(st.fractions(max_denominator=1000))
def test_no_amount_is_rounded(number: Fraction) -> None:
    written = language("en").exact(number).replace("\u2212", "-")

    assert Fraction(written) == number


def test_times_are_shown_in_the_configured_zone() -> None:
    at = "2026-06-12T22:40:05Z"

    assert language("de", "Europe/Luxembourg").date(at, "full") == "Samstag, 13. Juni 2026"
    assert language("lb", "Europe/Luxembourg").date(at) == "13. Juni 2026"
    assert language("en", "Europe/Luxembourg").time(at) == "00:40"
    assert language("de", "UTC").time(at) == "22:40"


def test_a_list_ends_with_and() -> None:
    names = ["Anna", "Claire", "Bernd"]

    assert language("de").all_of(names) == "Anna, Claire und Bernd"
    assert language("en").one_of(names) == "Anna, Claire or Bernd"
    assert language("de").all_of([]) == ""


@pytest.mark.parametrize("code", LANGUAGES)
def test_apostrophes_are_typographic(code: str) -> None:
    wrong = [key for key, forms in catalogue.read_catalogue(code).items() if "'" in "".join(forms)]

    assert wrong == []


def test_cards_use_the_letters_and_words_of_the_language() -> None:  # RULES 2
    shown = {
        code: (language(code).card(HEART_QUEEN), language(code).card_word(HEART_QUEEN))
        for code in LANGUAGES
    }

    assert shown == {
        "de": ("♥D", "Herz-Dame"),
        "en": ("Q♥", "queen of hearts"),
        "lb": ("♥Q", "Häerz-Damm"),
        "fr": ("D♥", "dame de cœur"),
    }


def test_a_joker_says_what_it_stands_for(de: Language) -> None:
    assert de.card_word(Card(None, None, stands_for=HEART_TEN)) == "Joker als Herz 10"


def test_other_languages_write_numbers_without_separators(de: Language) -> None:
    assert (de.number(12345), language("en").number(12345)) == ("12345", "12345")
    assert de.day("2026-06-01") == "1. Juni 2026"


PEOPLE = {"player", "players", "payer", "payee"}


def test_the_same_fact_chooses_singular_or_plural_in_every_language() -> None:
    def counted(code: str, key: str) -> str:
        places = catalogue.PLACEHOLDER.finditer(catalogue.read_catalogue(code)[key][-1])
        names = [place["name"] for place in places if place["name"] not in PEOPLE]
        return "n" if "n" in names else names[0] if names else ""

    plurals = [key for key, forms in catalogue.read_catalogue("de").items() if len(forms) > 1]

    assert [key for key in plurals if len({counted(code, key) for code in LANGUAGES}) > 1] == []


def test_the_client_knows_every_language() -> None:
    assert get_args(ClientLanguage) == LANGUAGES
