use super::*;

/// The sentences of a text, each with its end.
fn cut(text: &str) -> Vec<&str> {
    let mut from = 0;
    let mut parts = Vec::new();
    for (at, _) in text.char_indices() {
        if at >= from
            && let Some(end) = sentence_end(text, at)
        {
            parts.push(text[from..end].trim());
            from = end;
        }
    }
    parts
}

#[test]
fn shortened_words_numbers_and_initials_end_no_sentence() {
    for text in [
        "Ask Mr. Miller or Dr. Who",
        "Some fruit (e.g. apples) and",
        "It costs 3.5 or",
        "It costs 3.",
        "J. R. R. Tolkien wrote",
        "In the U.S. army",
        "1. First",
        "  12. Twelfth",
        "See no. 5 and",
        "apples, etc. and",
        "read example.org now",
        "z.B. Brot",
    ] {
        assert_eq!(cut(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn sentences_end_at_marks_and_what_closes_them() {
    for (text, sentences) in [
        ("It is late. And", vec!["It is late."]),
        ("It is late.", vec!["It is late."]),
        ("No. I do not.", vec!["No.", "I do not."]),
        ("Apples, etc. Then pears", vec!["Apples, etc."]),
        ("She said \"no.\" Then", vec!["She said \"no.\""]),
        ("Really?! Yes… Fine", vec!["Really?!", "Yes…"]),
        ("It was in 1999. Then", vec!["It was in 1999."]),
        ("Dr. Who met Mr. X at 3.5 m. He ran", vec![]),
        ("遅いです。そして", vec!["遅いです。"]),
        ("Well... so", vec!["Well..."]),
        ("So am I. You", vec!["So am I."]),
    ] {
        assert_eq!(cut(text), sentences, "{text}");
    }
}
