//! Stage A for voice: the free gate in front of every model call for what was said aloud.

use vocabulary::{Span, named};

use super::low_signal::is_low_signal;

named! {
    /// Why the gate let something pass that was said aloud, or did not, in the order in which it looks.
    pub enum VoiceAdmissionReason {
        /// No words came of it.
        MissingTranscript = "missing_transcript",
        /// Denizen is speaking, or about to: it is decided when it is done.
        BotTurnOpen = "bot_turn_open",
        /// Too little was said to mean anything.
        LowSignalFragment = "low_signal_fragment",
        /// Its bare name, and nothing else.
        DirectAddressWakePing = "direct_address_wake_ping",
        /// A scrap of sound right after its own words: an echo, or a nod.
        LowSignalRecentReplyClip = "low_signal_recent_reply_clip",
        /// It was called by name.
        DirectAddressFastPath = "direct_address_fast_path",
        /// Whoever it is talking with goes on.
        FocusedSpeakerFollowup = "focused_speaker_followup",
        /// Whoever it last answered speaks again soon.
        BotRecentReplyFollowup = "bot_recent_reply_followup",
        /// Nobody else is there to be meant.
        AloneWithDenizen = "alone_with_denizen",
        /// It was not called, and `voice.replyEagerness` is 0.
        EagernessDisabledWithoutDirectAddress = "eagerness_disabled_without_direct_address",
        /// It was not called, and people may go on talking: it is decided once they have been silent for a while.
        AwaitingNonDirectSilenceWindow = "awaiting_non_direct_silence_window",
        /// The classifier is asked.
        AskClassifier = "ask_classifier",
        LlmYes = "llm_yes",
        LlmNo = "llm_no",
        /// It answered neither yes nor no.
        LlmContractViolation = "llm_contract_violation",
        LlmError = "llm_error",
        /// It could not be asked: nothing may be spent on it, or it rests.
        LlmGenerateUnavailable = "llm_generate_unavailable",
        /// It was not called, and `voice.replyDecisionLlm.enabled` is false.
        ClassifierDisabled = "classifier_disabled",
        /// Whoever spoke, or the room, is among those it does not answer (`permissions.replies`).
        NotPermitted = "not_permitted",
        /// Somebody wants nothing said in the room for a while.
        Quiet = "quiet",
        /// Everybody has gone on talking for too long to answer it now.
        Stale = "stale",
        /// Denizen left the voice of the room, or its process ended, before it was decided on.
        SessionEnded = "session_ended",
    }
}

/// While it speaks or is about to, what others say is looked at again after this.
pub const RETRY_WHILE_SPEAKING: Span = Span(1_400);
/// A scrap of sound so short, and so soon after its own words, is an echo or a nod.
pub const RECENT_REPLY_CLIP_MAX: Span = Span(900);
pub const RECENT_REPLY_CLIP_WITHIN: Span = Span(1_500);
/// For so long whoever it last answered needs no name to go on.
pub const RECENT_REPLY_FOLLOWUP: Span = Span::seconds(35);
/// Among several people it waits for so much silence before it considers what was not said to it.
pub const NON_DIRECT_SILENCE: Span = Span(2_300);
/// It is never looked at again sooner than this.
const RETRY_MIN: Span = Span(60);

/// What the gate looks at.
#[derive(Clone, Debug)]
pub struct VoiceQuestion<'a> {
    pub transcript: &'a str,
    /// How long it took to say.
    pub spoken: Span,
    /// Whoever spoke, and this room, may be answered.
    pub permitted: bool,
    /// Denizen is speaking, or its answer cannot be given up any more.
    pub bot_turn_open: bool,
    /// How long it has been silent; none where it has not spoken.
    pub since_own_words: Option<Span>,
    /// It was called by name.
    pub direct: bool,
    /// Nothing but its name was said.
    pub bare_name: bool,
    /// Somebody else was called or named.
    pub names_somebody_else: bool,
    /// Whoever spoke goes on with somebody else, with or without a name.
    pub goes_elsewhere: bool,
    /// The speaker is the one it is talking with.
    pub focused_speaker: bool,
    /// The speaker is the one it answered last.
    pub last_answered: bool,
    /// Its last words to the speaker were a question.
    pub answers_own_question: bool,
    /// People in the room, whether they are listened to or not.
    pub participants: usize,
    pub relax_when_alone: bool,
    /// 0–100; 0 never answers what was not said to it.
    pub eagerness: u64,
    /// How long everybody has been silent.
    pub silence: Span,
    pub classifier: bool,
}

/// The gate's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceAdmission {
    pub allow: bool,
    pub reason: VoiceAdmissionReason,
    /// It is undecided, and looked at again after this.
    pub retry_after: Option<Span>,
    /// An answer is owed: the model may not choose silence.
    pub required: bool,
}

/// Decides whether an answer is attempted. `AskClassifier` is a yes that a small model still has to confirm.
pub fn decide(question: &VoiceQuestion<'_>) -> VoiceAdmission {
    use VoiceAdmissionReason as Reason;
    let answer = |allow, reason, required| VoiceAdmission {
        allow,
        reason,
        retry_after: None,
        required,
    };
    let deny = |reason| answer(false, reason, false);
    let later = |reason, after: Span| VoiceAdmission {
        retry_after: Some(after.max(RETRY_MIN)),
        ..deny(reason)
    };
    if !question.transcript.chars().any(char::is_alphanumeric) {
        return deny(Reason::MissingTranscript);
    }
    if !question.permitted {
        return deny(Reason::NotPermitted);
    }
    if question.bot_turn_open {
        return later(Reason::BotTurnOpen, RETRY_WHILE_SPEAKING);
    }
    if question.direct && question.bare_name {
        return answer(true, Reason::DirectAddressWakePing, true);
    }
    if is_low_signal(question.transcript) && !question.answers_own_question && !question.direct {
        let just_spoke = question
            .since_own_words
            .is_some_and(|since| since <= RECENT_REPLY_CLIP_WITHIN);
        return deny(match just_spoke && question.spoken <= RECENT_REPLY_CLIP_MAX {
            true => Reason::LowSignalRecentReplyClip,
            false => Reason::LowSignalFragment,
        });
    }
    if question.direct {
        return answer(true, Reason::DirectAddressFastPath, true);
    }
    if !question.goes_elsewhere {
        if question.focused_speaker {
            return answer(true, Reason::FocusedSpeakerFollowup, false);
        }
        let lately = question
            .since_own_words
            .is_some_and(|since| since <= RECENT_REPLY_FOLLOWUP);
        if question.last_answered && lately {
            return answer(true, Reason::BotRecentReplyFollowup, false);
        }
    }
    if question.eagerness == 0 {
        return deny(Reason::EagernessDisabledWithoutDirectAddress);
    }
    if question.participants <= 1 && question.relax_when_alone {
        return answer(true, Reason::AloneWithDenizen, false);
    }
    if question.participants > 1 && question.silence < NON_DIRECT_SILENCE {
        let left = Span(NON_DIRECT_SILENCE.0 - question.silence.0);
        return later(Reason::AwaitingNonDirectSilenceWindow, left);
    }
    if !question.classifier {
        return deny(Reason::ClassifierDisabled);
    }
    answer(true, Reason::AskClassifier, false)
}

/// What a classifier's answer means: yes, no, or neither.
pub fn read_decision(answer: &str) -> VoiceAdmissionReason {
    let mut words = answer
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let first = words.next().map(str::to_lowercase);
    match first.as_deref() {
        Some("yes") => VoiceAdmissionReason::LlmYes,
        Some("no") => VoiceAdmissionReason::LlmNo,
        _ => VoiceAdmissionReason::LlmContractViolation,
    }
}

#[cfg(test)]
#[path = "voice_tests.rs"]
mod tests;
