//! A search of the whole index: exact, every record in view is looked at.

use std::collections::{BTreeMap, BTreeSet};

use vocabulary::{GemId, Kinds, RecordId, Search};

use crate::fuse::{Evidence, importance, recency};
use crate::hit::Hit;
use crate::intern::NONE;
use crate::lexical::Lexical;
use crate::meaning::Meaning;
use crate::order::{Ranked, best};
use crate::query::Query;
use crate::scope::Sight;
use crate::vectors::QueryVector;
use crate::view::{Conversation, View};
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
    /// By turn slot: the best fit of the gems that lead to it.
    keys: Vec<f64>,
}

/// The records of one kind with how well they fit.
struct Side<'a> {
    view: View<'a>,
    lexical: Lexical,
    meaning: Meaning,
}

impl<'a> Question<'a> {
    fn new(index: &'a Index, search: &'a Search, sight: &'a Sight, given: Option<&Given>) -> Question<'a> {
        let query = Query::read(&search.words);
        let vector = search.vector.as_deref().and_then(QueryVector::new);
        let conversation = Conversation {
            neighbours: &index.neighbours,
            contexts: &index.contexts,
        };
        let turns = View::new(&index.turns, Some(conversation), sight, |_| {
            search.kinds != Kinds::Gems
        });
        let gems = View::new(&index.gems, None, sight, |gem| {
            gem.is_current || search.superseded
        });
        let side = |view: View<'a>| Side {
            lexical: Lexical::new(index, &view, &query, given.map(|given| &given.rarities)),
            meaning: match given {
                Some(given) => Meaning::given(&view, &given.cosines),
                None => Meaning::new(&view, vector.as_ref()),
            },
            view,
        };
        let (turns, gems) = (side(turns), side(gems));
        let keys = keys(index, &turns, &gems);
        let excluded = search.exclude.iter().filter_map(|turn| index.keys.find(turn));
        Question {
            index,
            search,
            excluded: excluded.collect(),
            query,
            turns,
            gems,
            keys,
        }
    }

    fn hits(&self) -> Vec<Hit> {
        let mut ranked = Vec::new();
        if self.search.kinds != Kinds::Gems {
            ranked.extend(self.ranked(&self.turns));
        }
        if self.search.kinds != Kinds::Turns {
            ranked.extend(self.ranked(&self.gems));
        }
        let mut told: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
        let best = best(ranked, self.search.limit, |ranked| self.is_new(ranked, &mut told));
        let through = self.through(&best);
        best.iter().map(|ranked| self.hit(ranked, &through)).collect()
    }

    /// The records of one kind that may be returned and for which anything speaks.
    fn ranked<'q>(&'q self, side: &'q Side<'a>) -> impl Iterator<Item = Ranked<'q>> + 'q {
        let person = self
            .search
            .person
            .as_ref()
            .map(|person| self.index.scope.people.find(person));
        let slots = side.view.slots().filter(move |slot| {
            let entry = &side.view.shelf.entries[*slot];
            let is_theirs = person.is_none_or(|person| person == Some(entry.person));
            // What is in view word for word needs no reminder, nor does a gem of nothing else.
            let in_view =
                !entry.turns.is_empty() && entry.turns.iter().all(|turn| self.excluded.contains(turn));
            is_theirs && !in_view
        });
        slots.filter_map(move |slot| {
            let id = side.view.shelf.ids[slot].as_ref()?;
            let total = self.evidence(id, slot).total();
            (total > 0.0).then_some(Ranked {
                total,
                at: side.view.shelf.entries[slot].at,
                id,
                slot,
            })
        })
    }

    /// Whether a record tells more than what was taken before it: a gem and a turn it came from are told once, unless the
    /// second has a word of the search that the first has not.
    fn is_new(&self, ranked: &Ranked<'_>, told: &mut BTreeMap<u32, Vec<bool>>) -> bool {
        if self.search.kinds != Kinds::Both {
            return true;
        }
        let side = self.side(ranked.id);
        let has = self.matches(side, ranked.slot);
        let turns = &side.view.shelf.entries[ranked.slot].turns;
        let is_told = |turn: &u32| {
            told.get(turn)
                .is_some_and(|told| has.iter().zip(told).all(|(has, told)| !has || *told))
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
        let (keys, weight) = match id {
            RecordId::Turn(_) => (self.keys[slot], None),
            RecordId::Gem(_) => (0.0, Some(entry.importance)),
        };
        Evidence {
            keys,
            recency: recency(entry.at, self.search.now, entry.is_ageless),
            importance: importance(weight, entry.is_pinned),
            ..side.evidence(slot)
        }
    }

    /// By word of the search, whether the record has it.
    fn matches(&self, side: &Side<'_>, slot: usize) -> Vec<bool> {
        let name = &self.index.names.values()[side.view.shelf.entries[slot].name as usize];
        let terms = self.query.terms.iter();
        terms
            .map(|term| {
                side.view.shelf.postings.count(term.hash, slot as u32).all() > 0 || name.contains(&term.hash)
            })
            .collect()
    }

    fn hit(&self, ranked: &Ranked<'_>, through: &BTreeMap<usize, Vec<GemId>>) -> Hit {
        let side = self.side(ranked.id);
        let matched = self.query.terms.iter().zip(self.matches(side, ranked.slot));
        let evidence = Evidence {
            own: side.lexical.own(&side.view, &self.query, ranked.slot),
            ..self.evidence(ranked.id, ranked.slot)
        };
        let is_turn = matches!(ranked.id, RecordId::Turn(_));
        let through = through.get(&ranked.slot).filter(|_| is_turn);
        Hit {
            id: ranked.id.clone(),
            scores: evidence.scores(),
            matched: matched
                .filter(|(_, has)| *has)
                .map(|(term, _)| term.word.clone())
                .collect(),
            through: through.cloned().unwrap_or_default(),
        }
    }

    /// For the turns among these, by slot: the gems that speak for them, the best first.
    fn through(&self, best: &[Ranked<'_>]) -> BTreeMap<usize, Vec<GemId>> {
        let is_turn = |ranked: &&Ranked<'_>| matches!(ranked.id, RecordId::Turn(_));
        let turns = best.iter().filter(is_turn).map(|ranked| ranked.slot);
        let mut leading: BTreeMap<usize, Vec<Ranked<'_>>> = turns.map(|slot| (slot, Vec::new())).collect();
        for (turn, gem) in leads(self.index, &self.gems.view) {
            let (Some(leading), Some(id)) = (leading.get_mut(&turn), &self.gems.view.shelf.ids[gem]) else {
                continue;
            };
            let total = self.gems.evidence(gem).fit();
            if total > 0.0 {
                leading.push(Ranked {
                    total,
                    at: self.gems.view.shelf.entries[gem].at,
                    id,
                    slot: gem,
                });
            }
        }
        let gem_id = |ranked: Ranked<'_>| match ranked.id {
            RecordId::Gem(id) => Some(id.clone()),
            RecordId::Turn(_) => None,
        };
        let leading = leading.into_iter().map(|(turn, leading)| {
            let best = best_gems(leading);
            (turn, best.into_iter().filter_map(gem_id).collect())
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

impl Side<'_> {
    /// What speaks for a record by itself.
    fn evidence(&self, slot: usize) -> Evidence {
        Evidence {
            coverage: self.lexical.scores[slot],
            cosine: self.meaning.cosine(slot),
            standing: self.meaning.standing(slot),
            recency: 1.0,
            importance: 1.0,
            ..Evidence::default()
        }
    }
}

fn best_gems(leading: Vec<Ranked<'_>>) -> Vec<Ranked<'_>> {
    best(leading, THROUGH_MAX, |_| true)
}

/// By turn slot: the best fit of the gems that lead to it; 0 where none does.
fn keys(index: &Index, turns: &Side<'_>, gems: &Side<'_>) -> Vec<f64> {
    let mut keys = vec![0.0_f64; turns.view.sees.len()];
    for (turn, gem) in leads(index, &gems.view) {
        keys[turn] = keys[turn].max(gems.evidence(gem).fit());
    }
    keys
}

/// The slots of turns and of the gems in view that lead to them.
fn leads<'a>(index: &'a Index, gems: &'a View<'_>) -> impl Iterator<Item = (usize, usize)> + 'a {
    gems.slots().flat_map(move |gem| {
        let turns = gems.shelf.entries[gem].turns.iter();
        let slots = turns
            .map(|turn| index.turn_slots[*turn as usize])
            .filter(|slot| *slot != NONE);
        slots.map(move |slot| (slot as usize, gem))
    })
}
