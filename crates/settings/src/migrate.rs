//! Old documents into today's keys, *before* defaults are merged, so that a renamed key is never shadowed.

use serde::Serialize;
use serde_json::Value;

use crate::catalogue::Settings;
use crate::document::Document;

/// One thing a migration did.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// Renames former keys. A value already set under the new key wins, and the note says so.
pub fn migrate(document: &Document) -> (Document, Vec<MigrationNote>) {
    let mut migrated = document.clone();
    let mut notes = Vec::new();
    for knob in Settings::knobs() {
        for former in knob.former {
            if let Some(value) = migrated.reset(former) {
                notes.push(carry(
                    &mut migrated,
                    former,
                    &[&knob.key],
                    value,
                    "the key has a new name",
                ));
            }
        }
    }
    for fanned in FANNED {
        if let Some(value) = migrated.reset(fanned.old) {
            notes.push(carry(&mut migrated, fanned.old, fanned.new, value, fanned.why));
        }
    }
    (migrated, notes)
}

fn carry(document: &mut Document, old: &str, new: &[&str], value: Value, why: &str) -> MigrationNote {
    let mut new_keys = Vec::new();
    let mut remark = why.to_owned();
    for key in new {
        if document.get(key).is_some() {
            remark.push_str(&format!("; {key} was set already and keeps its value"));
        } else {
            document.set(*key, value.clone());
            new_keys.push((*key).to_owned());
        }
    }
    MigrationNote {
        old_key: old.to_owned(),
        new_keys,
        remark,
    }
}
