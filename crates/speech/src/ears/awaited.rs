//! Clips of a track whose words are awaited, oldest first.

use std::collections::VecDeque;

use runtime::ports::HeardSpeech;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;
use vocabulary::Span;

use super::judging::{ClipFacts, span};
use super::transcriber::Understood;
use crate::trouble::Trouble;

/// A clip whose words are awaited.
pub(super) struct Waiting {
    pub speech: u64,
    /// Its number on the bill.
    pub question: u64,
    pub words: Words,
}

pub(super) enum Words {
    Coming(ClipFacts, AbortOnDropHandle<Understood>),
    Here(ClipFacts, Understood),
    /// There are none, and why is known: it is told when its turn comes.
    Lost(HeardSpeech),
}

impl Words {
    /// For how long they were said.
    pub fn spoken(&self) -> Span {
        match self {
            Words::Coming(facts, _) | Words::Here(facts, _) => span(facts.evidence.spoken),
            Words::Lost(HeardSpeech::Missed { spoken, .. }) => *spoken,
            Words::Lost(_) => Span::ZERO,
        }
    }
}

/// Waits for the words of the oldest clip, where it will have some; never ends where there is no clip.
pub(super) async fn next_words(waiting: &mut VecDeque<Waiting>) -> Option<Understood> {
    match waiting.front_mut().map(|waiting| &mut waiting.words) {
        None => std::future::pending().await,
        Some(Words::Lost(_)) => None,
        Some(Words::Here(_, understood)) => Some(understood.clone()),
        Some(Words::Coming(_, task)) => Some(task.await.unwrap_or_else(|_| Understood {
            result: Err(Trouble::broken("the ears")),
            at: Instant::now(),
            may_cost: true,
        })),
    }
}
