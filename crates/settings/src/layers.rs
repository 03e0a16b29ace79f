//! Settings in layers: a base for all communities of a process, and what one community lays over it.

use serde::Serialize;
use serde_json::Value;

use crate::catalogue::Settings;
use crate::document::Document;
use crate::knob::{SettingError, abbreviated};

/// Sections that hold for the whole process, since its communities share what they set up.
const OF_THE_PROCESS: [&str; 3] = ["memory.embedding", "memory.reranker", "memory.store"];

/// Where a value comes from, or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Layer {
    /// Nobody set it.
    Default,
    /// It is set for every community.
    Base,
    /// The community has a value of its own.
    Community,
}

/// What was said for everybody, and what was said for one community. Its values go before those of the base.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers {
    pub base: Document,
    pub own: Document,
}

impl Layer {
    /// What holds where this layer says nothing.
    pub fn below(self) -> Self {
        match self {
            Layer::Community => Layer::Base,
            Layer::Base | Layer::Default => Layer::Default,
        }
    }
}

impl Layers {
    /// Both in one document.
    pub fn effective(&self) -> Document {
        let mut document = self.base.clone();
        document.lay_over(self.own.clone());
        document
    }

    /// Where the value of a key comes from.
    pub fn layer_of(&self, key: &str) -> Layer {
        if self.own.get(key).is_some() {
            Layer::Community
        } else if self.base.get(key).is_some() {
            Layer::Base
        } else {
            Layer::Default
        }
    }

    /// What a layer says of a key, if anything.
    pub fn value_in(&self, layer: Layer, key: &str) -> Option<&Value> {
        match layer {
            Layer::Community => self.own.get(key),
            Layer::Base => self.base.get(key),
            Layer::Default => None,
        }
    }

    /// Reads both; every problem is reported, with the layer it is in. `community` is for people.
    pub fn read(&self, community: &str) -> Result<Settings, Vec<SettingError>> {
        let mut errors: Vec<SettingError> = Vec::new();
        for (key, value) in self.own.iter().filter(|(key, _)| is_of_the_process(key)) {
            errors.push(SettingError {
                key: key.clone(),
                problem: format!("{} was set for community {community}, and this holds for the whole process", abbreviated(value)),
                remedy: format!("Set it for all communities, without --community; `denizen settings reset {key} --community {community}` takes it out here"),
            });
        }
        match Settings::read(&self.effective()) {
            Ok(settings) if errors.is_empty() => Ok(settings),
            Ok(_) => Err(errors),
            Err(found) => {
                errors.extend(found.into_iter().map(|error| self.placed(error, community)));
                Err(errors)
            }
        }
    }

    /// The error with the layer that has the value, where there is more than one.
    fn placed(&self, mut error: SettingError, community: &str) -> SettingError {
        match self.layer_of(&error.key) {
            Layer::Community => error
                .problem
                .push_str(&format!(" (set for community {community})")),
            Layer::Base if !self.own.is_empty() => error.problem.push_str(" (set for all communities)"),
            Layer::Base | Layer::Default => {}
        }
        error
    }
}

/// Whether a key can only be set for all communities together.
pub fn is_of_the_process(key: &str) -> bool {
    OF_THE_PROCESS.iter().any(|section| {
        key.strip_prefix(section)
            .is_some_and(|rest| rest.starts_with('.'))
    })
}
