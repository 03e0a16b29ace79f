//! Brings a mind back from what is stored. Nothing that is stored can keep a community from starting: a state that
//! cannot be read is carried over part by part, an input that cannot be stepped is left out, and both are told.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mind::snapshot::{self, Salvage};
use mind::{Effect, Genesis, Input, JournalEntry, Mind, Step};
use settings::Settings;
use vocabulary::{CommunityId, Now};

use crate::community::SettingsBook;
use crate::ports::{KeptState, Resume};

/// Inputs that may break a step before the rest of them are left out together.
const BREAKING_INPUTS_MAX: usize = 8;

/// A mind that goes on.
pub(crate) struct Restored {
    pub mind: Mind,
    /// Lines that were decided but not yet written when the last process ended.
    pub missing_journal: Vec<JournalEntry>,
    /// What could not be read, and what was carried over nevertheless.
    pub salvaged: Option<Salvage>,
}

/// How a mind is stepped; tests have one that breaks.
type Stepper = fn(&mut Mind, Now, Input, &Settings) -> Step;

/// The newest state that can be read, and the inputs after it stepped once more: their effects were wanted then, not now.
pub(crate) fn restore(community: &CommunityId, genesis: Genesis, resume: &Resume) -> Restored {
    restore_by(Mind::step, community, genesis, resume)
}

fn restore_by(stepper: Stepper, community: &CommunityId, genesis: Genesis, resume: &Resume) -> Restored {
    let lived_before = resume.last_input > 0;
    let mut told = Salvage::default();
    let chosen = choose(community, &genesis, &resume.states, &mut told);
    let (mut mind, seen) = match chosen {
        Some((mind, kept)) => (mind, Some(kept)),
        None => {
            if lived_before {
                told.lost.push("the whole state".to_owned());
            }
            (Mind::new(genesis), None)
        }
    };
    let mut missing_journal = Vec::new();
    if let Some(kept) = seen {
        let unread = resume.unread.iter().filter(|unread| unread.seq > kept.input);
        told.lost
            .extend(unread.map(|unread| format!("input {}: {}", unread.seq, unread.detail)));
        (mind, missing_journal) = step_again(stepper, mind, kept, resume, &mut told);
    }
    mind.count_on(resume.last_journal, resume.last_turn, resume.last_ask);
    let salvaged = (!told.lost.is_empty()).then_some(told);
    if let Some(salvaged) = &salvaged {
        tracing::warn!(%community, lost = ?salvaged.lost, "the kept state could not be read as a whole; what could be was carried over");
    }
    Restored {
        mind,
        missing_journal,
        salvaged,
    }
}

/// The newest state that can be read whole: one before it and the inputs since give the same. Where none can, the newest
/// of which anything can be carried over.
fn choose<'a>(
    community: &CommunityId,
    genesis: &Genesis,
    states: &'a [KeptState],
    told: &mut Salvage,
) -> Option<(Mind, &'a KeptState)> {
    let mut of_other_shape = Vec::new();
    for kept in states {
        // Whatever is in there, it must not keep the community from starting.
        let read = catch_unwind(|| snapshot::read(&kept.state));
        let broken = || {
            Err(snapshot::Unreadable::Damaged(
                "it broke whoever read it".to_owned(),
            ))
        };
        match read.unwrap_or_else(|_| broken()) {
            Ok(mind) => {
                told.lost.extend(of_other_shape.iter().map(
                    |(passed_over, detail): &(&KeptState, String)| {
                        format!("the state after input {}: {detail}", passed_over.input)
                    },
                ));
                return Some((mind, kept));
            }
            Err(snapshot::Unreadable::Damaged(detail)) => {
                tracing::warn!(%community, input = kept.input, %detail, "a kept state is damaged; the one before it is tried");
                told.lost
                    .push(format!("the state after input {}: {detail}", kept.input));
            }
            Err(snapshot::Unreadable::OtherShape { detail, .. }) => {
                tracing::warn!(%community, input = kept.input, %detail, "a kept state is of another shape; the one before it is tried");
                of_other_shape.push((kept, detail));
            }
        }
    }
    for (kept, _) in of_other_shape {
        let salvaged = catch_unwind(|| snapshot::salvage(&kept.state, genesis.clone()));
        let Ok(Ok((mind, salvage))) = salvaged else {
            continue;
        };
        tracing::warn!(%community, input = kept.input, "no kept state is of the right shape; this one is carried over part by part");
        told.carried.extend(salvage.carried);
        told.lost.extend(salvage.lost);
        return Some((mind, kept));
    }
    None
}

/// Steps the inputs after a state; one that breaks the step is left out, as if it had not come.
fn step_again(
    stepper: Stepper,
    mind: Mind,
    kept: &KeptState,
    resume: &Resume,
    told: &mut Salvage,
) -> (Mind, Vec<JournalEntry>) {
    let mut left_out = BTreeSet::new();
    loop {
        let mut stepping = mind.clone();
        match try_step(stepper, &mut stepping, kept, resume, &left_out) {
            Ok(missing) => return (stepping, missing),
            Err(seq) if left_out.len() < BREAKING_INPUTS_MAX => {
                told.lost.push(format!("input {seq}: it could not be stepped"));
                left_out.insert(seq);
            }
            Err(seq) => {
                told.lost.push(format!(
                    "every input after {}: input {seq} could not be stepped either",
                    kept.input
                ));
                return (mind, Vec::new());
            }
        }
    }
}

fn try_step(
    stepper: Stepper,
    mind: &mut Mind,
    kept: &KeptState,
    resume: &Resume,
    left_out: &BTreeSet<u64>,
) -> Result<Vec<JournalEntry>, u64> {
    let mut book = SettingsBook::at(resume.settings.clone(), kept.settings_version);
    let mut missing = Vec::new();
    // An older version numbered its lines differently: what would be beyond its last one may be there already.
    let is_current = snapshot::is_current(&kept.state);
    let later = resume.inputs.iter().filter(|recorded| recorded.seq > kept.input);
    for recorded in later.filter(|recorded| !left_out.contains(&recorded.seq)) {
        book.turn_to(&recorded.input);
        let (now, input) = (recorded.now, recorded.input.clone());
        // A mind that was broken off in the middle of a step is thrown away by the caller.
        let step = catch_unwind(AssertUnwindSafe(|| stepper(mind, now, input, &book.settings)))
            .map_err(|_| recorded.seq)?;
        missing.extend(step.effects.into_iter().filter_map(|effect| match effect {
            Effect::Journal(entry) if is_current && entry.seq > resume.last_journal => Some(*entry),
            _ => None,
        }));
    }
    Ok(missing)
}

#[cfg(test)]
#[path = "restore_tests.rs"]
mod tests;
