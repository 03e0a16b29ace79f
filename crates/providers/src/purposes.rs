//! What models are wanted for, and where the settings say which.

use settings::{ModelOrOffline, Settings};
use vocabulary::{AskPurpose, ModelChoice};

use crate::Models;
use crate::catalogue::Provider;
use crate::defaults::DefaultOf;

/// One purpose under some settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) purpose: AskPurpose,
    pub(crate) choice: ModelChoice,
    /// The setting that names its model.
    pub(crate) key: &'static str,
}

/// What models may be asked for under these settings, replies first.
pub(crate) fn wanted(settings: &Settings) -> Vec<Wanted> {
    let llm = &settings.llm;
    let main = ModelChoice {
        provider: llm.provider.name().to_owned(),
        model: llm.model.clone(),
    };
    let mut all = vec![Wanted {
        purpose: AskPurpose::TextReply,
        choice: main,
        key: "llm.model",
    }];
    let mut add = |purpose, is_on: bool, provider, model: &String| {
        if !is_on {
            return;
        }
        let inherits = model.is_empty() && settings::ProviderOrInherit::Inherit == provider;
        all.push(Wanted {
            purpose,
            choice: settings.model_choice(provider, model),
            key: if inherits { "llm.model" } else { key(purpose) },
        });
    };
    let (second, classifier) = (&settings.reply_followup, &settings.address_classifier);
    add(
        AskPurpose::TextReplyFollowup,
        second.enabled,
        second.provider,
        &second.model,
    );
    add(
        AskPurpose::AddressClassifier,
        classifier.enabled,
        classifier.provider,
        &classifier.model,
    );
    let (compaction, memory) = (&settings.compaction, &settings.memory);
    add(
        AskPurpose::ContextCompaction,
        compaction.summariser != ModelOrOffline::Offline,
        compaction.provider,
        &compaction.model,
    );
    add(
        AskPurpose::GemExtraction,
        memory.enabled && memory.extractor != ModelOrOffline::Offline,
        memory.provider,
        &memory.model,
    );
    let watch = &settings.stream_watch;
    add(
        AskPurpose::ScreenNote,
        watch.enabled,
        watch.note_provider,
        &watch.note_model,
    );
    add(
        AskPurpose::ScreenCommentary,
        watch.enabled && watch.autonomous_commentary_enabled,
        watch.commentary_provider,
        &watch.commentary_model,
    );
    let (voice, decision) = (&settings.voice_generation, &settings.voice_decision);
    add(
        AskPurpose::VoiceReply,
        settings.voice.enabled,
        voice.provider,
        &voice.model,
    );
    add(
        AskPurpose::VoiceReplyDecision,
        settings.voice.enabled && decision.enabled,
        decision.provider,
        &decision.model,
    );
    let thoughts = &settings.initiative;
    add(
        AskPurpose::AmbientThought,
        thoughts.enabled,
        thoughts.execution,
        &thoughts.model,
    );
    all
}

/// Whose default models are taken under these settings, and for what.
pub(crate) fn by_default(models: &Models, settings: &Settings) -> Vec<DefaultOf> {
    let wanted = wanted(settings).into_iter();
    let unnamed = wanted.filter(|wanted| wanted.choice.model.trim().is_empty());
    unnamed
        .filter_map(|wanted| {
            let target = models.target(&wanted.choice, wanted.purpose, settings).ok()?;
            Some(DefaultOf {
                provider: target.provider,
                role: wanted.purpose.role(),
                base_url: match target.provider {
                    Provider::Compatible => target.base_url,
                    _ => String::new(),
                },
            })
        })
        .collect()
}

/// What a purpose is called.
pub fn name(purpose: AskPurpose) -> &'static str {
    match purpose {
        AskPurpose::TextReply => "replies",
        AskPurpose::TextReplyFollowup => "replies after lookups",
        AskPurpose::AddressClassifier => "whom a message is for",
        AskPurpose::ContextCompaction => "summaries",
        AskPurpose::GemExtraction => "memory",
        AskPurpose::ScreenNote => "notes on screens",
        AskPurpose::ScreenCommentary => "comments on screens",
        AskPurpose::AmbientThought => "thoughts of its own",
        AskPurpose::VoiceReply => "what it says aloud",
        AskPurpose::VoiceReplyFollowup => "what it says aloud after lookups",
        AskPurpose::VoiceReplyDecision => "whether to say something aloud",
        AskPurpose::VoiceThought => "thoughts of its own, aloud",
    }
}

/// The setting that names the model of a purpose.
pub(crate) fn key(purpose: AskPurpose) -> &'static str {
    match purpose {
        AskPurpose::TextReply => "llm.model",
        AskPurpose::TextReplyFollowup => "replyFollowupLlm.model",
        AskPurpose::AddressClassifier => "addressClassifierLlm.model",
        AskPurpose::ContextCompaction => "context.compaction.model",
        AskPurpose::GemExtraction => "memory.model",
        AskPurpose::ScreenNote => "voice.streamWatch.noteModel",
        AskPurpose::ScreenCommentary => "voice.streamWatch.commentaryModel",
        AskPurpose::AmbientThought => "initiative.text.model",
        AskPurpose::VoiceReply | AskPurpose::VoiceReplyFollowup | AskPurpose::VoiceThought => {
            "voice.generationLlm.model"
        }
        AskPurpose::VoiceReplyDecision => "voice.replyDecisionLlm.model",
    }
}
