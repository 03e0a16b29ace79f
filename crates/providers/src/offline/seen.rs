//! What the notes on a shared screen say, for whoever asks about it.

use vocabulary::ModelRequest;

/// The part of a request that holds the notes, newest last.
const SECTION: &str = "screen_notes";

/// The newest note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// "Alice's screen".
    pub(super) whose: String,
    /// "12 s ago".
    pub(super) when: String,
    pub(super) text: String,
}

/// Reads `(12 s ago, Alice's screen) text`.
pub(super) fn read(request: &ModelRequest) -> Option<Seen> {
    let notes = request.sections.iter().find(|section| section.name == SECTION)?;
    let newest = notes.text.lines().rev().find(|line| !line.trim().is_empty())?;
    let (about, text) = newest.trim().strip_prefix('(')?.split_once("screen) ")?;
    let (when, about) = about.split_once(", ")?;
    let whose = about.rsplit(", ").next().unwrap_or(about);
    Some(Seen {
        whose: format!("{whose}screen"),
        when: when.to_owned(),
        text: text.to_owned(),
    })
}

impl Seen {
    /// The note as an answer.
    pub(super) fn told(&self) -> String {
        let mut whose = self.whose.chars();
        let whose: String = whose
            .next()
            .map(|first| first.to_uppercase().chain(whose).collect())
            .unwrap_or_default();
        format!("{whose}, {}: {}", self.when, self.text)
    }
}
