//! Parts of models that answer as they are told, without a wire.

use std::collections::BTreeMap;

use bytes::Bytes;
use runtime::ports::{LanguageStatus, Prepared, Wire};
use vocabulary::{AskOutcome, Finish, ModelAnswer, Span, Usage};

const PROVIDER: &str = "offline";

/// A request made ready for such a model.
pub fn prepared(model: &str, body: impl Into<Bytes>) -> Prepared {
    Prepared {
        provider: PROVIDER.to_owned(),
        model: model.to_owned(),
        url: String::new(),
        body: body.into(),
        wire: Wire::Offline,
        base_url: String::new(),
        typed: settings::StructuredOutput::Auto,
        effort: settings::Effort::None,
        pictures: BTreeMap::new(),
        reader: None,
        patience: runtime::ports::Patience {
            first_byte: std::time::Duration::from_secs(20),
            while_it_works: false,
            stall: std::time::Duration::from_secs(15),
        },
        keys: settings::ModelKeys::default(),
        community: None,
    }
}

/// What such a model says, all of it.
pub fn answered(model: &str, text: impl Into<String>) -> AskOutcome {
    AskOutcome::Answered(ModelAnswer {
        provider: PROVIDER.to_owned(),
        model: model.to_owned(),
        text: text.into(),
        tool_calls: Vec::new(),
        carried: None,
        finish: Finish::Complete,
        cap: None,
        usage: Usage::default(),
        first_text: Some(Span(1)),
        took: Span(2),
        tries: 1,
    })
}

/// How such a model is shown to people.
pub fn shown_as(model: &str) -> LanguageStatus {
    LanguageStatus {
        provider: PROVIDER.to_owned(),
        model: model.to_owned(),
        base_url: String::new(),
        offline: true,
        because: String::new(),
        how_to_change: String::new(),
        lacks: Vec::new(),
        small_model: String::new(),
        warnings: Vec::new(),
        in_use: Vec::new(),
    }
}
