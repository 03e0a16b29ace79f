//! A search of the whole index: exact, every record in view is looked at.

use std::collections::{BTreeMap, BTreeSet};

use vocabulary::{GemId, Kinds, RecordId, Search};

use crate::fuse::{Evidence, FACTOR_RANGE, importance, recency};
use crate::hit::Hit;
use crate::lexical::Lexical;
use crate::meaning::Meaning;
use crate::order::{Ranked, best};
use crate::query::Query;
use crate::scope::Visibility;
use crate::side::Side;
use crate::vectors::QueryVector;
use crate::view::View;
use crate::{Index, RecallFault, vectors};

/// Gems named as the way to a turn, at most.
const THROUGH_MAX: usize = 5;

impl Index {
    /// What fits best, best first. Only what the view may see is looked at, counted or returned.
    pub fn search(&self, search: &Search) -> Result<Vec<Hit>, RecallFault> {
        if let Some(vector) = &search.vector {
            vectors::check(vector, self.dimensions().unwrap_or(0))?;
        }
        let sight = self.scope.sight(&search.view);
        Ok(Question::new(self, search, &sight, None).hits())
    }

    /// The same over records that a remote store offers, with what it knows of them.
    pub(crate) fn search_given(&self, search: &Search, given: &Given) -> Vec<Hit> {
        let sight = self.scope.sight(&search.view);
        Question::new(self, search, &sight, Some(given)).hits()
    }
}

/// What a remote store knows and a few candidates cannot tell.
#[derive(Debug, Default)]
pub(crate) struct Given {
    /// How rare each word of the search is.
    pub rarities: BTreeMap<u64, f64>,
    /// How close candidates are in meaning.
    pub cosines: BTreeMap<RecordId, f32>,
}

/// One search under way.
struct Question<'a> {
    index: &'a Index,
    search: &'a Search,
    query: Query,
    /// Numbers of the turns that are in view anyway.
    excluded: BTreeSet<u32>,
    turns: Side<'a>,
    gems: Side<'a>,
}

/// What a record is worth before age and importance.
struct Worth<'a> {
    value: f64,
    slot: usize,
    side: &'a Side<'a>,
}

impl<'a> Question<'a> {
    fn new(
        index: &'a Index,
        search: &'a Search,
        sight: &'a Visibility,
        given: Option<&Given>,
    ) -> Question<'a> {
        let query = Query::read(&search.words);
        let vector = search.vector.as_deref().and_then(QueryVector::new);
        let around = Some(&index.neighbours);
        let turns = View::new(&index.turns, &index.turn_contexts, around, sight, |_| {
            search.kinds != Kinds::Gems
        });
        let gems = View::new(&index.gems, &index.gem_contexts, None, sight, |gem| {
            gem.is_current || search.superseded
        });
        let side = |view: View<'a>| {
            let lexical = Lexical::new(index, &view, &query, given.map(|given| &given.rarities));
            let meaning = match given {
                Some(given) => Meaning::given(&view, &given.cosines),
                None => Meaning::new(&view, vector.as_ref()),
            };
            Side::new(view, lexical, meaning)
        };
        let (mut turns, gems) = (side(turns), side(gems));
        turns.lift(index, &gems);
        let excluded = search.exclude.iter().filter_map(|turn| index.keys.find(turn));
        Question {
            index,
            search,
            excluded: excluded.collect(),
            query,
            turns,
            gems,
        }
    }

    fn hits(&self) -> Vec<Hit> {
        let best = self.best();
        let mut through = self.through(&best);
        let hits = best.iter().map(|ranked| {
            let through = ranked.is_turn().then(|| through.remove(&ranked.slot)).flatten();
            self.hit(ranked, through.unwrap_or_default())
        });
        hits.collect()
    }

    /// Age and importance move a record only so far. So many records are surely worth `sure` or more with them, and those whose
    /// worth is below the floor are surely not: they need not be asked.
    fn best(&self) -> Vec<Ranked<'_>> {
        let depth = self.search.limit.saturating_mul(4).saturating_add(64);
        let mut values: Vec<f64> = self.worth().map(|worth| worth.value).collect();
        if values.len() > depth {
            let (_, value, _) = values.select_nth_unstable_by(depth, |one, other| other.total_cmp(one));
            let sure = *value * FACTOR_RANGE.start();
            let best = self.best_above(sure / FACTOR_RANGE.end());
            // Where very many tell the same twice, those below are needed after all.
            if best.len() == self.search.limit && best.last().is_some_and(|last| last.total >= sure) {
                return best;
            }
        }
        self.best_above(0.0)
    }

    /// The best of those that are worth so much before age and importance.
    fn best_above(&self, floor: f64) -> Vec<Ranked<'_>> {
        let above = self.worth().filter(|worth| worth.value >= floor);
        let ranked = above.filter_map(|worth| {
            let shelf = worth.side.view.shelf;
            let id = shelf.ids[worth.slot].as_ref()?;
            Some(Ranked {
                total: self.evidence(id, worth.slot).total(),
                at: shelf.entries[worth.slot].at,
                id,
                slot: worth.slot,
            })
        });
        let mut told: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
        best(ranked.collect(), self.search.limit, |ranked| {
            self.is_new(ranked, &mut told)
        })
    }

    /// The records that may be returned and for which anything speaks.
    fn worth(&self) -> impl Iterator<Item = Worth<'_>> {
        let turns = (self.search.kinds != Kinds::Gems).then_some(&self.turns);
        let gems = (self.search.kinds != Kinds::Turns).then_some(&self.gems);
        let person = self.search.person.as_ref();
        let person = person.map(|person| self.index.scope.people.find(person));
        turns.into_iter().chain(gems).flat_map(move |side| {
            let worth = side.view.slots().map(move |slot| Worth {
                value: Evidence::worth(side.fits[slot], side.keys[slot]),
                slot,
                side,
            });
            worth.filter(move |worth| {
                let is_theirs = |person| person == Some(side.view.shelf.scopes[worth.slot].person);
                worth.value > 0.0 && person.is_none_or(is_theirs) && !self.is_excluded(side, worth.slot)
            })
        })
    }

    /// What is in view word for word needs no reminder, nor does a gem made of nothing else.
    fn is_excluded(&self, side: &Side<'_>, slot: usize) -> bool {
        if self.excluded.is_empty() {
            return false;
        }
        let turns = side.view.shelf.turns.of(slot);
        !turns.is_empty() && turns.iter().all(|turn| self.excluded.contains(turn))
    }

    /// Whether a record tells more than what was taken before it: a gem and a turn it came from are told once, unless the
    /// second has a word of the search that the first has not.
    fn is_new(&self, ranked: &Ranked<'_>, told: &mut BTreeMap<u32, Vec<bool>>) -> bool {
        if self.search.kinds != Kinds::Both {
            return true;
        }
        let side = self.side(ranked.id);
        let has = self.matches(side, ranked.slot);
        let turns = side.view.shelf.turns.of(ranked.slot);
        let is_told = |turn: &u32| {
            let told = told.get(turn);
            told.is_some_and(|told| has.iter().zip(told).all(|(has, told)| !has || *told))
        };
        if !turns.is_empty() && turns.iter().all(is_told) {
            return false;
        }
        for turn in turns {
            let told = told.entry(*turn).or_insert_with(|| vec![false; has.len()]);
            told.iter_mut().zip(&has).for_each(|(told, has)| *told |= has);
        }
        true
    }

    fn evidence(&self, id: &RecordId, slot: usize) -> Evidence {
        let side = self.side(id);
        let entry = &side.view.shelf.entries[slot];
        Evidence {
            fit: side.fits[slot],
            keys: side.keys[slot],
            recency: recency(entry.at, self.search.now, entry.is_ageless),
            importance: importance(entry.importance, entry.strength, entry.is_pinned),
        }
    }

    /// By word of the search, whether the record has it.
    fn matches(&self, side: &Side<'_>, slot: usize) -> Vec<bool> {
        let name = &self.index.names.values()[side.view.shelf.entries[slot].name as usize];
        let parts = side.view.shelf.parts.of(slot);
        let has = |hash: u64| !side.view.shelf.postings.among(hash, parts.clone()).is_empty();
        let terms = self.query.terms.iter();
        terms
            .map(|term| has(term.hash) || name.contains(&term.hash))
            .collect()
    }

    fn hit(&self, ranked: &Ranked<'_>, through: Vec<GemId>) -> Hit {
        let side = self.side(ranked.id);
        let matched = self.query.terms.iter().zip(self.matches(side, ranked.slot));
        let matched = matched.filter(|(_, has)| *has).map(|(term, _)| term.word.clone());
        let evidence = self.evidence(ranked.id, ranked.slot);
        Hit {
            id: ranked.id.clone(),
            scores: evidence.scores(&side.grounds(&self.query, ranked.slot)),
            matched: matched.collect(),
            through,
        }
    }

    /// For the turns among these, by slot: the gems that speak for them, the best first.
    fn through(&self, best: &[Ranked<'_>]) -> BTreeMap<usize, Vec<GemId>> {
        let turns = best
            .iter()
            .filter(|ranked| ranked.is_turn())
            .map(|ranked| ranked.slot);
        let mut leading: BTreeMap<usize, Vec<Ranked<'_>>> = turns.map(|slot| (slot, Vec::new())).collect();
        if leading.is_empty() {
            return BTreeMap::new();
        }
        let mut is_found = vec![false; self.turns.view.sees.len()];
        leading.keys().for_each(|slot| is_found[*slot] = true);
        self.gems.leads(self.index, |turn, gem| {
            if let Some(id) = self.gems.view.shelf.ids[gem].as_ref().filter(|_| is_found[turn]) {
                leading.entry(turn).or_default().push(Ranked {
                    total: self.gems.fits[gem],
                    at: self.gems.view.shelf.entries[gem].at,
                    id,
                    slot: gem,
                });
            }
        });
        let gem_id = |ranked: &Ranked<'_>| match ranked.id {
            RecordId::Gem(id) => Some(id.clone()),
            RecordId::Turn(_) => None,
        };
        let leading = leading.into_iter().map(|(turn, mut leading)| {
            leading.sort_by(Ranked::compare);
            (
                turn,
                leading.iter().filter_map(gem_id).take(THROUGH_MAX).collect(),
            )
        });
        leading.collect()
    }

    fn side(&self, id: &RecordId) -> &Side<'a> {
        match id {
            RecordId::Gem(_) => &self.gems,
            RecordId::Turn(_) => &self.turns,
        }
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
