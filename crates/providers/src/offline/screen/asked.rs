//! What a request for a note says: what was measured, and what was noted before.

use vocabulary::ModelRequest;

/// The parts of a request that matter here.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Asked {
    /// "in the top left"; empty where nothing changed.
    pub(super) region: String,
    pub(super) is_static: bool,
    /// "1280x720"; empty where it is not said.
    pub(super) size: String,
    /// The notes so far, oldest first, without their ages.
    pub(super) notes: Vec<String>,
}

impl Asked {
    pub(super) fn read(request: &ModelRequest) -> Self {
        let section = |name: &str| {
            let found = request.sections.iter().find(|section| section.name == name);
            found.map_or("", |section| section.text.as_str())
        };
        let measured = section("what_changed");
        let region = value(measured, "region");
        Self {
            region: if region == "nowhere" {
                String::new()
            } else {
                region
            },
            is_static: value(measured, "activity") == "static",
            size: value(measured, "size"),
            notes: section("previous_notes")
                .lines()
                .filter_map(without_age)
                .collect(),
        }
    }

    pub(super) fn newest(&self) -> Option<&str> {
        self.notes.last().map(String::as_str)
    }
}

/// The value of `key=word` or `key="some words"`.
fn value(measured: &str, key: &str) -> String {
    let mut rest = measured;
    while let Some((name, behind)) = rest.split_once('=') {
        let (value, behind) = match behind.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => behind.split_once(' ').unwrap_or((behind, "")),
        };
        if name.trim() == key {
            return value.to_owned();
        }
        rest = behind;
    }
    String::new()
}

/// The text of `(12 s ago, Alice's screen) text`.
fn without_age(line: &str) -> Option<String> {
    let line = line.trim();
    let text = match line
        .strip_prefix('(')
        .and_then(|rest| rest.split_once("screen) "))
    {
        Some((_, text)) => text,
        None => line,
    };
    (!text.is_empty()).then(|| text.to_owned())
}
