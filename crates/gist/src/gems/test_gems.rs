//! Turns and gems for tests.

use vocabulary::{
    Author, AuthorKind, CapturedTurn, Gem, GemSource, GemTag, PersonId, Place, TurnKind, WallTime,
};

/// Monday, 23 February 2026, 12:00.
pub(super) const NOON: WallTime = WallTime(1_771_848_000_000);

/// A turn so many minutes after noon.
pub(super) fn turn(number: u64, name: &str, text: &str) -> CapturedTurn {
    let kind = match name {
        "Denizen" => AuthorKind::Denizen,
        "Feedbot" => AuthorKind::OtherBot,
        _ => AuthorKind::Person,
    };
    CapturedTurn {
        id: format!("m{number}").as_str().into(),
        place: place("lounge", false),
        session: "lounge-1".into(),
        number,
        speaker: Author {
            id: person(name),
            name: name.to_owned(),
            kind,
        },
        kind: TurnKind::Typed,
        text: text.to_owned(),
        at: minutes(number as i64),
    }
}

/// A gem about Alice, said at noon in the lounge.
pub(super) fn gem(id: &str, content: &str) -> Gem {
    Gem {
        gem_id: id.into(),
        content: content.to_owned(),
        summary: content.to_owned(),
        topics: Vec::new(),
        importance: 0.5,
        source: GemSource {
            session_id: "lounge-1".into(),
            date: "2026-02-23".to_owned(),
            turn_range: "1-1".to_owned(),
            turns: vec!["m1".into()],
        },
        tags: vec![GemTag::Fact],
        created_at: NOON,
        place: place("lounge", false),
        person: Some(person("Alice")),
        person_name: "Alice".to_owned(),
        attribute: None,
        claim: false,
        standing: false,
        pinned: false,
        strength: 1,
        last_seen_at: NOON,
        valid_from: NOON,
        valid_until: None,
        superseded_by: None,
        made_by: "test".to_owned(),
    }
}

pub(super) fn person(name: &str) -> PersonId {
    format!("local:{}", name.to_lowercase()).as_str().into()
}

pub(super) fn place(room: &str, private: bool) -> Place {
    Place {
        community: "home".into(),
        room: room.into(),
        private,
    }
}

pub(super) fn minutes(after_noon: i64) -> WallTime {
    WallTime(NOON.0 + after_noon * 60_000)
}
