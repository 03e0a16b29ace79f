//! What somebody may do here.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a credential allows. In this order each may do what the one before may, but for agents and monitors, which
/// have a part of the API for themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Memory for other agents (`/v1`), and nothing else.
    Agent,
    /// Reads figures (`/metrics`), and nothing else.
    Monitor,
    /// Reads the rooms.
    Reader,
    /// Reads the rooms and writes in them.
    Participant,
    /// Everything that can be done over HTTP.
    Administrator,
}

/// A word that is no role.
#[derive(Debug, Error)]
#[error("`{0}` is no role. The roles are administrator, participant, reader, agent and monitor")]
pub struct UnknownRole(String);

impl Role {
    /// Every role there is.
    pub const ALL: [Self; 5] = [
        Self::Agent,
        Self::Monitor,
        Self::Reader,
        Self::Participant,
        Self::Administrator,
    ];

    /// Whether what takes at least `least` is allowed.
    pub fn may(self, least: Self) -> bool {
        match self {
            Self::Administrator => true,
            Self::Agent | Self::Monitor => self == least,
            Self::Reader | Self::Participant => {
                !matches!(least, Self::Agent | Self::Monitor) && self >= least
            }
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Monitor => "monitor",
            Self::Reader => "reader",
            Self::Participant => "participant",
            Self::Administrator => "administrator",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        let known = Self::ALL.into_iter().find(|role| role.name() == text);
        known.ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::Role::{Administrator, Agent, Monitor, Participant, Reader};

    #[test]
    fn each_may_what_lesser_ones_may_and_agents_have_their_own() {
        for (role, allowed) in [
            (Agent, [true, false, false, false, false]),
            (Monitor, [false, true, false, false, false]),
            (Reader, [false, false, true, false, false]),
            (Participant, [false, false, true, true, false]),
            (Administrator, [true, true, true, true, true]),
        ] {
            let may = [Agent, Monitor, Reader, Participant, Administrator].map(|least| role.may(least));
            assert_eq!(may, allowed, "{role}");
        }
    }
}
