//! What a service was told, as text: what it is told again where it has forgotten, and how much it knows.

use std::collections::VecDeque;

use runtime::ports::NativeKnown;
use vocabulary::Span;

use crate::command::HistoryLine;
use crate::event::Usage;

/// So many of the newest lines are kept, and so many characters of them are told to a service that knows nothing.
const LINES_MAX: usize = 60;
const HISTORY_CHARACTERS_MAX: usize = 4_000;

/// Something that was said, or told.
#[derive(Debug)]
struct Entry {
    /// A clip whose words are not known yet.
    clip: Option<u64>,
    is_own: bool,
    who: String,
    text: String,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    entries: VecDeque<Entry>,
    /// How many were there before the oldest that is kept.
    gone: u64,
    /// Up to here a handle knows.
    marked: u64,
    names: u64,
    known: NativeKnown,
    told: NativeKnown,
}

impl Ledger {
    pub(super) fn tell(&mut self, text: &str) {
        self.known.items += 1;
        self.push(None, false, "", text);
    }

    /// A clip that goes to the service; its words may be known already.
    pub(super) fn hear(&mut self, clip: u64, who: &str, words: Option<&str>, heard: Span) {
        self.known.items += 1;
        self.known.clips += 1;
        self.known.heard = Span(self.known.heard.0.saturating_add(heard.0));
        // On another connection it is sent once more.
        if !self.entries.iter().any(|entry| entry.clip == Some(clip)) {
            let pending = words.is_none().then_some(clip);
            self.push(pending, false, who, words.unwrap_or_default());
        }
    }

    pub(super) fn understand(&mut self, clip: u64, words: &str) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.clip == Some(clip)) {
            entry.clip = None;
            words.clone_into(&mut entry.text);
        }
    }

    /// Nobody said anything in it, and the service has let go of it.
    pub(super) fn forget(&mut self, clip: u64, heard: Span) {
        self.known.items = self.known.items.saturating_sub(1);
        self.known.clips = self.known.clips.saturating_sub(1);
        self.known.heard = Span(self.known.heard.0.saturating_sub(heard.0));
        self.entries.retain(|entry| entry.clip != Some(clip));
    }

    pub(super) fn say(&mut self, words: &str) {
        self.known.items += 1;
        self.push(None, true, "", words.trim());
    }

    /// Of what was said last, only this was heard.
    pub(super) fn cut(&mut self, words: &str) {
        if let Some(entry) = self.entries.iter_mut().rev().find(|entry| entry.is_own) {
            words.trim().clone_into(&mut entry.text);
        }
    }

    pub(super) fn used(&mut self, usage: Usage) {
        let read = usage.text_in.saturating_add(usage.sound_in);
        if read > 0 {
            self.known.input_tokens = Some(read);
        }
    }

    /// A name for something that is told, which nothing else has.
    pub(super) fn name(&mut self) -> String {
        self.names += 1;
        format!("denizen_told_{}", self.names)
    }

    fn push(&mut self, clip: Option<u64>, is_own: bool, who: &str, text: &str) {
        self.entries.push_back(Entry {
            clip,
            is_own,
            who: who.to_owned(),
            text: text.to_owned(),
        });
        if self.entries.len() > LINES_MAX {
            self.entries.pop_front();
            self.gone += 1;
        }
    }

    /// The newest lines that it may be told, in their order.
    pub(super) fn history(&self) -> Vec<HistoryLine> {
        self.lines(0)
    }

    /// What was said since the service gave out a handle: it is told again, and written down then.
    pub(super) fn take_since_mark(&mut self) -> Vec<HistoryLine> {
        let from = self.marked.saturating_sub(self.gone) as usize;
        let lines = self.lines(from);
        let mut at = 0;
        self.entries.retain(|entry| {
            at += 1;
            at <= from || entry.clip.is_some()
        });
        lines
    }

    fn lines(&self, from: usize) -> Vec<HistoryLine> {
        let mut characters = 0;
        let mut lines = Vec::new();
        for entry in self.entries.iter().skip(from).rev() {
            let text = match entry.who.as_str() {
                "" => entry.text.clone(),
                who => format!("{who}: {}", entry.text),
            };
            characters += text.chars().count();
            if characters > HISTORY_CHARACTERS_MAX {
                break;
            }
            if !entry.text.is_empty() {
                lines.push(HistoryLine {
                    is_own: entry.is_own,
                    text,
                });
            }
        }
        lines.reverse();
        lines
    }

    /// A handle that was given out now knows all of it.
    pub(super) fn mark(&mut self) {
        self.marked = self.gone + self.entries.len() as u64;
    }

    /// The service knows nothing but what it is told now.
    pub(super) fn begin(&mut self, history: usize) {
        self.known = NativeKnown {
            begun: self.known.begun + 1,
            items: history as u64,
            folds: true,
            ..NativeKnown::default()
        };
    }

    /// Nothing of it counts any more.
    pub(super) fn clear(&mut self) {
        self.gone += self.entries.len() as u64;
        self.entries.clear();
        self.mark();
    }

    /// What it knows, where that is news.
    pub(super) fn news(&mut self) -> Option<NativeKnown> {
        (self.told != self.known).then(|| {
            self.told = self.known.clone();
            self.known.clone()
        })
    }
}
