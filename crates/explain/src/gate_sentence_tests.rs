//! The gate in words, and a model that has no name yet; and commands whose words are forgotten.

use std::fmt::Write;

use expect_test::expect;
use serde_json::json;

use crate::sentence;
use crate::sentence_tests::{decided, entry};

#[test]
fn the_gate_says_why_in_words() {
    let mut text = String::new();
    for (allow, reason, address) in [
        (true, "forced", "direct"),
        (true, "forced", "name_exact"),
        (true, "forced", "name_alias"),
        (true, "addressed", "followup_partner"),
        (true, "addressed", "llm_direct_address"),
        (true, "recent_window", "llm_decides"),
        (true, "ask_classifier", "llm_decides"),
        (false, "channel_not_allowed", "direct"),
        (false, "channel_blocked", "direct"),
        (false, "user_not_allowed", "direct"),
        (false, "user_blocked", "direct"),
        (false, "initiative_replies_off", "llm_decides"),
    ] {
        let gate = if reason == "recent_window" {
            "before_generation"
        } else {
            "before_queueing"
        };
        writeln!(text, "{}", sentence(&decided(gate, allow, reason, address))).unwrap();
    }
    expect![[r#"
        It mentions Denizen or replies to a message of Denizen's, so a reply is owed.
        Denizen was called by name, so a reply is owed.
        Denizen was called by one of its other names, so a reply is owed.
        Its author is in an exchange with Denizen and addressed nobody else, so a reply is attempted; the model may still stay silent.
        The classifier took it as meant for Denizen, so a reply is attempted; the model may still stay silent.
        Looked at once more right before asking: Not addressed to Denizen, but Denizen is part of the conversation, so the model decides whether to join in (eagerness 25 of 100).
        It is unclear whether it was meant for Denizen, so the classifier is asked.
        This room is not among those Denizen may reply in (permissions.replies.allowedChannelIds), so no model was asked.
        Denizen may not reply in this room (permissions.replies.blockedChannelIds), so no model was asked.
        Its author is not among those Denizen may reply to (permissions.replies.allowedUserIds), so no model was asked.
        Denizen may not reply to its author (permissions.replies.blockedUserIds), so no model was asked.
        Not addressed to Denizen, and joining in unasked is switched off here, so no model was asked.
    "#]].assert_eq(&text);
}

#[test]
fn a_model_that_is_not_settled_yet_is_called_the_one_in_use() {
    let started = |provider: &str| {
        let data = json!({
            "ask": 7, "purpose": "text_reply", "provider": provider, "model": "", "attempt": 1,
            "promptCharacters": 400, "sectionsTrimmed": [], "sectionsDropped": []
        });
        sentence(&entry("ask_started", data))
    };
    assert_eq!(
        started("auto"),
        "The model in use is asked for a reply with a prompt of 400 characters (call 7)."
    );
    assert!(started("openai").starts_with("The usual model of openai is asked"));
}

#[test]
fn a_command_whose_words_are_forgotten_is_still_told_as_one() {
    let taken = sentence(&entry("text_command_taken", json!({"command": ""})));
    assert_eq!(
        taken,
        "It was a command, which was carried out; what it said is forgotten."
    );
    let held = sentence(&entry(
        "text_command_held",
        json!({"command": "", "reason": "not_permitted"}),
    ));
    assert!(
        held.starts_with("It is a command, which only whoever runs Denizen may use here"),
        "{held}"
    );
}

#[test]
fn a_score_is_told_with_what_weighed_most() {
    let mut line = decided("before_queueing", true, "addressed", "followup_partner");
    if let mind::JournalEvent::AdmissionDecided { rule, score, .. } = &mut line.event {
        "seems_meant_for_denizen".clone_into(rule);
        *score = serde_json::from_value(json!({"score": 71, "least": 46, "cues": [
            {"cue": "from_denizen", "speaksFor": true}, {"cue": "with_others", "speaksFor": false},
            {"cue": "words", "speaksFor": true}]}))
        .ok();
    }
    expect![[r#"It calls nobody, and seems meant for Denizen, so a reply is attempted; the model may still stay silent. That it was meant for Denizen scores 71 of 100, and 46 is enough (addressing.scoreThreshold); what weighed most for it: how lately Denizen spoke to its author, the words it shares with what was said; against it: how its author talks with others."#]]
    .assert_eq(&sentence(&line));
}
