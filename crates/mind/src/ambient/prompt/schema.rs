//! The typed answer. The action comes first and the words second, so that an answer that is cut off still says what it is.

use serde_json::{Value, json};
use vocabulary::MediaKind;

/// More channels than this are not listed one by one.
const CHANNELS_LISTED_MAX: usize = 40;

pub(super) fn thought<'a>(rooms: impl Iterator<Item = &'a str>, media: &[MediaKind]) -> Value {
    let rooms: Vec<&str> = rooms.filter(|room| !room.is_empty()).collect();
    let mut channel = json!({"type": "string", "description": "the channel it is meant for"});
    if (1..=CHANNELS_LISTED_MAX).contains(&rooms.len()) {
        channel["enum"] = json!(rooms);
    }
    let kinds: Vec<&str> = std::iter::once("none")
        .chain(media.iter().map(|kind| kind.name()))
        .collect();
    json!({
        "type": "object",
        "properties": {
            "action": {
                "type": "string", "enum": ["drop", "hold", "post_now"],
                "description": "drop to stay silent, hold to keep it for later, post_now to say it"
            },
            "text": {"type": "string", "description": "the message as it will stand in the channel; empty when silent"},
            "channel": channel,
            "replyTo": {"type": "string", "description": "the handle of the message it answers, such as m3; else empty"},
            "media": {
                "type": "object",
                "properties": {
                    "kind": {"type": "string", "enum": kinds, "description": "what goes with the words; mostly none"},
                    "prompt": {"type": "string", "description": "what is to be seen; empty with none"}
                },
                "required": ["kind", "prompt"],
                "additionalProperties": false
            },
            "reason": {"type": "string", "description": "why, in a few words; not shown in the room"}
        },
        "required": ["action", "text", "channel", "replyTo", "media", "reason"],
        "additionalProperties": false
    })
}
