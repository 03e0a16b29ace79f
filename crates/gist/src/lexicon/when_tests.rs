use jiff::civil::date;

use super::*;
use crate::lexicon::{Token, tokens};

/// What a phrase becomes that was said on Friday, 9 June 2023, and whether it lacks its year.
fn kept(phrase: &str, language: Language) -> Option<(String, bool)> {
    read(phrase, Some(date(2023, 6, 9)), language)
}

fn read(phrase: &str, said: Option<Date>, language: Language) -> Option<(String, bool)> {
    let tokens = tokens(phrase);
    let written: Vec<&str> = tokens
        .iter()
        .map(|token| match token {
            Token::Word(word) => word.as_str(),
            Token::Break | Token::Stop => "",
        })
        .collect();
    let lower: Vec<String> = written
        .iter()
        .map(|word| word.to_lowercase().replace('\'', ""))
        .collect();
    let found = when(&lower, &written, said, language)?;
    assert_eq!(found.tokens, tokens.len(), "{phrase} was not read whole");
    Some((found.text, found.year != DateYear::Told))
}

#[test]
fn what_counts_from_the_day_of_the_talk_becomes_a_date() {
    for (phrase, text) in [
        ("yesterday", "8 June"),
        ("last night", "8 June"),
        ("the day before yesterday", ""),
        ("day before yesterday", "7 June"),
        ("tomorrow", "10 June"),
        ("three days ago", "6 June"),
        ("10 days ago", "30 May"),
        ("a few days ago", "few days before 9 June"),
        ("a couple of weeks ago", "couple weeks before 9 June"),
        ("last week", "week before 9 June"),
        ("two weekends ago", "2 weekends before 9 June"),
        ("a week ago", "week before 9 June"),
        ("last Saturday", "Saturday before 9 June"),
        ("last Tues", "Tuesday before 9 June"),
        ("this week", "week of 9 June"),
        ("this past weekend", "weekend before 9 June"),
        ("next Friday", "Friday after 9 June"),
    ] {
        let expected = (!text.is_empty()).then(|| (text.to_owned(), true));
        assert_eq!(kept(phrase, Language::English), expected, "{phrase}");
    }
    for (phrase, text) in [
        ("last year", "2022"),
        ("next year", "2024"),
        ("ten years ago", "2013"),
        ("this month", "June 2023"),
        ("last month", "May 2023"),
        ("next month", "July 2023"),
        ("two months ago", "April 2023"),
        ("seven months ago", "November 2022"),
    ] {
        assert_eq!(
            kept(phrase, Language::English),
            Some((text.to_owned(), false)),
            "{phrase}"
        );
    }
}

#[test]
fn german_spanish_and_french_phrases_become_dates_in_their_language() {
    for (language, phrase, text) in [
        (Language::German, "gestern", "8 Juni"),
        (Language::German, "heute Morgen", "9 Juni"),
        (Language::German, "morgen", "10 Juni"),
        (Language::German, "letzte Woche", "Woche vor 9 Juni"),
        (Language::German, "letzten Freitag", "Freitag vor 9 Juni"),
        (Language::German, "vor drei Tagen", "6 Juni"),
        (Language::German, "vor ein paar Wochen", "paar Wochen vor 9 Juni"),
        (Language::Spanish, "ayer", "8 junio"),
        (Language::Spanish, "semana pasada", "semana antes de 9 junio"),
        (
            Language::Spanish,
            "fin de semana pasado",
            "fin de semana antes de 9 junio",
        ),
        (Language::Spanish, "hace tres días", "6 junio"),
        (Language::French, "hier soir", "8 juin"),
        (Language::French, "semaine dernière", "semaine avant 9 juin"),
        (Language::French, "il y a trois jours", "6 juin"),
        (Language::French, "vendredi dernier", "vendredi avant 9 juin"),
    ] {
        assert_eq!(kept(phrase, language), Some((text.to_owned(), true)), "{phrase}");
    }
    for (language, phrase, text) in [
        (Language::German, "nächsten Monat", "Juli 2023"),
        (Language::Spanish, "próximo mes", "julio 2023"),
        (Language::Spanish, "mes que viene", "julio 2023"),
        (Language::French, "mois prochain", "juillet 2023"),
    ] {
        assert_eq!(kept(phrase, language), Some((text.to_owned(), false)), "{phrase}");
    }
}

#[test]
fn a_date_is_one_thing_and_is_read_back_as_it_was_written() {
    for (text, lacks_year) in [
        ("7 May", true),
        ("7 May 2023", false),
        ("May 2023", false),
        ("Juli 2023", false),
        ("julio 2023", false),
        ("juillet 2023", false),
        ("week before 9 June", true),
        ("few days before 9 June", true),
        ("2 weekends before 9 June", true),
        ("Friday after 9 June", true),
        ("Woche vor 9 Juni", true),
        ("semana antes de 9 junio", true),
        ("fin de semana antes de 9 junio", true),
        ("semaine avant 9 juin", true),
        ("22 December 2022", false),
    ] {
        assert_eq!(
            read(text, None, Language::English),
            Some((text.to_owned(), lacks_year)),
            "{text}"
        );
    }
    assert_eq!(
        kept("7 de mayo de 2023", Language::Spanish),
        Some(("7 mayo 2023".to_owned(), false))
    );
    assert_eq!(
        kept("May 7th, 2023", Language::English),
        Some(("May 7th 2023".to_owned(), false))
    );
}

#[test]
fn where_the_day_is_unknown_or_the_words_mean_something_else_nothing_is_dated() {
    for phrase in ["yesterday", "last week", "three days ago"] {
        assert_eq!(read(phrase, None, Language::English), None, "{phrase}");
    }
    for (language, phrase) in [
        (Language::English, "march"),
        (Language::English, "may"),
        (Language::English, "last"),
        (Language::English, "three days"),
        (Language::English, "40 points"),
        (Language::German, "Morgen"),
        (Language::English, "hier"),
        (Language::Spanish, "que semana"),
    ] {
        assert_eq!(kept(phrase, language), None, "{phrase}");
    }
}

#[test]
fn phrases_that_only_look_like_dates_are_left_as_they_are() {
    for (language, phrase) in [
        (Language::German, "letzten Jahren"),
        (Language::German, "letzten Monaten"),
        (Language::German, "letzte Woche von meinem Urlaub"),
        (Language::German, "letzte Woche August"),
        (Language::English, "last years"),
        (Language::English, "past years"),
        (Language::English, "past month"),
        (Language::English, "last week of August"),
        (Language::English, "last sat together"),
        (Language::English, "this sun"),
        (Language::English, "3, June has 4"),
        (Language::Spanish, "última semana de agosto"),
        (Language::Spanish, "última semana del mes"),
        (Language::French, "dernière semaine août"),
        (Language::French, "dernière semaine du mois"),
        (Language::French, "il y a 3 jours de congé"),
    ] {
        assert_eq!(kept(phrase, language), None, "{phrase}");
    }
    for (language, phrase, text) in [
        (Language::English, "this past month", "May 2023"),
        (Language::English, "last Sat", "Saturday before 9 June"),
        (Language::English, "7 of May", "7 May"),
        (Language::German, "7. Mai", "7 Mai"),
        (Language::French, "année dernière", "2022"),
    ] {
        assert_eq!(
            kept(phrase, language).map(|(text, _)| text).as_deref(),
            Some(text),
            "{phrase}"
        );
    }
}

#[test]
fn a_month_and_a_weekday_are_known_however_they_are_written() {
    for (language, phrase, text) in [
        (Language::English, "7 MAY", "7 MAY"),
        (Language::German, "7 März", "7 März"),
        (Language::German, "7 MÄRZ", "7 MÄRZ"),
        (Language::French, "7 août", "7 août"),
        (Language::English, "LAST FRIDAY", "Friday before 9 June"),
        (Language::English, "last friday", "Friday before 9 June"),
        (Language::Spanish, "Sábado pasado", "sábado antes de 9 junio"),
    ] {
        assert_eq!(
            kept(phrase, language).map(|(text, _)| text).as_deref(),
            Some(text),
            "{phrase}"
        );
    }
    for phrase in ["7 may", "7 Ma", "7 Mayor", "last fridays"] {
        assert_eq!(kept(phrase, Language::English), None, "{phrase}");
    }
}
