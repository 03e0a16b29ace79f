//! What prompts have in common that tell of a shared screen: its picture, the notes on it with their ages, and what was
//! measured of it.

use vocabulary::text::one_line;
use vocabulary::{ChangeScore, ContentPart, Glimpse, WallTime};

use crate::prompt::transcript;
use crate::watch::note::ScreenNote;

/// Room for the rolling notes in any prompt.
pub(crate) const SCREEN_NOTES_CHARS_MAX: usize = 1_600;
/// A note that held good for so long is told to have done so.
const UNCHANGED_TOLD_MS: u64 = 60_000;

/// The picture of a shared screen, as a prompt carries it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenShown<'a> {
    /// Whose screen it is.
    pub shared_by: &'a str,
    pub glimpse: &'a Glimpse,
}

impl ScreenShown<'_> {
    pub(crate) fn picture(&self) -> ContentPart {
        ContentPart::Image {
            id: self.glimpse.frame.attachment(),
            mime: self.glimpse.kind.mime().to_owned(),
        }
    }
}

/// Whether a change is told as 0.
pub(super) fn is_nothing(change: &ChangeScore) -> bool {
    change.score < 0.000_05
}

/// The notes as a prompt is told them, each with its age: `(12 s ago, Alice's screen) text`.
pub(crate) fn note_lines<'a>(notes: impl Iterator<Item = &'a ScreenNote>, now: WallTime) -> Vec<String> {
    notes.map(|note| note_line(note, now)).collect()
}

/// What a program has measured, as programs read it: `score=0.0123 region="in the top left" trigger=interval size=1280x720`.
pub(crate) fn measured(glimpse: &Glimpse, trigger: &str) -> String {
    let Glimpse {
        change,
        width,
        height,
        ..
    } = glimpse;
    let region = change.region.map_or("nowhere", |region| region.words());
    format!(
        "score={:.4} region=\"{region}\" trigger={trigger} size={width}x{height}",
        change.score
    )
}

fn note_line(note: &ScreenNote, now: WallTime) -> String {
    let ago = age(between(note.seen_at, now));
    let held = between(note.at, note.seen_at);
    let unchanged = if held >= UNCHANGED_TOLD_MS {
        format!("unchanged for {}, ", age(held))
    } else {
        String::new()
    };
    let whose = match transcript::speaker(&note.shared_by).trim() {
        "" => "a screen".to_owned(),
        name => format!("{name}'s screen"),
    };
    // A line of its own for each: nothing in a note can pass for another note.
    format!("({ago} ago, {unchanged}{whose}) {}", one_line(&note.text))
}

fn between(earlier: WallTime, later: WallTime) -> u64 {
    later.0.saturating_sub(earlier.0).max(0).unsigned_abs()
}

/// A length of time as prompts say it.
pub(crate) fn age(milliseconds: u64) -> String {
    match milliseconds / 1_000 {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3_600 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3_600),
    }
}
