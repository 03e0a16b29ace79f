//! What memory gives for a question: its facts, as if a search had found them.

use mind::Recollection;
use vocabulary::{
    CommunityId, Found, Gem, GemId, GemSource, GemTag, PersonId, Place, Record, RoomId, Scores, SessionId,
    WallTime,
};

use super::question::Question;

/// How sure each of them is: what is less sure than `memory.minConfidence` would not be told.
const CONFIDENCE: f64 = 0.7;

/// Whom a fact is known of, and the fact.
pub(super) fn is_of(fact: &str) -> (Option<&str>, &str) {
    match fact.split_once(": ") {
        Some((name, told)) if told.contains(name) => (Some(name), told),
        _ => (None, fact),
    }
}

/// What is found for the people of a turn.
pub(super) fn recollection(question: &Question, people: &[PersonId], now: WallTime) -> Recollection {
    let mut found = Recollection::default();
    for (number, fact) in question.facts.iter().enumerate() {
        let (name, told) = is_of(fact);
        let gem = gem(number, name, told, now);
        if gem.person.as_ref().is_some_and(|person| people.contains(person)) {
            found.of_people.push(gem.clone());
        }
        found.facts.push(Found {
            record: Record::Gem(Box::new(gem)),
            scores: Scores {
                total: CONFIDENCE,
                confidence: CONFIDENCE,
                lexical: CONFIDENCE,
                dense: CONFIDENCE,
                surroundings: 0.0,
                keys: 0.0,
                recency: 1.0,
                importance: 1.0,
            },
            matched: Vec::new(),
            through: Vec::new(),
        });
    }
    found
}

fn gem(number: usize, name: Option<&str>, told: &str, now: WallTime) -> Gem {
    let last_week = WallTime(now.0 - 7 * 86_400_000);
    Gem {
        gem_id: GemId::new(format!("gem{number}")),
        content: told.to_owned(),
        summary: told.to_owned(),
        topics: Vec::new(),
        importance: 0.5,
        source: GemSource {
            session_id: SessionId::new("before"),
            date: vocabulary::rfc3339::date(last_week),
            turn_range: "1-1".to_owned(),
            turns: Vec::new(),
        },
        tags: vec![GemTag::Fact],
        created_at: last_week,
        place: Place {
            community: CommunityId::new("bench"),
            room: RoomId::new("lounge"),
            private: false,
        },
        person: name.map(|name| PersonId::new(format!("local:{}", name.to_lowercase()))),
        person_name: name.unwrap_or_default().to_owned(),
        attribute: None,
        claim: false,
        standing: false,
        pinned: false,
        strength: 1,
        last_seen_at: last_week,
        valid_from: last_week,
        valid_until: None,
        superseded_by: None,
        made_by: "bench".to_owned(),
    }
}
