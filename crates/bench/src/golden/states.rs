//! States in the middle of everything: a run is stepped again, and those moments are kept in which most is under way.

use std::collections::BTreeSet;

use anyhow::Context;
use mind::{Input, Mind, ShellEvent, snapshot};
use serde::Serialize;
use serde_json::value::RawValue;
use settings::Document;
use simulator::Trace;
use vocabulary::Now;

use super::under_way::{Follower, UnderWay};

/// A state that is kept.
#[derive(Debug)]
pub struct Chosen {
    /// After how many steps.
    pub step: usize,
    pub holds: BTreeSet<UnderWay>,
    pub written: String,
}

#[derive(Serialize)]
struct Written<'a> {
    at: Now,
    settings: &'a Document,
    state: &'a RawValue,
}

/// The states of a run that hold something which was not `found` yet, as few as there can be.
pub fn choose(trace: &Trace, found: &BTreeSet<UnderWay>) -> anyhow::Result<Vec<Chosen>> {
    let genesis = trace.genesis.clone().context("a run has a beginning")?;
    let mut mind = Mind::new(genesis.clone());
    let mut follower = Follower::default();
    let mut moments: Vec<BTreeSet<UnderWay>> = Vec::new();
    for step in &trace.steps {
        let _ = mind.step(step.now, step.input.clone(), &step.settings);
        follower.follow(&mind, step);
        moments.push(follower.under_way(&mind, step));
    }
    let mut found = found.clone();
    let mut wanted = BTreeSet::new();
    // The fullest of those that bring most that is new, again and again.
    while let Some((place, holds)) = moments
        .iter()
        .enumerate()
        .max_by_key(|(_, holds)| (holds.difference(&found).count(), holds.len()))
        .filter(|(_, holds)| !holds.is_subset(&found))
    {
        wanted.insert(place);
        found.extend(holds);
    }
    let mut mind = Mind::new(genesis);
    let mut version = 0;
    let mut chosen = Vec::new();
    for (place, step) in trace.steps.iter().enumerate() {
        if let Input::Shell(ShellEvent::SettingsChanged { version: newest, .. }) = step.input {
            version = usize::try_from(newest)?;
        }
        let _ = mind.step(step.now, step.input.clone(), &step.settings);
        if wanted.contains(&place) {
            let state = RawValue::from_string(snapshot::keep(&mind))?;
            let settings = trace.saved_settings.get(version);
            let written = Written {
                at: step.now,
                settings: settings.context("a change has settings")?,
                state: &state,
            };
            chosen.push(Chosen {
                step: place + 1,
                holds: moments[place].clone(),
                written: serde_json::to_string(&written)?,
            });
        }
    }
    Ok(chosen)
}
