//! Screens were watched in one of two modes with a set of keys each. Now there is one pipeline: what belonged
//! to the mode that was not in force is dropped here, and the rest are plain renames.

use serde_json::Value;

use super::MigrationNote;
use crate::document::Document;
use crate::knob::abbreviated;

const MODE: &str = "voice.streamWatch.brainContextMode";
const ENABLED: &str = "voice.streamWatch.brainContextEnabled";
const THRESHOLD: &str = "voice.streamWatch.directChangeThreshold";
/// The default that `directChangeThreshold` had. Scores never came near it.
const OLD_DEFAULT_THRESHOLD: f64 = 0.15;

/// Any of these says that the document knows the direct mode, which was the default since there were two.
const KNOWN_SINCE_DIRECT: &[&str] = &[
    "voice.streamWatch.directMinIntervalSeconds",
    "voice.streamWatch.directMaxEntries",
    "voice.streamWatch.directChangeThreshold",
    "voice.streamWatch.directChangeMinIntervalSeconds",
];

/// Two keys that became one: each was in force in one mode only.
struct Pair {
    direct: &'static str,
    context_brain: &'static str,
    new: &'static str,
}

const PAIRS: &[Pair] = &[
    Pair {
        direct: "voice.streamWatch.directMinIntervalSeconds",
        context_brain: "voice.streamWatch.minCommentaryIntervalSeconds",
        new: "voice.streamWatch.commentaryIntervalSeconds",
    },
    Pair {
        direct: "voice.streamWatch.directMaxEntries",
        context_brain: "voice.streamWatch.brainContextMaxEntries",
        new: "voice.streamWatch.maxNoteEntries",
    },
];

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Direct,
    ContextBrain,
}

/// Takes out every old key that had no effect, or that has nothing to be carried to.
pub(super) fn drop_what_was_not_in_force(document: &mut Document) -> Vec<MigrationNote> {
    let mut notes = Vec::new();
    let mode = mode_in_force(document);
    if let Some(value) = document.reset(MODE) {
        notes.push(MigrationNote::dropped(MODE, about_the_mode(&value, mode)));
    }
    if let Some(value) = document.reset(ENABLED) {
        notes.push(MigrationNote::dropped(ENABLED, about_the_switch(&value)));
    }
    for pair in PAIRS {
        let (in_force, idle) = match mode {
            Mode::Direct => (pair.direct, pair.context_brain),
            Mode::ContextBrain => (pair.context_brain, pair.direct),
        };
        if document.reset(idle).is_some() {
            let remark = format!(
                "it was not in force: in mode {} {in_force} was. To have it, set {}",
                mode.name(),
                pair.new
            );
            notes.push(MigrationNote::dropped(idle, remark));
        }
    }
    if document.get(THRESHOLD).and_then(Value::as_f64) == Some(OLD_DEFAULT_THRESHOLD) {
        document.reset(THRESHOLD);
        notes.push(MigrationNote::dropped(
            THRESHOLD,
            "0.15 was the default once, which even lively screens never reached; today's default applies",
        ));
    }
    notes
}

/// The mode that was said or, where none was, the one that such a document was run in.
fn mode_in_force(document: &Document) -> Mode {
    match document.get(MODE).and_then(Value::as_str) {
        Some("direct") => Mode::Direct,
        Some("context_brain") => Mode::ContextBrain,
        _ if KNOWN_SINCE_DIRECT.iter().any(|key| document.get(key).is_some()) => Mode::Direct,
        _ => Mode::ContextBrain,
    }
}

fn about_the_mode(value: &Value, mode: Mode) -> String {
    if value.as_str() == Some(mode.name()) {
        format!(
            "there is one way of watching now; {} said which of two keys was in force",
            mode.name()
        )
    } else {
        format!(
            "there is one way of watching now; {} never was a mode, so the keys of {} are taken",
            abbreviated(value),
            mode.name()
        )
    }
}

fn about_the_switch(value: &Value) -> String {
    let always = "notes are always taken while a screen is watched";
    match value.as_bool() {
        Some(false) => format!(
            "{always}: false switches nothing off any more. To watch no screens at all, set voice.streamWatch.enabled to false"
        ),
        Some(true) => always.to_owned(),
        None => format!("{always}; {} meant nothing either", abbreviated(value)),
    }
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Direct => "direct",
            Mode::ContextBrain => "context_brain",
        }
    }
}
