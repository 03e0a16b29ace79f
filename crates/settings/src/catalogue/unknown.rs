//! A key that no knob has: what was probably meant.

use super::RETIRED;
use crate::knob::{Knob, SettingError};

pub(super) fn unknown_key(key: &str, knobs: &[Knob]) -> SettingError {
    SettingError {
        key: key.to_owned(),
        problem: "there is no such setting".to_owned(),
        remedy: remedy(key, knobs),
    }
}

fn remedy(key: &str, knobs: &[Knob]) -> String {
    if let Some(renamed) = knobs.iter().find(|knob| knob.former.contains(&key)) {
        let new = &renamed.key;
        return format!("It is {new} now; `denizen settings migrate` brings old documents up to date");
    }
    if let Some((_, why)) = RETIRED.iter().find(|(retired, _)| *retired == key) {
        return format!(
            "It is gone, because {why}; `denizen settings migrate` takes it out of old documents"
        );
    }
    let nearest = knobs
        .iter()
        .min_by_key(|knob| distance(key, &knob.key))
        .map(|knob| knob.key.as_str());
    match nearest {
        Some(nearest) if distance(key, nearest) <= key.len() / 2 => {
            format!("Did you mean {nearest}? `denizen settings list` shows every key")
        }
        _ => {
            "`denizen settings list` shows every key; `denizen settings migrate` renames old ones".to_owned()
        }
    }
}

/// Edits between two keys, letter case aside.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().take(120).collect();
    let right: Vec<char> = right.to_lowercase().chars().take(120).collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let change = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[right.len()]
}
