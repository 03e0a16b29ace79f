//! What is written can be read, and says what it holds.

use std::collections::BTreeSet;

use mind::snapshot;
use runtime::{recording, replay};
use serde_json::Value;
use simulator::{Length, Options, live_through};

use super::packing::recorded;
use super::states;
use super::under_way::UnderWay;

#[test]
fn a_recorded_world_gives_its_journal_again() {
    let trace = live_through(3, Length::Hours(1), Options::default());
    assert!(trace.saved_settings.len() > 1, "settings change in a storm");
    let written = recorded(&trace, "hours-3", usize::MAX).expect("it can be recorded");
    let read = recording::read(&*written).expect("it can be read");
    let again = replay::again(&read).expect("it can be stepped");
    let lines: Vec<String> = again
        .iter()
        .map(|entry| serde_json::to_string(entry).expect("plain data"))
        .collect();
    assert_eq!(lines, trace.journal_lines());
}

#[test]
fn states_are_chosen_for_what_is_new_in_them() {
    let trace = live_through(3, Length::Hours(1), Options::default());
    let chosen = states::choose(&trace, &BTreeSet::new()).expect("states are written");
    let held: BTreeSet<UnderWay> = chosen.iter().flat_map(|chosen| chosen.holds.clone()).collect();
    for wanted in [UnderWay::Reply, UnderWay::Recall, UnderWay::Delivery] {
        assert!(held.contains(&wanted), "{}", wanted.words());
    }
    for state in &chosen {
        let written: Value = serde_json::from_str(&state.written).expect("JSON");
        snapshot::read(&written["state"].to_string()).expect("a state of this schema");
    }
    let again = states::choose(&trace, &held).expect("states are written");
    assert!(again.is_empty(), "nothing is new the second time");
}
