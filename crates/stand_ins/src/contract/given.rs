//! What the contract's tests put into a store.

use std::collections::BTreeSet;

use runtime::ports::{Embedded, EmbedderIdentity, GemStore};
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, Found, Gem, GemId, GemSource, GemTag, Kinds, PersonId,
    Place, Record, RecordId, RoomId, Search, SessionId, TurnKey, TurnKind, Viewpoint, WallTime,
};

pub const NOW: WallTime = WallTime(1_800_000_000_000);
const DIMENSIONS: usize = 16;

/// A turn of Alice's in an open room.
pub fn turn(id: &str, text: &str) -> CapturedTurn {
    CapturedTurn {
        id: TurnKey::new(id),
        place: place("home", "lobby"),
        session: SessionId::new("session-1"),
        number: 0,
        speaker: person("alice"),
        kind: TurnKind::Typed,
        text: text.to_owned(),
        at: NOW,
    }
}

/// A gem about nobody in an open room, from no turn that is kept.
pub fn gem(id: &str, content: &str) -> Gem {
    Gem {
        gem_id: GemId::new(id),
        content: content.to_owned(),
        summary: format!("Summary of {id}"),
        topics: vec!["things".to_owned()],
        importance: 0.5,
        source: GemSource {
            session_id: SessionId::new("session-1"),
            date: "2027-01-15".to_owned(),
            turn_range: "1-2".to_owned(),
            turns: Vec::new(),
        },
        tags: vec![GemTag::Fact],
        created_at: NOW,
        place: place("home", "lobby"),
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
        made_by: "contract".to_owned(),
    }
}

pub fn place(community: &str, room: &str) -> Place {
    Place {
        community: CommunityId::new(community),
        room: RoomId::new(room),
        private: false,
    }
}

pub fn person(id: &str) -> Author {
    Author {
        id: PersonId::new(id),
        name: id.to_uppercase(),
        kind: AuthorKind::Person,
    }
}

/// A gem about somebody.
pub fn about(person: &str, gem: Gem) -> Gem {
    Gem {
        person: Some(PersonId::new(person)),
        person_name: person.to_uppercase(),
        ..gem
    }
}

/// A gem that came from these turns.
pub fn from(turns: &[&str], mut gem: Gem) -> Gem {
    gem.source.turns = keys(turns);
    gem
}

pub fn keys(turns: &[&str]) -> Vec<TurnKey> {
    turns.iter().map(|turn| TurnKey::new(*turn)).collect()
}

/// A record with what its text means to the contract's embedder.
pub fn embedded(record: impl Into<Kept>) -> Embedded {
    let Kept(record) = record.into();
    Embedded {
        vector: meaning(record.text()),
        record,
    }
}

/// A gem or a turn on its way into a store.
#[derive(Clone, Debug)]
pub struct Kept(pub Record);

impl From<Gem> for Kept {
    fn from(gem: Gem) -> Self {
        Self(Record::Gem(Box::new(gem)))
    }
}

impl From<CapturedTurn> for Kept {
    fn from(turn: CapturedTurn) -> Self {
        Self(Record::Turn(turn))
    }
}

/// The contract's embedder.
pub fn embedder() -> EmbedderIdentity {
    EmbedderIdentity {
        name: "contract:words".to_owned(),
        dimensions: DIMENSIONS,
    }
}

/// What a text means, by its words: each points somewhere, always the same way, and a text where they point together.
pub fn meaning(text: &str) -> Vec<f32> {
    let mut sum = vec![0.0_f32; DIMENSIONS];
    for word in text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let mut state = word
            .to_lowercase()
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
                (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        for number in &mut sum {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            *number += f32::from((state >> 48) as u16) / 32_768.0 - 1.0;
        }
    }
    let length = sum.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length > 0.0 {
        sum.iter_mut().for_each(|number| *number /= length);
    }
    sum
}

/// A search for words by the operator, who sees everything.
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
        limit: 20,
    }
}

/// The same for a meaning alone.
pub fn search_meaning(text: &str) -> Search {
    Search {
        vector: Some(meaning(text)),
        ..search("")
    }
}

/// Turns and gems about other things, for a meaning stands out only among others.
pub fn others() -> Vec<Kept> {
    let words = [
        "harbour", "pencil", "thunder", "violin", "cabbage", "ladder", "printer", "meadow", "receipt",
        "goblin", "tractor", "blanket", "chimney", "sandal", "orbit", "muffin",
    ];
    let text = |number: usize| {
        [1, 3, 7]
            .map(|step| words[(number * step + step) % words.len()])
            .join(" ")
    };
    (0..24)
        .flat_map(|number| {
            let text = text(number);
            let mut said = turn(&format!("other-turn-{number}"), &text);
            // Each in a conversation of its own: what is said around a turn counts for it.
            said.session = SessionId::new(format!("other-{number}"));
            [said.into(), gem(&format!("other-gem-{number}"), &text).into()]
        })
        .collect()
}

/// Puts records into a store that is new.
pub async fn put(store: &dyn GemStore, records: impl IntoIterator<Item = Kept>) {
    store.set_embedder(&embedder(), false).await.unwrap();
    store
        .put(records.into_iter().map(embedded).collect())
        .await
        .unwrap();
}

/// The ids of what a search finds, in order.
pub async fn found(store: &dyn GemStore, search: &Search) -> Vec<String> {
    let found = store.search(search).await.unwrap();
    found.iter().map(|found| id_of(&found.record)).collect()
}

/// The same without the order.
pub async fn found_set(store: &dyn GemStore, search: &Search) -> BTreeSet<String> {
    let ids = found(store, search).await;
    let set: BTreeSet<String> = ids.iter().cloned().collect();
    assert_eq!(set.len(), ids.len(), "found twice: {ids:?}");
    set
}

pub fn id_of(record: &Record) -> String {
    match record.id() {
        RecordId::Gem(id) => id.to_string(),
        RecordId::Turn(id) => id.to_string(),
    }
}

pub fn gem_id(id: &str) -> RecordId {
    RecordId::Gem(GemId::new(id))
}

pub fn turn_id(id: &str) -> RecordId {
    RecordId::Turn(TurnKey::new(id))
}

/// What every part of a search said, for a message that tells why it failed.
pub fn shown(found: &[Found]) -> String {
    let line = |found: &Found| format!("{}: {:?}", id_of(&found.record), found.scores);
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}
