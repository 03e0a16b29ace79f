//! Silence is typed, and no trace of its token reaches a room.

use super::{Draft, Reading, ReplyOutcome, read_answer};

fn read(answer: &str) -> ReplyOutcome {
    read_answer(answer, "Denizen", false).outcome
}

fn read_owed(answer: &str) -> ReplyOutcome {
    read_answer(answer, "Denizen", true).outcome
}

fn say(text: &str) -> ReplyOutcome {
    ReplyOutcome::Say(text.to_owned())
}

fn skip(why: &str) -> ReplyOutcome {
    ReplyOutcome::Skip { why: why.to_owned() }
}

#[test]
fn a_typed_reply_is_said() {
    assert_eq!(
        read(r#"{"action":"reply","text":"Hello, Alice.","reason":"greeting"}"#),
        say("Hello, Alice.")
    );
}

#[test]
fn a_typed_silence_is_silence_with_its_reason() {
    assert_eq!(
        read(r#"{"action":"skip","text":"","reason":"not for me"}"#),
        skip("not for me")
    );
}

#[test]
fn a_typed_silence_keeps_its_words_to_itself() {
    assert_eq!(
        read(r#"{"action":"skip","text":"I'd rather not say","reason":"x"}"#),
        skip("x")
    );
}

#[test]
fn a_fenced_envelope_is_read_like_a_bare_one() {
    assert_eq!(
        read("```json\n{\"action\": \"reply\", \"text\": \"ok\", \"reason\": \"\"}\n```"),
        say("ok")
    );
}

#[test]
fn an_envelope_cut_off_in_its_text_says_what_came() {
    assert_eq!(
        read(r#"{"action":"reply","text":"The first sentence. The sec"#),
        say("The first sentence. The sec")
    );
}

#[test]
fn json_that_is_no_envelope_is_words() {
    assert_eq!(read(r#"{"name": "x"}"#), say(r#"{"name": "x"}"#));
}

#[test]
fn every_in_band_way_to_say_nothing_is_silence() {
    for answer in [
        "[SKIP]",
        " [skip] ",
        "[SKIP].",
        "\"[SKIP]\"",
        "SKIP",
        "**[SKIP]**",
        "NO",
        "no.",
        "No reply",
        "NO_REPLY",
        "[NO_REPLY]",
        "N/A",
        "null",
        "[SKIP] they are talking to each other",
        "Nothing to add here. [SKIP]",
        "<think>should I? [SKIP]</think>[SKIP]",
        r#"{"action":"reply","text":"[SKIP]","reason":""}"#,
    ] {
        assert!(
            matches!(read(answer), ReplyOutcome::Skip { .. }),
            "{answer:?} gave {:?}",
            read(answer)
        );
    }
}

#[test]
fn a_sentence_that_begins_with_no_is_no_silence() {
    assert_eq!(read("No, the build is fine."), say("No, the build is fine."));
}

#[test]
fn nothing_at_all_is_an_empty_reply() {
    for answer in [
        "",
        "  \n",
        r#"{"action":"reply","text":"","reason":""}"#,
        "<think>hmm</think>",
    ] {
        assert_eq!(read(answer), ReplyOutcome::Empty, "{answer:?}");
    }
}

#[test]
fn a_picture_alone_leaves_nothing_to_say() {
    assert_eq!(
        read("![a cat](https://example.com/cat.png)"),
        ReplyOutcome::EmptyAfterMedia
    );
}

#[test]
fn words_beside_a_picture_are_said_without_it() {
    assert_eq!(read("Look: ![a cat](x.png) nice, no?"), say("Look:  nice, no?"));
}

#[test]
fn an_owed_reply_keeps_its_words_and_loses_the_token() {
    let Reading { outcome, repaired } = read_answer("[SKIP] I do not know.", "Denizen", true);
    assert_eq!(outcome, say("I do not know."));
    assert!(repaired.is_some());
    assert_eq!(
        read_owed(r#"{"action":"skip","text":"I do not know.","reason":""}"#),
        say("I do not know.")
    );
}

#[test]
fn an_owed_reply_of_nothing_but_the_token_is_still_silence() {
    assert!(matches!(read_owed("[SKIP]"), ReplyOutcome::Skip { .. }));
}

#[test]
fn reasoning_never_counts_as_words() {
    assert_eq!(
        read("<think>Alice wants [SKIP]? no</think>Sure, Alice."),
        say("Sure, Alice.")
    );
    assert_eq!(read("<think>cut off in the middle"), ReplyOutcome::Empty);
}

#[test]
fn a_transcript_style_opening_is_taken_off() {
    for answer in [
        "Denizen: hi",
        "[12:03] Denizen: hi",
        "denizen: hi",
        "[9:03] Denizen: hi",
    ] {
        assert_eq!(read(answer), say("hi"), "{answer:?}");
    }
    assert_eq!(read("Denizens are people: yes"), say("Denizens are people: yes"));
}

/// Feeds an answer piece by piece and gives everything that was shown.
fn shown(pieces: &[&str]) -> Vec<String> {
    let mut draft = Draft::default();
    pieces
        .iter()
        .filter_map(|piece| draft.push(piece, "Denizen", None, None).map(str::to_owned))
        .collect()
}

#[test]
fn a_typed_reply_is_shown_as_it_grows_and_never_its_envelope() {
    let pieces = [
        r#"{"act"#,
        r#"ion":"reply","te"#,
        r#"xt":"Hel"#,
        r#"lo \u00e9"#,
        r#"\n"wor"#,
        r#"ld","reason":"why"}"#,
    ];
    assert_eq!(
        shown(&pieces),
        ["Hel", "Hello é", "Hello é\n"],
        "the text ends at its quote; what follows is envelope"
    );
    assert_eq!(
        shown(&[r#"{"action":"reply","text":"a "#, r#"\"b\" "#, r#"c"}"#]),
        ["a ", "a \"b\" ", "a \"b\" c"]
    );
}

#[test]
fn a_typed_silence_is_never_shown() {
    assert!(shown(&[r#"{"action":"sk"#, r#"ip","text":"secret"#, r#"","reason":"no"}"#]).is_empty());
}

#[test]
fn a_token_in_the_making_is_held_back() {
    assert!(shown(&["[", "SK", "IP", "]"]).is_empty());
    assert!(shown(&["N", "O"]).is_empty());
    assert_eq!(shown(&["N", "o, that is fine"]), ["No, that is fine"]);
    assert_eq!(
        shown(&["Well, ", "I think [", "sic] so"]),
        ["Well, ", "Well, I think ", "Well, I think [sic] so"]
    );
}

#[test]
fn reasoning_and_the_own_name_are_not_shown() {
    assert!(shown(&["<thi", "nk>hmm", " well"]).is_empty());
    assert_eq!(
        shown(&["Deni", "zen: ", "hello there, Alice"]),
        ["hello there, Alice"]
    );
}

#[test]
fn what_is_shown_only_grows_whatever_way_it_is_cut() {
    let answer =
        r#"{"action":"reply","text":"He said: \"[12:03] Bob\" \u2014 then 🙂 left.","reason":"asked"}"#;
    let letters: Vec<char> = answer.chars().collect();
    for size in 1..9 {
        let pieces: Vec<String> = letters.chunks(size).map(|chunk| chunk.iter().collect()).collect();
        let seen = shown(&pieces.iter().map(String::as_str).collect::<Vec<_>>());
        for pair in seen.windows(2) {
            assert!(pair[1].starts_with(&pair[0]), "{:?} then {:?}", pair[0], pair[1]);
        }
        assert_eq!(
            seen.last().map(String::as_str),
            Some("He said: \"[12:03] Bob\" — then 🙂 left.")
        );
    }
}
