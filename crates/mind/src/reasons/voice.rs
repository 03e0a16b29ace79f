//! Why it is in the voice of a room, answers there or falls silent, or does not.

use serde::{Deserialize, Serialize};
use vocabulary::named;

named! {
    /// Why it goes into the voice of a room.
    pub enum VoiceJoinCause {
        /// Somebody is there, and it comes along (`voice.joinPolicy`).
        WithPeople = "with_people",
        /// Somebody typed `/join`.
        Command = "command",
        /// Somebody asked for it on the page of the room.
        Page = "page",
        /// The connection was lost, and it comes back.
        Reconnect = "reconnect",
        /// Nobody asked for it here: whoever runs it brought it in.
        Brought = "brought",
    }
}

named! {
    /// Why it does not go into the voice of a room.
    pub enum VoiceJoinRefusal {
        /// `voice.enabled` is false.
        SwitchedOff = "switched_off",
        /// It is there, or on its way.
        Already = "already",
        /// It may not speak in this room (`permissions.replies`).
        NotInThisRoom = "not_in_this_room",
        /// Whoever wants it there is not answered (`permissions.replies`).
        NotForThem = "not_for_them",
        /// Ears and voice are paid for, and nothing is left of the day's dollars.
        Unaffordable = "unaffordable",
    }
}

impl VoiceJoinRefusal {
    /// To whoever asked for it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::SwitchedOff => {
                "Voice is switched off here. Whoever runs me can switch it on: voice.enabled."
            }
            Self::Already => "I am in the voice of this room already, or on my way.",
            Self::NotInThisRoom => {
                "I stay out of the voice of this room: whoever runs me does not let me talk here (permissions.replies.allowedChannelIds and blockedChannelIds)."
            }
            Self::NotForThem => {
                "I do not come into the voice of this room at your wish: whoever runs me has it so (permissions.replies.allowedUserIds and blockedUserIds)."
            }
            Self::Unaffordable => {
                "I stay out of the voice of this room: nothing is left of what I may spend today, and my ears or my voice are paid for."
            }
        }
    }
}

named! {
    /// Why a voice session is over.
    pub enum VoiceEndCause {
        /// Somebody typed `/leave`.
        Command = "command",
        /// Somebody sent it away on the page of the room.
        Page = "page",
        /// Ears and voice cost more than is left of the day's dollars.
        Unaffordable = "unaffordable",
        /// The last person has left.
        NobodyLeft = "nobody_left",
        /// Nobody has spoken for `voice.inactivitySeconds`.
        Inactive = "inactive",
        /// It was there for `voice.maxSessionMinutes`.
        TooLong = "too_long",
        /// The connection broke.
        Lost = "lost",
        /// It was not let in.
        Refused = "refused",
        /// `voice.enabled` is false now.
        SwitchedOff = "switched_off",
        /// The process ended; whoever is still there brings it back.
        Restarted = "restarted",
        /// The room is gone.
        RoomEnded = "room_ended",
    }
}

named! {
    /// Why an utterance could not lead to an answer.
    pub enum UtteranceDrop {
        /// This id was heard before.
        Duplicate = "duplicate",
        /// Its speaker does not want to be listened to.
        NotListenedTo = "not_listened_to",
        /// It has no words.
        Empty = "empty",
        /// Denizen is not in the voice of this room.
        NotInVoice = "not_in_voice",
        /// Denizen's own words, or those of another program.
        NotAPerson = "not_a_person",
    }
}

/// How a turn of voice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoiceTurnOutcome {
    /// Something of the answer was heard.
    Spoken,
    /// It could not be said, and stands in the text of the room.
    Written,
    /// It chose to stay silent.
    Skipped,
    /// No answer could be made, or none could be said.
    Failed,
    /// More was said, or somebody spoke over it, before a sentence of it was heard.
    Superseded,
}

named! {
    /// Why a turn of voice ended as it did.
    pub enum VoiceTurnReason {
        /// All of it was said.
        Said = "said",
        /// Somebody spoke over it.
        CutShort = "cut_short",
        /// The gate did not let it pass; it never was a turn of Denizen's.
        NotAdmitted = "not_admitted",
        /// The model chose silence.
        LlmSkip = "llm_skip",
        /// The model wrote nothing that can be said.
        EmptyReply = "empty_reply",
        /// The answer would have come too late.
        Stale = "stale",
        /// Something newer was said.
        NewerTurn = "newer_turn",
        /// Somebody spoke before its first word was heard.
        SpokenOver = "spoken_over",
        /// The model did not answer.
        AskFailed = "ask_failed",
        /// The realtime service that would have answered by itself is not there any more.
        ServiceGone = "service_gone",
        /// Nothing may be spent on it, or its model rests.
        BudgetSpent = "budget_spent",
        /// The mouth failed.
        SpeechFailed = "speech_failed",
        /// It has no voice, or the mouth failed: it is written into the room.
        NoVoice = "no_voice",
        /// It left the voice of the room.
        SessionEnded = "session_ended",
        /// The last who was there has left.
        NobodyLeft = "nobody_left",
        /// The process ended.
        Restarted = "restarted",
        /// What it was about was forgotten or taken back.
        Forgotten = "forgotten",
        /// Somebody wants it quiet in the room.
        Quiet = "quiet",
    }
}

named! {
    /// Why it goes on speaking, or falls silent, when somebody speaks while it does.
    pub enum BargeInReason {
        /// They have spoken for `voice.bargeInMs`.
        SpokenOver = "spoken_over",
        /// Not long enough yet.
        TooShort = "too_short",
        /// "Mhm": they listen.
        Backchannel = "backchannel",
        /// They do not want to be listened to, and so do not interrupt.
        NotListenedTo = "not_listened_to",
        /// It is not heard at the moment.
        NotSpeaking = "not_speaking",
    }
}
