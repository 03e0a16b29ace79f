//! Whom is a message meant for? Deterministic signals, cheapest and surest first, without any model.

//!
//! Every line of a room is read the same way, whoever wrote it: whom does it call, whom does it name, whose
//! words does it answer, with whom does it carry on? Where it calls nobody and Denizen is part of the talk, cues are
//! weighed by what was learnt from rooms in which people marked whom lines were for.

mod conversation;
pub mod cues;
mod echo;
mod everybody;
mod exchange;
mod forest;
mod further_cues;
mod habits;
mod look;
mod name;
mod naming;
mod near_name;
mod reading;
mod roster;
mod score;
mod slots;
mod talk;
#[cfg(test)]
mod test_room;
mod trace;
mod word_trail;
mod words;

use serde::{Deserialize, Serialize};
use vocabulary::{PersonId, WallTime};

pub use conversation::Conversation;
use name::Spelling;
pub use near_name::{NameCue, written_for_name};
pub use score::{AddressScore, WeighedCue};

/// Why a message counts as addressed to Denizen, or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
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
    /// How likely it is meant, where cues were weighed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<AddressScore>,
}

impl AddressSignal {
    /// Nobody else reads it: it was written to Denizen alone.
    pub fn direct_message() -> Self {
        Self {
            reason: AddressReason::Direct,
            confidence: 1.0,
            triggered: true,
            rule: "direct_message".to_owned(),
            score: None,
        }
    }
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
    /// Ears have written it down.
    pub spoken: bool,
}

/// Who Denizen is, with its names made ready for comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    pub id: PersonId,
    pub name: String,
    pub aliases: Vec<String>,
    name_spellings: Vec<Spelling>,
    alias_spellings: Vec<Spelling>,
    /// How ears write its name; counts in what was said aloud, where nobody there is called so.
    heard_as: Vec<String>,
    heard_spellings: Vec<Spelling>,
}

/// How long an exchange stays open: a line waits so long for its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowupLimits {
    pub enabled: bool,
    pub messages: u64,
    pub minutes: u64,
    /// From this score on a line that calls nobody counts as meant; none: the rules alone decide.
    pub least_score: Option<u64>,
}

impl AddressSignal {
    /// Whether its author names somebody, or replies to somebody, and not Denizen.
    pub fn names_somebody_else(&self) -> bool {
        matches!(
            self.rule.as_str(),
            "called_somebody_else" | "named_somebody_else" | "replied_to_somebody_else"
        )
    }

    /// Whether its author goes on with somebody else, or answers them, without a name.
    pub fn goes_on_with_somebody_else(&self) -> bool {
        matches!(
            self.rule.as_str(),
            "carries_on_with_somebody_else" | "answers_somebody_else" | "seems_meant_for_others"
        )
    }

    /// Whether it was named in a line that asks nothing, as somebody who is spoken of.
    pub fn only_speaks_of_denizen(&self) -> bool {
        self.rule == "speaks_of_denizen"
    }

    /// Whether nothing ties it to Denizen but a rare word of its own: in real rooms two of three such lines were meant for it.
    pub fn picks_up_own_word(&self) -> bool {
        self.rule == "picks_up_word_of_denizen"
    }

    /// Whether nothing ties it to anybody in particular.
    pub fn is_for_nobody(&self) -> bool {
        matches!(
            self.rule.as_str(),
            "no_tie" | "said_to_everybody" | "speaks_on_to_the_room"
        )
    }

    /// Whether its author said outright that it is for others than Denizen.
    pub fn is_for_others(&self) -> bool {
        self.names_somebody_else() || self.rule == "said_to_everybody"
    }
}

impl Identity {
    /// Whether it is made of these names.
    pub fn is_for(&self, name: &str, aliases: &[String], heard_as: &[String]) -> bool {
        self.name == name && self.aliases == aliases && self.heard_as == heard_as
    }

    pub fn new(id: PersonId, name: &str, aliases: &[String]) -> Self {
        Self {
            id,
            name: name.to_owned(),
            aliases: aliases.to_vec(),
            name_spellings: Spelling::all(name),
            alias_spellings: aliases.iter().flat_map(|alias| Spelling::all(alias)).collect(),
            heard_as: Vec::new(),
            heard_spellings: Vec::new(),
        }
    }

    /// The same, and how ears write its name.
    pub fn heard_as(mut self, spellings: &[String]) -> Self {
        self.heard_spellings = spellings.iter().flat_map(|name| Spelling::all(name)).collect();
        self.heard_as = spellings.to_vec();
        self
    }

    /// Every way to say its name, and whether that is an alias.
    fn spellings(&self) -> impl Iterator<Item = (&Spelling, bool)> {
        let names = self.name_spellings.iter().map(|spelling| (spelling, false));
        names.chain(self.alias_spellings.iter().map(|spelling| (spelling, true)))
    }
}

impl Default for FollowupLimits {
    /// As the settings have it; in real rooms anything from 15 to 60 messages told about as well.
    fn default() -> Self {
        Self {
            enabled: true,
            messages: 40,
            minutes: 15,
            least_score: Some(42),
        }
    }
}

impl Heard<'_> {
    /// The author, by the one id under which Denizen is known here.
    fn speaker<'a>(&'a self, identity: &'a Identity) -> &'a PersonId {
        if self.by_denizen {
            &identity.id
        } else {
            self.author
        }
    }
}
