use super::*;

/// However the stream is cut, the same sentences come of it.
fn check(text: &str, wanted: &[&str]) {
    for size in [1, 3, 7, 1_000] {
        let mut sentences = Sentences::new();
        let characters: Vec<char> = text.chars().collect();
        let mut found = Vec::new();
        for piece in characters.chunks(size) {
            found.extend(sentences.push(&piece.iter().collect::<String>()));
        }
        found.extend(sentences.finish());
        assert_eq!(found, wanted, "in pieces of {size}");
    }
}

#[test]
fn sentences_end_where_people_hear_an_end() {
    check(
        "Hello there. How are you? Fine!",
        &["Hello there.", "How are you?", "Fine!"],
    );
    check("Wait... What?! Yes", &["Wait...", "What?!", "Yes"]);
    check("He said \"no.\" Then left.", &["He said \"no.\"", "Then left."]);
    check(
        "\"Why?\" he asked. Nobody knew.",
        &["\"Why?\" he asked.", "Nobody knew."],
    );
    check("**Done.** Next one.", &["**Done.**", "Next one."]);
    check("今日は。元気？", &["今日は。", "元気？"]);
    check("no end", &["no end"]);
    check("", &[]);
}

#[test]
fn full_stops_that_end_nothing_are_passed_over() {
    check(
        "Use one, e.g. Rust, or so. Good.",
        &["Use one, e.g. Rust, or so.", "Good."],
    );
    check("Pi is 3.14 or so. Yes.", &["Pi is 3.14 or so.", "Yes."]);
    check(
        "Dr. Smith met Mr. J. Doe. They spoke.",
        &["Dr. Smith met Mr. J. Doe.", "They spoke."],
    );
    check("In the U.S. Army. Ok.", &["In the U.S. Army.", "Ok."]);
    check(
        "Pens etc. are here. Pens etc. All here.",
        &["Pens etc. are here.", "Pens etc.", "All here."],
    );
    check(
        "Read example.org/a.b now. Then go.",
        &["Read example.org/a.b now.", "Then go."],
    );
    check("So do I. He too.", &["So do I.", "He too."]);
    check("v1.2. is out", &["v1.2. is out"]);
}

#[test]
fn lines_and_lists_are_sentences() {
    check("1. Do this\n2. Do that", &["1. Do this", "2. Do that"]);
    check("- milk\n- eggs\n\nDone.", &["- milk", "- eggs", "Done."]);
    check(
        "wrapped at\nthe margin. Next.",
        &["wrapped at\nthe margin.", "Next."],
    );
}

#[test]
fn a_block_of_code_is_one_piece() {
    check(
        "Try:\n```rust\nlet a = 1. + 2.;\n\nlet b = a.max(3.);\n```\nIt works. Really.",
        &[
            "Try:",
            "```rust\nlet a = 1. + 2.;\n\nlet b = a.max(3.);\n```",
            "It works.",
            "Really.",
        ],
    );
    check("```\nnever closed. Or", &["```\nnever closed. Or"]);
    check("Call `a. B` first. Then.", &["Call `a. B` first.", "Then."]);
}

#[test]
fn a_sentence_is_given_as_soon_as_the_next_begins() {
    let mut sentences = Sentences::new();
    assert!(sentences.push("One sentence.").is_empty(), "3.14 could follow");
    assert!(sentences.push(" ").is_empty());
    assert_eq!(sentences.push("T"), ["One sentence."]);
    assert!(sentences.push("wo\n").is_empty(), "a small letter would go on");
    assert_eq!(
        sentences.push("Three.\n"),
        ["Two", "Three."],
        "a line has an end of its own"
    );
}

#[test]
fn endless_sentences_are_cut_at_a_pause() {
    let endless = "word, ".repeat(200);
    let mut sentences = Sentences::new();
    let mut found = sentences.push(&endless);
    found.extend(sentences.finish());
    assert!(found.len() >= 3 && found.iter().all(|sentence| sentence.chars().count() <= 400));
    assert!(found[0].ends_with("word,"), "{}", found[0]);
    let unbroken = "x".repeat(1_000);
    let mut sentences = Sentences::new();
    let mut found = sentences.push(&unbroken);
    found.extend(sentences.finish());
    assert_eq!(found.concat(), unbroken);
}

#[test]
fn sentences_end_in_every_writing() {
    for (first, second) in [
        ("यह अच्छा है।", "और यह भी।"),
        ("كيف حالك؟", "أنا بخير."),
        ("یہ اچھا ہے۔", "اور یہ بھی۔"),
    ] {
        let mut sentences = Sentences::new();
        let found = sentences.push(&format!("{first} {second}"));
        assert_eq!(found.first().map(|sentence| sentence.trim()), Some(first));
    }
}
