//! The outside world's side of every wish of the mind: who decides what models, stores and rooms do.

use std::fmt;

use mind::{Asking, Delivery, Gather, Gathering, RecallQuery, Recollection, ToolRun};
use vocabulary::{AskOutcome, FeedHarvest, MediaOrder, MediaOutcome, Span};

use crate::native_service::NativeFault;
use crate::platform::Platform;

/// Decides what comes of each wish. The world carries the decisions out.
pub trait Director: fmt::Debug {
    /// A change of the director's own mind, at a planned time.
    type Cue: Clone + fmt::Debug;

    fn cue(&mut self, cue: Self::Cue);
    fn ask(&mut self, asking: &Asking) -> AskPlan;
    fn send(&mut self, delivery: &Delivery) -> SendPlan;
    fn recall(&mut self, query: &RecallQuery, platform: &Platform) -> Option<(Span, Recollection)>;
    /// What the store does with the gems of a run.
    fn store(&mut self, gathering: &Gathering) -> StorePlan;
    /// When the tool ends, with what text, and whether it failed.
    fn tool(&mut self, run: &ToolRun) -> Option<(Span, String, bool)>;
    /// What a look around finds, and when; perhaps more than once, and never where this is empty.
    fn gather(&mut self, _: &Gather) -> Vec<(Span, FeedHarvest)> {
        vec![(Span::ZERO, FeedHarvest::default())]
    }
    /// What a realtime service does wrong that answers by itself.
    fn native_fault(&mut self) -> Option<NativeFault> {
        None
    }
    /// What comes of a picture, clip or GIF, and when; perhaps more than once, and never where this is empty.
    fn make(&mut self, _: &MediaOrder) -> Vec<(Span, MediaOutcome)> {
        let outcome = MediaOutcome::Failed {
            detail: "nothing here makes media".to_owned(),
            refused: false,
        };
        vec![(Span::ZERO, outcome)]
    }
}

/// What a model does with one question; times count from the question.
#[derive(Clone, Debug, Default)]
pub struct AskPlan {
    pub pieces: Vec<(Span, String)>,
    /// Ends so, and perhaps more than once; never where this is empty.
    pub ends: Vec<(Span, AskOutcome)>,
    /// Goes on although nobody waits any more.
    pub ignores_cancel: bool,
}

/// What the store does with gems.
#[derive(Clone, Copy, Debug)]
pub struct StorePlan {
    /// They are stored at once.
    pub lands: bool,
    /// What the mind hears: that they are stored, that they are not, or nothing at all.
    pub report: Option<bool>,
    pub after: Span,
}

impl StorePlan {
    /// Stored, and said so.
    pub fn prompt() -> Self {
        Self {
            lands: true,
            report: Some(true),
            after: Span::ZERO,
        }
    }
}

/// What a room does with one message.
#[derive(Clone, Debug)]
pub struct SendPlan {
    /// When the message is in the room, if it gets there.
    pub lands: Option<Span>,
    /// It gets there although the process ends meanwhile.
    pub survives_crash: bool,
    /// What the mind hears, and when.
    pub report: SendReport,
    pub reported: Span,
    /// The platform tells it as a message of the room too.
    pub echoed: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendReport {
    Sent,
    Failed {
        retryable: bool,
    },
    /// Not a word.
    Nothing,
}

impl SendPlan {
    /// In the room after so long, and confirmed at once.
    pub fn prompt(after: Span) -> Self {
        Self {
            lands: Some(after),
            survives_crash: false,
            report: SendReport::Sent,
            reported: after,
            echoed: None,
        }
    }

    /// Nothing gets there, and the mind is told so.
    pub fn failed(after: Span, retryable: bool) -> Self {
        Self {
            lands: None,
            survives_crash: false,
            report: SendReport::Failed { retryable },
            reported: after,
            echoed: None,
        }
    }
}
