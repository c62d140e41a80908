"""The analyser: one text, the same terms for every database, for documents and queries alike."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidInput
from bethink.text.analyse import (
    ANALYSER_ID,
    MAX_DISTINCT,
    MAX_QUERY_TERMS,
    MAX_TERMS,
    analyse,
    analyse_query,
    analyser_id,
    select_terms,
    terms_cut,
    written_as,
)
from bethink.text.chunks import MAX_TERM
from bethink.text.irregular import BASES
from bethink.text.language import LANGUAGES

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


def test_words_are_folded_stemmed_and_counted_in_order():
    assert analyse("Stories, inspiring STORIES and a story") == ["stori", "inspir", "stori", "and", "a", "stori"]


@pytest.mark.parametrize("form", sorted(BASES))
def test_an_irregular_form_is_found_by_its_base(form):
    assert analyse(form.upper()) == analyse(BASES[form])
    assert BASES[form] not in BASES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_knows_the_irregular_forms_it_stands_for(language):
    english = language == "english"
    assert all((form in written_as(analyse(form, language)[0], language)) == english for form in BASES)


def test_irregular_forms_are_english_and_no_other_words():
    assert analyse("I bought a rose", "english") == ["i", "buy", "a", "rose"]
    assert analyse("der Rat fand statt, made, men", "german")[-2:] == ["mad", "men"]
    assert set(analyse_query("Which foot did Ann's children break?").terms) <= set(
        analyse("Ann: the child broke both feet")
    )


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("deploy.yml", ["deploy.yml", "deploy", "yml"]),
        ("user_id", ["user_id", "user", "id"]),
        ("2.6.4", ["2.6.4", "2.6", "2", "6", "4"]),
        ("getUserName", ["getusername", "get", "user", "name"]),
        ("foo-bar", ["foo-bar", "foobar", "foo", "bar"]),
        ("src/app/main.py", ["src/app/main.py", "main.py", "src", "app", "main", "py"]),
        ("C++", ["c++", "c"]),
        ("C#", ["c#", "c"]),
        ("#123", ["#123", "123"]),
        ("python3", ["python3", "python", "3"]),
        ("D1:3", ["d1:3", "d1", "3"]),
        ("U.S.A.", ["u.s.a", "usa", "u", "s", "a"]),
        ("1,000", ["1000"]),
        ("__init__", ["init"]),
        ("APIs", ["api"]),
        ("deploy.yml文件", ["deploy.yml", "deploy", "yml", "文", "文件", "件"]),
        ("C++语言", ["c++", "c", "语", "语言", "言"]),
        ("0/0ក", ["0/0", "0", "ក"]),
        ("O'Brien", ["obrien", "brien"]),
    ],
)
def test_identifiers_are_kept_whole_and_in_parts(text, terms):
    assert analyse(text) == terms


def test_an_address_is_found_by_itself_and_by_each_level_of_it():
    terms = analyse("Mail a.b@mail.example.com or see https://Example.com/docs/api?q=1.")
    assert {"a.b@mail.example.com", "a.b", "mail.example.com", "exampl", "com"} <= set(terms)
    assert {"example.com/docs/api?q=1", "example.com", "doc", "api"} <= set(terms)


def test_a_url_is_the_same_term_with_and_without_its_scheme_and_trailing_slash():
    assert analyse("https://example.com/docs/")[0] == analyse("example.com/docs")[0] == "example.com/docs"


@pytest.mark.parametrize(
    ("document", "query"),
    [
        ("Caroline's painting", "Caroline"),
        ("the boys don't agree", "not"),
        ("meet me at the café", "cafe"),
        ("meet me at the cafe", "café"),
        ("cafés everywhere", "café"),
        ("un résumé", "resume"),
        ("Straße", "STRASSE"),
        ("the e-mail arrived", "email"),
        ("my email", "e-mail"),
        ("\uff26\uff55\uff4c\uff4c width", "full"),
        ("co\u00adoperate", "cooperate"),
        ("cafe\u0301", "caf\u00e9"),
        ("Αθήνα", "αθηνα"),
        ("ёлка", "елка"),
        ("مُحَمَّد", "محمد"),
        ("می\u200cخواهم", "میخواهم"),  # noqa: RUF001 - other scripts are the subject
        ("मुझे हिन्दी पसंद है", "हिन्दी"),
        ("я люблю книги", "книги"),
        ("我喜欢猫", "猫"),
        ("我喜欢猫", "喜欢"),
        ("私はコーヒーが好きです", "コーヒー"),
        ("私はコーヒーが好きです", "好き"),
        ("ผมชอบกาแฟเย็น", "กาแฟ"),
        ("ຂ້ອຍມັກກາເຟ", "ກາເຟ"),
        ("ខ្ញុំចូលចិត្តកាហ្វេ", "កាហ្វេ"),
        ("ကော်ဖီကြိုက်တယ်", "ကော်ဖီ"),
        ("친구가 학교에서 기다린다", "학교"),
        ("친구가 학교에서 기다린다", "친구"),
        ("집에 고양이가 있다", "집"),
        ("Python을 배운다", "python"),
        ("Python3を使う", "python"),
    ],
)
def test_a_query_meets_the_document_in_every_script(document, query):
    asked = analyse_query(query).terms
    assert asked
    assert set(asked) & set(analyse(document))


@pytest.mark.parametrize(
    ("text", "language", "term"),
    [
        ("l'école est fermée", "french", "écol"),
        ("je n'aime pas", "french", "ne"),
        ("dell'amico", "italian", "amic"),
        ("die Häuser", "german", "haus"),
        ("las canciones", "spanish", "cancion"),
        ("книгами", "russian", "книг"),
        ("canções", "portuguese", "cançõ"),
        ("twee katten", "dutch", "kat"),
    ],
)
def test_each_language_is_stemmed_by_its_own_rules(text, language, term):
    assert term in analyse(text, language)


def test_accents_add_a_term_so_that_the_exact_spelling_ranks_above_the_bare_one():
    query = set(analyse_query("año", "spanish").terms)
    exact, bare = set(analyse("año", "spanish")), set(analyse("ano", "spanish"))
    assert len(query & exact) > len(query & bare) > 0


def test_letters_of_other_scripts_keep_their_marks():
    assert "й" not in "".join(analyse("иод"))
    assert analyse("йод") != analyse("иод")
    assert all(unicodedata.category(term[0])[0] != "M" for term in analyse("हिन्दी กาแฟเย็น"))


def test_a_zero_width_space_parts_words_and_other_invisible_characters_do_not():
    assert analyse("one\u200btwo") == ["one", "two"]
    assert analyse("o\u2060ne\ufe0f") == ["one"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("When did Caroline go to the LGBTQ support group?", ("carolin", "go", "lgbtq", "support", "group")),
        ("What is Melanie's favourite colour?", ("melani", "favourit", "colour")),
        ("Why does he not like it", ("not", "like")),
        ("What did Will say in May?", ("will", "may")),
        ("Did the US leave the WHO?", ("us", "leav", "who")),
        ("WHO IS SHE", ()),
    ],
)
def test_function_and_question_words_leave_a_query_and_names_stay(text, kept):
    assert analyse_query(text).terms == kept


@pytest.mark.parametrize(
    ("text", "kept", "dropped"),
    [
        ("What did she mention about Rome?", ("rome",), ("mention",)),
        ("Who told Ann that the talks were cancelled?", ("ann", "talk", "cancel"), ("tell",)),
        ("What did you say?", ("say",), ()),
        ("Say it, tell me", ("say", "tell"), ()),
        ('Did I say "tell me"?', ("say", "tell"), ()),
        ("Plan the trip.\nTell me of Rome", ("plan", "trip", "rome"), ("tell",)),
        ("_Said_ Rome, *told* Rome", ("rome",), ("say", "tell")),
        ("TELL ME OF ROME", ("rome",), ("tell",)),
        ("Where did William Tell live?", ("william", "tell", "live"), ()),
        ("Is Said in Rome?", ("say", "rome"), ()),
        ('Who was in "Say Anything"?', ("say", "anyth"), ()),
        ("What does say() return?", ("say", "return"), ()),
        ("Is `tell` a tell-tale word?", ("tell", "tell-tale", "telltal", "tale", "word"), ()),
    ],
)
def test_words_of_saying_leave_a_query_that_says_more_unless_they_are_names_or_code(text, kept, dropped):
    asked = analyse_query(text)

    assert asked.terms == kept
    assert set(asked.dropped) & {"say", "tell", "mention"} == set(dropped)
    assert not asked.function_words_only


def test_words_of_saying_are_words_of_a_text_as_any_other():
    assert analyse("They say so") == ["they", "say", "so"]


@pytest.mark.parametrize("negation", ["not", "no", "never", "without", "nothing", "nor", "nobody"])
def test_negations_are_never_dropped(negation):
    assert negation in LANGUAGES["english"].function_words or analyse_query(negation).terms == tuple(analyse(negation))
    assert not analyse_query(negation).dropped


def test_a_query_of_function_words_only_says_so():
    asked = analyse_query("what is it about?")
    assert asked.function_words_only
    assert asked.dropped == ("what", "is", "it", "about")
    assert not analyse_query("").function_words_only
    assert not analyse_query("what about Rex?").function_words_only


def test_a_query_repeats_no_term_and_names_its_identifiers():
    asked = analyse_query("deploy.yml or user_id or deploy.yml, C++ and foo-bar")
    assert len(set(asked.terms)) == len(asked.terms)
    assert asked.identifiers == {"deploy.yml", "user_id", "c++"}


def test_a_content_word_never_becomes_a_function_word_by_its_stem():
    assert analyse_query("canning wills hers").terms == ("canning", "wills")
    assert "can" not in analyse("canning")


def test_the_rarest_terms_stay_and_what_is_cut_is_told():
    frequency = {"the": 900, "berlin": 3, "move": 40, "rex": 3}
    kept, cut = select_terms(["move", "the", "rex", "absent", "berlin"], frequency, cap=3)
    assert kept == ("move", "rex", "berlin")
    assert cut == ("the", "absent")
    assert select_terms(["a", "b", "c"], {}, cap=2) == (("a", "b"), ("c",))
    assert select_terms(["a", "b"], {}, cap=0) == ((), ("a", "b"))


@given(st.lists(st.text("abc", min_size=1, max_size=3), unique=True, max_size=60), st.integers(1, 40))
def test_selection_parts_the_terms_and_keeps_their_order(terms, cap):
    frequency = {term: len(term) for term in terms}
    kept, cut = select_terms(terms, frequency, cap)
    assert sorted((*kept, *cut)) == sorted(terms)
    assert len(kept) == min(cap, len(terms))
    assert [term for term in terms if term in set(kept)] == list(kept)
    assert max((frequency[term] for term in kept), default=0) <= min((frequency[term] for term in cut), default=99)


def test_a_question_has_at_most_the_terms_a_search_takes_by_default():
    kept, cut = select_terms([f"t{number}" for number in range(100)], {})
    assert len(kept) == MAX_QUERY_TERMS
    assert len(cut) == 100 - MAX_QUERY_TERMS


def test_a_long_word_is_cut_and_still_equals_only_itself():
    first, again, other = analyse("x" * 500), analyse("x" * 500), analyse("x" * 501)
    assert first == again != other
    assert all(len(term) <= MAX_TERM for term in (*first, *other))
    assert analyse_query("x" * 500).terms == tuple(first)


def test_terms_of_one_text_are_bounded_and_the_rest_is_counted():
    text = " ".join(f"word{number}x" for number in range(MAX_DISTINCT + 50))
    assert len(set(analyse(text))) == MAX_DISTINCT
    assert terms_cut(text) == 50
    assert terms_cut("a short text") == 0
    assert len(analyse("again " * (MAX_TERMS + 10))) == MAX_TERMS


def test_a_chain_of_many_words_is_text_and_loses_none():
    words = [f"w{number}" for number in range(100)]
    assert set(words) <= set(analyse("-".join(words)))


@given(TEXTS)
def test_any_text_gives_bounded_lower_case_terms_twice_alike(text):
    terms = analyse(text)
    assert terms == analyse(text)
    assert all(0 < len(term) <= MAX_TERM for term in terms)
    assert all(not character.isspace() for term in terms for character in term)


@given(TEXTS)
def test_every_text_is_found_by_itself(text):
    assert set(analyse_query(text).terms) | set(analyse_query(text).dropped) <= set(analyse(text))


@given(TEXTS)
def test_composed_and_decomposed_text_give_the_same_terms(text):
    assert analyse(unicodedata.normalize("NFD", text)) == analyse(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    "unit", ["a-", "aB", "'a", "a.b@", "a1", "\u0301", "ก้", "가", "#", "a+", "1,", "._", "漢", "http://a/", "a\u200b"]
)
def test_hostile_text_takes_time_in_proportion_to_its_length(unit):
    begin = time.process_time()
    analyse((unit * 16_000)[:16_000])
    assert time.process_time() - begin < 0.5


def test_the_analyser_names_all_that_shapes_its_terms():
    assert unicodedata.unidata_version in ANALYSER_ID
    assert "PyStemmer" in ANALYSER_ID
    assert all(language in ANALYSER_ID for language in LANGUAGES)
    assert analyser_id("german") != analyser_id("english")


def test_an_unknown_language_is_refused_with_the_known_ones():
    with pytest.raises(InvalidInput, match="english"):
        analyse("text", "klingon")
    with pytest.raises(InvalidInput, match="klingon"):
        analyse_query("text", "klingon")
