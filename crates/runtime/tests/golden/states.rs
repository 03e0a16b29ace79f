//! States of an older schema, in the middle of everything: they are read, and the mind goes on with them.

use mind::{Effect, Input, Mind, ShellEvent};
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

#[test]
fn a_mind_of_schema_1_goes_on_after_a_restart() {
    for (name, kept) in kept(1) {
        let settings =
            Settings::read(&kept.settings).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
        let mut mind: Mind =
            mind::snapshot::read(&kept.state.to_string()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let down_for = Span::seconds(20);
        let mut now = later(kept.at, down_for);
        let mut wake = mind
            .step(now, Input::Shell(ShellEvent::Restarted { down_for }), &settings)
            .wake;
        let mut lines = 0;
        for _ in 0..200 {
            let Some(next) = wake else { break };
            now = later(now, next.at.since(now.moment));
            let step = mind.step(now, Input::Shell(ShellEvent::WakeReached), &settings);
            let journal = step
                .effects
                .iter()
                .filter(|effect| matches!(effect, Effect::Journal(_)));
            lines += journal.count();
            wake = step.wake;
        }
        assert!(lines > 0, "{name}: nothing happens any more");
    }
}

#[test]
fn a_question_that_was_under_way_is_taken_up_by_whoever_asked() {
    let mut taken_up = 0;
    for (name, kept) in kept(1) {
        let settings =
            Settings::read(&kept.settings).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
        let was_asking = kept.state["memory"]["run"]["stage"]["Asking"].is_object();
        let mut mind =
            mind::snapshot::read(&kept.state.to_string()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let down_for = Span::seconds(20);
        let _ = mind.step(
            later(kept.at, down_for),
            Input::Shell(ShellEvent::Restarted { down_for }),
            &settings,
        );
        let state = serde_json::to_value(&mind).expect("a mind is plain data");
        if was_asking {
            let open = state["memory"]["run"]["ask"].as_u64();
            let asks = state["flights"]["asks"].as_array().cloned().unwrap_or_default();
            let flies = asks.iter().any(|flight| flight["ask"].as_u64() == open);
            assert!(
                open.is_none() || flies,
                "{name}: nobody would ever answer {open:?}"
            );
            taken_up += 1;
        }
    }
    assert!(taken_up > 0, "no golden state was asking");
}

#[test]
fn what_was_promised_held_and_spent_is_carried_over() {
    let (mut promises, mut held, mut spent) = (0, 0, 0);
    for (name, kept) in kept(1) {
        let mind =
            mind::snapshot::read(&kept.state.to_string()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let state = serde_json::to_value(&mind).expect("a mind is plain data");
        let (then, now) = (&kept.state, &state);
        assert_eq!(now["ambient"]["held"], then["ambient"]["held"], "{name}");
        assert_eq!(
            now["ambient"]["spending"]["calls"], then["ambient"]["spending"]["calls"],
            "{name}"
        );
        assert_eq!(now["counters"]["turn"], then["counters"]["turn"], "{name}");
        held += usize::from(!then["ambient"]["held"].is_null());
        spent += then["ambient"]["spending"]["calls"]
            .as_array()
            .map_or(0, Vec::len);
        let written = now.to_string();
        for room in then["rooms"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(_, room)| room)
        {
            for promise in room["forgetting"].as_array().into_iter().flatten() {
                assert!(written.contains(&promise.to_string()), "{name}: {promise}");
                promises += 1;
            }
            let summary = room["session"]["compaction"]["summary"].to_string();
            assert!(written.contains(&summary), "{name}: {summary}");
        }
    }
    assert!(promises > 0 && held > 0 && spent > 0);
}
