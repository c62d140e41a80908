import pytest
import Stemmer

from bethink.errors import InvalidInput
from bethink.text.language import LANGUAGES, language_named

NEGATIONS = {
    "english": "not no never nor none nobody nothing without",
    "german": "nicht kein keine nie niemals ohne nichts",
    "french": "ne pas jamais rien sans aucun",
    "spanish": "no nunca nada sin ni",
    "italian": "non mai niente senza",
    "portuguese": "não nunca nada sem nem",
    "dutch": "niet geen nooit niets zonder",
    "russian": "не нет никогда ничего без ни",
    "none": "not",
}


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_has_a_stemmer_that_exists_and_folded_words(name):
    language = language_named(name)
    assert language.stemmer in {"", *Stemmer.algorithms()}
    assert all(word == word.casefold() for word in language.function_words | language.elisions)


@pytest.mark.parametrize("name", LANGUAGES)
def test_no_language_drops_a_negation(name):
    assert not language_named(name).function_words & set(NEGATIONS[name].split())


def test_english_drops_its_question_and_function_words_and_a_bounded_number_of_them():
    words = language_named("english").function_words
    assert set("what when where who whom whose which why how did does do is are the a an of to and".split()) <= words
    assert not words & set("go get make may must like use long last new".split())
    assert 90 <= len(words) <= 120


def test_an_unknown_language_is_refused_without_repeating_a_long_value():
    with pytest.raises(InvalidInput) as refusal:
        language_named("x" * 1000)
    assert "german" in str(refusal.value)
    assert len(str(refusal.value)) < 250
