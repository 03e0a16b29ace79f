use super::{all, finished, speakable};

#[test]
fn only_whole_sentences_are_finished() {
    let table: [(&str, &[&str], &str); 8] = [
        ("It is 3.5 degrees", &[], "It is 3.5 degrees"),
        ("It is cold. Take", &["It is cold."], " Take"),
        ("It is cold.", &[], "It is cold."),
        ("Hm. Well, yes. So", &["Hm. Well, yes."], " So"),
        (
            "Ask Dr. Miller about it. He",
            &["Ask Dr. Miller about it."],
            " He",
        ),
        ("そうですね。明日", &["そうですね。"], "明日"),
        (
            "Really?! \"Yes, sir.\" Fine",
            &["Really?!", "\"Yes, sir.\""],
            " Fine",
        ),
        ("First line\nSecond", &["First line"], "Second"),
    ];
    for (text, sentences, rest) in table {
        let (found, taken) = finished(text);
        assert_eq!(found, sentences, "{text}");
        assert_eq!(&text[taken..], rest, "{text}");
    }
}

#[test]
fn nothing_is_said_that_only_eyes_can_read() {
    let table = [
        ("**Yes**, of course.", Some("Yes, of course.")),
        ("# Heading", Some("Heading")),
        ("- `run` it", Some("run it")),
        ("See [the page](https://example.org/a_b).", Some("See the page.")),
        ("use snake_case here", Some("use snake_case here")),
        ("Ask @bob, or @everyone.", Some("Ask bob, or everyone.")),
        ("Write to a@example.com.", Some("Write to a@example.com.")),
        ("***", None),
        ("  \n", None),
    ];
    for (text, said) in table {
        assert_eq!(speakable(text).as_deref(), said, "{text}");
    }
}

#[test]
fn a_whole_text_is_said_to_its_end() {
    assert_eq!(all("One thing. And another"), ["One thing.", "And another"]);
    assert!(all(" ").is_empty());
}
