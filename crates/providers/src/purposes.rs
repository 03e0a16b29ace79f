//! What models are wanted for, and where the settings say which.

use settings::Settings;
use vocabulary::{AskPurpose, ModelChoice};

use crate::Models;
use crate::catalogue::{ModelRole, Provider};
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
    let mut add = |purpose, is_on: bool, provider, model: &String, own_key| {
        if !is_on {
            return;
        }
        let inherits = model.is_empty() && settings::ProviderOrInherit::Inherit == provider;
        all.push(Wanted {
            purpose,
            choice: settings.model_choice(provider, model),
            key: if inherits { "llm.model" } else { own_key },
        });
    };
    let (second, classifier) = (&settings.reply_followup, &settings.address_classifier);
    add(
        AskPurpose::TextReplyFollowup,
        second.enabled,
        second.provider,
        &second.model,
        "replyFollowupLlm.model",
    );
    add(
        AskPurpose::AddressClassifier,
        classifier.enabled,
        classifier.provider,
        &classifier.model,
        "addressClassifierLlm.model",
    );
    let (compaction, memory) = (&settings.compaction, &settings.memory);
    add(
        AskPurpose::ContextCompaction,
        true,
        compaction.provider,
        &compaction.model,
        "context.compaction.model",
    );
    add(
        AskPurpose::GemExtraction,
        memory.enabled,
        memory.provider,
        &memory.model,
        "memory.model",
    );
    let watch = &settings.stream_watch;
    add(
        AskPurpose::ScreenNote,
        watch.enabled,
        watch.note_provider,
        &watch.note_model,
        "voice.streamWatch.noteModel",
    );
    add(
        AskPurpose::ScreenCommentary,
        watch.enabled && watch.autonomous_commentary_enabled,
        watch.commentary_provider,
        &watch.commentary_model,
        "voice.streamWatch.commentaryModel",
    );
    let thoughts = &settings.initiative;
    add(
        AskPurpose::AmbientThought,
        thoughts.enabled,
        thoughts.execution,
        &thoughts.model,
        "initiative.text.model",
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
                role: ModelRole::of(wanted.purpose),
                base_url: match target.provider {
                    Provider::Compatible => target.base_url,
                    _ => String::new(),
                },
            })
        })
        .collect()
}

/// What a purpose is called.
pub(crate) fn name(purpose: AskPurpose) -> &'static str {
    match purpose {
        AskPurpose::TextReply => "replies",
        AskPurpose::TextReplyFollowup => "replies after lookups",
        AskPurpose::AddressClassifier => "whom a message is for",
        AskPurpose::ContextCompaction => "summaries",
        AskPurpose::GemExtraction => "memory",
        AskPurpose::ScreenNote => "notes on screens",
        AskPurpose::ScreenCommentary => "comments on screens",
        AskPurpose::AmbientThought => "thoughts of its own",
    }
}
