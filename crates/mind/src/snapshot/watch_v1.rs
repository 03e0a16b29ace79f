//! States of schema 1 held a watch in one piece.

use serde_json::{Map, Value, json};

/// Takes the watches apart.
pub(super) fn from_v1(mut body: Value) -> Value {
    let rooms = body.get_mut("rooms").and_then(Value::as_object_mut);
    for room in rooms.into_iter().flat_map(|rooms| rooms.values_mut()) {
        if let Some(watch) = room
            .get_mut("watch")
            .filter(|watch| watch.get("shares").is_some())
        {
            *watch = parts(watch);
        }
    }
    body
}

/// A watch, part by part.
fn parts(watch: &Value) -> Value {
    let commentary = &watch["commentary"];
    let old = watch["watched"].as_object();
    let watched = old.map(|old| picked(old, &["share", "sharedBy", "since", "newest"]));
    let look = old.map(|old| picked(old, &["attention", "described", "held", "recap"]));
    let mut note_taker = json!({
        "notes": watch["notes"],
        "evicted": watch["evicted"],
        "lastAttempt": watch["lastAttempt"],
        "failures": watch["failures"],
        "lastFailure": watch["lastFailure"],
        "run": watch["run"],
    });
    if let Some(look) = look {
        note_taker["look"] = look;
    }
    json!({
        "screens": {
            "shares": watch["shares"],
            "generation": watch["generation"],
            "nobody": watch["nobody"],
            "leftOpen": watch.get("leftOpen").cloned().unwrap_or(json!(0)),
            "watched": watched,
        },
        "noteTaker": note_taker,
        "commentator": {
            "lastConsidered": commentary["lastConsidered"],
            "considered": commentary["considered"],
            "failures": commentary.get("failures").cloned().unwrap_or(json!(0)),
            "changed": commentary["changed"],
            "anythingNew": commentary["anythingNew"],
            "waiting": commentary["waiting"],
            "run": commentary["run"],
            "speaking": commentary["speaking"],
        },
        "tally": { "calls": watch["calls"], "marks": watch["marks"] },
        "lastHeard": watch["lastHeard"],
    })
}

fn picked(from: &Map<String, Value>, names: &[&str]) -> Value {
    let fields = names.iter().filter_map(|name| {
        let value = from.get(*name)?;
        Some(((*name).to_owned(), value.clone()))
    });
    Value::Object(fields.collect())
}

#[cfg(test)]
#[path = "watch_v1_tests.rs"]
mod tests;
