//! States as schema 1 kept them: whoever asked a model kept the deadline of the question itself. One registry does now.

use serde_json::{Value, json};

/// A state of schema 1 as schema 2 keeps it.
pub(super) fn from_v1(mut state: Value) -> Value {
    let mut asks = Vec::new();
    if let Some(run) = state.pointer("/memory/run") {
        let asking = json!({"ask": run["ask"], "deadline": run["stage"]["Asking"]["deadline"], "started": run["started"]});
        asks.extend(flight(&asking, json!("memory"), "gem_extraction", json!({})));
    }
    if let Some(thinking) = state.pointer("/ambient/run/stage/Thinking") {
        asks.extend(flight(thinking, json!("ambient"), "ambient_thought", json!({})));
    }
    for (room, kept) in state["rooms"].as_object().into_iter().flatten() {
        let owner = json!({ "watch": room });
        let scope = |run: &Value| {
            let turn = run.get("turn").filter(|turn| turn.is_number());
            let mut scope = json!({"room": room, "cause": run["cause"]});
            if let Some(turn) = turn {
                scope["turn"] = turn.clone();
            }
            scope
        };
        let note = &kept["watch"]["run"];
        asks.extend(flight(note, owner.clone(), "screen_note", scope(note)));
        let comment = &kept["watch"]["commentary"]["run"];
        asks.extend(flight(comment, owner, "screen_commentary", scope(comment)));
    }
    asks.sort_by_key(|flight| flight["ask"].as_u64());
    if let Some(parts) = state.as_object_mut() {
        parts
            .entry("flights")
            .or_insert_with(|| json!({"asks": asks, "lookUps": []}));
    }
    state
}

/// A question that was under way; none where there is no deadline.
fn flight(run: &Value, owner: Value, purpose: &str, scope: Value) -> Option<Value> {
    let (ask, deadline) = (run["ask"].as_u64()?, run["deadline"].as_u64()?);
    Some(json!({
        "ask": ask,
        "owner": owner,
        "purpose": purpose,
        "launched": run["started"].as_u64().unwrap_or_default(),
        "deadline": deadline,
        "scope": scope,
    }))
}
