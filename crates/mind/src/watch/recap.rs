//! What was seen during one watch, told at its end.

use serde::{Deserialize, Serialize};
use vocabulary::Span;

/// Lines that are kept; when there are more, every second of the older ones goes.
const LINES_MAX: usize = 40;
/// Longest recap.
pub const RECAP_CHARS_MAX: usize = 1_200;

/// The notes of a watch, thinned out from the old end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Recap {
    lines: Vec<String>,
    /// Notes there were in all.
    pub notes: u64,
}

impl Recap {
    pub fn add(&mut self, line: String) {
        self.notes += 1;
        if self.lines.len() == LINES_MAX {
            let half = LINES_MAX / 2;
            let mut place = 0;
            // The first line tells how it began and stays.
            self.lines.retain(|_| {
                place += 1;
                place > half || place % 2 == 1
            });
        }
        self.lines.push(line);
    }

    /// Lets lines go that are not wanted any more.
    pub fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.lines.retain(|line| is_wanted(line));
    }

    /// The whole in a few sentences; none where nothing was noted.
    pub fn text(&self, shared_by: &str, lasted: Span) -> Option<String> {
        let (first, rest) = self.lines.split_first()?;
        let whose = if shared_by.is_empty() {
            "Somebody"
        } else {
            shared_by
        };
        let mut text = format!(
            "{whose} shared a screen for {}. Seen on it, in order: ",
            duration(lasted)
        );
        let room = RECAP_CHARS_MAX.saturating_sub(text.chars().count());
        // How it began and how it ended matter most; of what lies between, the newest that fit.
        let mut kept = vec![first.as_str()];
        let mut left = room.saturating_sub(first.chars().count());
        let fitting = rest.iter().rev().take_while(|line| {
            let length = line.chars().count() + 2;
            let fits = length <= left;
            left = left.saturating_sub(length);
            fits
        });
        let newest: Vec<&str> = fitting.map(String::as_str).collect();
        kept.extend(newest.into_iter().rev());
        text.push_str(&kept.join("; "));
        Some(text.chars().take(RECAP_CHARS_MAX).collect())
    }
}

fn duration(span: Span) -> String {
    let minutes = span.0 / 60_000;
    match minutes {
        0 => format!("{} seconds", span.0 / 1_000),
        1 => "a minute".to_owned(),
        2..120 => format!("{minutes} minutes"),
        _ => format!("{} hours", minutes / 60),
    }
}
