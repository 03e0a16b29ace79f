//! A reply in the making: what of it can be shown, so that silence is never seen and nothing is taken back.

use gist::silence;
use serde::{Deserialize, Serialize};

use super::envelope;
use super::outcome::without_own_name;
use super::script::{Cast, own_line_so_far};
use super::tool_marks::without_tool_marks_so_far;
use crate::mentions::{inert_mentions, settled_mentions};

/// More of an answer than this is not looked at while it is being written.
const DRAFT_BYTES_MAX: usize = 64 * 1024;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Draft {
    raw: String,
    /// What was shown last.
    shown: String,
}

impl Draft {
    /// Takes in more of the answer to a message; gives what to show, if there is more to show. `cast`: it was asked for
    /// plainly, and only its own line of a script is shown.
    pub fn push(
        &mut self,
        piece: &str,
        own_name: &str,
        answered: Option<&str>,
        cast: Option<Cast<'_>>,
    ) -> Option<&str> {
        let visible = self.take_in(piece, own_name, cast)?;
        self.show(inert_mentions(settled_mentions(&visible, answered), answered))
    }

    /// Takes in more of an answer that is said aloud, where no mention rings a bell.
    pub fn push_spoken(&mut self, piece: &str, own_name: &str, cast: Option<Cast<'_>>) -> Option<&str> {
        let visible = self.take_in(piece, own_name, cast)?;
        self.show(visible)
    }

    /// What was shown last.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    fn take_in(&mut self, piece: &str, own_name: &str, cast: Option<Cast<'_>>) -> Option<String> {
        if self.raw.len() + piece.len() > DRAFT_BYTES_MAX {
            return None;
        }
        self.raw.push_str(piece);
        Some(self.visible(own_name, cast))
    }

    fn show(&mut self, visible: String) -> Option<&str> {
        if visible.len() <= self.shown.len() || !visible.starts_with(&self.shown) {
            return None;
        }
        self.shown = visible;
        Some(&self.shown)
    }

    /// Whether nothing of the answer has come.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    fn visible(&self, own_name: &str, cast: Option<Cast<'_>>) -> String {
        let start = self.raw.trim_start();
        if start.is_empty() || "<think>".starts_with(start) || start.starts_with("<think>") {
            return String::new();
        }
        let words = if envelope::looks_typed(&self.raw) || envelope::is_unfinished_fence(start) {
            envelope::text_so_far(&self.raw).unwrap_or_default()
        } else {
            let words = envelope::before_envelope(&self.raw);
            cast.map_or(words, |cast| own_line_so_far(words, cast)).to_owned()
        };
        if cast.is_some() && silence::after_plain(&words).is_some() {
            return String::new();
        }
        let words = without_tool_marks_so_far(&words);
        let safe = before_media(silence::safe_to_show(&words)).trim_start();
        // Until it is longer than "[12:03] Name: ", it may still turn out to be a transcript-style opening.
        if safe.len() <= own_name.len() + 10 && (safe.starts_with('[') || starts_like(own_name, safe)) {
            return String::new();
        }
        let words = without_own_name(safe, own_name);
        // Bold type may be about to hold a silence.
        let only_marks = |letter: char| {
            letter.is_ascii_punctuation() || letter.is_whitespace() || "…–—“”".contains(letter)
        };
        if words.chars().all(only_marks) {
            return String::new();
        }
        words.to_owned()
    }
}

/// Pictures are cut out of the message, so nothing is shown from where one may begin.
fn before_media(text: &str) -> &str {
    let mut marks = text.match_indices('!').map(|(at, _)| at);
    let end = marks
        .find(|at| text[at + 1..].starts_with('['))
        .unwrap_or(text.len());
    text[..end].strip_suffix('!').unwrap_or(&text[..end])
}

fn starts_like(own_name: &str, text: &str) -> bool {
    let length = text.len().min(own_name.len());
    matches!((own_name.get(..length), text.get(..length)), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b))
}
