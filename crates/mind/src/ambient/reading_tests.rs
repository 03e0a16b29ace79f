//! Answers of every shape, as they come from models, and what is made of each.

use proptest::prelude::*;
use vocabulary::{MediaKind, MediaWish};

use super::*;

fn read(answer: &str) -> ThoughtReading {
    read_thought(answer, "Denizen")
}

fn posts(answer: &str, text: &str) {
    let reading = read(answer);
    assert_eq!(
        (reading.action, reading.text.as_str()),
        (ThoughtAction::PostNow, text),
        "{answer}"
    );
}

fn drops(answer: &str, reason: &str) {
    let reading = read(answer);
    assert_eq!(reading.action, ThoughtAction::Drop, "{answer}");
    assert!(reading.reason.contains(reason), "{answer}: {}", reading.reason);
    assert_eq!(reading.text, "", "{answer}");
}

#[test]
fn an_answer_as_it_was_asked_for_is_read_whole() {
    let reading = read(
        r#"{"action": "post_now", "text": "Look at this", "channel": "lounge", "replyTo": "m3",
            "media": {"kind": "image", "prompt": "a fox in the snow"}, "reason": "they talked about foxes"}"#,
    );
    let wanted = ThoughtReading {
        action: ThoughtAction::PostNow,
        text: "Look at this".to_owned(),
        channel: "lounge".to_owned(),
        reply_to: Some("m3".to_owned()),
        media: Some(MediaWish {
            kind: MediaKind::Image,
            prompt: "a fox in the snow".to_owned(),
        }),
        reason: "they talked about foxes".to_owned(),
        repaired: None,
        is_understood: true,
    };
    assert_eq!(reading, wanted);
}

#[test]
fn what_models_put_around_an_answer_is_left_out() {
    for answer in [
        "```json\n{\"action\": \"post_now\", \"text\": \"hi\"}\n```",
        "```\n{\"action\": \"post_now\", \"text\": \"hi\"}\n```",
        "Sure! Here is my thought:\n{\"action\": \"post_now\", \"text\": \"hi\"}\nHope that helps.",
        "<think>{\"action\": \"drop\"}</think>{\"action\": \"post_now\", \"text\": \"hi\"}",
        "{\"thought\": {\"action\": \"post_now\", \"text\": \"hi\"}}",
        "[{\"action\": \"post_now\", \"text\": \"hi\"}]",
        "{\"name\": \"thought\", \"arguments\": {\"action\": \"post_now\", \"text\": \"hi\"}}",
        "\"{\\\"action\\\": \\\"post_now\\\", \\\"text\\\": \\\"hi\\\"}\"",
        "{\"action\": \"post_now\", \"text\": \"hi\"} {\"action\": \"post\", \"text\": \"hi\"}",
    ] {
        posts(answer, "hi");
    }
    assert_eq!(read("```json\n{\"action\": \"drop\"}\n```").repaired, None);
    assert!(read("My thought: {\"action\": \"drop\"}").repaired.is_some());
}

#[test]
fn members_and_actions_go_by_several_names() {
    for action in [
        "post_now", "POST_NOW", "post now", "postNow", "post", "send", "share", "reply",
    ] {
        posts(
            &format!("{{\"Action\": \"{action}\", \"message\": \"hi\"}}"),
            "hi",
        );
    }
    for action in ["hold", "wait", "keep_holding", "Later"] {
        let reading = read(&format!("{{\"decision\": \"{action}\", \"text\": \"hi\"}}"));
        assert_eq!(
            (reading.action, reading.text.as_str()),
            (ThoughtAction::Hold, "hi"),
            "{action}"
        );
    }
    for action in ["drop", "skip", "[SKIP]", "none", "stay_silent", "discard"] {
        let reading = read(&format!(
            "{{\"action\": \"{action}\", \"text\": null, \"why\": \"quiet\"}}"
        ));
        assert_eq!(
            (reading.action, reading.reason.as_str()),
            (ThoughtAction::Drop, "quiet"),
            "{action}"
        );
    }
}

#[test]
fn an_action_that_nobody_knows_posts_nothing() {
    drops(
        r#"{"action": "post_now|hold|drop", "text": "hi"}"#,
        "none of post_now, hold and drop",
    );
    drops(r#"{"action": "dance", "text": "hi"}"#, "“dance”");
    drops(r#"{"action": true, "text": "hi"}"#, "none of");
    drops(
        r#"{"text": "hi", "channel": "lounge"}"#,
        "could not be understood",
    );
    drops(
        r#"{"action": "post_now", "text": "a"} or {"action": "drop"}"#,
        "contradict",
    );
    drops(
        r#"{"action": "post_now", "text": "a"} {"action": "post_now", "text": "b"}"#,
        "contradict",
    );
    drops(
        r#"{"name": "web_search", "arguments": {"query": "foxes"}}"#,
        "tool call",
    );
}

#[test]
fn plain_words_are_never_posted() {
    drops("", "empty");
    drops("   \n", "empty");
    drops("[SKIP]", "silence");
    drops("**[skip]**", "silence");
    drops("skip", "silence");
    drops("None.", "silence");
    drops("[SKIP] nothing is going on here", "silence");
    drops("I think I should post something about foxes.", "plain words");
    drops("post_now", "plain words");
    drops("<think>shall I post?", "empty");
    drops("{", "could not be understood");
    drops("{}", "could not be understood");
    drops("{\"act", "could not be understood");
    assert!(read("Hello everyone!").repaired.is_some());
}

#[test]
fn of_a_torn_answer_the_members_count_that_are_whole() {
    for answer in [
        r#"{"action": "post_now", "text": "hi", "channel": "lou"#,
        r#"{"action": "post_now", "text": "hi""#,
        r#"{"action": "post_now", "text": "hi", "media": {"kind": "ima"#,
        r#"{"channel": "lounge", "replyTo": null, "action": "post_now", "text": "hi", "reason": "be"#,
        r#"{"action": "post_now", "text": "hi",}"#,
    ] {
        posts(answer, "hi");
        assert!(read(answer).repaired.is_some(), "{answer}");
    }
    posts(
        "{\"action\": \"post_now\", \"text\": \"one\ntwo\", \"reason\": \"\"}",
        "one\ntwo",
    );
    drops(r#"{"action": "post_now", "text": "half of wh"#, "cut off");
    drops(r#"{"action": "post_now", "#, "cut off");
    let silent = read(r#"{"action": "drop", "te"#);
    assert_eq!(
        (silent.action, silent.reason.as_str()),
        (ThoughtAction::Drop, "it gave no reason")
    );
}

#[test]
fn words_that_are_no_words_are_not_posted() {
    drops(r#"{"action": "post_now", "text": ""}"#, "no words");
    drops(r#"{"action": "hold", "text": "...", "media": null}"#, "no words");
    drops(
        r#"{"action": "hold", "text": "", "media": {"kind": "gif", "prompt": ""}}"#,
        "no words",
    );
    drops(
        r#"{"action": "post_now", "text": "I'm sorry, but I can't help with that."}"#,
        "declined",
    );
    drops(
        r#"{"action": "post_now", "text": "the key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"}"#,
        "password or a key",
    );
    posts(r#"{"action": "post_now", "text": "🎉"}"#, "🎉");
    posts(
        r#"{"action": "post_now", "text": "", "media": {"kind": "gif", "prompt": "party"}}"#,
        "",
    );
}

#[test]
fn weighing_whether_to_post_is_not_posted() {
    for text in [
        "I'm not sure what to say, but I think I should think about what I want to say before posting.",
        "I'm still trying to decide what I want to say.",
        "I have nothing to add.",
        "I don't have anything new to share",
        "There is nothing worth sharing right now.",
        "Nothing new to report.",
        "I think I should stay quiet for now",
        "No thoughts.",
        "I have no thought yet.",
        "No new information to share now",
        "There is no news worth sharing.",
        "My thought is held for later.",
        "I will hold this thought for now.",
    ] {
        let answer = serde_json::json!({"action": "post_now", "text": text}).to_string();
        drops(&answer, "nothing to say");
    }
    drops(
        r#"{"action":"post_now","text":"I will stay silent."}"#,
        "it chose silence in its words",
    );
    for text in [
        "I'm not sure that bakery is open on Mondays, Jo.",
        "There is nothing like rye bread in the morning.",
        "I don't have a favourite boss, but the horse comes close.",
        "Nothing beats three screws left over.",
        "Thinking of Mira's bookshelf: does it still stand?",
        "No message from the station bakery yet?",
        "I will hold you to that, Tomas.",
        "No news about the patch, but the bakery is open.",
    ] {
        posts(
            &serde_json::json!({"action": "post_now", "text": text}).to_string(),
            text,
        );
    }
}

#[test]
fn a_reason_that_says_the_opposite_drops_the_thought() {
    drops(
        r#"{"action": "post_now", "text": "Hello everyone!", "reason": "nothing new to say"}"#,
        "its own reason",
    );
    posts(
        r#"{"action": "post_now", "text": "hi", "reason": "nothing beats rye bread"}"#,
        "hi",
    );
}

#[test]
fn a_silence_token_inside_a_thought_drops_it() {
    for answer in [
        r#"{"action": "post_now", "text": "[SKIP]"}"#,
        r#"{"action": "hold", "text": "maybe later [skip]"}"#,
        r#"{"action": "post_now", "text": "none"}"#,
    ] {
        drops(answer, "silence");
        assert_eq!(
            read(answer).repaired,
            Some("a silence token inside a thought drops the thought"),
            "{answer}"
        );
    }
}

#[test]
fn what_was_taken_over_from_the_prompt_is_taken_out() {
    for (written, text) in [
        ("Denizen: hello", "hello"),
        ("[12:03] Denizen: hello", "hello"),
        ("m4 · just now · you: hello there", "hello there"),
        ("[m3] hello", "hello"),
        ("m3: hello", "hello"),
        ("@m3 hello", "hello"),
        ("re m3: hello", "hello"),
        ("what Alice said [m3] is true (m4).", "what Alice said is true."),
        ("the BMW m3 is loud", "the BMW m3 is loud"),
        ("m3 is a chip", "m3 is a chip"),
        ("mail me@m3.example", "mail me@m3.example"),
        ("\"hello\"", "hello"),
        ("she said \"hello\" and \"bye\"", "she said \"hello\" and \"bye\""),
    ] {
        let answer = serde_json::json!({"action": "post_now", "text": written}).to_string();
        posts(&answer, text);
    }
    assert_eq!(
        read(r#"{"action": "post_now", "text": "[m3] yes"}"#)
            .reply_to
            .as_deref(),
        Some("m3")
    );
    let named = read(r#"{"action": "post_now", "text": "[m3] yes", "replyTo": "m5"}"#);
    assert_eq!(named.reply_to.as_deref(), Some("m5"));
}

#[test]
fn handles_and_channels_are_read_as_they_are_written() {
    for (written, handle) in [
        ("\"m3\"", Some("m3")),
        ("\"[M3]\"", Some("m3")),
        ("3", Some("m3")),
        ("\"12\"", Some("m12")),
        ("null", None),
        ("\"\"", None),
        ("\"none\"", None),
        ("\"Alice\"", None),
    ] {
        let reading = read(&format!(
            "{{\"action\": \"post\", \"text\": \"hi\", \"reply_to\": {written}}}"
        ));
        assert_eq!(reading.reply_to.as_deref(), handle, "{written}");
    }
    for (written, channel) in [
        ("lounge", "lounge"),
        (" `lounge` ", "lounge"),
        ("#lounge", "#lounge"),
        ("none", ""),
    ] {
        let reading = read(&format!(
            "{{\"action\": \"post\", \"text\": \"hi\", \"channel\": \"{written}\"}}"
        ));
        assert_eq!(reading.channel, channel, "{written}");
    }
}

#[test]
fn a_wish_for_media_needs_a_kind_and_a_prompt() {
    let wish = |media: &str| {
        let reading = read(&format!(
            "{{\"action\": \"post\", \"text\": \"hi\", \"media\": {media}}}"
        ));
        (
            reading.media.map(|wish| (wish.kind, wish.prompt)),
            reading.repaired.is_some(),
        )
    };
    let some = |kind, prompt: &str| (Some((kind, prompt.to_owned())), false);
    assert_eq!(
        wish(r#"{"kind": "gif", "prompt": "party"}"#),
        some(MediaKind::Gif, "party")
    );
    assert_eq!(
        wish(r#"{"type": "Picture", "description": "a\n fox"}"#),
        some(MediaKind::Image, "a fox")
    );
    assert_eq!(wish("null"), (None, false));
    assert_eq!(wish("{}"), (None, false));
    assert_eq!(wish("\"none\""), (None, false));
    assert_eq!(wish(r#"{"kind": "none", "prompt": ""}"#), (None, false));
    assert_eq!(wish(r#"{"kind": "hologram", "prompt": "x"}"#), (None, true));
    assert_eq!(wish(r#"{"kind": "image"}"#), (None, true));
    assert_eq!(
        wish(r#"{"kind": "gif", "prompt": "https://gifs.example/1"}"#),
        (None, true)
    );
}

#[test]
fn every_member_is_cut_at_a_word_where_it_is_too_long() {
    let long = "word ".repeat(900);
    let answer = serde_json::json!({
        "action": "hold", "text": long, "reason": long, "media": {"kind": "image", "prompt": long}
    });
    let reading = read(&answer.to_string());
    let prompt = reading.media.expect("a wish").prompt;
    for (text, limit) in [
        (&reading.text, THOUGHT_CHARS_MAX),
        (&reading.reason, REASON_CHARS_MAX),
        (&prompt, MEDIA_PROMPT_CHARS_MAX),
    ] {
        assert!(text.chars().count() <= limit && text.chars().count() > limit - 10);
        assert!(text.ends_with("word"));
    }
    assert_eq!(reading.repaired, Some("a thought that was too long was cut"));
}

proptest! {
    #[test]
    fn no_answer_makes_the_reader_stumble(answer in "\\PC{0,120}") {
        let reading = read(&answer);
        prop_assert!(!reading.reason.is_empty());
    }

    #[test]
    fn an_answer_torn_off_anywhere_posts_its_own_words_or_nothing(cut in 0_usize..140) {
        let whole = r#"{"action": "post_now", "text": "foxes are back 🦊", "channel": "lounge", "replyTo": null, "media": null, "reason": "new"}"#;
        let reading = read(&whole[..whole.floor_char_boundary(cut)]);
        prop_assert!(reading.text.is_empty() || reading.text == "foxes are back 🦊");
        prop_assert_eq!(reading.text.is_empty(), reading.action == ThoughtAction::Drop);
    }
}

#[test]
fn what_cannot_be_understood_is_no_decision() {
    for answer in [
        "",
        "I would wait.",
        r#"{"action": "perhaps", "text": "hi"}"#,
        r#"{"action": "post_n"#,
    ] {
        assert!(!read(answer).is_understood, "{answer}");
    }
    for answer in ["[SKIP]", r#"{"action": "drop", "reason": "stale"}"#] {
        assert!(read(answer).is_understood, "{answer}");
    }
}
