//! Why it thinks of nothing in the voice of a room, what makes it think again, and how a thought there can end.

use vocabulary::named;

use super::AmbientGate;

named! {
    /// What became of a thought that came into a silence.
    pub enum VoiceThoughtOutcome {
        /// It was said.
        Spoken = "spoken",
        /// It is kept for a better moment.
        Held = "held",
        /// It is let go.
        Dropped = "dropped",
        /// The room moved on while it was thought; it is considered anew.
        Invalidated = "invalidated",
        /// The model did not answer, or could not be asked, or its words could not be said.
        Failed = "failed",
        /// It left the voice of the room, the process ended, or what it may be based on is forgotten.
        Interrupted = "interrupted",
    }
}

impl VoiceThoughtOutcome {
    /// What is said of it where all thoughts are listed.
    pub(crate) fn action(self) -> &'static str {
        match self {
            VoiceThoughtOutcome::Spoken => "post_now",
            VoiceThoughtOutcome::Held | VoiceThoughtOutcome::Invalidated => "hold",
            VoiceThoughtOutcome::Dropped => "drop",
            VoiceThoughtOutcome::Failed | VoiceThoughtOutcome::Interrupted => "failed",
        }
    }
}

named! {
    /// Why nothing is thought of in a silence.
    pub enum VoiceThoughtGate {
        /// `voice.thoughts.enabled` is off.
        Disabled = "disabled",
        /// It has no voice.
        NoVoice = "no_voice",
        /// Nobody is there.
        EmptyRoom = "empty_room",
        /// Nobody who is there wants to be listened to.
        NotListenedTo = "not_listened_to",
        /// It may not speak to anybody who is there.
        NotPermitted = "not_permitted",
        /// Somebody waits for an answer.
        ReplyUnderWay = "reply_under_way",
        /// Somebody is talking with it, here or elsewhere.
        AttentionActive = "attention_active",
        /// It has said as many as it may in one session.
        SessionCap = "session_cap",
        /// Nobody has said or done anything since its last one.
        Unanswered = "unanswered",
        /// The budget of the last 24 hours, for all thoughts together, is used up.
        BudgetCalls = "budget_calls",
        BudgetTokens = "budget_tokens",
        BudgetCost = "budget_cost",
        /// Chance was against it.
        Eagerness = "eagerness",
    }
}

impl VoiceThoughtGate {
    /// Whether it stays shut for the whole session, as things are.
    pub(crate) fn lasts(self) -> bool {
        use VoiceThoughtGate::{Disabled, NoVoice, SessionCap};
        matches!(self, Disabled | NoVoice | SessionCap)
    }

    /// In words, with what would open it.
    pub fn words(self) -> &'static str {
        match self {
            VoiceThoughtGate::Disabled => "thoughts in voice are switched off (voice.thoughts.enabled)",
            VoiceThoughtGate::NoVoice => "it has no voice (voice.sttPipeline.ttsProvider)",
            VoiceThoughtGate::EmptyRoom => "nobody is there",
            VoiceThoughtGate::NotListenedTo => "nobody who is there wants to be listened to",
            VoiceThoughtGate::NotPermitted => {
                "it may not speak to anybody who is there (permissions.replies)"
            }
            VoiceThoughtGate::ReplyUnderWay => "somebody waits for an answer, and that comes first",
            VoiceThoughtGate::AttentionActive => {
                "somebody was talking with it a moment ago, and that comes first (attention.activeSeconds)"
            }
            VoiceThoughtGate::SessionCap => {
                "it has said as many thoughts as it may in one session (voice.thoughts.maxPerSession)"
            }
            VoiceThoughtGate::Unanswered => "nobody has said or done anything since its last thought",
            VoiceThoughtGate::BudgetCalls => AmbientGate::BudgetCalls.words(),
            VoiceThoughtGate::BudgetTokens => AmbientGate::BudgetTokens.words(),
            VoiceThoughtGate::BudgetCost => AmbientGate::BudgetCost.words(),
            VoiceThoughtGate::Eagerness => "chance was against it (voice.thoughts.eagerness)",
        }
    }
}

named! {
    /// What happened in a room while a thought was held, or on its way.
    pub enum RoomChange {
        /// Somebody spoke.
        Speech = "speech",
        /// Somebody who is there typed something.
        Typed = "typed",
        Joined = "joined",
        Left = "left",
        /// A sound effect was heard.
        Sound = "sound",
        /// A message was taken back.
        TakenBack = "taken_back",
    }
}

impl RoomChange {
    /// Whether it breaks a silence that speech alone does not break.
    pub(crate) fn stirs(self) -> bool {
        !matches!(self, RoomChange::TakenBack)
    }

    /// Whether it shows that somebody is there with their mind.
    pub(crate) fn answers(self) -> bool {
        !matches!(self, RoomChange::TakenBack | RoomChange::Left)
    }

    /// For a person, and for a model.
    pub fn words(self) -> &'static str {
        match self {
            RoomChange::Speech => "somebody spoke",
            RoomChange::Typed => "somebody typed something",
            RoomChange::Joined => "somebody came",
            RoomChange::Left => "somebody left",
            RoomChange::Sound => "a sound was played",
            RoomChange::TakenBack => "a message was taken back",
        }
    }
}

named! {
    /// Why a held thought is gone without being looked at again.
    pub enum VoiceThoughtLoss {
        /// It was held for too long.
        Expired = "expired",
        /// It left the voice of the room.
        SessionEnded = "session_ended",
        /// A new conversation began in the room.
        ConversationEnded = "conversation_ended",
        /// The process ended.
        Restarted = "restarted",
        /// It spoke of something that is forgotten.
        Forgotten = "forgotten",
        /// Thoughts in voice were switched off.
        SwitchedOff = "switched_off",
        /// Nobody who is there wants to be listened to.
        NotListenedTo = "not_listened_to",
    }
}
