use expect_test::{Expect, expect};
use mind::AskUnderWay;
use mind::journal::JournalEntry;
use serde_json::json;
use vocabulary::{MessageId, Span, TurnId};

use crate::sentence_tests::entry;
use crate::{verdict, waits_for};

fn check(chain: Vec<JournalEntry>, expected: Expect) {
    let judged = verdict(&chain, &MessageId::from("m1"));
    expected.assert_eq(&format!("{:?}: {}", judged.outcome, judged.sentence));
}

fn about(mut line: JournalEntry, message: &str) -> JournalEntry {
    line.scope.messages = vec![MessageId::from(message)];
    line
}

fn received() -> JournalEntry {
    let data = json!({"author": "a", "authorName": "Alice", "characters": 5, "images": 0});
    about(entry("text_message_received", data), "m1")
}

fn denied(message: &str, reason: &str) -> JournalEntry {
    let data = json!({
        "gate": "before_queueing", "allow": false, "reason": reason, "address": "llm_decides", "rule": "",
        "confidence": 0.0, "forced": false, "botInRecentWindow": false, "eagerness": 25
    });
    about(entry("text_admission_decided", data), message)
}

fn opened() -> JournalEntry {
    let data = json!({"author": "a", "triggerMessageIds": ["m1"], "forced": false, "waited": 6000});
    entry("text_turn_opened", data)
}

fn skipped(reason: &str) -> JournalEntry {
    entry("reply_skipped", json!({"reason": reason, "detail": ""}))
}

#[test]
fn a_message_that_was_not_let_in_is_silent_for_the_gates_reason() {
    let chain = vec![
        received(),
        denied("m1", "not_in_recent_window"),
        about(skipped("not_admitted"), "m1"),
    ];
    check(
        chain,
        expect![
            "Silent: Not addressed to Denizen, and Denizen had said nothing in the last few messages, so no model was asked."
        ],
    );
}

fn held_up(failure: Option<&str>, retry_in: Option<u64>) -> JournalEntry {
    let data = json!({"ask": 3, "took": 60_000, "failure": failure, "retryIn": retry_in});
    about(entry("text_reply_held_up", data), "m1")
}

#[test]
fn who_waits_behind_a_model_that_says_nothing_is_told_so() {
    let queued = json!({"burstMessages": 1, "queueLength": 1, "closesIn": 0, "behindReply": true});
    let queued = about(entry("text_message_queued", queued), "m1");
    check(
        vec![received(), queued, held_up(Some("no_first_byte"), Some(2500))],
        expect![
            "Waiting: It waits for a reply to somebody else, for which the model was waited for in vain; that is tried again."
        ],
    );
    let mut under_way = AskUnderWay {
        for_another: true,
        asked_ago: Span::seconds(31),
        at_most: Span::seconds(65),
        begun: false,
    };
    expect!["It waits for a reply to somebody else: the model was asked 31 s ago and has not begun to answer. It is waited for 1 min 5 s at most."]
        .assert_eq(&waits_for(&under_way));
    (under_way.for_another, under_way.begun) = (false, true);
    expect!["A model is being asked: it was asked 31 s ago and has begun to answer. It is waited for 1 min 5 s at most."]
        .assert_eq(&waits_for(&under_way));
}

#[test]
fn an_answer_that_came_late_says_what_held_it_up() {
    let sent = json!({
        "message": "r1", "replyTo": "m1", "triggerMessageIds": ["m1"], "characters": 10, "part": 1, "parts": 1
    });
    check(
        vec![
            received(),
            held_up(Some("no_first_byte"), None),
            opened(),
            about(entry("sent_reply", sent), "r1"),
        ],
        expect![
            "Answered: Denizen answered it. It waited behind a reply to somebody else, for which the model was waited for 1 min 0 s in vain: the provider took the question and sent nothing."
        ],
    );
}

#[test]
fn a_denial_of_another_message_of_the_turn_says_nothing_about_this_one() {
    check(
        vec![received(), opened(), denied("m2", "user_blocked")],
        expect!["Waiting: A reply is being attempted."],
    );
}

#[test]
fn a_message_with_a_reply_is_answered_whatever_failed_before() {
    let failed =
        json!({"ask": 1, "purpose": "text_reply", "kind": "timed_out", "detail": "slow", "retryIn": 2500});
    let completed = json!({
        "ask": 2, "purpose": "text_reply", "provider": "openai", "model": "small", "took": 1200, "firstText": 100,
        "inputTokens": 1, "outputTokens": 1, "costMicroDollars": null
    });
    let sent = json!({
        "message": "r1", "replyTo": "m2", "triggerMessageIds": ["m1", "m2"], "characters": 3, "part": 1, "parts": 1
    });
    let chain = vec![
        received(),
        opened(),
        entry("ask_failed", failed),
        entry("ask_completed", completed),
        about(entry("sent_reply", sent), "r1"),
        entry("text_turn_ended", json!({"outcome": "sent", "took": 5000})),
    ];
    check(
        chain,
        expect!["Answered: Denizen answered it, in the words of small (openai), which took 1.2 s."],
    );
}

#[test]
fn the_models_silence_is_silence() {
    let ended = entry("text_turn_ended", json!({"outcome": "skipped", "took": 5000}));
    check(
        vec![received(), opened(), skipped("llm_skip"), ended],
        expect!["Silent: The model was asked and chose to stay silent."],
    );
}

#[test]
fn a_model_that_cannot_be_had_is_a_failure_with_its_remedy() {
    let failed = json!({
        "ask": 1, "purpose": "text_reply", "kind": "rejected", "detail": "The key was refused. Set ANTHROPIC_API_KEY.",
        "retryIn": null
    });
    let ended = entry("text_turn_ended", json!({"outcome": "failed", "took": 5000}));
    let chain = vec![
        received(),
        opened(),
        entry("ask_failed", failed),
        skipped("model_failed"),
        ended,
    ];
    check(
        chain,
        expect![
            "Failed: The model could not be had, and the tries are used up. The key was refused. Set ANTHROPIC_API_KEY."
        ],
    );
}

#[test]
fn a_message_under_way_is_waiting_and_says_for_what() {
    let queued = json!({"burstMessages": 1, "queueLength": 1, "closesIn": 6000});
    check(
        vec![received(), about(entry("text_message_queued", queued), "m1")],
        expect!["Waiting: It waits for its author to finish."],
    );
    let behind = json!({"burstMessages": 1, "queueLength": 1, "closesIn": 6000, "behindReply": true});
    check(
        vec![received(), about(entry("text_message_queued", behind), "m1")],
        expect!["Waiting: It waits for a reply to somebody else, which is being written or tried again."],
    );
    check(
        Vec::new(),
        expect![
            "Waiting: The journal says nothing about it: it has not been looked at yet, or its lines were older than storage.keepJournalDays."
        ],
    );
}

#[test]
fn denizens_own_message_is_its_own() {
    let sent = json!({
        "message": "m1", "replyTo": "m0", "triggerMessageIds": ["m0"], "characters": 3, "part": 1, "parts": 1
    });
    check(
        vec![about(entry("sent_reply", sent), "m1")],
        expect!["Own: Denizen wrote this, in reply to message m0."],
    );
}

#[test]
fn a_comment_says_what_was_seen_and_what_it_waited_for() {
    let turn = |mut line: JournalEntry, number| {
        line.scope.turn = Some(TurnId(number));
        line
    };
    let started = |trigger: &str, waited: u64, held: serde_json::Value| {
        let data = json!({
            "ask": 7, "trigger": trigger, "frame": 3, "waited": waited, "held": held,
            "provider": "ollama", "model": "llava"
        });
        entry("stream_watch_commentary_started", data)
    };
    let spoken = json!({"ask": 7, "message": "m1", "characters": 12});
    let spoken = about(entry("stream_watch_commentary_spoken", spoken), "m1");
    let echo = about(
        entry("text_message_ignored", json!({"reason": "own_message"})),
        "m1",
    );
    let held = json!({"quiet_window": 4000, "spacing": 1000});
    check(
        vec![
            turn(started("change_detected", 5000, held), 4),
            echo,
            turn(spoken.clone(), 4),
        ],
        expect![
            "Own: Denizen wrote this by itself, about the shared screen, because much changed on the screen. It had waited 5.0 s, 4.0 s of it because somebody spoke or typed a moment ago."
        ],
    );
    check(
        vec![
            turn(started("share_start", 0, json!({})), 4),
            turn(spoken.clone(), 4),
        ],
        expect![
            "Own: Denizen wrote this by itself, about the shared screen, because a screen is seen for the first time."
        ],
    );
    check(
        vec![turn(spoken, 4)],
        expect!["Own: Denizen wrote this by itself, about the shared screen."],
    );
}

#[test]
fn another_bots_message_is_never_answered() {
    let ignored = entry("text_message_ignored", json!({"reason": "other_bot"}));
    check(
        vec![received(), about(ignored, "m1")],
        expect!["Silent: Another program wrote it; such messages are read and never answered."],
    );
}

#[test]
fn a_repeated_arrival_does_not_change_the_verdict() {
    let repeated = entry("text_message_ignored", json!({"reason": "duplicate"}));
    check(
        vec![received(), opened(), skipped("llm_skip"), about(repeated, "m1")],
        expect!["Silent: The model was asked and chose to stay silent."],
    );
}

#[test]
fn a_thought_of_its_own_says_what_let_it_think() {
    let turn = |mut line: JournalEntry| {
        line.scope.turn = Some(TurnId(4));
        line
    };
    let tick = json!({"ran": true, "gate": null, "revisits": false, "roll": 7, "below": 20, "repeated": 0});
    let post = |revisions: u64| {
        let data = json!({
            "ask": 9, "messages": ["m1"], "characters": 12, "links": [], "media": null, "replyTo": null,
            "revisions": revisions, "heldFor": 600_000
        });
        turn(about(entry("initiative_post", data), "m1"))
    };
    check(
        vec![turn(entry("ambient_tick_decided", tick)), post(0)],
        expect![
            "OwnAccord: Denizen wrote this of its own accord. Nothing stood against a thought, and chance had it: it rolled 7, and needed less than 20."
        ],
    );
    check(
        vec![post(2)],
        expect![
            "OwnAccord: Denizen wrote this of its own accord. It held the thought for 10 min 0 s before."
        ],
    );
}

fn asked_for(purpose: &str, model: &str) -> JournalEntry {
    let data = json!({
        "ask": 3, "purpose": purpose, "provider": "openai", "model": model, "took": 900, "firstText": null,
        "inputTokens": 1, "outputTokens": 1, "costMicroDollars": null
    });
    entry("ask_completed", data)
}

#[test]
fn memories_made_of_a_turn_are_not_the_words_of_its_reply() {
    let sent = json!({
        "message": "r1", "replyTo": "m1", "triggerMessageIds": ["m1"], "characters": 3, "part": 1, "parts": 1
    });
    let chain = vec![
        received(),
        opened(),
        asked_for("text_reply", "small"),
        about(entry("sent_reply", sent), "r1"),
        asked_for("gem_extraction", "rememberer"),
    ];
    check(
        chain,
        expect!["Answered: Denizen answered it, in the words of small (openai), which took 900 ms."],
    );
    let chain = vec![received(), opened(), asked_for("gem_extraction", "rememberer")];
    check(chain, expect!["Waiting: A reply is being attempted."]);
}

#[test]
fn what_was_decided_before_an_edit_says_so() {
    let edited = json!({"whileWaiting": false, "whileAnswering": false});
    let chain = vec![
        received(),
        denied("m1", "not_in_recent_window"),
        about(skipped("not_admitted"), "m1"),
        about(entry("text_message_edited", edited), "m1"),
    ];
    check(
        chain,
        expect![
            "Silent: Not addressed to Denizen, and Denizen had said nothing in the last few messages, so no model was asked. Its author has changed it since; this was decided about the words before."
        ],
    );
}

#[test]
fn what_an_operator_wants_answered_is_not_failed_any_more() {
    let chain = vec![
        received(),
        opened(),
        about(skipped("model_failed"), "m1"),
        about(entry("text_reply_requested", json!({"refused": null})), "m1"),
    ];
    check(
        chain,
        expect!["Waiting: Whoever looks after Denizen asked for a reply to it."],
    );
}

#[test]
fn a_reply_to_somebody_is_not_called_a_name() {
    let mut line = denied("m1", "meant_for_somebody_else");
    if let mind::JournalEvent::AdmissionDecided { rule, .. } = &mut line.event {
        *rule = "replied_to_somebody_else".to_owned();
    }
    check(
        vec![received(), line],
        expect!["Silent: It replies to a message of somebody else's, so no model was asked."],
    );
}
