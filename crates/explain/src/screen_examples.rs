//! One example of every line about shared screens, for the test that every line has its words.

use serde_json::{Value, json};

/// Name and data, in the order of the manual.
pub(super) fn screen_examples() -> Vec<(&'static str, Value)> {
    let answered = |more: Value| {
        let mut data = json!({
            "ask": 9, "took": 1800, "provider": "anthropic", "model": "small", "inputTokens": 900, "outputTokens": 40,
            "costMicroDollars": 300
        });
        let fields = data.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        data
    };
    vec![
        (
            "stream_watch_share_started",
            json!({"share": "s1", "person": "alice", "sharedBy": "Alice", "source": "share_page", "shares": 2}),
        ),
        (
            "stream_watch_share_ended",
            json!({"share": "s1", "reason": "stopped", "lasted": 125_000, "frames": 240}),
        ),
        (
            "stream_watch_started",
            json!({"share": "s1", "sharedBy": "Alice", "generation": 1, "because": "only_one"}),
        ),
        (
            "stream_watch_ended",
            json!({
                "share": "s1", "generation": 1, "because": "share_ended", "lasted": 125_000, "notes": 7,
                "recapCharacters": 410
            }),
        ),
        ("stream_watch_target_left_open", json!({"shares": 2})),
        (
            "stream_watch_frame_refused",
            json!({
                "share": "s1", "reason": "frame_too_large",
                "detail": "The frame has 400000 bytes; voice.streamWatch.maxFrameBytes allows 350000.", "folded": 3
            }),
        ),
        (
            "stream_watch_note_started",
            json!({
                "ask": 9, "frame": 31, "trigger": "change", "score": 0.0213, "ema": 0.0101, "sceneCut": false,
                "changeThreshold": 0.01, "staticFloor": 0.005, "sinceLast": 4000,
                "held": {"cooldown": 3, "in_flight": 2}, "provider": "inherit", "model": "small"
            }),
        ),
        (
            "stream_watch_note_taken",
            answered(json!({"frame": 31, "trigger": "change", "outcome": "added", "characters": 84})),
        ),
        (
            "stream_watch_note_failed",
            json!({
                "ask": 9, "frame": 31, "trigger": "change", "error": "timed_out", "detail": "no note within its time",
                "failures": 1, "nextIn": 4000
            }),
        ),
        (
            "stream_watch_notes_evicted",
            json!({"notes": 1, "oldest": 4, "toBeFolded": true}),
        ),
        (
            "stream_watch_commentary_deferred",
            json!({"trigger": "change_detected", "gate": "quiet_window"}),
        ),
        (
            "stream_watch_commentary_started",
            json!({
                "ask": 10, "trigger": "change_detected", "frame": 32, "waited": 3100,
                "held": {"quiet_window": 2200, "queued_work": 900}, "provider": "anthropic", "model": "large"
            }),
        ),
        (
            "stream_watch_commentary_skipped",
            answered(json!({"reason": "llm_skip", "detail": "nothing to add", "notes": 0})),
        ),
        (
            "stream_watch_commentary_written",
            answered(json!({"characters": 61, "notes": 1})),
        ),
        (
            "stream_watch_commentary_spoken",
            json!({"ask": 10, "message": "m9", "characters": 61}),
        ),
        ("stream_watch_commentary_unheard", json!({"ask": 10})),
        (
            "stream_watch_commentary_failed",
            json!({"ask": 10, "error": "unreachable", "detail": "nobody answers at that address"}),
        ),
        (
            "stream_watch_frame_attached",
            json!({"frame": 33, "because": "screen_question"}),
        ),
    ]
}
