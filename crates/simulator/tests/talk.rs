//! Evenings of talk in the voice of a room, fair and stormy, over several seeds: nothing that must hold may break.

use simulator::{Options, Outcome, simulate_native, simulate_voice};

#[track_caller]
fn all_hold(seeds: impl IntoIterator<Item = u64>, minutes: u64, options: Options) -> Vec<Outcome> {
    let seeds = seeds.into_iter();
    let outcomes: Vec<Outcome> = seeds.map(|seed| simulate_voice(seed, minutes, options)).collect();
    let broken: Vec<String> = outcomes
        .iter()
        .filter(|outcome| !outcome.violations.is_empty())
        .map(ToString::to_string)
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    outcomes
}

#[track_caller]
fn all_happened(outcomes: &[Outcome], events: &[&str]) {
    for event in events {
        let happened = |outcome: &Outcome| outcome.stats.events.contains_key(event);
        assert!(outcomes.iter().any(happened), "no run has {event}");
    }
}

#[test]
fn every_property_holds_where_people_talk() {
    let fair = Options {
        faults: false,
        twice: true,
    };
    let outcomes = all_hold(1..9, 15, fair);
    all_happened(
        &outcomes,
        &[
            "stt_pipeline_reply_spoken",
            "voice_barge_in_decided",
            "voice_session_greeting_started",
            "voice_utterance_missed",
            "voice_session_ended",
            "voice_thought_ended",
            "voice_thought_stopped",
            "voice_thought_invalidated",
            "voice_context_compaction_completed",
        ],
    );
}

#[test]
fn every_property_holds_where_people_talk_and_everything_fails() {
    // And those of some hundreds in which something was found once.
    let seeds = (1..13).chain([56, 60, 83, 151]);
    let outcomes = all_hold(seeds, 15, Options::default());
    all_happened(
        &outcomes,
        &[
            "stt_pipeline_reply_spoken",
            "voice_speech_failed",
            "voice_utterance_ignored",
            "voice_turn_ended",
            "process_restarted",
            "voice_thought_ended",
            "voice_thought_let_go",
        ],
    );
}

#[track_caller]
fn all_hold_natively(seeds: impl IntoIterator<Item = u64>, minutes: u64, options: Options) -> Vec<Outcome> {
    let outcomes: Vec<Outcome> = seeds
        .into_iter()
        .map(|seed| simulate_native(seed, minutes, options))
        .collect();
    let broken: Vec<String> = outcomes
        .iter()
        .filter(|outcome| !outcome.violations.is_empty())
        .map(ToString::to_string)
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    outcomes
}

#[test]
fn every_property_holds_where_a_service_answers_by_itself() {
    let fair = Options {
        faults: false,
        twice: true,
    };
    let outcomes = all_hold_natively(1..7, 15, fair);
    all_happened(
        &outcomes,
        &[
            "realtime_conversation_begun",
            "realtime_instructions_sent",
            "realtime_reply_requested",
            "realtime_reply_truncated",
            "stt_pipeline_reply_spoken",
            "tool_completed",
        ],
    );
}

#[test]
fn every_property_holds_where_a_service_answers_by_itself_and_everything_fails() {
    // And those of some hundreds in which something was found once.
    let outcomes = all_hold_natively((1..13).chain([31, 98]), 15, Options::default());
    all_happened(
        &outcomes,
        &[
            "realtime_reply_requested",
            "realtime_reply_skipped",
            "realtime_speakers_overlapped",
            "voice_session_service_changed",
            "voice_speech_failed",
            "process_restarted",
        ],
    );
}
