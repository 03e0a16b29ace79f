use mind::ambient::view::{AmbientView, RunView};
use serde_json::{Value, json};
use vocabulary::Span;

use super::{outcome, span, standing};

fn view(change: impl FnOnce(&mut Value)) -> AmbientView {
    let meter = json!({"used": 1, "limit": 3, "freesIn": 60_000});
    let mut view = json!({
        "enabled": true, "attention": {"state": "ambient", "endsIn": null, "room": null}, "nextTickIn": 41_000,
        "stoppedBy": null, "eagerness": 20, "channels": [], "thought": null, "run": null, "trial": null, "gates": [], "receipts": [], "aloud": [],
        "budget": {"calls": meter, "tokens": meter, "cost": {"used": 4_100, "limit": 1_000_000, "freesIn": null}, "unpricedCalls": 2,
            "saved": [], "costOfAThought": null, "tokensOfAThought": null},
        "postsPerDay": meter, "media": [], "posts": [], "tools": [], "sources": [], "candidates": [], "interests": [],
    });
    change(&mut view);
    serde_json::from_value(view).expect("a view")
}

#[test]
fn a_cycle_without_channels_says_which_setting_names_them() {
    let told = standing(&view(|_| {}));
    for line in [
        "next tick  in 41 s",
        "held back  by chance alone: 20 % a tick (initiative.text.eagerness)",
        "channels   none: name some in permissions.replies.discoveryChannelIds",
        "holds      no thought",
        "posts      1 of 3 in 24 hours",
        "cost       $0.0041 of $1.00 in 24 hours; 2 calls without a known price",
    ] {
        assert!(told.lines().any(|told| told == line), "{line} in\n{told}");
    }
    assert!(!told.contains("its ticks"), "{told}");
}

#[test]
fn what_is_held_what_stops_it_and_what_came_of_ticks_are_told() {
    let told = standing(&view(|view| {
        view["stoppedBy"] =
            json!({"gate": "min_gap", "words": "it thought a while ago", "opensIn": 20_880_000});
        view["channels"] = json!([{"room": "lounge", "eligible": true, "why": ""}, {"room": "attic", "eligible": false, "why": "it is blocked"}]);
        view["thought"] = json!({"text": "Has anybody\nseen it?", "room": "lounge", "media": {"kind": "image", "prompt": "a lighthouse"},
            "reason": "nobody is there", "createdAt": 0, "expiresAt": 3_600_000, "history": [], "roomMovedOn": false});
        view["receipts"] = json!([
            {"firstAt": 0, "lastAt": 60_000, "ticks": 2, "ran": false, "gate": "dice", "words": "the dice said no", "roll": 80, "below": 20, "action": null, "turn": null},
            {"firstAt": 0, "lastAt": 0, "ticks": 1, "ran": true, "gate": null, "words": "it posted", "roll": null, "below": null, "action": "post_now", "turn": 3},
        ]);
    }));
    assert!(
        told.contains("held back  min_gap: it thought a while ago (opens in 5 h 48 min)"),
        "{told}"
    );
    assert!(told.contains("lounge, attic (not now: it is blocked)"), "{told}");
    assert!(
        told.contains(
            "“Has anybody seen it?” for lounge with a picture (a lighthouse), since 1970-01-01T00:00:00"
        ),
        "{told}"
    );
    assert!(
        told.contains("dice           the dice said no (2 in a row"),
        "{told}"
    );
    assert!(told.contains("post_now       it posted\n"), "{told}");
}

#[test]
fn a_trial_ends_with_its_decision_the_message_and_what_becomes_of_it() {
    let run: RunView = serde_json::from_value(json!({
        "turn": 4, "startedAt": 0, "endedAt": 9, "stage": "done", "revisits": false, "steps": [],
        "decision": {"at": 8, "ask": 2, "action": "post_now", "text": "Look.\nThere.", "room": "lounge", "media": null, "reason": "it is new"},
        "post": "Look.\nThere.", "outcome": "It would be posted."
    }))
    .expect("a run");
    assert_eq!(
        outcome(&run),
        "it decided: post_now in lounge: it is new\nthe message would be:\n\n    Look.\n    There.\n\nIt would be posted.\n"
    );
}

#[test]
fn spans_are_told_in_the_units_that_matter() {
    for (milliseconds, told) in [
        (1, "1 s"),
        (59_000, "59 s"),
        (60_000, "1 min"),
        (3_600_000, "1 h"),
        (20_880_000, "5 h 48 min"),
        (86_400_000, "1 d"),
        (90_000_000, "1 d 1 h"),
    ] {
        assert_eq!(span(Span(milliseconds)), told);
    }
}
