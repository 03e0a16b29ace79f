//! Which model a purpose is asked of, and the settings that say so.

use vocabulary::{AskPurpose, ModelChoice};

use super::Settings;
use crate::choice::{ModelOrOffline, ProviderOrInherit};

/// The settings that say how a purpose is asked: what to change where its model fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelKeys {
    pub provider: &'static str,
    pub model: &'static str,
    /// How long its answer may take; the one of replies where it has none of its own, none where no setting says.
    pub timeout: Option<&'static str>,
    /// How much it thinks first.
    pub effort: &'static str,
    /// How many tokens its answer may have; none where no setting says.
    pub cap: Option<&'static str>,
}

const REPLIES: ModelKeys = ModelKeys {
    provider: "llm.provider",
    model: "llm.model",
    timeout: Some("llm.timeoutSeconds"),
    effort: "llm.effort.reply",
    cap: Some("llm.maxOutputTokens"),
};

impl Default for ModelKeys {
    /// Those of replies.
    fn default() -> Self {
        REPLIES
    }
}

impl ModelKeys {
    /// Those of a purpose that has a model of its own.
    pub fn of(purpose: AskPurpose) -> Self {
        own_keys(purpose)
    }

    /// What to do where its answer takes too long.
    pub fn when_slow(&self) -> String {
        match self.timeout {
            Some(timeout) => format!("Raise {timeout}, or use a faster model ({})", self.model),
            None => format!("Use a faster model ({})", self.model),
        }
    }
}

impl Settings {
    /// The model that a purpose is asked of: its own, or the main one where it inherits.
    pub fn choice_for(&self, purpose: AskPurpose) -> ModelChoice {
        match self.own_model(purpose) {
            Some((provider, model)) => self.model_choice(provider, model),
            None => self.model_choice(ProviderOrInherit::Inherit, ""),
        }
    }

    /// Whether anything is asked for a purpose under these settings.
    pub fn asks_for(&self, purpose: AskPurpose) -> bool {
        let (watch, voice) = (&self.stream_watch, &self.voice);
        match purpose {
            AskPurpose::TextReply | AskPurpose::TextReplyFollowup => true,
            AskPurpose::AddressClassifier => self.address_classifier.enabled,
            AskPurpose::ContextCompaction => self.compaction.summariser != ModelOrOffline::Offline,
            AskPurpose::GemExtraction => {
                self.memory.enabled && self.memory.extractor != ModelOrOffline::Offline
            }
            AskPurpose::ScreenNote => watch.enabled,
            AskPurpose::ScreenCommentary => watch.enabled && watch.autonomous_commentary_enabled,
            AskPurpose::AmbientThought => self.initiative.enabled,
            AskPurpose::VoiceReply | AskPurpose::VoiceReplyFollowup => voice.enabled,
            AskPurpose::VoiceReplyDecision => voice.enabled && self.voice_decision.enabled,
            AskPurpose::VoiceThought => voice.enabled && self.voice_thoughts.enabled,
        }
    }

    /// The settings to change where a purpose is asked in vain. Whoever takes over a model that is named for replies has
    /// it from there.
    pub fn keys_for(&self, purpose: AskPurpose) -> ModelKeys {
        let own = own_keys(purpose);
        let takes_over = match self.own_model(purpose) {
            None => true,
            Some((provider, model)) => {
                provider == ProviderOrInherit::Inherit
                    && model.is_empty()
                    && !self.llm.model.trim().is_empty()
            }
        };
        match takes_over {
            true => ModelKeys {
                provider: REPLIES.provider,
                model: REPLIES.model,
                ..own
            },
            false => own,
        }
    }

    /// What a purpose says of its model; none where it is asked of whoever replies.
    fn own_model(&self, purpose: AskPurpose) -> Option<(ProviderOrInherit, &str)> {
        let (second, classifier) = (&self.reply_followup, &self.address_classifier);
        let (watch, voice) = (&self.stream_watch, &self.voice_generation);
        let (provider, model) = match purpose {
            AskPurpose::TextReply => return None,
            AskPurpose::TextReplyFollowup if !second.enabled => return None,
            AskPurpose::TextReplyFollowup => (second.provider, &second.model),
            AskPurpose::AddressClassifier => (classifier.provider, &classifier.model),
            AskPurpose::ContextCompaction => (self.compaction.provider, &self.compaction.model),
            AskPurpose::GemExtraction => (self.memory.provider, &self.memory.model),
            AskPurpose::ScreenNote => (watch.note_provider, &watch.note_model),
            AskPurpose::ScreenCommentary => (watch.commentary_provider, &watch.commentary_model),
            AskPurpose::AmbientThought => (self.initiative.execution, &self.initiative.model),
            AskPurpose::VoiceReply | AskPurpose::VoiceReplyFollowup | AskPurpose::VoiceThought => {
                (voice.provider, &voice.model)
            }
            AskPurpose::VoiceReplyDecision => (self.voice_decision.provider, &self.voice_decision.model),
        };
        Some((provider, model))
    }
}

fn own_keys(purpose: AskPurpose) -> ModelKeys {
    let keys = |provider, model| ModelKeys {
        provider,
        model,
        ..REPLIES
    };
    match purpose {
        AskPurpose::TextReply => REPLIES,
        AskPurpose::TextReplyFollowup => keys("replyFollowupLlm.provider", "replyFollowupLlm.model"),
        AskPurpose::AddressClassifier => ModelKeys {
            timeout: Some("addressClassifierLlm.timeoutSeconds"),
            effort: "llm.effort.classifier",
            cap: None,
            ..keys("addressClassifierLlm.provider", "addressClassifierLlm.model")
        },
        AskPurpose::ContextCompaction => ModelKeys {
            timeout: Some("context.compaction.timeoutSeconds"),
            effort: "llm.effort.summary",
            cap: None,
            ..keys("context.compaction.provider", "context.compaction.model")
        },
        AskPurpose::GemExtraction => ModelKeys {
            timeout: Some("memory.extractionTimeoutSeconds"),
            effort: "llm.effort.memory",
            cap: None,
            ..keys("memory.provider", "memory.model")
        },
        AskPurpose::ScreenNote => ModelKeys {
            timeout: Some("voice.streamWatch.noteTimeoutSeconds"),
            effort: "llm.effort.note",
            cap: None,
            ..keys("voice.streamWatch.noteProvider", "voice.streamWatch.noteModel")
        },
        AskPurpose::ScreenCommentary => ModelKeys {
            effort: "llm.effort.commentary",
            ..keys(
                "voice.streamWatch.commentaryProvider",
                "voice.streamWatch.commentaryModel",
            )
        },
        AskPurpose::AmbientThought => ModelKeys {
            effort: "llm.effort.thought",
            ..keys("initiative.text.execution", "initiative.text.model")
        },
        AskPurpose::VoiceReply | AskPurpose::VoiceReplyFollowup => ModelKeys {
            effort: "llm.effort.voice",
            ..keys("voice.generationLlm.provider", "voice.generationLlm.model")
        },
        AskPurpose::VoiceThought => ModelKeys {
            effort: "llm.effort.thought",
            ..keys("voice.generationLlm.provider", "voice.generationLlm.model")
        },
        // People wait while it is asked: how long is no choice.
        AskPurpose::VoiceReplyDecision => ModelKeys {
            timeout: None,
            effort: "llm.effort.classifier",
            cap: None,
            ..keys("voice.replyDecisionLlm.provider", "voice.replyDecisionLlm.model")
        },
    }
}

#[cfg(test)]
#[path = "asked_tests.rs"]
mod tests;
