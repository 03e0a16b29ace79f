use super::{STOP_WORDS, quoted, split, worth_searching};

#[test]
fn stop_words_are_in_order_since_they_are_found_by_halving() {
    assert!(STOP_WORDS.is_sorted());
}

#[test]
fn what_a_message_is_about_is_left_of_a_question() {
    assert_eq!(
        worth_searching("Hey, what did you say about the Lighthouse and my boat?"),
        ["lighthouse", "boat"]
    );
}

#[test]
fn a_word_counts_once_whatever_its_letter_case() {
    assert_eq!(worth_searching("Boat boat BOAT"), ["boat"]);
}

#[test]
fn single_letters_go_and_single_ideographs_stay() {
    assert_eq!(worth_searching("x 猫 y"), ["猫"]);
}

#[test]
fn of_many_words_the_longest_are_looked_up() {
    let text: String = (2..60).map(|length| format!("{} ", "a".repeat(length))).collect();
    let words = worth_searching(&text);
    assert_eq!(words.len(), 16);
    assert_eq!((words[0].len(), words[15].len()), (40, 25));
}

#[test]
fn only_signs_are_no_words() {
    assert!(worth_searching("\"' * ^ ( ) :: 🎉🎉 - + {} ").is_empty());
}

#[test]
fn a_quote_cannot_leave_its_word() {
    assert_eq!(quoted("a\"b"), "\"ab\"");
    assert_eq!(
        split("say \"NEAR(x, 2)\"").collect::<Vec<_>>(),
        ["say", "near", "x", "2"]
    );
}
