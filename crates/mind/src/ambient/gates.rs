//! Whether a tick may ask a model: the gates in their order. Those that cost nothing come first, chance last.

use vocabulary::Span;

pub use crate::reasons::AmbientGate;

/// What the gates look at. Chance is not among it: it is only rolled for when all of this lets it.
#[derive(Clone, Copy, Debug)]
pub struct GateQuestion {
    pub enabled: bool,
    pub channels: usize,
    /// How many of them exist.
    pub existing: usize,
    pub posts: u64,
    pub max_posts: u64,
    /// The budget's own no.
    pub budget: Option<AmbientGate>,
    pub active: bool,
    pub thinking: bool,
    /// Since the held thought was last looked at; none: none is held.
    pub held: Option<Span>,
    /// How long that thought is left alone.
    pub rest: Span,
    /// Since a fresh thought was last looked for; none: never.
    pub considered: Option<Span>,
    pub gap: Span,
    /// Something is in the way of a message of its own: where the held thought is meant for, or in every channel.
    pub busy: bool,
}

/// What the gates say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Stop(AmbientGate),
    /// The held thought is looked at again.
    Revisit,
    /// A fresh one is looked for, if chance has it.
    Fresh,
}

/// Asks the gates. A held thought goes before a fresh one, and waits for neither gap nor chance.
pub fn decide(question: &GateQuestion) -> Verdict {
    if !question.enabled {
        return Verdict::Stop(AmbientGate::Disabled);
    }
    if question.channels == 0 {
        return Verdict::Stop(AmbientGate::NoChannels);
    }
    if question.existing == 0 {
        return Verdict::Stop(AmbientGate::UnknownChannels);
    }
    if question.posts >= question.max_posts {
        return Verdict::Stop(AmbientGate::DailyCap);
    }
    if let Some(gate) = question.budget {
        return Verdict::Stop(gate);
    }
    if question.active {
        return Verdict::Stop(AmbientGate::AttentionActive);
    }
    if question.thinking {
        return Verdict::Stop(AmbientGate::ThinkingAlready);
    }
    match (question.held, question.considered) {
        (Some(looked), _) if looked < question.rest => Verdict::Stop(AmbientGate::HeldTooYoung),
        (None, Some(since)) if since < question.gap => Verdict::Stop(AmbientGate::Gap),
        _ if question.busy => Verdict::Stop(AmbientGate::RoomBusy),
        (Some(_), _) => Verdict::Revisit,
        (None, _) => Verdict::Fresh,
    }
}

#[cfg(test)]
#[path = "gates_tests.rs"]
mod gates_tests;
