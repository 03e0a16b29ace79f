//! Whom is a message meant for? Deterministic signals, cheapest and surest first, without any model.

use serde::{Deserialize, Serialize};
use vocabulary::{PersonId, WallTime};

/// Why a message counts as addressed to Denizen, or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressReason {
    /// The platform's own mention, or a reply to a message of Denizen's.
    Direct,
    /// The name was said.
    NameExact,
    /// A configured alias was said.
    NameAlias,
    /// The author is in an exchange with Denizen and named nobody else.
    FollowupPartner,
    /// A classifier thinks so; it admits, and never forces.
    LlmDirectAddress,
    /// No signal: left to the reply model, if the room lets it come to that.
    LlmDecides,
}

/// How strongly a message is addressed to Denizen, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddressSignal {
    pub reason: AddressReason,
    /// 1.0 is certain.
    pub confidence: f64,
    /// Whether this is an address at all (everything but `LlmDecides`).
    pub triggered: bool,
    /// Which rule spoke, in a stable word or two, for the journal.
    pub rule: String,
}

/// A message as addressing sees it.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    pub author: &'a PersonId,
    pub author_name: &'a str,
    pub by_denizen: bool,
    pub text: &'a str,
    pub at: WallTime,
    /// The platform's own mentions.
    pub mentions: &'a [PersonId],
    /// Whose message this one replies to, where the platform has threads.
    pub reply_to_author: Option<&'a PersonId>,
}

/// Who Denizen is, with its names made ready for comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    pub id: PersonId,
    pub name: String,
    pub aliases: Vec<String>,
}

/// How long an exchange stays open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowupLimits {
    pub enabled: bool,
    pub messages: u64,
    pub minutes: u64,
}

/// Who talks with whom in one room: bounded, and fed with every message in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conversation {}

impl AddressSignal {
    /// Whether the message plainly talks to another person.
    pub fn is_for_somebody_else(&self) -> bool {
        !self.triggered && self.rule == NAMES_ANOTHER
    }
}

/// The rule of a message that names another person and not Denizen.
pub const NAMES_ANOTHER: &str = "names_another";

impl Identity {
    /// Whether it is made of these names.
    pub fn is_for(&self, name: &str, aliases: &[String]) -> bool {
        self.name == name && self.aliases == aliases
    }

    pub fn new(id: PersonId, name: &str, aliases: &[String]) -> Self {
        Self {
            id,
            name: name.to_owned(),
            aliases: aliases.to_vec(),
        }
    }
}

impl Conversation {
    /// Judges a message that has not been observed yet.
    pub fn judge(&self, heard: &Heard<'_>, identity: &Identity, limits: FollowupLimits) -> AddressSignal {
        let _ = (heard, identity, limits);
        AddressSignal {
            reason: AddressReason::LlmDecides,
            confidence: 0.0,
            triggered: false,
            rule: String::new(),
        }
    }

    /// Takes a message in: everybody's, Denizen's own included.
    pub fn observe(&mut self, heard: &Heard<'_>, identity: &Identity) {
        let _ = (heard, identity);
    }
}
