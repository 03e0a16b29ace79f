//! States of an older schema, in the middle of everything: they are read, and the mind goes on with them.

use mind::{Effect, Input, JournalEvent, Mind, ShellEvent};
use serde::Deserialize;
use serde_json::Value;
use settings::{Document, Settings};
use vocabulary::{Now, Span, WallTime};

use crate::files;

/// A state that was kept, when, and under which settings.
#[derive(Deserialize)]
struct Kept {
    at: Now,
    settings: Document,
    state: Value,
}

fn later(now: Now, by: Span) -> Now {
    Now {
        moment: now.moment + by,
        wall: WallTime(now.wall.0 + i64::try_from(by.0).expect("a short span")),
    }
}

fn kept(schema: u32) -> Vec<(String, Kept)> {
    let files = files::all(schema, "states").into_iter();
    files
        .map(|(name, text)| (name, serde_json::from_str(&text).expect("a golden state is JSON")))
        .collect()
}

/// What a kept state holds, without the number of its schema around it.
fn body(state: &Value) -> &Value {
    state.get("body").unwrap_or(state)
}

/// The questions that were under way, wherever a schema kept them.
fn asks_under_way(schema: u32, body: &Value) -> Vec<u64> {
    let stages = ["Classifying", "Asking"];
    let turns = body["rooms"].as_object().into_iter().flatten();
    let of_replies = turns.flat_map(|(_, room)| stages.map(|stage| &room["turn"]["stage"][stage]["ask"]));
    let run = &body["memory"]["run"];
    let of_memory = run["stage"]["Asking"].is_object().then_some(&run["ask"]);
    let flights = body["flights"]["asks"].as_array().into_iter().flatten();
    let of_others = flights.map(|flight| &flight["ask"]);
    let open = of_replies
        .chain(of_memory.filter(|_| schema == 1))
        .chain(of_others);
    open.filter_map(Value::as_u64).collect()
}

/// What was promised to be forgotten: in the room that it was promised in, and since schema 3 in the community.
fn promised(body: &Value) -> impl Iterator<Item = &Value> {
    let rooms = body["rooms"].as_object().into_iter().flatten();
    let in_rooms = rooms.map(|(_, room)| &room["forgetting"]);
    let lists = in_rooms.chain([&body["promises"]]);
    lists.flat_map(|list| list.as_array().into_iter().flatten())
}

/// A room's summary, where a schema kept it.
fn summary_of(schema: u32, room: &Value) -> &Value {
    match schema {
        1 => &room["session"]["compaction"]["summary"],
        2 => &room["compaction"]["summary"],
        _ => &room["log"]["summary"],
    }
}

/// Goes on after a restart for so many wakes; everything that was wanted.
fn go_on(name: &str, kept: &Kept, wakes: usize) -> Vec<Effect> {
    let settings = Settings::read(&kept.settings).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
    let mut mind: Mind =
        mind::snapshot::read(&kept.state.to_string()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let down_for = Span::seconds(20);
    let mut now = later(kept.at, down_for);
    let restarted = Input::Shell(ShellEvent::Restarted { down_for });
    let mut step = mind.step(now, restarted, &settings);
    let mut effects = std::mem::take(&mut step.effects);
    for _ in 0..wakes {
        let Some(next) = step.wake else { break };
        now = later(now, next.at.since(now.moment));
        step = mind.step(now, Input::Shell(ShellEvent::WakeReached), &settings);
        effects.append(&mut step.effects);
    }
    effects
}

#[test]
fn a_mind_of_every_schema_goes_on_after_a_restart() {
    for schema in files::schemas("states") {
        for (name, kept) in kept(schema) {
            let effects = go_on(&name, &kept, 200);
            let lines = effects
                .iter()
                .filter(|effect| matches!(effect, Effect::Journal(_)));
            assert!(lines.count() > 1, "{name}: nothing happens any more");
        }
    }
}

#[test]
fn a_question_that_was_under_way_is_asked_again_or_ends() {
    for schema in files::schemas("states") {
        let mut taken_up = 0;
        for (name, kept) in kept(schema) {
            let effects = go_on(&name, &kept, 0);
            for open in asks_under_way(schema, body(&kept.state)) {
                let is_taken_up = effects.iter().any(|effect| match effect {
                    Effect::Ask(asking) => asking.ask.0 == open,
                    Effect::Journal(entry) => match &entry.event {
                        JournalEvent::AskFailed { ask, .. } | JournalEvent::AskCancelled { ask, .. } => {
                            ask.0 == open
                        }
                        _ => false,
                    },
                    _ => false,
                });
                assert!(
                    is_taken_up,
                    "schema {schema}, {name}: nobody heard of question {open} again"
                );
                taken_up += 1;
            }
        }
        assert!(
            taken_up >= 3,
            "{taken_up} questions were under way in schema {schema}"
        );
    }
}

#[test]
fn what_was_promised_held_and_spent_is_carried_over() {
    for schema in files::schemas("states") {
        let (mut promises, mut held, mut spent, mut summaries) = (0, 0, 0, 0);
        for (name, kept) in kept(schema) {
            let name = format!("schema {schema}, {name}");
            let mind = mind::snapshot::read(&kept.state.to_string())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let state = serde_json::to_value(&mind).expect("a mind is plain data");
            let (then, now) = (body(&kept.state), &state);
            assert_eq!(now["ambient"]["held"], then["ambient"]["held"], "{name}");
            let calls = |state: &Value| state["ambient"]["spending"]["calls"].clone();
            assert_eq!(calls(now), calls(then), "{name}");
            assert_eq!(now["counters"]["turn"], then["counters"]["turn"], "{name}");
            held += usize::from(!then["ambient"]["held"].is_null());
            spent += calls(then).as_array().map_or(0, Vec::len);
            let written = now.to_string();
            for promise in promised(then) {
                assert!(written.contains(&promise.to_string()), "{name}: {promise}");
                promises += 1;
            }
            for (_, room) in then["rooms"].as_object().into_iter().flatten() {
                let summary = summary_of(schema, room).as_str().unwrap_or_default();
                let quoted = Value::from(summary).to_string();
                assert!(written.contains(&quoted), "{name}: {summary}");
                summaries += usize::from(!summary.is_empty());
            }
        }
        assert!(
            promises > 0 && held > 0 && spent > 0 && summaries > 0,
            "schema {schema}"
        );
    }
}
