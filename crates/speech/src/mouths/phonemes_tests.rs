use super::*;

fn clause(words: &str, mark: char) -> Clause {
    Clause {
        words: words.to_owned(),
        mark,
    }
}

#[test]
fn a_text_is_cut_at_its_pauses_and_nowhere_else() {
    assert_eq!(
        clauses("Well, it is 3.14: really!? Yes"),
        [
            clause("Well", ','),
            clause("it is 3.14", ':'),
            clause("really", '!'),
            clause("Yes", '.')
        ]
    );
    assert!(clauses("... !").is_empty());
}

#[test]
fn marks_come_back_behind_the_sounds() {
    let two = clauses("Hi, you?");
    assert_eq!(sounds(&two, " hˈaɪ\n jˈuː\n"), "hˈaɪ, jˈuː?");
    assert_eq!(sounds(&two, "hˈaɪ jˈuː\n"), "hˈaɪ jˈuː?", "taken as one");
    assert_eq!(sounds(&two, "a\nb\nc\n"), "a, b, c?", "taken as three");
    assert_eq!(sounds(&clauses("Hi"), "(fr)hˈaɪ(en)\n"), "hˈaɪ.");
}

#[test]
fn sounds_become_the_voices_numbers_with_silence_between() {
    let list = [
        ("_", 0),
        ("^", 1),
        ("$", 2),
        ("a", 14),
        ("c", 16),
        ("\u{327}", 140),
    ];
    let list: BTreeMap<String, Vec<i64>> = list
        .into_iter()
        .map(|(sound, number)| (sound.to_owned(), vec![number]))
        .collect();
    assert_eq!(numbers("aZa", &list), [1, 0, 14, 0, 14, 0, 2]);
    assert_eq!(
        numbers("ç", &list),
        [1, 0, 16, 0, 140, 0, 2],
        "a letter and its mark apart"
    );
}
