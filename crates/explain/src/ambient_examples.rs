//! One example of every line about its own thoughts, for the test that every line has its words.

use serde_json::{Value, json};

/// Name and data, in the order of the manual.
pub(super) fn ambient_examples() -> Vec<(&'static str, Value)> {
    vec![
        (
            "ambient_tick_decided",
            json!({"ran": false, "gate": "eagerness", "revisits": false, "roll": 43, "below": 20, "repeated": 0}),
        ),
        (
            "ambient_run_started",
            json!({"trial": false, "revisits": false, "channels": 2}),
        ),
        ("ambient_channels_unknown", json!({"rooms": ["attic"]})),
        (
            "ambient_run_gathered",
            json!({
                "items": 40, "candidates": 6, "sources": 5, "sourcesFailed": 1, "facts": 3, "abandoned": false, "took": 900
            }),
        ),
        (
            "ambient_run_ended",
            json!({"outcome": "held", "took": 8200, "calls": 2, "tokens": 5100, "costMicroDollars": 4200}),
        ),
        (
            "initiative_post",
            json!({
                "ask": 9, "messages": ["m1"], "characters": 120, "links": ["https://a.example/"], "media": "image",
                "replyTo": null, "revisions": 2, "heldFor": 600_000
            }),
        ),
        (
            "initiative_skip",
            json!({"reason": "dropped", "detail": "the room is busy with something else", "ask": 9, "revisions": 0}),
        ),
        (
            "ambient_media_wanted",
            json!({"media": 3, "kind": "image", "model": "gpt-image-1"}),
        ),
        (
            "ambient_media_made",
            json!({
                "media": 3, "kind": "image", "provider": "openai", "bytes": 120_400, "costMicroDollars": 42_000,
                "took": 14_000
            }),
        ),
        (
            "ambient_media_failed",
            json!({"kind": "gif", "detail": "initiative.discovery.allowReplyGifs is off", "refused": true}),
        ),
        (
            "reply_media_wanted",
            json!({"media": 4, "kind": "image", "model": "gpt-image-1"}),
        ),
        (
            "reply_media_made",
            json!({
                "media": 4, "kind": "gif", "provider": "giphy", "bytes": 120_400, "costMicroDollars": 0,
                "took": 2_000
            }),
        ),
        (
            "reply_media_failed",
            json!({"kind": "image", "detail": "it took too long", "refused": false}),
        ),
        ("ambient_outcome_counted", json!({"reactions": 2, "replies": 1})),
        (
            "ambient_source_added",
            json!({"source": {"family": "reddit", "name": "rust"}, "reason": "people here talk of little else"}),
        ),
        (
            "ambient_source_removed",
            json!({"source": {"family": "reddit", "name": "rust"}, "by": "operator"}),
        ),
        (
            "capabilities_changed",
            json!({"tools": ["web_search", "web_scrape"], "media": ["gif"]}),
        ),
        (
            "reply_model_changed",
            json!({"provider": "compatible", "model": "qwen2.5:1.5b", "plain": "few_parameters"}),
        ),
        (
            "room_quiet_begun",
            json!({"person": "alice", "until": 1_762_000_500_000_i64}),
        ),
        ("room_quiet_ended", json!({"person": null})),
        (
            "reply_reaction_sent",
            json!({"ask": 3, "message": "m1", "emoji": "🎉", "why": "she is glad"}),
        ),
        (
            "message_reaction_changed",
            json!({"person": "alice", "added": true}),
        ),
    ]
}
