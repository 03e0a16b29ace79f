//! A look into what was said and learnt before: older messages of the room, and memory.

use mind::{RecallQuery, Recollection};
use vocabulary::{CapturedTurn, CommunityId, Gem, Kinds, Message, MessageId, Record, Scores, TurnKey};

use crate::memory::{MemoryRecords, MemoryService, Question};
use crate::ports::{MemoryFault, Store};

/// Gems about one person that are looked at.
const OF_PERSON_MAX: usize = 100;

/// By what memories are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundBy {
    WordsAndMeaning,
    /// Their meaning may be a model's to find.
    Words,
}

/// Looks up what it can; whatever fails is named, and the rest is brought back.
pub(crate) async fn look_up(
    store: &dyn Store,
    memory: Option<&MemoryService>,
    community: &CommunityId,
    query: &RecallQuery,
    by: FoundBy,
) -> Recollection {
    let mut found = Recollection::default();
    let mut failures = Vec::new();
    if query.max_messages > 0 {
        match store
            .search(
                community,
                &query.room,
                &query.words,
                &query.exclude,
                query.max_messages,
            )
            .await
        {
            Ok(messages) => found.messages = messages,
            Err(error) => failures.push(error.to_string()),
        }
    }
    if let Some(service) = memory.filter(|_| query.max_facts > 0)
        && let Err(fault) = remember(service.records(), community, query, by, &mut found).await
    {
        failures.push(fault.to_string());
    }
    for fact in &mut found.facts {
        fact.scores = rounded(&fact.scores);
    }
    let meant = older_messages(store, community, query, &found).await;
    found.messages = alternated(found.messages, meant, query.max_messages);
    count_unsure(&mut found, community, query.min_confidence);
    found.failure = (!failures.is_empty()).then(|| failures.join(" "));
    found
}

/// Leaves out the turns that are not sure enough, and says how many they were: those that are brought up as older messages are not
/// left out. Gems come in any case: one that fits a little still counts for whom it is about.
fn count_unsure(found: &mut Recollection, community: &CommunityId, min_confidence: f64) {
    let messages: Vec<&MessageId> = found.messages.iter().map(|message| &message.id).collect();
    let (mut kept, mut unsure) = (Vec::with_capacity(found.facts.len()), 0);
    for fact in std::mem::take(&mut found.facts) {
        match &fact.record {
            Record::Turn(turn) if fact.scores.confidence < min_confidence => {
                let its = turn.id.message_of(community);
                unsure += usize::from(!its.is_some_and(|its| messages.contains(&&its)));
            }
            Record::Turn(_) | Record::Gem(_) => kept.push(fact),
        }
    }
    found.facts = kept;
    found.unsure = unsure;
}

/// What is found is kept with the input that it makes. The digits beyond these tell nothing, and were most of its bytes.
fn rounded(scores: &Scores) -> Scores {
    const PARTS: f64 = 100_000.0;
    let rounded = |score: f64| (score * PARTS).round() / PARTS;
    Scores {
        total: rounded(scores.total),
        confidence: rounded(scores.confidence),
        lexical: rounded(scores.lexical),
        dense: rounded(scores.dense),
        surroundings: rounded(scores.surroundings),
        keys: rounded(scores.keys),
        recency: rounded(scores.recency),
        importance: rounded(scores.importance),
    }
}

/// Messages of the room among the turns that memory has found by their meaning; where they cannot be read, none.
async fn older_messages(
    store: &dyn Store,
    community: &CommunityId,
    query: &RecallQuery,
    found: &Recollection,
) -> Vec<Message> {
    let is_here = |turn: &&CapturedTurn| turn.place.community == *community && turn.place.room == query.room;
    let turns = found.facts.iter().filter_map(|found| match &found.record {
        Record::Turn(turn) => Some(turn),
        Record::Gem(_) => None,
    });
    let ids = turns.filter(is_here).take(query.max_messages);
    let mut ids: Vec<MessageId> = ids.filter_map(|turn| turn.id.message_of(community)).collect();
    ids.retain(|id| !query.exclude.contains(id));
    if ids.is_empty() {
        return Vec::new();
    }
    if let Ok(stored) = store.messages_of(community, &ids).await {
        return stored.into_iter().map(|stored| stored.message).collect();
    }
    // One that cannot be read leaves the others.
    let mut messages = Vec::new();
    for id in &ids {
        let stored = store.message(community, id).await.ok().flatten();
        messages.extend(stored.map(|stored| stored.message));
    }
    messages
}

/// One of each in turn, without what is in both, and so many at most.
fn alternated(by_words: Vec<Message>, by_meaning: Vec<Message>, max: usize) -> Vec<Message> {
    let mut both: Vec<Message> = Vec::new();
    let (mut words, mut meaning) = (by_words.into_iter(), by_meaning.into_iter());
    loop {
        let next: Vec<Message> = words.next().into_iter().chain(meaning.next()).collect();
        if next.is_empty() {
            both.truncate(max);
            return both;
        }
        for message in next {
            if both.iter().all(|known| known.id != message.id) {
                both.push(message);
            }
        }
    }
}

async fn remember(
    records: &MemoryRecords,
    community: &CommunityId,
    query: &RecallQuery,
    by: FoundBy,
    found: &mut Recollection,
) -> Result<(), MemoryFault> {
    let mut of_people: Vec<Gem> = Vec::new();
    for person in &query.people {
        of_people.extend(records.of_person(person, &query.view, OF_PERSON_MAX).await?);
    }
    found.of_people = of_people;
    if query.max_lasting > 0 {
        found.lasting = records.lasting(community, &query.view, query.max_lasting).await?;
    }
    if query.words.trim().is_empty() {
        return Ok(());
    }
    let excluded = query.exclude.iter().map(|id| TurnKey::of_message(community, id));
    let question = Question {
        words: query.words.clone(),
        view: query.view.clone(),
        person: None,
        kinds: if query.gems_only { Kinds::Gems } else { Kinds::Both },
        exclude: excluded.collect(),
        superseded: false,
        limit: query.max_facts,
    };
    found.facts = match by {
        FoundBy::WordsAndMeaning if query.unjudged => records.find(&question).await?.found,
        FoundBy::WordsAndMeaning => records.recall(&question).await?.found,
        FoundBy::Words => records.recall_by_words(&question).await?,
    };
    Ok(())
}

#[cfg(test)]
#[path = "recalling_tests.rs"]
mod recalling_tests;
