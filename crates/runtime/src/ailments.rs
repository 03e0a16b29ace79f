//! What ails a running community: its handle tells it to whoever asks how Denizen is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vocabulary::text::plain_line;
use vocabulary::{AskFailure, AskFailureKind, AskOutcome};

/// One failure happens; so many in a row are told.
const FAILURES_TOLD_FROM: u64 = 2;
/// Models whose failures are known.
const MODELS_MAX: usize = 16;
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
        [&known.storage, &known.retention]
            .into_iter()
            .flatten()
            .cloned()
            .chain(failing)
            .collect()
    }

    /// What came of asking a model under these settings. Other settings may name other models: what failed before them is
    /// told no more.
    pub fn set_asked(&self, model: &str, settings_version: u64, outcome: &AskOutcome) {
        let mut known = self.known();
        if known.settings_version != settings_version {
            known.failing.clear();
            known.settings_version = settings_version;
        }
        match outcome {
            AskOutcome::Answered(_) => {
                known.failing.remove(model);
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
    /// A key that is not taken is wrong the first time.
    fn is_told(&self) -> bool {
        self.times >= FAILURES_TOLD_FROM || self.last.kind == AskFailureKind::Rejected
    }

    fn told(&self, model: &str) -> String {
        let times = match self.times {
            1 => "call".to_owned(),
            times => format!("{times} calls"),
        };
        let detail = plain_line(&self.last.detail, DETAIL_CHARS_MAX);
        let kind = self.last.kind.name();
        format!(
            "the last {times} of the model {model} failed ({kind}: {detail}): look at its server or its key, or choose another with llm.provider and llm.model"
        )
    }
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
