use super::*;

fn words(text: &str) -> Vec<String> {
    Words::of(text).iter().map(str::to_owned).collect()
}

#[test]
fn accents_case_and_punctuation_fold_away() {
    assert_eq!(words("Zoë_K: ＨＥＬＬＯ, |trey|!"), ["zoe", "k", "hello", "trey"]);
}

#[test]
fn a_line_of_signs_has_no_words() {
    assert_eq!(words(" :-) ^^ "), Vec::<String>::new());
}

#[test]
fn a_colon_or_comma_or_the_end_sets_a_word_off() {
    let words = Words::of("bob: ask carol, not dave please");
    let set_off: Vec<&str> = (0..words.iter().count())
        .filter(|index| words.set_off(*index))
        .filter_map(|index| words.get(index))
        .collect();
    assert_eq!(set_off, ["bob", "carol", "please"]);
}

#[test]
fn a_decorated_nick_is_still_set_off_by_its_colon() {
    assert!(Words::of("elad` : hi there").set_off(0));
    assert!(!Words::of("elad` hi there").set_off(0));
}

#[test]
fn question_marks_of_other_scripts_ask_too() {
    assert!(Words::of("why？").asks());
    assert!(Words::of("لماذا؟").asks());
    assert!(!Words::of("why").asks());
}

#[test]
fn a_pasted_log_is_read_only_so_far() {
    let pasted = "word ".repeat(10_000);
    assert_eq!(Words::of(&pasted).iter().count(), WORDS_READ_MAX);
}
