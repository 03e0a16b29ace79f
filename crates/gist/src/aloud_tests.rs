use super::{Piece, all, finished};

fn said(pieces: &[Piece]) -> Vec<&str> {
    pieces.iter().map(|piece| piece.said.as_str()).collect()
}

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
        let (found, taken) = finished(text, 0);
        assert_eq!(said(&found), sentences, "{text}");
        assert_eq!(&text[taken..], rest, "{text}");
    }
}

#[test]
fn nothing_is_said_that_only_eyes_can_read() {
    let table = [
        ("**Yes**, of course.", Some("Yes, of course.")),
        ("# Heading", Some("Heading")),
        ("- `run` it", Some("run it.")),
        ("See [the page](https://example.org/a_b).", Some("See the page.")),
        ("use snake_case here", Some("use snake_case here")),
        ("Ask @bob, or @everyone.", Some("Ask bob, or everyone.")),
        ("Write to a@example.com.", Some("Write to a@example.com.")),
        ("***", None),
        ("  \n", None),
    ];
    for (text, words) in table {
        assert_eq!(said(&all(text)).first().copied(), words, "{text}");
    }
}

#[test]
fn a_whole_text_is_said_to_its_end() {
    assert_eq!(
        said(&all("One thing. And another")),
        ["One thing.", "And another"]
    );
    assert!(all(" ").is_empty());
}

#[test]
fn a_block_of_code_is_one_piece_and_stands_in_the_text() {
    let text = "Like this:\n```rust\nfn main() {\n    run();\n}\n```\nThat is all.";
    let pieces = all(text);
    assert_eq!(
        said(&pieces),
        [
            "Like this:",
            "A piece of code of 3 lines, in the text.",
            "That is all."
        ]
    );
    let code = "```rust\nfn main() {\n    run();\n}\n```";
    assert_eq!(pieces[1].written.as_deref(), Some(code));
}

#[test]
fn a_block_is_not_finished_before_its_end_however_it_is_written() {
    let text =
        "Like this:\n```\nlet a = 1. And. So.\n\nlet b;\n```\n| a | b |\n|---|---|\n| 1 | 2 |\nDone. Now";
    for cut in 0..=text.len() {
        let mut taken = 0;
        let mut pieces = Vec::new();
        for end in [cut, text.len()] {
            let (found, reached) = finished(&text[..end], taken);
            pieces.extend(found);
            taken = reached;
        }
        let expected = [
            "Like this:",
            "A piece of code of 3 lines, in the text.",
            "A table of one row, in the text.",
            "Done.",
        ];
        assert_eq!(said(&pieces), expected, "cut at {cut}");
        assert_eq!(&text[taken..], " Now", "cut at {cut}");
    }
}

#[test]
fn lists_are_read_as_sentences() {
    let text = "You need:\n- egg\n---\n- two eggs, beaten\n1. Mix them.\n2) Bake it";
    let expected = [
        "You need:",
        "egg.",
        "two eggs, beaten.",
        "1. Mix them.",
        "2) Bake it.",
    ];
    assert_eq!(said(&all(text)), expected);
}

#[test]
fn where_a_link_leads_stands_in_the_text() {
    let pieces = all("See [the page](https://example.org/a). Bye now.");
    assert_eq!(pieces[0].written.as_deref(), Some("https://example.org/a"));
    assert_eq!(pieces[1].written, None);
}

#[test]
fn what_was_said_is_left_of_what_is_written_with_marks() {
    for (written, words) in [
        ("**It is** `Paris`.", "It is Paris."),
        ("See [the page](https://example.org/a).", "See the page."),
        ("| a table that is said", "| a table that is said"),
        ("snake_case stays", "snake_case stays"),
        ("- an egg", "an egg"),
        ("** ``` **", ""),
    ] {
        assert_eq!(super::words(written), words, "{written:?}");
    }
}
