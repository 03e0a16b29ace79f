use super::*;

#[test]
fn a_text_is_of_the_language_of_its_small_words() {
    for (text, language) in [
        ("I moved to Lisbon and it was so good", Some(Language::English)),
        (
            "Ich bin nach Lissabon gezogen und es war schön",
            Some(Language::German),
        ),
        ("Me mudé a Lisboa y fue muy bonito", Some(Language::Spanish)),
        (
            "J'ai déménagé à Lisbonne et c'était très beau",
            Some(Language::French),
        ),
        ("Lisbon", None),
        // Two of these words are grammar in French.
        ("Sold car, adopted son Max", None),
        ("My son sold the car", Some(Language::English)),
        // Two are grammar in English, three in Spanish.
        ("Me duele a veces", None),
        // The nearest of the four.
        (
            "Eu fui para a praia com a minha mãe e o meu pai",
            Some(Language::Spanish),
        ),
        ("Ik ben verhuisd naar Lissabon", None),
        ("Привет, я живу в Москве", None),
        ("東京に引っ越しました。", None),
        ("", None),
    ] {
        assert_eq!(Language::of(text), language, "{text}");
    }
}

#[test]
fn a_day_of_a_month_does_not_end_a_german_sentence() {
    let text = "Am 7. Mai war ich 8. Es regnete.";
    assert_eq!(
        Language::German.with_whole_dates(text),
        "Am 7 Mai war ich 8. Es regnete."
    );
    assert_eq!(Language::English.with_whole_dates(text), text);
}

#[test]
fn what_french_leaves_out_before_a_vowel_is_no_part_of_the_word() {
    for (word, kept) in [
        ("l'école", "école"),
        ("qu'Anna", "Anna"),
        ("aujourd'hui", "aujourd'hui"),
        ("l'", "l'"),
    ] {
        assert_eq!(Language::French.without_elision(word), kept);
    }
    assert_eq!(Language::English.without_elision("d'Artagnan"), "d'Artagnan");
}
