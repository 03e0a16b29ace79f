//! What ails a running community: its handle tells it to whoever asks how Denizen is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use settings::ModelKeys;
use vocabulary::text::plain_words;
use vocabulary::{AskFailure, AskFailureKind, AskOutcome, AskPurpose};

/// Of background work one failure happens; so many in a row are told.
const FAILURES_TOLD_FROM: u64 = 2;
/// Models whose failures are known.
const MODELS_MAX: usize = 16;
/// Purposes whose refusals are known.
const REFUSALS_MAX: usize = 64;
/// How much of what a provider says is told.
const DETAIL_CHARS_MAX: usize = 400;

/// What is wrong at the moment, in words for an operator. Cheap to clone; all clones are of one community.
#[derive(Clone, Debug, Default)]
pub struct Ailments(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    storage: Option<String>,
    retention: Option<String>,
    /// By room: what its ears say of why they fail.
    ears: BTreeMap<String, String>,
    /// By what a model is called: how often it failed in a row, and how it did last.
    failing: BTreeMap<String, Failing>,
    /// What a model does not do for good, by what it is called and what it was asked for. That it answers other questions
    /// says nothing of these.
    refusing: BTreeMap<(String, AskPurpose), (AskFailure, ModelKeys)>,
    /// The settings under which they failed.
    settings_version: u64,
}

#[derive(Debug)]
struct Failing {
    times: u64,
    last: AskFailure,
    /// What it was asked for in vain, and the settings that choose it for that.
    asked_for: BTreeMap<AskPurpose, ModelKeys>,
    /// Somebody in a room waited for it.
    of_reply: bool,
}

impl Ailments {
    /// Everything that is wrong; nothing where it is well.
    pub fn told(&self) -> Vec<String> {
        let known = self.known();
        let failing = known.failing.iter().filter(|(_, failing)| failing.is_told());
        let failing: Vec<String> = failing.map(|(model, failing)| failing.told(model)).collect();
        let mut refusing: BTreeMap<&str, (BTreeMap<AskPurpose, ModelKeys>, &AskFailure)> = BTreeMap::new();
        for ((model, purpose), (failure, keys)) in &known.refusing {
            let (purposes, _) = refusing.entry(model).or_insert((BTreeMap::new(), failure));
            purposes.insert(*purpose, *keys);
        }
        let refusing = refusing
            .into_iter()
            .map(|(model, (asked_for, failure))| told("call", model, &asked_for, failure));
        [&known.storage, &known.retention]
            .into_iter()
            .flatten()
            .cloned()
            .chain(known.ears.iter().map(|(room, detail)| {
                let detail = plain_words(detail, DETAIL_CHARS_MAX);
                format!("nothing is understood in the voice of {room}: its ears fail again and again ({detail}); look at voice.sttPipeline.transcriptionProvider and what runs it")
            }))
            .chain(failing)
            .chain(refusing)
            .collect()
    }

    /// What came of asking a model under these settings. Other settings may name other models: what failed before them is
    /// told no more. A reply that failed is told until a reply succeeds, whatever else the model answers.
    pub fn set_asked(
        &self,
        model: &str,
        (purpose, keys): (AskPurpose, ModelKeys),
        settings_version: u64,
        outcome: &AskOutcome,
    ) {
        let mut known = self.known();
        if known.settings_version != settings_version {
            known.failing.clear();
            known.refusing.clear();
            known.settings_version = settings_version;
        }
        let is_reply = matches!(
            purpose,
            AskPurpose::TextReply
                | AskPurpose::TextReplyFollowup
                | AskPurpose::VoiceReply
                | AskPurpose::VoiceReplyFollowup
        );
        // A purpose has one model: another that failed at it before is asked no more.
        known.forget(purpose, |other| other != model);
        let before = known.failing.get(model);
        let (times, of_reply) = before.map_or((0, false), |failing| (failing.times, failing.of_reply));
        let mut asked_for = before
            .map(|failing| failing.asked_for.clone())
            .unwrap_or_default();
        if let AskOutcome::Answered(_) = outcome {
            known.refusing.retain(|(of, asked_for), (failure, _)| {
                of != model || (*asked_for != purpose && !failure.kind.is_the_accounts())
            });
        }
        match outcome {
            // That is told of the model itself, over restarts, with the settings to change; and this with its rest.
            AskOutcome::Failed(failure)
                if matches!(
                    failure.kind,
                    AskFailureKind::OutOfRoom | AskFailureKind::QuotaSpent
                ) => {}
            AskOutcome::Failed(failure) if failure.kind.lasts() => {
                if known.refusing.len() >= REFUSALS_MAX {
                    known.refusing.pop_first();
                }
                let about = (model.to_owned(), purpose);
                known.refusing.insert(about, (failure.clone(), keys));
            }
            AskOutcome::Answered(_) if is_reply || !of_reply => {
                known.failing.remove(model);
            }
            AskOutcome::Failed(failure)
                if failure.kind.is_the_models()
                    || (is_reply && failure.kind == AskFailureKind::ContextTooLong) =>
            {
                if known.failing.len() == MODELS_MAX && times == 0 {
                    known.failing.pop_first();
                }
                asked_for.insert(purpose, keys);
                let failing = Failing {
                    times: times + 1,
                    last: failure.clone(),
                    asked_for,
                    of_reply: of_reply || is_reply,
                };
                known.failing.insert(model.to_owned(), failing);
            }
            AskOutcome::Answered(_) | AskOutcome::Failed(_) => {}
        }
    }

    /// A model was seen to answer such a question: what it failed at before is over.
    pub fn set_answered(&self, purpose: AskPurpose) {
        self.known().forget(purpose, |_| true);
    }

    /// A provider accepts its key: that it did not is over.
    pub fn set_key_accepted(&self, provider: &str) {
        let mut known = self.known();
        let is_its = |model: &str| model.split('/').next() == Some(provider);
        known
            .refusing
            .retain(|(model, _), (failure, _)| !is_its(model) || failure.kind != AskFailureKind::KeyRefused);
    }

    /// Whether the ears in the voice of a room fail again and again, and what they say of it.
    pub fn set_ears(&self, room: &str, fault: Option<String>) {
        let mut known = self.known();
        match fault {
            Some(fault) => drop(known.ears.insert(room.to_owned(), fault)),
            None => drop(known.ears.remove(room)),
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

impl Known {
    /// What these models failed at for a purpose is told no more.
    fn forget(&mut self, purpose: AskPurpose, is_meant: impl Fn(&str) -> bool) {
        self.refusing
            .retain(|(of, asked_for), _| *asked_for != purpose || !is_meant(of));
        self.failing.retain(|of, failing| {
            if is_meant(of) {
                failing.asked_for.remove(&purpose);
            }
            !failing.asked_for.is_empty()
        });
    }
}

impl Failing {
    /// Somebody waits for a reply.
    fn is_told(&self) -> bool {
        self.of_reply || self.times >= FAILURES_TOLD_FROM
    }

    fn told(&self, model: &str) -> String {
        let times = match self.times {
            1 => "call".to_owned(),
            times => format!("{times} calls"),
        };
        told(&times, model, &self.asked_for, &self.last)
    }
}

fn told(
    calls: &str,
    model: &str,
    asked_for: &BTreeMap<AskPurpose, ModelKeys>,
    failure: &AskFailure,
) -> String {
    let detail = plain_words(&failure.detail, DETAIL_CHARS_MAX);
    let kind = failure.kind.name();
    let purposes: Vec<&str> = asked_for.keys().map(|purpose| purpose.words()).collect();
    let mut settings: Vec<String> = asked_for
        .values()
        .map(|keys| format!("{} and {}", keys.provider, keys.model))
        .collect();
    settings.dedup();
    format!(
        "the last {calls} of the model {model} for {} failed ({kind}: {detail}): {}choose another with {}",
        purposes.join(", "),
        remedy(failure.kind),
        settings.join(", ")
    )
}

/// What helps beside another model.
fn remedy(kind: AskFailureKind) -> &'static str {
    use AskFailureKind as Kind;
    match kind {
        Kind::KeyRefused => "look at its key, or ",
        Kind::RegionRefused => "go by an address that it answers, or ",
        Kind::RateLimited => "wait, have a higher limit, or ",
        Kind::ContextTooLong => "lower llm.contextTokens, or ",
        Kind::TimedOut
        | Kind::Unreachable
        | Kind::ServerError
        | Kind::NoFirstByte
        | Kind::StreamStalled
        | Kind::Malformed => "look at its server, or ",
        Kind::Rejected
        | Kind::UnknownModel
        | Kind::OutOfRoom
        | Kind::EmptyAnswer
        | Kind::QuotaSpent
        | Kind::Refused
        | Kind::Unavailable
        | Kind::BudgetSpent
        | Kind::Interrupted => "",
    }
}

#[cfg(test)]
#[path = "ailments_tests.rs"]
mod tests;
