//! What is said to the gateway.

use std::fmt;

use serde_json::{Value, json};

use super::Intents;
use crate::wire::Snowflake;

/// A wish of the adapter's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayCommand {
    /// Into a voice channel, to another one, or out of it.
    Voice {
        guild: Snowflake,
        channel: Option<Snowflake>,
        is_muted: bool,
        is_deafened: bool,
    },
    /// What is shown beside the bot's name. Kept for sessions to come.
    Presence(BotPresence),
    /// Asks for people by the beginning of their names, or by their ids; at most a hundred.
    Members {
        guild: Snowflake,
        who: MembersAsked,
        nonce: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MembersAsked {
    NameBegins(String),
    These(Vec<Snowflake>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotPresence {
    /// It looks away: quiet hours, or nobody is to talk to it.
    pub is_idle: bool,
    pub text: Option<String>,
}

/// The most that may be asked for at once.
const MEMBERS_MAX: usize = 100;

impl GatewayCommand {
    pub fn payload(&self) -> Value {
        match self {
            Self::Voice {
                guild,
                channel,
                is_muted,
                is_deafened,
            } => json!({"op": 4, "d": {
                "guild_id": guild.to_string(),
                "channel_id": channel.map(|channel| channel.to_string()),
                "self_mute": is_muted,
                "self_deaf": is_deafened,
            }}),
            Self::Presence(presence) => json!({"op": 3, "d": presence.value()}),
            Self::Members { guild, who, nonce } => {
                let mut asked = json!({"guild_id": guild.to_string(), "limit": MEMBERS_MAX, "nonce": nonce});
                match who {
                    MembersAsked::NameBegins(query) => asked["query"] = json!(query),
                    MembersAsked::These(ids) => {
                        let ids = ids.iter().take(MEMBERS_MAX).map(ToString::to_string);
                        asked["user_ids"] = ids.collect();
                    }
                }
                json!({"op": 8, "d": asked})
            }
        }
    }
}

impl BotPresence {
    fn value(&self) -> Value {
        // A custom status: its text stands in `state`.
        let activities: Vec<Value> = self
            .text
            .iter()
            .map(|text| json!({"name": "Custom Status", "type": 4, "state": text}))
            .collect();
        let status = if self.is_idle { "idle" } else { "online" };
        json!({"since": null, "activities": activities, "status": status, "afk": false})
    }
}

/// A text for the socket. It may hold the token and does not print itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing(pub String);

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Outgoing({} bytes)", self.0.len())
    }
}

pub(super) fn identify(token: &str, intents: Intents, shard: (u32, u32), presence: &BotPresence) -> Value {
    json!({"op": 2, "d": {
        "token": token,
        "intents": intents.bits(),
        "shard": [shard.0, shard.1],
        "large_threshold": 50,
        "presence": presence.value(),
        "properties": {"os": std::env::consts::OS, "browser": "denizen", "device": "denizen"},
    }})
}

pub(super) fn resume(token: &str, session: &str, sequence: u64) -> Value {
    json!({"op": 6, "d": {"token": token, "session_id": session, "seq": sequence}})
}

pub(super) fn heartbeat(sequence: Option<u64>) -> Value {
    json!({"op": 1, "d": sequence})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_written_as_discord_reads_them() {
        let id = Snowflake::new(10).expect("an id");
        let leave = GatewayCommand::Voice {
            guild: id,
            channel: None,
            is_muted: false,
            is_deafened: false,
        };
        let written = json!({"op": 4, "d": {"guild_id": "10", "channel_id": null, "self_mute": false, "self_deaf": false}});
        assert_eq!(leave.payload(), written);
        let who = MembersAsked::These(vec![id; 200]);
        let nonce = "n".to_owned();
        let asked = GatewayCommand::Members {
            guild: id,
            who,
            nonce,
        }
        .payload();
        assert_eq!(asked["d"]["user_ids"].as_array().map(Vec::len), Some(100));
        let presence = BotPresence {
            is_idle: true,
            text: Some("listening".to_owned()),
        };
        let shown = GatewayCommand::Presence(presence).payload();
        assert_eq!(
            (&shown["d"]["status"], &shown["d"]["activities"][0]["state"]),
            (&json!("idle"), &json!("listening"))
        );
    }
}
