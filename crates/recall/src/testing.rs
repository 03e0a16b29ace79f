//! Records and searches for tests: a small world with few words, so that much collides.

use proptest::prelude::*;
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, Gem, GemId, GemSource, GemTag, Kinds, PersonId, Place,
    Reach, Record, RoomId, Search, SessionId, TurnKey, TurnKind, Viewpoint, WallTime,
};

/// 2023-05-08.
pub const NOW: WallTime = WallTime(1_683_500_000_000);
pub const DAY_MS: i64 = 86_400_000;
pub const DIMENSIONS: usize = 8;

const WORDS: [&str; 14] = [
    "paint", "painted", "dog", "dogs", "lake", "sunrise", "the", "to", "ann", "may", "2023", "camping",
    "家猫", "café",
];

pub fn place(community: &str, room: &str) -> Place {
    Place {
        community: community.into(),
        room: room.into(),
        private: room.starts_with("private"),
    }
}

pub fn turn(id: &str, speaker: &str, text: &str) -> CapturedTurn {
    CapturedTurn {
        id: id.into(),
        place: place("town", "lounge"),
        session: SessionId::from("monday"),
        number: 0,
        speaker: Author {
            id: PersonId::new(speaker.to_lowercase()),
            name: speaker.to_owned(),
            kind: AuthorKind::Person,
        },
        kind: TurnKind::Typed,
        text: text.to_owned(),
        at: NOW,
    }
}

/// A gem of some turns.
pub fn gem(id: &str, content: &str, turns: &[&str]) -> Gem {
    Gem {
        gem_id: id.into(),
        content: content.to_owned(),
        summary: String::new(),
        topics: Vec::new(),
        importance: 0.5,
        source: GemSource {
            session_id: SessionId::from("monday"),
            date: String::new(),
            turn_range: String::new(),
            turns: turns.iter().map(|turn| TurnKey::from(*turn)).collect(),
        },
        tags: vec![GemTag::Fact],
        created_at: NOW,
        place: place("town", "lounge"),
        person: None,
        person_name: String::new(),
        attribute: None,
        claim: false,
        standing: false,
        pinned: false,
        strength: 1,
        last_seen_at: NOW,
        valid_from: NOW,
        valid_until: None,
        superseded_by: None,
        made_by: String::new(),
    }
}

pub fn search(words: &str) -> Search {
    Search {
        words: words.to_owned(),
        vector: None,
        view: Viewpoint::Operator,
        person: None,
        kinds: Kinds::Both,
        exclude: Vec::new(),
        superseded: false,
        now: NOW,
        limit: 10,
    }
}

/// A record with what its text means.
pub type Put = (Record, Option<Vec<f32>>);

pub fn any_put() -> impl Strategy<Value = Put> {
    let record = prop_oneof![
        any_turn().prop_map(Record::Turn),
        any_gem().prop_map(|gem| Record::Gem(Box::new(gem)))
    ];
    (record, any_vector())
}

pub fn any_vector() -> impl Strategy<Value = Option<Vec<f32>>> {
    prop::option::weighted(0.8, prop::collection::vec(-1.0_f32..1.0, DIMENSIONS))
}

pub fn any_text() -> impl Strategy<Value = String> {
    let ending = prop::sample::select(vec![" ", " ", ". ", "? ", "\n"]);
    let words = prop::collection::vec((prop::sample::select(WORDS.to_vec()), ending), 0..8);
    words.prop_map(|words| words.iter().flat_map(|(word, ending)| [*word, *ending]).collect())
}

pub fn any_search() -> impl Strategy<Value = Search> {
    let kinds = prop::sample::select(vec![Kinds::Gems, Kinds::Turns, Kinds::Both]);
    let person = prop::option::weighted(0.2, any_person());
    let exclude = prop::collection::vec((0..12_u32).prop_map(turn_key), 0..3);
    let parts = (
        any_text(),
        any_vector(),
        any_view(),
        person,
        kinds,
        exclude,
        any::<bool>(),
        1..30_usize,
    );
    parts.prop_map(
        |(words, vector, view, person, kinds, exclude, superseded, limit)| Search {
            vector,
            view,
            person,
            kinds,
            exclude,
            superseded,
            limit,
            ..search(&words)
        },
    )
}

pub fn any_view() -> impl Strategy<Value = Viewpoint> {
    let reach = prop::sample::select(vec![Reach::Room, Reach::Community, Reach::Everywhere]);
    let room = (any_place(), reach, prop::collection::vec(any_person(), 0..3));
    let room = room.prop_map(|(place, reach, people)| Viewpoint::Room {
        community: place.community,
        room: place.room,
        reach,
        people,
    });
    prop_oneof![1 => Just(Viewpoint::Operator), 5 => room]
}

fn any_turn() -> impl Strategy<Value = CapturedTurn> {
    // One session of each place, so that many are neighbours, and now and then two that claim one number.
    let parts = (
        0..12_u32,
        any_place(),
        0..6_u64,
        any_person(),
        any_text(),
        0..400_i64,
    );
    parts.prop_map(|(id, place, number, person, text, days)| CapturedTurn {
        id: turn_key(id),
        session: SessionId::new(format!("{}-{}", place.community, place.room)),
        place,
        number,
        speaker: Author {
            name: person.as_str().to_owned(),
            id: person,
            kind: AuthorKind::Person,
        },
        at: WallTime(NOW.0 - days * DAY_MS),
        ..turn("", "", &text)
    })
}

fn any_gem() -> impl Strategy<Value = Gem> {
    let turns = prop::collection::vec((0..12_u32).prop_map(turn_key), 0..3);
    let flags = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.2));
    let parts = (
        0..8_u32,
        any_place(),
        prop::option::of(any_person()),
        any_text(),
        turns,
        flags,
        0.0..1.0,
        0..400_i64,
    );
    parts.prop_map(
        |(id, place, person, text, turns, (standing, pinned, superseded), importance, days)| {
            let mut made = gem(&format!("gem-{id}"), &text, &[]);
            made.source.turns = turns;
            made.place = place;
            made.person_name = person
                .as_ref()
                .map(|person| person.as_str().to_owned())
                .unwrap_or_default();
            made.person = person;
            made.standing = standing;
            made.pinned = pinned;
            made.superseded_by = superseded.then(|| GemId::from("newer"));
            made.importance = importance;
            made.strength = days as u32 % 20;
            made.last_seen_at = WallTime(NOW.0 - days * DAY_MS);
            made.valid_from = made.last_seen_at;
            made
        },
    )
}

fn any_place() -> impl Strategy<Value = Place> {
    let communities = prop::sample::select(vec!["town", "city"]);
    let rooms = prop::sample::select(vec!["lounge", "kitchen", "private-study"]);
    (communities, rooms).prop_map(|(community, room)| Place {
        community: CommunityId::from(community),
        room: RoomId::from(room),
        ..place(community, room)
    })
}

fn any_person() -> impl Strategy<Value = PersonId> {
    prop::sample::select(vec!["ann", "bob", "lake"]).prop_map(PersonId::from)
}

fn turn_key(id: u32) -> TurnKey {
    TurnKey::new(format!("turn-{id}"))
}
