//! What questions to models are paid for, and what a refusal to pay names.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskFailureKind, AskPurpose, named};

named! {
    /// Why a model is left alone for a while.
    pub enum RestCause {
        /// Its provider asked for it.
        Asked = "asked",
        /// Its account has nothing left.
        Spent = "spent",
        /// It thinks until nothing is left of what it may write, and says nothing.
        Mute = "mute",
        /// It answers without a word, however it is asked.
        Empty = "empty",
        /// Its provider does not accept the key.
        Key = "key",
        /// What it is given to read is too long for it, however short.
        TooLong = "too_long",
        /// Its server has trouble of its own.
        Down = "down",
        /// It is asked more than its provider lets it be.
        Limited = "limited",
        /// Its provider answers nobody from the country that it is asked from.
        Region = "region",
        /// Its provider does not know it.
        Gone = "gone",
        /// Its provider does not take what it is asked.
        Rejected = "rejected",
        /// What comes back is no answer.
        Garbled = "garbled",
        /// Nobody takes a question where it should be.
        Unreachable = "unreachable",
        /// It takes questions, and does not answer in time.
        Hanging = "hanging",
    }
}

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

impl RestCause {
    /// What a failure of a question that is not asked for that reason is called.
    pub fn kind(self) -> AskFailureKind {
        self.told().0
    }

    /// For a person, to follow the name of a model.
    pub fn words(self) -> &'static str {
        self.told().1
    }

    fn told(self) -> (AskFailureKind, &'static str) {
        use AskFailureKind as Kind;
        match self {
            Self::Asked => (Kind::RateLimited, "asked to be left alone"),
            Self::Spent => (Kind::QuotaSpent, "has no credit or quota left"),
            Self::Mute => {
                let mute = "spends all that it may write on thinking without a word to say";
                (Kind::OutOfRoom, mute)
            }
            Self::Empty => (Kind::EmptyAnswer, "answers without a word"),
            Self::Key => (Kind::KeyRefused, "does not accept the key"),
            Self::TooLong => (Kind::ContextTooLong, "finds every prompt too long"),
            Self::Down => (Kind::ServerError, "has trouble of its own"),
            Self::Limited => (Kind::RateLimited, "is asked more than it takes"),
            Self::Region => {
                let elsewhere = "answers nobody from the country that it is asked from";
                (Kind::RegionRefused, elsewhere)
            }
            Self::Gone => (Kind::UnknownModel, "is not known to its provider"),
            Self::Rejected => (Kind::Rejected, "does not take what it is asked"),
            Self::Garbled => (Kind::Malformed, "sends something else than answers"),
            Self::Unreachable => (Kind::Unreachable, "cannot be reached"),
            Self::Hanging => (Kind::NoFirstByte, "takes questions and does not answer in time"),
        }
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

    /// What is asked most often of what it pays for.
    pub fn usual(self) -> AskPurpose {
        match self {
            Self::Replies => AskPurpose::TextReply,
            Self::Classifier => AskPurpose::AddressClassifier,
            Self::Memory => AskPurpose::GemExtraction,
            Self::Summaries => AskPurpose::ContextCompaction,
            Self::ScreenNotes => AskPurpose::ScreenNote,
            Self::Commentary => AskPurpose::ScreenCommentary,
            Self::Thoughts => AskPurpose::AmbientThought,
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

/// What a budget is short of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// Too little is left of the day.
    UsedUp,
    /// One question may take more than a whole day has: waiting does not help.
    TooDear,
    /// There is none.
    Nothing,
}

impl SpendingRefusal {
    /// What is short.
    pub fn shortage(&self) -> Shortage {
        match self.allowed {
            0 => Shortage::Nothing,
            allowed if self.wanted > allowed => Shortage::TooDear,
            _ => Shortage::UsedUp,
        }
    }

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

    /// For a person: what is short, and which setting says how much there is.
    pub fn words(&self) -> String {
        let whose = match self.scope {
            SpendingScope::Purpose => self.purpose.words(),
            SpendingScope::Background => "everything but replies",
            SpendingScope::Everything => "everything together",
        };
        let (used, allowed, keys) = (self.amount(self.used), self.amount(self.allowed), self.keys());
        match self.shortage() {
            Shortage::UsedUp => {
                format!(
                    "today's budget for {whose} is used up: {used} of {allowed} ({keys}); it begins anew at midnight UTC"
                )
            }
            Shortage::TooDear => format!(
                "one question for {} may take up to {}, and {whose} may take {allowed} a day ({keys}), so it is not asked",
                self.purpose.words(),
                self.amount(self.wanted)
            ),
            Shortage::Nothing => format!("nothing may be spent on {whose}: {keys} comes to {allowed}"),
        }
    }

    /// What whoever runs Denizen can do about it.
    pub fn remedy(&self, settings: &Settings) -> String {
        let keys = self.keys();
        match self.shortage() {
            Shortage::UsedUp => format!("raise {keys}, or wait"),
            Shortage::TooDear => format!(
                "raise {keys}, or choose a cheaper model with {}",
                settings.keys_for(self.purpose.usual()).model
            ),
            Shortage::Nothing => format!("raise {keys}"),
        }
    }

    /// What somebody in a room is told who spoke to Denizen.
    pub fn told_in_room(&self) -> String {
        let keys = self.keys();
        match self.shortage() {
            Shortage::UsedUp => {
                "I have used up what I may spend on thinking today, so I cannot answer before midnight UTC. Whoever looks \
                 after me can raise spending.perDay."
                    .to_owned()
            }
            Shortage::TooDear => format!(
                "One answer may take up to {}, and I may take {} a day, so I cannot answer. Whoever looks after me can raise \
                 {keys}, or give me a cheaper model.",
                self.amount(self.wanted),
                self.amount(self.allowed)
            ),
            Shortage::Nothing => format!(
                "I may not spend anything on thinking, so I cannot answer. Whoever looks after me can raise {keys}."
            ),
        }
    }

    fn amount(&self, amount: u64) -> String {
        match self.limit {
            SpendingLimit::Calls => format!("{amount} calls"),
            SpendingLimit::Tokens => format!("{amount} tokens"),
            SpendingLimit::Dollars => dollars(amount),
        }
    }
}

/// Millionths of a dollar with as many digits as tell them from nothing.
fn dollars(micro: u64) -> String {
    let dollars = micro as f64 / 1_000_000.0;
    match micro {
        0 | 10_000.. => format!("{dollars:.2} dollars"),
        100.. => format!("{dollars:.4} dollars"),
        _ => format!("{dollars:.6} dollars"),
    }
}
