//! What Denizen makes of a video, as lines for a person: each note and comment once, and what it all cost.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::client::TakenFrame;

/// Frames whose place and score are remembered; a note looks back a few seconds.
const FRAMES_KEPT: usize = 2_000;

/// What is needed of a room's watch.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct View {
    marks: Vec<Mark>,
    note_taker: Doing,
    commentary: Doing,
    calls: Calls,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Mark {
    at: i64,
    kind: String,
    frame: Option<u64>,
    trigger: Option<String>,
    text: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Doing {
    /// An ask that is under way.
    asking: Option<Value>,
    /// What came of it is on its way into the room.
    saying: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Calls {
    notes: u64,
    commentary: u64,
    failed: u64,
    cost_micro_dollars: u64,
    unpriced: u64,
}

pub struct Telling {
    before: Calls,
    /// The newest view; its marks are told.
    newest: View,
    frames: BTreeMap<u64, (Duration, f64)>,
    notes: u64,
    comments: u64,
}

impl Telling {
    /// What happened before is not told.
    pub fn new(before: View) -> Self {
        Self {
            before: before.calls,
            newest: before,
            frames: BTreeMap::new(),
            notes: 0,
            comments: 0,
        }
    }

    /// A frame was taken: its place in the video and its score.
    pub fn frame(&mut self, taken: TakenFrame, time: Duration) {
        self.frames.insert(taken.frame, (time, taken.score));
        if self.frames.len() > FRAMES_KEPT {
            self.frames.pop_first();
        }
    }

    /// Whether a note or a comment is being written, or said.
    pub fn is_at_it(&self) -> bool {
        let (notes, comments) = (&self.newest.note_taker, &self.newest.commentary);
        notes.asking.is_some() || comments.asking.is_some() || comments.saying
    }

    /// Takes a new view, and gives a line for everything in it that is new.
    pub fn take(&mut self, view: View, now: Duration) -> Vec<String> {
        let told = std::mem::replace(&mut self.newest, view).marks;
        let new: Vec<Mark> = self
            .newest
            .marks
            .iter()
            .filter(|mark| !told.contains(mark))
            .cloned()
            .collect();
        new.iter().filter_map(|mark| self.line(mark, now)).collect()
    }

    fn line(&mut self, mark: &Mark, now: Duration) -> Option<String> {
        let what = match mark.kind.as_str() {
            "note_added" => {
                self.notes += 1;
                "note"
            }
            "note_refreshed" => "as noted",
            "note_failed" => "no note",
            "commentary_spoken" => {
                self.comments += 1;
                "comment"
            }
            "commentary_silent" => "no comment",
            "commentary_failed" => "no comment",
            _ => return None,
        };
        let seen = mark.frame.and_then(|frame| self.frames.get(&frame));
        let (time, score) = match seen {
            Some((time, score)) => (*time, format!("{score:.4}")),
            None => (now, "-".to_owned()),
        };
        let trigger = mark.trigger.as_deref().unwrap_or("-");
        // One line each, whatever a model writes.
        let text: Vec<&str> = mark.text.split_whitespace().collect();
        Some(format!(
            "{}  {what:<10} {trigger:<13} {score:>6}  {}",
            clock(time),
            text.join(" ")
        ))
    }

    /// What it came to since the video began.
    pub fn totals(&self) -> String {
        let now = self.newest.calls;
        let notes = now.notes.saturating_sub(self.before.notes);
        let commentary = now.commentary.saturating_sub(self.before.commentary);
        let cost = now
            .cost_micro_dollars
            .saturating_sub(self.before.cost_micro_dollars);
        let mut words = format!(
            "{} and {}; model calls: {notes} for notes, {commentary} for comments, {} failed; cost ${:.4}",
            counted(self.notes, "note"),
            counted(self.comments, "comment"),
            now.failed.saturating_sub(self.before.failed),
            cost as f64 / 1e6
        );
        let unpriced = now.unpriced.saturating_sub(self.before.unpriced);
        if unpriced > 0 {
            let calls = counted(unpriced, "call");
            words.push_str(&format!(", and {calls} whose price is not known"));
        }
        words
    }
}

fn counted(count: u64, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}

/// A place in a video.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!(
        "{}:{:02}.{}",
        seconds / 60,
        seconds % 60,
        time.subsec_millis() / 100
    )
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod telling_tests;
