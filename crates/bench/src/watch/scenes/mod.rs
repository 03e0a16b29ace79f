//! Screens that the bench renders itself, with what a person would want noted about them.
//!
//! Each scene is a function of time: however often it is painted, the same happens at the same moment.

mod article;
mod desktop;
mod editor;
mod fight;
mod lobby;
mod parts;
mod slides;
mod terminal;
mod windows;

use clap::ValueEnum;
use serde::Serialize;
use simulator::Chance;
use vocabulary::{Moment, Span};

use super::canvas::Canvas;

/// What somebody does on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A desktop with a clock that ticks; toasts, dialogs, a window now and then.
    Desktop,
    /// Somebody writes code: a blinking cursor, typing, tests.
    Editor,
    /// A game's lobby full of drifting particles.
    Lobby,
    /// Boss fights: everything flickers, and the phases are what matters.
    Fight,
    /// A terminal: logs rush by, builds end, errors come past.
    Terminal,
    /// Reading long pages by scrolling, beside an animated advertisement.
    Article,
    /// Switching between windows.
    Windows,
    /// A slide deck with fades and bullets, the presenter's face in a corner.
    Slides,
}

/// Something a person would want noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// From when on it can be seen.
    pub at: Moment,
    /// When it is gone, or something else has taken its place.
    pub until: Moment,
    pub what: &'static str,
}

/// A screen over some minutes.
pub struct Session {
    pub kind: Kind,
    pub seed: u64,
    pub length: Span,
    /// In the order in which they happen.
    pub events: Vec<Event>,
    scene: Box<dyn Scene>,
}

/// Paints a screen as it looks at a moment.
trait Scene {
    fn paint(&self, at: Moment, canvas: &mut Canvas);
}

impl Session {
    pub fn new(kind: Kind, seed: u64, length: Span) -> Self {
        // Kinds of one seed share nothing.
        let mut chance = Chance::seeded(seed.wrapping_mul(64) + kind as u64);
        let (scene, mut events) = match kind {
            Kind::Desktop => desktop::make(&mut chance, length),
            Kind::Editor => editor::make(&mut chance, length),
            Kind::Lobby => lobby::make(&mut chance, length),
            Kind::Fight => fight::make(&mut chance, length),
            Kind::Terminal => terminal::make(&mut chance, length),
            Kind::Article => article::make(&mut chance, length),
            Kind::Windows => windows::make(&mut chance, length),
            Kind::Slides => slides::make(&mut chance, length),
        };
        let end = Moment(length.0);
        events.retain(|event| event.at + SHORTEST_LEFT <= end);
        for event in &mut events {
            event.until = event.until.min(end);
        }
        events.sort_by_key(|event| (event.at, event.until));
        Self {
            kind,
            seed,
            length,
            events,
            scene,
        }
    }

    pub fn paint(&self, at: Moment, canvas: &mut Canvas) {
        self.scene.paint(at, canvas);
    }
}

/// What happens in the last seconds of a session is nobody's fault to miss.
const SHORTEST_LEFT: Span = Span::seconds(5);

type Made = (Box<dyn Scene>, Vec<Event>);

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Desktop => "desktop",
            Kind::Editor => "editor",
            Kind::Lobby => "lobby",
            Kind::Fight => "fight",
            Kind::Terminal => "terminal",
            Kind::Article => "article",
            Kind::Windows => "windows",
            Kind::Slides => "slides",
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("kind", &self.kind)
            .field("seed", &self.seed)
            .field("length", &self.length)
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}
