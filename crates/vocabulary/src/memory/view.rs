//! Scope: where something was said, who is looking, and what is to be forgotten.

use serde::{Deserialize, Serialize};

use crate::{CommunityId, GemId, PersonId, RoomId, SessionId, TurnKey};

/// Where something was said, and so where it may come up again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub community: CommunityId,
    pub room: RoomId,
    /// What was said here never comes up anywhere else.
    #[serde(default)]
    pub private: bool,
}

/// How far memories of open rooms travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// They stay in the room they are from.
    Room,
    /// They are known in the open rooms of their community.
    #[default]
    Community,
    /// What is known of a person follows them into other communities as well.
    Everywhere,
}

/// Who looks into memory, and so what may be seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Viewpoint {
    /// Whoever runs the place sees everything in it.
    Operator,
    /// Somebody in a room.
    Room {
        community: CommunityId,
        room: RoomId,
        reach: Reach,
        /// Who is present: memories of them alone may follow them here from other communities.
        people: Vec<PersonId>,
    },
}

impl Viewpoint {
    /// Whether something of that place, about that person, may be seen.
    pub fn sees(&self, place: &Place, person: Option<&PersonId>) -> bool {
        let Viewpoint::Room {
            community,
            room,
            reach,
            people,
        } = self
        else {
            return true;
        };
        let here = place.community == *community;
        if here && place.room == *room {
            return true;
        }
        if place.private {
            return false;
        }
        match reach {
            Reach::Room => false,
            Reach::Community => here,
            Reach::Everywhere => here || person.is_some_and(|person| people.contains(person)),
        }
    }
}

/// What is to be forgotten, for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forget {
    /// Everything a person said, and everything known about them. `community`: only there; none: everywhere.
    Person {
        person: PersonId,
        name: String,
        community: Option<CommunityId>,
    },
    /// These gems and the turns they came from.
    Gems(Vec<GemId>),
    /// These turns, and the gems that came from nothing else.
    Turns(Vec<TurnKey>),
    /// A whole conversation.
    Session(SessionId),
    /// Everything of a room.
    Room { community: CommunityId, room: RoomId },
    /// Everything of a community, when it is removed.
    Community(CommunityId),
}
