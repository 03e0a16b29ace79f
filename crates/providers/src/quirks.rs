//! What servers have been found not to take, remembered so that the next request leaves it out at once: by address and
//! model, over restarts, for a week or until an operator has it look again.

mod doubts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use jiff::{SignedDuration, Timestamp};
use runtime::ports::ModelLack;
use serde::{Deserialize, Serialize};
use vocabulary::{AskPurpose, AttachmentId, ModelRequest};

use self::doubts::{IN_VAIN, PERHAPS, is_doubt_new};
use crate::overfull::FoundWindow;
use crate::refused::Parameter;
use crate::trouble::Feature;

/// Things that are remembered; far more than one process meets.
const REMEMBERED_MAX: usize = 512;
/// Servers are updated: after so long each is given another try.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
/// A file that is larger was not written here.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// The memory.
#[derive(Debug, Default)]
pub(crate) struct Quirks {
    found: Mutex<BTreeMap<Trait, Timestamp>>,
    /// Where it is kept over restarts.
    file: Option<PathBuf>,
    /// How often it has changed.
    lessons: AtomicU64,
}

/// Who, and what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Trait {
    pub(crate) base_url: String,
    pub(crate) model: String,
    /// What is refused, in words.
    pub(crate) what: String,
}

/// One thing that was found, as it is written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    #[serde(flatten)]
    pub(crate) of: Trait,
    /// When it was found.
    pub(crate) since: String,
}

impl Quirks {
    /// What was kept in a file, which is written to from now on. A file that cannot be read is begun anew.
    pub(crate) fn kept_in(file: &Path) -> Self {
        let is_small = std::fs::metadata(file).is_ok_and(|about| about.len() <= FILE_BYTES_MAX);
        let text = is_small.then(|| std::fs::read_to_string(file).ok()).flatten();
        let findings: Vec<Kept> = text
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        let now = Timestamp::now();
        let found = findings
            .into_iter()
            .filter_map(|finding| Some((finding.of, finding.since.parse::<Timestamp>().ok()?)))
            .filter(|(_, since)| is_fresh(*since, now))
            .take(REMEMBERED_MAX)
            .collect();
        Self {
            found: Mutex::new(found),
            file: Some(file.to_owned()),
            lessons: AtomicU64::default(),
        }
    }

    /// What was kept in a file, which stays as it is.
    pub(crate) fn as_found_in(file: &Path) -> Self {
        Self {
            file: None,
            ..Self::kept_in(file)
        }
    }

    /// Gives everybody another try: a server may have been changed under the same name.
    pub(crate) fn forget_all(&self) {
        let mut found = self.found();
        if !found.is_empty() {
            found.clear();
            self.keep(&found);
        }
    }

    pub(crate) fn remember(&self, base_url: &str, model: &str, request: &ModelRequest, feature: Feature) {
        self.note(key(base_url, model, what(request, feature)));
    }

    pub(crate) fn forget(&self, base_url: &str, model: &str, request: &ModelRequest, feature: Feature) {
        self.drop_note(&key(base_url, model, what(request, feature)));
    }

    pub(crate) fn takes(
        &self,
        base_url: &str,
        model: &str,
        request: &ModelRequest,
        feature: Feature,
    ) -> bool {
        !self.is_left_out(&key(base_url, model, what(request, feature)))
    }

    /// Whether a model is known to refuse something, whatever it is asked.
    pub(crate) fn refuses(&self, base_url: &str, model: &str, feature: Feature) -> bool {
        self.is_left_out(&key(base_url, model, feature.name()))
    }

    /// Whether it is known to take a schema or tools, never both.
    pub(crate) fn refuses_schema_beside_tools(&self, base_url: &str, model: &str) -> bool {
        self.is_left_out(&key(base_url, model, SCHEMA_BESIDE_TOOLS))
    }

    /// How often something was learnt or forgotten.
    pub(crate) fn lessons(&self) -> u64 {
        self.lessons.load(Ordering::Relaxed)
    }

    /// The model cannot make anything of this picture.
    pub(crate) fn note_unreadable(&self, base_url: &str, model: &str, picture: &AttachmentId) {
        self.note(key(base_url, model, &unreadable(picture)));
    }

    /// Whether a picture is not shown to it now.
    pub(crate) fn is_unreadable(&self, base_url: &str, model: &str, picture: &AttachmentId) -> bool {
        self.is_left_out(&key(base_url, model, &unreadable(picture)))
    }

    /// It answered to what a picture went along with.
    pub(crate) fn note_seeing(&self, base_url: &str, model: &str) {
        self.note(key(base_url, model, SEEING));
    }

    /// It could not read any picture of several. One that has looked at another has only met broken ones.
    pub(crate) fn seems_blind(&self, base_url: &str, model: &str) -> bool {
        let now = Timestamp::now();
        let found = self.found();
        let doubtful = format!("{PERHAPS}{UNREADABLE}");
        let pictures = [doubtful.as_str(), UNREADABLE].into_iter().flat_map(|prefix| {
            let pictures = found.range(key(base_url, model, prefix)..);
            pictures.take_while(move |(of, _)| {
                of.base_url == base_url && of.model == model && of.what.starts_with(prefix)
            })
        });
        let count = pictures.filter(|(_, since)| is_fresh(**since, now)).count();
        let sees = found.get(&key(base_url, model, SEEING));
        count >= UNREADABLE_OF_THE_BLIND && !sees.is_some_and(|since| is_fresh(*since, now))
    }

    /// It does not take this parameter.
    pub(crate) fn note_refused(&self, base_url: &str, model: &str, parameter: &Parameter) {
        self.note(key(base_url, model, &refused(parameter)));
    }

    /// It was not that.
    pub(crate) fn forget_refused(&self, base_url: &str, model: &str, parameter: &Parameter) {
        self.drop_note(&key(base_url, model, &refused(parameter)));
    }

    /// The parameters that it was found not to take, or may not take.
    pub(crate) fn refused(&self, base_url: &str, model: &str) -> Vec<Parameter> {
        let now = Timestamp::now();
        let found = self.found();
        let of = found.range(key(base_url, model, "")..);
        let of = of.take_while(|(of, _)| of.base_url == base_url && of.model == model);
        let named = of.filter_map(|(of, since)| {
            let (what, is_out) = match of.what.strip_prefix(PERHAPS) {
                Some(what) => (what, is_doubt_new(*since)),
                None => (of.what.as_str(), is_fresh(*since, now)),
            };
            Parameter::at(what.strip_prefix(REFUSED).filter(|_| is_out)?)
        });
        named.collect()
    }

    /// What was found of one model, for people; pictures that it could not read aside.
    pub(crate) fn found_of(&self, base_url: &str, model: &str) -> Vec<ModelLack> {
        let now = Timestamp::now();
        let found = self.found();
        let of = found.iter().filter(|(of, since)| {
            of.base_url == base_url
                && of.model == model
                && !HIDDEN.iter().any(|prefix| of.what.starts_with(prefix))
                && !is_hidden_doubt(&of.what, **since)
                && is_fresh(**since, now)
        });
        of.map(|(of, since)| {
            let habit = HABITS.iter().find(|(lack, _)| lack.name() == of.what);
            ModelLack {
                what: habit.map_or(of.what.as_str(), |(_, words)| words).to_owned(),
                habit: habit.is_some() || of.what.starts_with(READS),
                since: since.to_string(),
            }
        })
        .collect()
    }

    /// It reads no more tokens than these.
    pub(crate) fn note_reads(&self, base_url: &str, model: &str, found: FoundWindow) {
        if let Some((of, _)) = self.reading(base_url, model) {
            self.drop_note(&of);
        }
        let about = if found.is_told { "" } else { READS_ABOUT };
        let what = format!("{READS}{about}{}{READS_UNIT}", found.tokens);
        self.note(key(base_url, model, &what));
    }

    /// How many tokens it was found to read.
    pub(crate) fn reads(&self, base_url: &str, model: &str) -> Option<FoundWindow> {
        self.reading(base_url, model).map(|(_, found)| found)
    }

    fn reading(&self, base_url: &str, model: &str) -> Option<(Trait, FoundWindow)> {
        let (of, rest) = self.beginning(base_url, model, READS)?;
        let guessed = rest.strip_prefix(READS_ABOUT);
        let found = FoundWindow {
            is_told: guessed.is_none(),
            tokens: guessed.unwrap_or(&rest).strip_suffix(READS_UNIT)?.parse().ok()?,
        };
        Some((of, found))
    }

    /// It was given more room for such a question, and has filled all these tokens without a word.
    pub(crate) fn note_mute(&self, base_url: &str, model: &str, purpose: AskPurpose, tokens: u32) {
        self.forget_mute(base_url, model, purpose);
        let what = format!("{}{tokens}", mute(purpose));
        self.note(key(base_url, model, &what));
    }

    /// It has spoken.
    pub(crate) fn forget_mute(&self, base_url: &str, model: &str, purpose: AskPurpose) {
        if let Some((of, _)) = self.muteness(base_url, model, purpose) {
            self.drop_note(&of);
        }
    }

    /// How many tokens it has filled without a word when it was asked such a question last.
    pub(crate) fn mute(&self, base_url: &str, model: &str, purpose: AskPurpose) -> Option<u32> {
        self.muteness(base_url, model, purpose).map(|(_, tokens)| tokens)
    }

    fn muteness(&self, base_url: &str, model: &str, purpose: AskPurpose) -> Option<(Trait, u32)> {
        let (of, tokens) = self.beginning(base_url, model, &mute(purpose))?;
        Some((of, tokens.parse().ok()?))
    }

    /// What was found of a model that begins with these words, and how it goes on.
    fn beginning(&self, base_url: &str, model: &str, prefix: &str) -> Option<(Trait, String)> {
        let now = Timestamp::now();
        let found = self.found();
        let mut of = found.range(key(base_url, model, prefix)..);
        let (of, since) = of.next()?;
        let is_it = of.base_url == base_url && of.model == model && is_fresh(*since, now);
        let rest = of.what.strip_prefix(prefix)?.to_owned();
        is_it.then(|| (of.clone(), rest))
    }

    fn note(&self, of: Trait) {
        let now = Timestamp::now();
        let mut found = self.found();
        found.retain(|_, since| is_fresh(*since, now));
        if found.len() >= REMEMBERED_MAX {
            found.clear();
        }
        if found.insert(of, now).is_none() {
            self.keep(&found);
        }
    }

    fn drop_note(&self, of: &Trait) {
        let mut found = self.found();
        if found.remove(of).is_some() {
            self.keep(&found);
        }
    }

    fn is_known(&self, of: &Trait) -> bool {
        let since = self.found().get(of).copied();
        since.is_some_and(|since| is_fresh(since, Timestamp::now()))
    }

    /// It has changed: writes it down. What cannot be written is found again after the next start.
    fn keep(&self, found: &BTreeMap<Trait, Timestamp>) {
        self.lessons.fetch_add(1, Ordering::Relaxed);
        let Some(file) = &self.file else { return };
        let findings: Vec<Kept> = found
            .iter()
            .map(|(of, since)| Kept {
                of: of.clone(),
                since: since.to_string(),
            })
            .collect();
        let text = serde_json::to_string_pretty(&findings).expect("plain data is always JSON");
        let beside = file.with_extension("new");
        let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, file));
        if let Err(error) = written {
            tracing::warn!(file = %file.display(), %error, "what models were found not to take could not be kept");
        }
    }

    fn found(&self) -> MutexGuard<'_, BTreeMap<Trait, Timestamp>> {
        self.found.lock().expect("no holder of this lock can panic")
    }
}

fn is_fresh(since: Timestamp, now: Timestamp) -> bool {
    now.duration_since(since) < KEPT_FOR
}

fn key(base_url: &str, model: &str, what: &str) -> Trait {
    Trait {
        base_url: base_url.to_owned(),
        model: model.to_owned(),
        what: what.to_owned(),
    }
}

/// Some servers take a schema or tools, never both.
fn what(request: &ModelRequest, feature: Feature) -> &'static str {
    match feature {
        Feature::StructuredOutput if !request.tools.is_empty() => SCHEMA_BESIDE_TOOLS,
        feature => feature.name(),
    }
}

const SCHEMA_BESIDE_TOOLS: &str = "a schema for its answer beside tools";

/// How a picture is named that a model could not read.
const UNREADABLE: &str = "the picture ";

/// That it answered to a picture.
const SEEING: &str = "a picture was looked at";

/// So many different pictures that it could not read, and none that it could: it reads none.
const UNREADABLE_OF_THE_BLIND: usize = 3;

/// How a parameter is named that a model does not take.
const REFUSED: &str = "the parameter ";

/// How it is named that a model said nothing, for what it was asked.
const MUTE: &str = "a word for ";

/// What says nothing of a model to people.
const HIDDEN: &[&str] = &[UNREADABLE, SEEING, MUTE, IN_VAIN];

/// Pictures, and what is sent again by now.
fn is_hidden_doubt(what: &str, since: Timestamp) -> bool {
    let doubted = what.strip_prefix(PERHAPS);
    doubted.is_some_and(|what| what.starts_with(UNREADABLE) || !is_doubt_new(since))
}

/// How it is named that a model reads no more than so much.
const READS: &str = "it reads ";
const READS_ABOUT: &str = "perhaps ";
const READS_UNIT: &str = " tokens";

/// What a model does rather than what it does not take, and how that is said.
const HABITS: [(Feature, &str); 2] = [
    (Feature::Thoughtlessness, "it thinks before it answers"),
    (
        Feature::ShortThought,
        "it thinks long, and is given more room and a lower effort where it has one",
    ),
];

fn mute(purpose: AskPurpose) -> String {
    format!("{MUTE}{}: ", purpose.name())
}

fn refused(parameter: &Parameter) -> String {
    format!("{REFUSED}{}", parameter.name())
}

fn unreadable(picture: &AttachmentId) -> String {
    format!("{UNREADABLE}{picture}")
}

#[cfg(test)]
#[path = "quirks_tests.rs"]
mod tests;
