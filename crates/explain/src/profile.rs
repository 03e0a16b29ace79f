//! How replies are asked for, in plain words.

use mind::reasons::PlainCause;

/// That a reply is asked for as suits a small model.
pub(crate) fn taken(because: PlainCause) -> String {
    format!(
        "It asks in the plain profile, as suits a small model: {}.",
        cause(because)
    )
}

/// Which model writes the replies, and how it is asked.
pub(crate) fn reply_model(provider: &str, model: &str, plain: Option<PlainCause>) -> String {
    match (model, plain) {
        ("", _) => "Replies are written by a model that can be asked for anything.".to_owned(),
        (_, None) => format!("Replies are written by {provider}/{model}, asked in the full profile."),
        (_, Some(because)) => format!(
            "Replies are written by {provider}/{model}, asked in the plain profile: {}.",
            cause(because)
        ),
    }
}

fn cause(because: PlainCause) -> &'static str {
    match because {
        PlainCause::Setting => "llm.profile is plain",
        PlainCause::FewParameters => "the model has at most 4 billion parameters",
        PlainCause::ShortContext => "the model reads at most 8,192 tokens at once",
        PlainCause::ToolsRefused => "the model's server refuses tools",
    }
}
