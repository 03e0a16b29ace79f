//! Old documents into today's keys, *before* defaults are merged, so that a renamed key is never shadowed.

mod carry;
mod fit;
#[cfg(test)]
mod fit_tests;
mod fitting;
mod stream_watch;
#[cfg(test)]
mod stream_watch_tests;

use serde::Serialize;

pub use fitting::take_what_fits;

use crate::catalogue::{RETIRED, Settings};
use crate::document::Document;

/// One thing a migration did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MigrationNote {
    pub old_key: String,
    /// Where the value went; empty when it was dropped.
    pub new_keys: Vec<String>,
    pub remark: String,
}

/// A key that became several.
struct Fanned {
    old: &'static str,
    new: &'static [&'static str],
    why: &'static str,
}

const FANNED: &[Fanned] = &[
    Fanned {
        old: "permissions.initiativeChannelIds",
        new: &[
            "permissions.replies.replyChannelIds",
            "permissions.replies.discoveryChannelIds",
        ],
        why: "joining in and starting topics have a list each now",
    },
    Fanned {
        old: "permissions.replies.initiativeChannelIds",
        new: &[
            "permissions.replies.replyChannelIds",
            "permissions.replies.discoveryChannelIds",
        ],
        why: "joining in and starting topics have a list each now",
    },
];

/// Brings former keys up to date. A value already set under the new key wins, and the note says so.
pub fn migrate(document: &Document) -> (Document, Vec<MigrationNote>) {
    let mut migrated = document.clone();
    // First what was not in force, so that the plain renames below find only what was.
    let mut notes = stream_watch::drop_what_was_not_in_force(&mut migrated);
    for knob in Settings::knobs() {
        for former in knob.former {
            if let Some(value) = migrated.reset(former) {
                notes.push(carry::renamed(&mut migrated, former, &knob, &value));
            }
        }
    }
    for (retired, why) in RETIRED {
        if migrated.reset(retired).is_some() {
            notes.push(MigrationNote::dropped(retired, *why));
        }
    }
    for fanned in FANNED {
        if let Some(value) = migrated.reset(fanned.old) {
            notes.push(carry::fanned(
                &mut migrated,
                fanned.old,
                fanned.new,
                &value,
                fanned.why,
            ));
        }
    }
    (migrated, notes)
}

impl MigrationNote {
    fn dropped(old_key: &str, remark: impl Into<String>) -> Self {
        Self {
            old_key: old_key.to_owned(),
            new_keys: Vec::new(),
            remark: remark.into(),
        }
    }
}
