use super::*;

#[test]
fn only_whole_sentences_of_a_cut_answer_are_said_and_that_it_was_cut() {
    let cut = "(Cut off here: the answer had reached its length.)";
    for (text, said) in [
        ("H", None),
        ("I think it", None),
        ("3.5 of", None),
        ("1. First", None),
        ("...", None),
        ("It is late. And the", Some(format!("It is late. {cut}"))),
        ("It is late.", Some(format!("It is late. {cut}"))),
        ("She said \"no.\" Then", Some(format!("She said \"no.\" {cut}"))),
        ("遅いです。そして", Some(format!("遅いです。 {cut}"))),
        ("Ask Mr. Miller, or Dr. Who, e.g. about J. Doe, at 3.5", None),
        ("It is late. Ask Mr.", Some(format!("It is late. {cut}"))),
        ("It is late. It costs 3.", Some(format!("It is late. {cut}"))),
        (
            "Run this:\n```\nls. -l\n",
            Some(format!("Run this:\n```\nls.\n```\n{cut}")),
        ),
    ] {
        assert_eq!(standing(text, Finish::Length), said, "{text}");
    }
    assert_eq!(standing("Half", Finish::Complete), Some("Half".to_owned()));
    assert_eq!(
        standing("Fine. But how", Finish::Refused),
        Some("Fine. (Cut off here: the model was stopped.)".to_owned())
    );
}
