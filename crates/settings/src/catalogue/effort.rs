//! The knobs of how much models think before they speak, for each purpose.

use vocabulary::AskPurpose;

use crate::choice::Effort;
use crate::knob::Limits;
use crate::section::{choice_of, settings_section};

settings_section! {
    /// How much models think before they speak. Thoughts are paid for like words, and the room waits for them; they have room of their own beside `llm.maxOutputTokens`.
    EffortSettings at "llm.effort" {
        /// For replies in rooms, the pass after a lookup included.
        reply: Effort = Effort::Low, choice_of!(Effort), acts Answering;
        /// For what it says aloud, the pass after a lookup included: everybody hears how long it thinks.
        voice: Effort = Effort::None, choice_of!(Effort), acts Answering;
        /// For telling whether an unclear message was meant for it.
        classifier: Effort = Effort::None, choice_of!(Effort), acts Answering;
        /// For notes on a shared screen.
        note: Effort = Effort::None, choice_of!(Effort), acts Answering;
        /// For comments on a shared screen.
        commentary: Effort = Effort::Low, choice_of!(Effort), acts Answering;
        /// For thoughts of its own.
        thought: Effort = Effort::Low, choice_of!(Effort), acts Answering;
        /// For gems of memory.
        memory: Effort = Effort::Minimal, choice_of!(Effort), acts Answering;
        /// For folding old turns into the summary of a conversation.
        summary: Effort = Effort::Minimal, choice_of!(Effort), acts Answering;
    }
}

impl EffortSettings {
    /// What is wanted for a purpose.
    pub fn of(&self, purpose: AskPurpose) -> Effort {
        match purpose {
            AskPurpose::TextReply | AskPurpose::TextReplyFollowup => self.reply,
            AskPurpose::VoiceReply | AskPurpose::VoiceReplyFollowup => self.voice,
            AskPurpose::AddressClassifier | AskPurpose::VoiceReplyDecision => self.classifier,
            AskPurpose::ContextCompaction => self.summary,
            AskPurpose::GemExtraction => self.memory,
            AskPurpose::ScreenNote => self.note,
            AskPurpose::ScreenCommentary => self.commentary,
            AskPurpose::AmbientThought | AskPurpose::VoiceThought => self.thought,
        }
    }
}
