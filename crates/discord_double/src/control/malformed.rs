//! Events that no server should send, and some do.

use crate::gateway::hub::{Session, Wire};

/// The kinds there are.
pub const KINDS: [&str; 14] = [
    "not_json",
    "binary",
    "no_op",
    "unknown_op",
    "no_sequence",
    "unknown_event",
    "null_data",
    "list_data",
    "text_data",
    "wrong_types",
    "missing_author",
    "lone_surrogate",
    "huge",
    "deep",
];

/// How deep `deep` nests, and how long the text of `huge` is.
const DEPTH: usize = 2000;
const LENGTH: usize = 1_000_000;

/// Sends one of a kind. Those that are events at all have a sequence number, as what comes after them has the next.
pub fn send(session: &mut Session, kind: &str, keep: usize) -> Result<(), String> {
    let mut event = |name: &str, data: &str| session.deliver(name, data, keep);
    match kind {
        "unknown_event" => event("SOMETHING_NEW", r#"{"of":"tomorrow"}"#),
        "null_data" => event("MESSAGE_CREATE", "null"),
        "list_data" => event("MESSAGE_CREATE", "[1,2]"),
        "text_data" => event("MESSAGE_CREATE", r#""text""#),
        "wrong_types" => event(
            "MESSAGE_CREATE",
            r#"{"id":[],"channel_id":{},"author":5,"content":7,"timestamp":false}"#,
        ),
        "missing_author" => event(
            "MESSAGE_CREATE",
            r#"{"id":"1","channel_id":"2","content":"by nobody","type":0}"#,
        ),
        "lone_surrogate" => event(
            "MESSAGE_CREATE",
            r#"{"id":"1","channel_id":"2","content":"\ud800"}"#,
        ),
        "huge" => event(
            "MESSAGE_CREATE",
            &format!(
                r#"{{"id":"1","channel_id":"2","content":"{}"}}"#,
                "x".repeat(LENGTH)
            ),
        ),
        "deep" => event(
            "MESSAGE_CREATE",
            &format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH)),
        ),
        "not_json" => session.send(Wire::Text(r#"{"op":0,"t":"MESSAGE_CREATE","s"#.to_owned())),
        "binary" => session.send(Wire::Binary(vec![0xff, 0x00, 0xfe, 0x01])),
        "no_op" => session.send(Wire::Text(r#"{"d":{},"t":"MESSAGE_CREATE"}"#.to_owned())),
        "unknown_op" => session.send(Wire::Text(r#"{"op":99,"d":null,"s":null,"t":null}"#.to_owned())),
        "no_sequence" => session.send(Wire::Text(r#"{"op":0,"d":{},"t":"SOMETHING_NEW"}"#.to_owned())),
        other => return Err(format!("which: {other:?} is none of {}", KINDS.join(", "))),
    }
    Ok(())
}
