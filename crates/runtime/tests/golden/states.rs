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
