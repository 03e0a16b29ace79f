//! Stage A for voice: the free gate in front of every model call for what was said aloud.

use vocabulary::named;

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
        /// Everybody has gone on talking for too long to answer it now.
        Stale = "stale",
    }
}
