use expect_test::{Expect, expect};
use mind::journal::JournalEntry;
use serde_json::json;
use vocabulary::{MessageId, TurnId};

use crate::sentence_tests::entry;
use crate::verdict;

fn check(chain: &[JournalEntry], expected: Expect) {
    let judged = verdict(chain, &MessageId::from("m1"));
    expected.assert_eq(&format!("{:?}: {}", judged.outcome, judged.sentence));
}

/// A line about what was said, of a turn where it has one.
fn line(name: &str, data: serde_json::Value, turn: Option<u64>) -> JournalEntry {
    let mut line = entry(name, data);
    line.scope.messages = vec![MessageId::from("m1")];
    line.scope.turn = turn.map(TurnId);
    line
}

fn heard() -> JournalEntry {
    let data = json!({"author": "a", "authorName": "Alice", "characters": 20, "spoken": 1_400, "silence": 700, "took": 90});
    line("voice_utterance_heard", data, None)
}

fn addressing(allow: bool, reason: &str, retry_after: Option<u64>) -> JournalEntry {
    let data = json!({
        "allow": allow, "reason": reason, "directAddressed": false, "nearName": false, "namesSomebodyElse": false,
        "focusedSpeaker": false, "sinceOwnWords": null, "silence": 700, "participants": 2, "eagerness": 50,
        "retryAfter": retry_after, "llmResponse": null, "provider": null, "model": null
    });
    line("voice_turn_addressing", data, None)
}

fn opened(turn: u64) -> JournalEntry {
    let data = json!({"speakers": ["a"], "triggerMessageIds": ["m1"], "required": true, "waited": 5});
    line("voice_turn_opened", data, Some(turn))
}

fn sounded(turn: u64) -> JournalEntry {
    let data =
        json!({"delivery": "d1", "decided": 800, "asked": 810, "firstSentence": 1_400, "heard": 1_600});
    line("voice_answer_heard", data, Some(turn))
}

fn ended(turn: u64, outcome: &str, reason: &str) -> JournalEntry {
    let data = json!({"outcome": outcome, "reason": reason, "detail": "", "took": 4_000});
    line("voice_turn_ended", data, Some(turn))
}

fn asked(purpose: &str) -> JournalEntry {
    let data = json!({
        "ask": 1, "purpose": purpose, "provider": "compatible", "model": "small", "inputTokens": 10, "outputTokens": 1,
        "took": 300, "stop": "done"
    });
    line("ask_completed", data, None)
}

#[test]
fn what_the_classifier_turned_down_is_silent_although_a_model_has_answered() {
    let chain = [
        heard(),
        addressing(false, "ask_classifier", None),
        asked("voice_reply_decision"),
        addressing(false, "llm_no", None),
    ];
    check(
        &chain,
        expect!["Silent: No answer was attempted, because the classifier said no."],
    );
    check(
        &chain[..2],
        expect!["Waiting: A model is asked whether Denizen is meant."],
    );
}

#[test]
fn what_is_put_off_waits_and_what_was_only_heard_waits_too() {
    check(
        &[heard()],
        expect!["Waiting: It was heard, and nothing is decided yet."],
    );
    let put_off = addressing(false, "awaiting_non_direct_silence_window", Some(900));
    check(
        &[heard(), put_off],
        expect!["Waiting: It is looked at again in a moment."],
    );
}

#[test]
fn what_is_answered_aloud_says_why_and_how_soon() {
    let said = addressing(true, "direct_address_fast_path", None);
    let chain = [heard(), said, opened(7), sounded(7), ended(7, "spoken", "said")];
    check(
        &chain,
        expect![
            "Answered: Denizen answered it aloud, because it was called by name. Its first words were heard 1.6 s after the last of it."
        ],
    );
    check(&chain[..4], expect!["Waiting: It is being answered aloud."]);
}

#[test]
fn an_answer_that_was_cut_short_is_an_answer_and_one_that_nobody_heard_is_none() {
    let said = || addressing(true, "direct_address_fast_path", None);
    check(
        &[
            heard(),
            said(),
            opened(7),
            sounded(7),
            ended(7, "spoken", "cut_short"),
        ],
        expect![
            "Answered: Denizen answered it aloud, because it was called by name. Its first words were heard 1.6 s after the last of it. Somebody spoke over it, and it was not heard to its end."
        ],
    );
    for (reason, told) in [
        (
            "nobody_left",
            "It was not heard to its end: the last who was there had left.",
        ),
        (
            "session_ended",
            "It was not heard to its end: it left the voice of the room.",
        ),
    ] {
        let chain = [heard(), said(), opened(7), sounded(7), ended(7, "spoken", reason)];
        let verdict = verdict(&chain, &MessageId::from("m1"));
        assert!(
            verdict.sentence.ends_with(told) && !verdict.sentence.contains("spoke over"),
            "{verdict:?}"
        );
    }
    check(
        &[heard(), said(), opened(7), ended(7, "skipped", "stale")],
        expect![
            "Silent: An answer was attempted, and nothing was said: the answer would have come too late."
        ],
    );
    check(
        &[heard(), said(), opened(7), ended(7, "failed", "ask_failed")],
        expect!["Failed: An answer was attempted and failed: the model did not answer."],
    );
}

#[test]
fn what_was_given_up_for_something_newer_and_answered_along_with_it_is_answered() {
    let chain = [
        heard(),
        addressing(true, "direct_address_fast_path", None),
        opened(7),
        ended(7, "superseded", "newer_turn"),
        opened(8),
        sounded(8),
        ended(8, "spoken", "said"),
    ];
    check(
        &chain,
        expect![
            "Answered: Denizen answered it aloud, because it was called by name. Its first words were heard 1.6 s after the last of it."
        ],
    );
}

#[test]
fn what_it_said_itself_names_what_it_answered() {
    let spoken = json!({
        "delivery": "m1", "ask": 2, "writtenCharacters": 20, "heardCharacters": 20, "cut": false, "sentences": 1, "took": 1_500
    });
    let mut opening = opened(7);
    opening.event = entry(
        "voice_turn_opened",
        json!({"speakers": ["a"], "triggerMessageIds": ["m0"], "required": true, "waited": 5}),
    )
    .event;
    let chain = [opening, line("stt_pipeline_reply_spoken", spoken, Some(7))];
    check(
        &chain,
        expect!["Own: Denizen said this aloud, in answer to message m0."],
    );
}

#[test]
fn no_time_is_told_that_was_not_measured() {
    let told = |silence: u64, took: u64| {
        let data = json!({"author": "a", "authorName": "Alice", "characters": 20, "spoken": 1_400, "silence": silence, "took": took});
        crate::sentence(&line("voice_utterance_heard", data, None))
    };
    assert_eq!(
        told(700, 90),
        "Alice spoke for 1.4 s; 20 characters were understood in 90 ms."
    );
    assert_eq!(
        told(700, 0),
        "Alice spoke for 1.4 s; 20 characters were understood."
    );
    assert_eq!(told(0, 0), "Alice said 20 characters in words, without sound.");
}

#[test]
fn an_answer_of_which_the_first_sentence_had_begun_is_not_said_to_have_been_silence() {
    let said = || addressing(true, "direct_address_fast_path", None);
    check(
        &[
            heard(),
            said(),
            opened(7),
            sounded(7),
            ended(7, "superseded", "cut_short"),
        ],
        expect![
            "Silent: An answer was begun, and no sentence of it was heard to its end: somebody spoke over it."
        ],
    );
    check(
        &[heard(), said(), opened(7), ended(7, "superseded", "spoken_over")],
        expect!["Silent: An answer was attempted, and nothing was said: somebody spoke first."],
    );
}

#[test]
fn an_answer_that_came_too_late_says_how_slow_its_model_was() {
    let data = json!({
        "outcome": "written", "reason": "stale", "detail": "the model took 24 s for its first sentence", "took": 27_000
    });
    let chain = [heard(), opened(7), line("voice_turn_ended", data, Some(7))];
    check(
        &chain,
        expect![
            "Answered: Denizen answered it in text: the answer would have come too late. The model took 24 s for its first sentence."
        ],
    );
}

#[test]
fn of_a_model_that_failed_it_is_told_in_words_how() {
    let data =
        json!({"outcome": "failed", "reason": "ask_failed", "detail": "stream_stalled", "took": 45_000});
    let failed = line("voice_turn_ended", data, Some(7));
    expect![
        "The attempt ended after 45 s in failure: the model did not answer. The answer began and stood still."
    ]
    .assert_eq(&crate::sentence(&failed));
    check(
        &[heard(), opened(7), failed],
        expect![
            "Failed: An answer was attempted and failed: the model did not answer. The answer began and stood still."
        ],
    );
}
