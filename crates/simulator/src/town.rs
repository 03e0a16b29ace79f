//! Several communities with the same rooms, people and storms, over one store: nothing of one may show in another.
//!
//! What the store keys by community cannot collide; what it does not (turns, conversations and gems of memory) must be
//! told apart by its own name. So the same storm is lived through in each of them, and everything is put side by side.

use std::collections::BTreeMap;

use mind::Effect;
use serde_json::json;
use settings::Document;
use vocabulary::{CommunityId, Moment, Place, Viewpoint};

use crate::check::{Violation, check};
use crate::simulate::live_in;
use crate::trace::Trace;

/// A community of the town, and what it was like to live there.
#[derive(Debug)]
pub struct Lived {
    pub community: CommunityId,
    /// What Denizen is called there, and nowhere else.
    pub denizen: String,
    pub trace: Trace,
}

/// Lives through the same hours in so many communities, each with a name and a model of its own; every standing property
/// of a world holds in each of them, and those of a town between them.
pub fn simulate_town(seed: u64, hours: u64, communities: usize) -> (Vec<Lived>, Vec<Violation>) {
    let lived: Vec<Lived> = (0..communities)
        .map(|number| {
            let community = match number {
                0 => CommunityId::home(),
                _ => CommunityId::new(format!("community-{number}")),
            };
            let denizen = format!("Zorblax{number}");
            let mut own = Document::default();
            own.set("identity.name", json!(denizen));
            own.set("llm.model", json!(format!("model-of-{denizen}")));
            let trace = live_in(&community, &own, seed, hours);
            Lived {
                community,
                denizen,
                trace,
            }
        })
        .collect();
    let mut violations: Vec<Violation> = lived.iter().flat_map(|lived| check(&lived.trace)).collect();
    violations.extend(cross_talk(&lived));
    (lived, violations)
}

/// Everything of one community that shows in another.
pub fn cross_talk(town: &[Lived]) -> Vec<Violation> {
    let mut found = Vec::new();
    one_store_tells_them_apart(town, &mut found);
    for lived in town {
        let others: Vec<&str> = town
            .iter()
            .filter(|other| other.community != lived.community)
            .map(|other| other.denizen.as_str())
            .collect();
        stays_in_its_place(lived, &mut found);
        hears_of_nobody(lived, &others, &mut found);
    }
    found
}

/// Turns, conversations and gems are known by id alone in a store of memory, whichever community they are of.
fn one_store_tells_them_apart(town: &[Lived], found: &mut Vec<Violation>) {
    let mut owners: BTreeMap<(&str, &str), &CommunityId> = BTreeMap::new();
    for lived in town {
        let memory = &lived.trace.memory;
        let turns = memory.captured.iter().map(|id| ("turn", id.as_str()));
        let gems = memory.gems.keys().map(|id| ("gem", id.as_str()));
        let sessions = memory
            .waiting
            .iter()
            .map(|turn| ("session", turn.session.as_str()));
        for key in turns.chain(gems).chain(sessions) {
            let owner = *owners.entry(key).or_insert(&lived.community);
            if *owner != lived.community {
                found.push(Violation {
                    property: "communities_share_no_ids_of_memory",
                    at: Moment::default(),
                    what: format!("{} {} is of {owner} and of {}", key.0, key.1, lived.community),
                });
            }
        }
    }
}

/// What is kept of a community says so, and its mind looks nowhere else.
fn stays_in_its_place(lived: &Lived, found: &mut Vec<Violation>) {
    let mut expect = |place: &Place, what: &str| {
        if place.community != lived.community {
            found.push(Violation {
                property: "what_is_kept_is_kept_for_its_own_community",
                at: Moment::default(),
                what: format!("{what} of {} was made in {}", place.community, lived.community),
            });
        }
    };
    let memory = &lived.trace.memory;
    memory
        .waiting
        .iter()
        .for_each(|turn| expect(&turn.place, "a turn"));
    memory.gems.values().for_each(|gem| expect(&gem.place, "a gem"));
    for step in &lived.trace.steps {
        for effect in &step.effects {
            if let Effect::Recall(query) = effect
                && !looks_at(&query.view, &lived.community)
            {
                found.push(Violation {
                    property: "a_mind_recalls_from_its_own_community",
                    at: step.now.moment,
                    what: format!("{} looked as {:?}", lived.community, query.view),
                });
            }
        }
    }
}

fn looks_at(view: &Viewpoint, own: &CommunityId) -> bool {
    match view {
        Viewpoint::Operator => false,
        Viewpoint::Room { community, .. } => community == own,
    }
}

/// Neither prompts nor the journal have the name that Denizen has elsewhere.
fn hears_of_nobody(lived: &Lived, others: &[&str], found: &mut Vec<Violation>) {
    let mut look = |at: Moment, text: &str, what: &str| {
        for other in others.iter().filter(|other| has_name(text, other)) {
            found.push(Violation {
                property: "nobody_hears_of_another_community",
                at,
                what: format!("{what} of {} names {other}", lived.community),
            });
        }
    };
    for step in &lived.trace.steps {
        for effect in &step.effects {
            if let Effect::Ask(asking) = effect {
                let request = serde_json::to_string(&asking.request).expect("a request is plain data");
                look(step.now.moment, &request, "a question to a model");
            }
        }
    }
    for entry in lived.trace.journal() {
        let line = serde_json::to_string(entry).expect("journal entries are plain data");
        look(entry.moment, &line, "a journal line");
    }
}

/// Whether a text has a name that no digit goes on from.
fn has_name(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, found)| {
        let after = text[at + found.len()..].chars().next();
        !after.is_some_and(|next| next.is_ascii_digit())
    })
}
