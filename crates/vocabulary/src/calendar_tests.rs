use super::*;

#[test]
fn names_and_short_forms_are_known() {
    for (word, number) in [
        ("january", 1),
        ("jan", 1),
        ("may", 5),
        ("sep", 9),
        ("sept", 9),
        ("december", 12),
    ] {
        assert_eq!(month(word), Some(number), "{word}");
    }
    for (word, number) in [("monday", 1), ("mon", 1), ("tues", 2), ("thurs", 4), ("sun", 7)] {
        assert_eq!(weekday(word), Some(number), "{word}");
    }
}

#[test]
fn other_words_are_none() {
    for word in ["", "ma", "janu", "sund", "marching", "octopus", "tues."] {
        assert_eq!((month(word), weekday(word)), (None, None), "{word}");
    }
    assert!(is_whole_name("march") && is_whole_name("friday") && !is_whole_name("fri"));
}
