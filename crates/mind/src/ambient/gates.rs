//! Whether a tick may ask a model: the gates in their order. Those that cost nothing come first, chance last.

use serde::{Deserialize, Serialize};
use vocabulary::Span;

/// What stops a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AmbientGate {
    /// `initiative.text.enabled` is off.
    Disabled,
    /// No channel of the pool may be posted to.
    NoChannels,
    /// So many posts of its own were made in the last 24 hours.
    DailyCap,
    /// The budget of the last 24 hours is used up.
    BudgetCalls,
    BudgetTokens,
    BudgetCost,
    /// Somebody is talking with it.
    AttentionActive,
    /// A thought is under way.
    ThinkingAlready,
    /// The held thought was looked at not long ago, and rests.
    HeldTooYoung,
    /// It looked for a fresh thought not long ago.
    Gap,
    /// Chance was against it.
    Eagerness,
}

impl AmbientGate {
    pub fn name(self) -> &'static str {
        match self {
            AmbientGate::Disabled => "disabled",
            AmbientGate::NoChannels => "no_channels",
            AmbientGate::DailyCap => "daily_cap",
            AmbientGate::BudgetCalls => "budget_calls",
            AmbientGate::BudgetTokens => "budget_tokens",
            AmbientGate::BudgetCost => "budget_cost",
            AmbientGate::AttentionActive => "attention_active",
            AmbientGate::ThinkingAlready => "thinking_already",
            AmbientGate::HeldTooYoung => "held_too_young",
            AmbientGate::Gap => "gap",
            AmbientGate::Eagerness => "eagerness",
        }
    }

    /// In words, with what would open it.
    pub fn words(self) -> &'static str {
        match self {
            AmbientGate::Disabled => "thoughts of its own are switched off (initiative.text.enabled)",
            AmbientGate::NoChannels => {
                "no channel may be posted to: name one in permissions.replies.discoveryChannelIds that is neither blocked nor left out"
            }
            AmbientGate::DailyCap => {
                "as many posts of its own as are allowed in 24 hours were made (initiative.text.maxPostsPerDay)"
            }
            AmbientGate::BudgetCalls => {
                "as many model calls as are allowed in 24 hours were made (initiative.budget.maxCallsPerDay)"
            }
            AmbientGate::BudgetTokens => {
                "another thought might go over the tokens of 24 hours (initiative.budget.maxTokensPerDay)"
            }
            AmbientGate::BudgetCost => {
                "another thought might go over the money of 24 hours (initiative.budget.maxDollarsPerDay)"
            }
            AmbientGate::AttentionActive => {
                "somebody is talking with it, and that comes first (attention.activeSeconds)"
            }
            AmbientGate::ThinkingAlready => "a thought is under way",
            AmbientGate::HeldTooYoung => "the thought it holds was looked at not long ago, and rests",
            AmbientGate::Gap => {
                "it looked for a fresh thought not long ago (initiative.text.minMinutesBetweenPosts)"
            }
            AmbientGate::Eagerness => "chance was against it (initiative.text.eagerness)",
        }
    }
}

/// What the gates look at. Chance is not among it: it is only rolled for when all of this lets it.
#[derive(Clone, Copy, Debug)]
pub struct GateQuestion {
    pub enabled: bool,
    pub channels: usize,
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
        (Some(_), _) => Verdict::Revisit,
        (None, Some(since)) if since < question.gap => Verdict::Stop(AmbientGate::Gap),
        (None, _) => Verdict::Fresh,
    }
}

#[cfg(test)]
#[path = "gates_tests.rs"]
mod gates_tests;
