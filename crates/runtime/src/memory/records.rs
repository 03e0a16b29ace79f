//! What is remembered: gems and turns with their vectors, found by words and meaning.

use std::sync::Arc;

use vocabulary::{
    CapturedTurn, CommunityId, Found, Gem, GemId, Kinds, PersonId, Record, RecordId, Search, SessionId,
    TurnKey, Viewpoint,
};

use super::changing::Changing;
use super::embedding::{EMBED_BATCH, MemoryVectors, embedded_text};
use super::judging::Judging;
use crate::clock::wall;
use crate::ports::{Embedded, GemStore, Listing, MemoryFault, Page};

/// Standing and pinned gems are read in pages of so many, and so many pages.
const LASTING_PAGE: usize = 100;
const LASTING_PAGES_MAX: usize = 10;

/// A question to memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub words: String,
    pub view: Viewpoint,
    pub person: Option<PersonId>,
    pub kinds: Kinds,
    pub exclude: Vec<TurnKey>,
    pub superseded: bool,
    pub limit: usize,
}

/// What a question found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    pub found: Vec<Found>,
    /// Why meaning played no part, where it did not.
    pub by_words_only: Option<String>,
}

/// The records of memory. Cheap to clone.
#[derive(Clone)]
pub struct MemoryRecords {
    pub(super) gems: Arc<dyn GemStore>,
    vectors: MemoryVectors,
    judging: Option<Arc<Judging>>,
    pub(super) changing: Arc<Changing>,
}

impl std::fmt::Debug for MemoryRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("MemoryRecords")
            .field(&self.gems.describe())
            .finish()
    }
}

impl MemoryRecords {
    pub(super) fn new(gems: Arc<dyn GemStore>, vectors: MemoryVectors, changing: Arc<Changing>) -> Self {
        Self {
            gems,
            vectors,
            judging: None,
            changing,
        }
    }

    pub(super) fn judged_by(&mut self, judging: Judging) {
        self.judging = Some(Arc::new(judging));
    }

    /// Why finds are not judged, where they should be.
    pub(super) fn trouble(&self) -> Option<String> {
        self.judging.as_ref()?.trouble()
    }

    /// Looks for what fits, best first, and has it judged where somebody can.
    pub async fn recall(&self, question: &Question) -> Result<Recalled, MemoryFault> {
        let mut recalled = self.find(question).await?;
        if let Some(judging) = &self.judging {
            judging.judge(&question.words, &mut recalled.found).await;
        }
        Ok(recalled)
    }

    /// Looks for what fits, for whoever does not ask how sure it is.
    pub async fn find(&self, question: &Question) -> Result<Recalled, MemoryFault> {
        let (vector, by_words_only) = match self.vectors.meaning(&question.words).await {
            Ok(vector) => (vector, None),
            Err(why) => (None, Some(why)),
        };
        let found = self.search(question, vector).await?;
        Ok(Recalled { found, by_words_only })
    }

    /// The same by words alone: nobody is asked what they mean.
    pub async fn recall_by_words(&self, question: &Question) -> Result<Vec<Found>, MemoryFault> {
        self.search(question, None).await
    }

    async fn search(&self, question: &Question, vector: Option<Vec<f32>>) -> Result<Vec<Found>, MemoryFault> {
        self.gems
            .search(&Search {
                words: question.words.clone(),
                vector,
                view: question.view.clone(),
                person: question.person.clone(),
                kinds: question.kinds,
                exclude: question.exclude.clone(),
                superseded: question.superseded,
                now: wall(),
                limit: question.limit,
            })
            .await
    }

    pub async fn gem(&self, id: &GemId) -> Result<Option<Gem>, MemoryFault> {
        let found = self.gems.get(&[RecordId::Gem(id.clone())]).await?;
        Ok(found.into_iter().find_map(|record| match record {
            Record::Gem(gem) => Some(*gem),
            Record::Turn(_) => None,
        }))
    }

    /// The turns of these ids that are there.
    pub async fn turns_of(&self, ids: &[TurnKey]) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let ids: Vec<RecordId> = ids.iter().cloned().map(RecordId::Turn).collect();
        let found = self.gems.get(&ids).await?.into_iter();
        Ok(found
            .filter_map(|record| match record {
                Record::Turn(turn) => Some(turn),
                Record::Gem(_) => None,
            })
            .collect())
    }

    /// Gems, newest first.
    pub async fn gems(&self, listing: &Listing) -> Result<Page<Gem>, MemoryFault> {
        self.gems.gems(listing).await
    }

    /// Turns, newest first.
    pub async fn turns(&self, listing: &Listing) -> Result<Page<CapturedTurn>, MemoryFault> {
        self.gems.turns(listing).await
    }

    /// The conversation before a turn, for a model to understand it by.
    pub async fn history(
        &self,
        session: &SessionId,
        before: u64,
        max_chars: usize,
    ) -> Result<Vec<CapturedTurn>, MemoryFault> {
        self.gems.history(session, before, max_chars).await
    }

    /// What is known of a person and may be seen from there, newest first.
    pub async fn of_person(
        &self,
        person: &PersonId,
        view: &Viewpoint,
        limit: usize,
    ) -> Result<Vec<Gem>, MemoryFault> {
        let listing = Listing {
            person: Some(person.clone()),
            current_only: true,
            limit,
            ..Listing::default()
        };
        let page = self.gems.gems(&listing).await?;
        let mut gems = page.items;
        gems.retain(|gem| view.sees(&gem.place, gem.person.as_ref()));
        Ok(gems)
    }

    /// Standing and pinned gems of a community that may be seen from there, newest first.
    pub async fn lasting(
        &self,
        community: &CommunityId,
        view: &Viewpoint,
        limit: usize,
    ) -> Result<Vec<Gem>, MemoryFault> {
        let mut listing = Listing {
            community: Some(community.clone()),
            current_only: true,
            ageless_only: true,
            limit: LASTING_PAGE,
            ..Listing::default()
        };
        let mut lasting = Vec::new();
        for _ in 0..LASTING_PAGES_MAX {
            let page = self.gems.gems(&listing).await?;
            let seen = page.items.into_iter();
            lasting.extend(seen.filter(|gem| view.sees(&gem.place, gem.person.as_ref())));
            listing.after = page.next;
            if listing.after.is_none() || lasting.len() >= limit {
                break;
            }
        }
        lasting.truncate(limit);
        Ok(lasting)
    }

    /// Stores records with their vectors; those that cannot be embedded now are found by their words until they are.
    pub async fn put(&self, records: Vec<Record>) -> Result<(), MemoryFault> {
        for chunk in records.chunks(EMBED_BATCH) {
            let texts: Vec<String> = chunk.iter().map(embedded_text).collect();
            let vectors = self.vectors.of_passages(&texts).await;
            let records = chunk.iter().cloned().zip(vectors);
            let records = records.map(|(record, vector)| Embedded { record, vector });
            self.gems.put(records.collect()).await?;
        }
        Ok(())
    }
}
