//! What ails a running community: its handle tells it to whoever asks how Denizen is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vocabulary::text::plain_line;
use vocabulary::{AskFailure, AskFailureKind, AskOutcome, AskPurpose};

/// One failure happens; so many in a row are told.
const FAILURES_TOLD_FROM: u64 = 2;
/// Models whose failures are known.
const MODELS_MAX: usize = 16;
/// Purposes whose refusals are known.
const REFUSALS_MAX: usize = 64;
/// How much of what a provider says is told.
const DETAIL_CHARS_MAX: usize = 200;

/// What is wrong at the moment, in words for an operator. Cheap to clone; all clones are of one community.
#[derive(Clone, Debug, Default)]
pub struct Ailments(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    storage: Option<String>,
    retention: Option<String>,
    /// By what a model is called: how often it failed in a row, and how it did last.
    failing: BTreeMap<String, Failing>,
    /// What a model does not do for good, by what it is called and what it was asked for. That it answers other questions
    /// says nothing of these.
    refusing: BTreeMap<(String, AskPurpose), AskFailure>,
    /// The settings under which they failed.
    settings_version: u64,
}

#[derive(Debug)]
struct Failing {
    times: u64,
    last: AskFailure,
}

impl Ailments {
    /// Everything that is wrong; nothing where it is well.
    pub fn told(&self) -> Vec<String> {
        let known = self.known();
        let failing = known.failing.iter().filter(|(_, failing)| failing.is_told());
        let failing: Vec<String> = failing.map(|(model, failing)| failing.told(model)).collect();
        let mut refusing: BTreeMap<&str, (Vec<&str>, &AskFailure)> = BTreeMap::new();
        for ((model, purpose), failure) in &known.refusing {
            let (purposes, _) = refusing.entry(model).or_insert((Vec::new(), failure));
            purposes.push(purpose.name());
        }
        let refusing = refusing
            .into_iter()
            .map(|(model, (purposes, failure))| told(failure, "call", model, &purposes.join(", ")));
        [&known.storage, &known.retention]
            .into_iter()
            .flatten()
            .cloned()
            .chain(failing)
            .chain(refusing)
            .collect()
    }

    /// What came of asking a model for something under these settings. Other settings may name other models: what failed before them is
    /// told no more.
    pub fn set_asked(&self, purpose: AskPurpose, model: &str, settings_version: u64, outcome: &AskOutcome) {
        let mut known = self.known();
        if known.settings_version != settings_version {
            known.failing.clear();
            known.refusing.clear();
            known.settings_version = settings_version;
        }
        match outcome {
            AskOutcome::Answered(_) => {
                known.failing.remove(model);
                known.refusing.remove(&(model.to_owned(), purpose));
            }
            AskOutcome::Failed(failure) if is_for_good(failure.kind) => {
                if known.refusing.len() >= REFUSALS_MAX {
                    known.refusing.pop_first();
                }
                let about = (model.to_owned(), purpose);
                known.refusing.insert(about, failure.clone());
            }
            AskOutcome::Failed(failure) if is_the_models(failure.kind) => {
                if known.failing.len() == MODELS_MAX && !known.failing.contains_key(model) {
                    known.failing.pop_first();
                }
                let times = known.failing.get(model).map_or(0, |failing| failing.times);
                let failing = Failing {
                    times: times + 1,
                    last: failure.clone(),
                };
                known.failing.insert(model.to_owned(), failing);
            }
            AskOutcome::Failed(_) => {}
        }
    }

    /// Whether writes fail, and why.
    pub fn set_storage(&self, trouble: Option<String>) {
        self.known().storage = trouble;
    }

    /// Whether retention deletes less than the settings say, and why.
    pub fn set_retention(&self, doubt: Option<String>) {
        self.known().retention = doubt;
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Failing {
    fn is_told(&self) -> bool {
        self.times >= FAILURES_TOLD_FROM
    }

    fn told(&self, model: &str) -> String {
        told(&self.last, &format!("{} calls", self.times), model, "")
    }
}

fn told(failure: &AskFailure, calls: &str, model: &str, purposes: &str) -> String {
    let detail = plain_line(&failure.detail, DETAIL_CHARS_MAX);
    let kind = failure.kind.name();
    let purposes = match purposes {
        "" => String::new(),
        purposes => format!(" for {purposes}"),
    };
    format!(
        "the last {calls} of the model {model}{purposes} failed ({kind}: {detail}): look at its server or its key, or choose another with llm.provider and llm.model"
    )
}

/// Whether it will be the same the next time: a key that is not taken, a model that is not there.
fn is_for_good(kind: AskFailureKind) -> bool {
    kind == AskFailureKind::Rejected
}

/// Whether a failure says something of the model, rather than of what it was asked or of this process.
fn is_the_models(kind: AskFailureKind) -> bool {
    match kind {
        AskFailureKind::TimedOut
        | AskFailureKind::RateLimited
        | AskFailureKind::Unreachable
        | AskFailureKind::ServerError
        | AskFailureKind::NoFirstByte
        | AskFailureKind::StreamStalled
        | AskFailureKind::Malformed
        | AskFailureKind::Rejected => true,
        AskFailureKind::Refused
        | AskFailureKind::BudgetSpent
        | AskFailureKind::ContextTooLong
        | AskFailureKind::Interrupted
        | AskFailureKind::Unavailable => false,
    }
}

#[cfg(test)]
#[path = "ailments_tests.rs"]
mod tests;
