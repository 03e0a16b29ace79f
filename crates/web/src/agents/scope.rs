//! Where an agent's memories belong, and what it may see of others.

use runtime::{Hosted, Town};
use schemars::JsonSchema;
use serde::Deserialize;
use settings::Settings;
use vocabulary::{CommunityId, Kinds, PersonId, Place, Reach, RoomId, SessionId, Viewpoint};

use super::check;
use crate::communities::routing::unknown_community;
use crate::refusal::Refusal;

/// The community of agents that name none.
pub(crate) const COMMUNITY: &str = runtime::AGENTS;
pub(crate) const NAME_CHARS_MAX: usize = 100;
pub(crate) const SESSION_CHARS_MAX: usize = 200;
pub(crate) const QUERY_CHARS_MAX: usize = 1_000;
const PEOPLE_MAX: usize = 50;

/// Where something is put that says nothing of where it belongs.
#[derive(Clone, Debug)]
pub(crate) struct Defaults {
    pub community: CommunityId,
    /// None: the part of the session before its first slash.
    pub room: Option<RoomId>,
    /// Rooms whose memories never leave them, whoever tells of them.
    pub private_rooms: Vec<String>,
}

impl Defaults {
    /// For other agents.
    pub fn of_agents(settings: &Settings) -> Self {
        Self {
            community: CommunityId::from(COMMUNITY),
            room: None,
            private_rooms: settings.memory.private_room_ids.clone(),
        }
    }
}

/// Where turns and gems go.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AgentScope {
    /// One that is here; `agents` without it.
    #[schemars(length(max = 100))]
    community: Option<String>,
    /// The part of the session before its first slash without it.
    #[schemars(length(max = 100))]
    room: Option<String>,
    /// It comes up in this room alone.
    #[serde(default)]
    private: bool,
}

/// Who looks after what agents say of a community: the community itself, and the default one for agents that name
/// none.
pub(crate) fn host_of(town: &Town, community: &CommunityId) -> Result<Hosted, Refusal> {
    if community.as_str() == COMMUNITY {
        return Ok(town.community(community).unwrap_or_else(|| town.home()));
    }
    town.community(community).ok_or_else(|| {
        let known = town.list().into_iter();
        let known = known.filter(|hosted| hosted.platform().is_none());
        let known: Vec<CommunityId> = known.map(|hosted| hosted.id().clone()).collect();
        unknown_community(community.as_str(), &known).with_remedy(
            "Add it with `denizen community add` or POST /api/communities, or leave scope.community out.",
        )
    })
}

impl AgentScope {
    pub fn community(&self) -> Result<CommunityId, Refusal> {
        community(self.community.as_deref(), &CommunityId::from(COMMUNITY))
    }

    /// The place, with what is missing filled in.
    pub fn place(&self, session: &str, defaults: &Defaults) -> Result<Place, Refusal> {
        let community = community(self.community.as_deref(), &defaults.community)?;
        let room = match (&self.room, &defaults.room) {
            (Some(room), _) => {
                check::name("scope.room", room, NAME_CHARS_MAX)?;
                RoomId::from(room.as_str())
            }
            (None, Some(room)) => room.clone(),
            (None, None) => RoomId::from(agent_of(session)),
        };
        let private = self.private
            || defaults
                .private_rooms
                .iter()
                .any(|private| private == room.as_str());
        Ok(Place {
            community,
            room,
            private,
        })
    }
}

/// From where somebody looks.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AgentView {
    /// One that is here; `agents` without it.
    community: Option<String>,
    /// What is private to this room is seen too.
    room: Option<String>,
    /// Who is present; with the reach `everywhere`, what is known of them follows them.
    #[serde(default)]
    #[schemars(length(max = 50))]
    people: Vec<String>,
    /// `room`, `community` or `everywhere`; `memory.reach` without it.
    reach: Option<String>,
}

impl AgentView {
    pub fn community(&self) -> Result<CommunityId, Refusal> {
        community(self.community.as_deref(), &CommunityId::from(COMMUNITY))
    }

    /// What may be seen; never more than a room's view, whatever is left out.
    pub fn viewpoint(&self, usual: Reach, person: Option<&PersonId>) -> Result<Viewpoint, Refusal> {
        let community = self.community()?;
        check::count("scope.people", self.people.len(), PEOPLE_MAX)?;
        let mut people: Vec<PersonId> = person.cloned().into_iter().collect();
        for given in &self.people {
            check::person("scope.people", given, NAME_CHARS_MAX)?;
            people.push(person_id(given, &community));
        }
        let reach = self.reach.as_deref().map_or(Ok(usual), reach)?;
        let room = match &self.room {
            Some(room) => {
                check::name("scope.room", room, NAME_CHARS_MAX)?;
                RoomId::from(room.as_str())
            }
            None if reach == Reach::Room => {
                return Err(check::refuse(
                    "scope.reach",
                    "is room, and scope.room is missing",
                    "Name the room, or give the reach community or everywhere.",
                ));
            }
            // No room is called so: what is private to a room stays unseen.
            None => RoomId::from(""),
        };
        Ok(Viewpoint::Room {
            community,
            room,
            reach,
            people,
        })
    }
}

/// A person by id or by name. A name belongs to its community: Alice of one is not Alice of another.
pub(crate) fn person_id(given: &str, community: &CommunityId) -> PersonId {
    let given = given.split_whitespace().collect::<Vec<_>>().join(" ");
    if given.contains(':') {
        PersonId::new(given)
    } else {
        PersonId::new(format!("{community}:{}", given.to_lowercase()))
    }
}

/// A session of another agent's. The prefix keeps it apart from the conversations of rooms, whatever it is called.
pub(crate) fn session_id(given: &str, community: &CommunityId) -> SessionId {
    let prefix = format!("agent:{community}/");
    if given.starts_with(&prefix) {
        SessionId::from(given)
    } else {
        SessionId::new(format!("{prefix}{given}"))
    }
}

/// Whose session it is: `my-agent` of `my-agent/42`.
pub(crate) fn agent_of(session: &str) -> &str {
    session.split('/').next().unwrap_or(session)
}

pub(crate) fn community(given: Option<&str>, usual: &CommunityId) -> Result<CommunityId, Refusal> {
    match given {
        None => Ok(usual.clone()),
        Some(given) => {
            check::name("scope.community", given, NAME_CHARS_MAX)?;
            if given.contains('/') {
                return Err(check::refuse(
                    "scope.community",
                    "holds a slash",
                    "Name it without one.",
                ));
            }
            Ok(CommunityId::from(given))
        }
    }
}

pub(crate) fn kinds(name: &str) -> Result<Kinds, Refusal> {
    match name {
        "gems" => Ok(Kinds::Gems),
        "turns" => Ok(Kinds::Turns),
        "both" => Ok(Kinds::Both),
        other => Err(check::refuse(
            "kinds",
            &format!("is “{other}”"),
            "Give gems, turns or both.",
        )),
    }
}

/// How far memories travel by the settings.
pub(crate) fn reach_in(settings: &Settings) -> Reach {
    settings.memory.reach
}

fn reach(name: &str) -> Result<Reach, Refusal> {
    match name {
        "room" => Ok(Reach::Room),
        "community" => Ok(Reach::Community),
        "everywhere" => Ok(Reach::Everywhere),
        other => Err(check::refuse(
            "scope.reach",
            &format!("is “{other}”"),
            "Give room, community or everywhere.",
        )),
    }
}
