//! Posts of thoughts on their way under schema 2, where they had a machine of their own.

use serde_json::{Value, json};

/// Hands a post that was on its way to the outbox of its room. Where the room is not known, only the draft is left, and the
/// run ends as one whose post could not be sent.
pub(super) fn posts(mut body: Value) -> Value {
    let Some(run) = body.pointer_mut("/ambient/run").filter(|run| run.is_object()) else {
        return body;
    };
    let (turn, cause) = (run["turn"].clone(), run["cause"].clone());
    let Some(stage) = run
        .pointer_mut("/stage/Posting")
        .filter(|stage| stage.get("draft").is_some())
    else {
        return body;
    };
    let mut post = stage.take();
    *stage = post["draft"].take();
    let room = stage["room"].clone();
    let wait = match post["confirming"] == true {
        true => json!({ "Confirmation": post["due"] }),
        false => json!({ "Sending": post["due"] }),
    };
    let parcel = json!({
        "errand": "thought",
        "scope": { "room": room, "turn": turn, "cause": cause },
        "deliveries": post["deliveries"],
        "sent": post["sent"],
        "failures": post["failures"],
        "wait": wait,
    });
    let next = post["sent"].as_array().map_or(0, Vec::len);
    let open = post["deliveries"][next]["id"].as_str().map(str::to_owned);
    let outbox = room
        .as_str()
        .and_then(|room| body.get_mut("rooms")?.get_mut(room)?.get_mut("outbox"));
    if let (Some(outbox), Some(open)) = (outbox, open)
        && let Some(parcels) = outbox.get_mut("parcels").and_then(Value::as_array_mut)
    {
        parcels.push(parcel);
        outbox["typing_shown"] = json!(true);
        if let Some(rooms) = body.get_mut("deliveries").and_then(Value::as_object_mut) {
            rooms.insert(open, room);
        }
    }
    body
}

#[cfg(test)]
#[path = "posts_of_2_tests.rs"]
mod posts_of_2_tests;
