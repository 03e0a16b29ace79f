//! A platform beside this process's own rooms on which Denizen lives, as whoever runs it sees it.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use vocabulary::{CommunityId, RoomId, WallTime};

/// Says how Denizen's connection to a platform is. Names are those people know; no token is told.
pub trait Abroad: Send + Sync + fmt::Debug {
    fn standing(&self) -> PlatformStanding;
}

/// How the connection is at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlatformState {
    /// There is no credential: nobody is connected to.
    #[default]
    Off,
    /// It is not there yet, or not again.
    Connecting,
    /// Everything that happens there is heard.
    Connected,
    /// A part of it is heard.
    Partly,
    /// It was refused, and somebody has to do something; `trouble` says what.
    Refused,
}

/// A platform, and how Denizen is connected to it.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlatformStanding {
    /// What people call it.
    pub platform: &'static str,
    pub state: PlatformState,
    /// What Denizen's account is called there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// Brings Denizen into another community there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invite: Option<String>,
    /// What has to be switched on there for Denizen to hear what is said.
    pub intents: Vec<IntentStanding>,
    /// Communities that it is in.
    pub servers: usize,
    pub shards: Vec<ShardStanding>,
    /// Sessions that may still be begun today.
    pub starts_left: u64,
    /// Calls that Denizen is in.
    pub calls: Vec<CallStanding>,
    /// What went wrong last, with what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<PlatformTrouble>,
    pub requests: RequestCounts,
    pub sound: SoundCounts,
}

/// Something that has to be switched on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct IntentStanding {
    /// As it is called there.
    pub name: &'static str,
    /// Known once it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granted: Option<bool>,
}

/// One of the lines over which it is told what happens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShardStanding {
    pub connected: bool,
    /// How long the last heartbeat's answer took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// Connections that were lost or given up.
    pub reconnects: u64,
    /// Sessions that went on after a lost connection.
    pub resumes: u64,
    /// Sessions that were begun, the first among them.
    pub sessions: u64,
    /// Connections that were open and dead.
    pub zombies: u64,
    pub events: u64,
    /// Events that could not be read, by name; they were left out.
    pub malformed: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_close: Option<u16>,
}

/// A call that Denizen is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CallStanding {
    pub community: CommunityId,
    /// What people call the community.
    pub server: String,
    pub room: RoomId,
    /// What people call the room.
    pub channel: String,
    /// People in it, Denizen aside.
    pub people: usize,
}

/// What went wrong last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlatformTrouble {
    pub at: WallTime,
    /// For a person, with the remedy.
    pub what: String,
}

/// What was asked of the platform, since the process started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RequestCounts {
    /// Requests that went out, every try counted.
    pub sent: u64,
    /// Of these, those that were answered by a limit (429).
    pub limited: u64,
    /// Of these, those that were refused or failed otherwise.
    pub failed: u64,
    /// Requests that had to wait for a limit before they went.
    pub waited: u64,
    /// How long they waited, together.
    pub waited_ms: u64,
    /// Requests that wait at the moment.
    pub waiting: usize,
    /// Requests that are under way.
    pub under_way: usize,
}

/// Sound of all calls, since the process started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SoundCounts {
    /// Calls that were entered.
    pub calls: u64,
    /// Packets that were heard.
    pub heard: u64,
    /// Packets that were sent.
    pub sent: u64,
    /// Frames that should have been readable and were not, of everybody together.
    pub undecryptable: u64,
    /// People of whom some frames were not readable, call by call.
    pub undecryptable_people: u64,
    /// Times the keys of a call changed.
    pub rekeys: u64,
    pub reconnects: u64,
    pub resumes: u64,
}
