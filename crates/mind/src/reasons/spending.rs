//! What questions to models are paid for, and what a refusal to pay names.

use serde::{Deserialize, Serialize};
use vocabulary::{AskPurpose, named};

named! {
    /// What is paid for when a model is asked, in the order in which it is told.
    pub enum SpendingPurpose {
        /// Replies, and their look-ups.
        Replies = "replies",
        /// Whether an unclear message was meant for Denizen.
        Classifier = "classifier",
        /// Gems.
        Memory = "memory",
        /// Running summaries.
        Summaries = "summaries",
        /// Notes on shared screens.
        ScreenNotes = "screen_notes",
        /// Comments on shared screens.
        Commentary = "commentary",
        /// Thoughts of its own.
        Thoughts = "thoughts",
    }
}

impl SpendingPurpose {
    /// What a question is paid for.
    pub fn of(purpose: AskPurpose) -> Self {
        match purpose {
            AskPurpose::TextReply
            | AskPurpose::TextReplyFollowup
            | AskPurpose::VoiceReply
            | AskPurpose::VoiceReplyFollowup => Self::Replies,
            AskPurpose::AddressClassifier | AskPurpose::VoiceReplyDecision => Self::Classifier,
            AskPurpose::GemExtraction => Self::Memory,
            AskPurpose::ContextCompaction => Self::Summaries,
            AskPurpose::ScreenNote => Self::ScreenNotes,
            AskPurpose::ScreenCommentary => Self::Commentary,
            AskPurpose::AmbientThought | AskPurpose::VoiceThought => Self::Thoughts,
        }
    }

    /// For a person.
    pub fn words(self) -> &'static str {
        match self {
            Self::Replies => "replies",
            Self::Classifier => "the classifier",
            Self::Memory => "memory",
            Self::Summaries => "summaries",
            Self::ScreenNotes => "notes on screens",
            Self::Commentary => "comments on screens",
            Self::Thoughts => "thoughts of its own",
        }
    }

    /// What becomes of the work when nothing may be spent on it any more today.
    pub fn at_the_limit(self) -> &'static str {
        match self {
            Self::Replies => {
                "whoever speaks to it directly is told once a day in each room; after that it is silent (budget_spent)"
            }
            Self::Classifier => "unclear messages are not answered",
            Self::Memory => "gems are made by patterns, or wait for tomorrow where memory.extractor is model",
            Self::Summaries => {
                "summaries are written without a model, or wait for tomorrow where context.compaction.summariser is model"
            }
            Self::ScreenNotes => "notes wait for tomorrow",
            Self::Commentary => "nothing is said about screens",
            Self::Thoughts => "no thought is looked for",
        }
    }
}

named! {
    /// What is limited.
    pub enum SpendingLimit {
        /// Requests to models, every try counted.
        Calls = "calls",
        /// Tokens read and written.
        Tokens = "tokens",
        /// Millionths of a dollar.
        Dollars = "dollars",
    }
}

named! {
    /// Whose share of the day is used up.
    pub enum SpendingScope {
        /// The share of the purpose itself.
        Purpose = "purpose",
        /// The share of everything but replies.
        Background = "background",
        /// The whole day.
        Everything = "everything",
    }
}

named! {
    /// What kept a model from being asked without anything being lost, in the order in which it is told.
    pub enum SpendingGate {
        /// Messages that the admission gate did not let through: no reply was asked for.
        NotAdmitted = "not_admitted",
        /// Messages that share a reply with another one.
        AnsweredTogether = "answered_together",
        /// Messages that rules judged, so that the classifier was not asked.
        ClassifierNotAsked = "classifier_not_asked",
        /// Turns that gems were made of together with others.
        TurnsBatched = "turns_batched",
        /// Batches that were read by patterns instead of a model.
        GemsByPatterns = "gems_by_patterns",
        /// Summaries that were written without a model.
        SummariesWithoutModel = "summaries_without_model",
        /// Frames of a shared screen that led to no note.
        FramesNotNoted = "frames_not_noted",
        /// Comments that waited for a gate.
        CommentsHeld = "comments_held",
        /// Ticks at which no thought was looked for.
        ThoughtsNotLookedFor = "thoughts_not_looked_for",
    }
}

/// Why a question is not asked: which limit, and how far it is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpendingRefusal {
    pub purpose: SpendingPurpose,
    pub limit: SpendingLimit,
    pub scope: SpendingScope,
    pub used: u64,
    pub allowed: u64,
    pub wanted: u64,
}

impl SpendingRefusal {
    /// The settings that say so.
    pub fn keys(&self) -> String {
        let limit = format!("spending.perDay.{}", self.limit.name());
        match self.scope {
            SpendingScope::Everything => limit,
            SpendingScope::Background => format!("spending.percent.background of {limit}"),
            SpendingScope::Purpose => {
                let share = match self.purpose {
                    SpendingPurpose::ScreenNotes => "screenNotes",
                    purpose => purpose.name(),
                };
                format!("spending.percent.{share} of {limit}")
            }
        }
    }

    /// For a person: what is used up, and which setting says how much there is.
    pub fn words(&self) -> String {
        let amount = |amount: u64| match self.limit {
            SpendingLimit::Calls => format!("{amount} calls"),
            SpendingLimit::Tokens => format!("{amount} tokens"),
            SpendingLimit::Dollars => format!("{:.2} dollars", amount as f64 / 1_000_000.0),
        };
        let whose = match self.scope {
            SpendingScope::Purpose => self.purpose.words(),
            SpendingScope::Background => "everything but replies",
            SpendingScope::Everything => "everything together",
        };
        format!(
            "today's budget for {whose} is used up: {} of {} ({}); it begins anew at midnight UTC",
            amount(self.used),
            amount(self.allowed),
            self.keys()
        )
    }
}
