//! What a wish to forget is about, before anything is removed.

use std::collections::BTreeSet;

use gist::gems::scrub::ScrubBrief;
use vocabulary::{CapturedTurn, CommunityId, Forget, Gem, GemId, RoomId, SessionId, TurnKey, TurnKind};

use super::changing::Quiet;
use super::forgetting::Forgotten;
use super::retelling::retells;

/// Conversations of other agents are called so: nothing of them stands in a room.
const AGENTS_SESSION: &str = "agent:";

/// What is to be forgotten, found and not removed yet. Nothing else is changed while it is held.
#[derive(Debug)]
pub struct Wanted {
    pub(super) what: Forget,
    /// All that goes, with its words.
    pub(super) found: Forgotten,
    /// Gems of others that go along.
    pub(super) gems: Vec<GemId>,
    /// Answers that go along.
    pub(super) turns: Vec<TurnKey>,
    /// Summaries that may tell of it.
    pub(super) summaries: Vec<CapturedTurn>,
    /// So many of the texts are what the wish itself is about; the rest retell it.
    pub(super) meant_texts: usize,
    pub(super) of_agents: OfAgents,
    pub(super) communities: BTreeSet<CommunityId>,
    pub(super) _quiet: Quiet,
}

/// The part of it that agents told, and nobody said in a room.
#[derive(Debug, Default)]
pub(super) struct OfAgents {
    turns: Vec<TurnKey>,
    texts: Vec<String>,
}

impl Wanted {
    /// As the mind is told.
    pub(crate) fn told(&self, asked_in: Option<RoomId>) -> mind::Forgotten {
        self.found.told(self.what.clone(), asked_in)
    }

    /// As the mind is told where what was said in rooms stays: none where there is nothing else.
    pub(crate) fn told_of_agents(&self) -> Option<mind::Forgotten> {
        let OfAgents { turns, texts } = &self.of_agents;
        (!texts.is_empty()).then(|| {
            let forgotten = Forgotten {
                names: Vec::new(),
                texts: texts.clone(),
                ..Forgotten::default()
            };
            let mut told = forgotten.told(Forget::Turns(turns.clone()), None);
            told.turn_ids.clone_from(turns);
            told.gems = self.found.removed.gems.len();
            told.turns = self.found.removed.turns.len();
            told
        })
    }

    /// The communities that it was said in or learnt of.
    pub(crate) fn communities(&self) -> &BTreeSet<CommunityId> {
        &self.communities
    }

    /// Whether something of it was said in a room.
    pub(crate) fn is_said_in_rooms(&self) -> bool {
        self.found.removed.turns.len() > self.of_agents.turns.len()
    }

    pub(super) fn take(&mut self, gems: &[Gem], turns: &[CapturedTurn]) {
        for gem in gems {
            self.found.removed.gems.push(gem.gem_id.clone());
            self.note(&gem.place.community, &gem.source.session_id, &gem.content);
        }
        self.take_turns(turns);
    }

    pub(super) fn take_turns(&mut self, turns: &[CapturedTurn]) {
        for turn in turns {
            if !self.found.removed.turns.contains(&turn.id) {
                self.take_turn(turn);
            }
        }
    }

    /// Gems of others that tell of it; the turns that they came from.
    pub(super) fn take_mentions(&mut self, gems: &[Gem]) -> Vec<TurnKey> {
        let known = self.found.removed.gems.clone();
        let new: Vec<Gem> = gems
            .iter()
            .filter(|gem| !known.contains(&gem.gem_id))
            .cloned()
            .collect();
        self.gems.extend(new.iter().map(|gem| gem.gem_id.clone()));
        self.take(&new, &[]);
        let sources: BTreeSet<TurnKey> = new.into_iter().flat_map(|gem| gem.source.turns).collect();
        sources.into_iter().collect()
    }

    /// Whether a turn goes.
    pub(super) fn holds(&self, turn: &TurnKey) -> bool {
        self.found.removed.turns.contains(turn)
    }

    /// A turn that may tell of it: a summary, or an answer of Denizen's.
    pub(super) fn look_at(&mut self, turn: CapturedTurn, answers_it: bool) {
        let brief = ScrubBrief {
            names: &self.found.names,
            texts: &self.found.texts[..self.meant_texts],
        };
        if self.found.removed.turns.contains(&turn.id) {
            return;
        }
        if turn.kind == TurnKind::Summary {
            if !self.summaries.iter().any(|known| known.id == turn.id) {
                self.summaries.push(turn);
            }
        } else if retells(&turn, &brief, answers_it) {
            self.turns.push(turn.id.clone());
            self.take_turn(&turn);
        }
    }

    fn take_turn(&mut self, turn: &CapturedTurn) {
        self.found.removed.turns.push(turn.id.clone());
        if is_of_agents(&turn.session) {
            self.of_agents.turns.push(turn.id.clone());
        }
        self.note(&turn.place.community, &turn.session, &turn.text);
    }

    fn note(&mut self, community: &CommunityId, session: &SessionId, text: &str) {
        self.communities.insert(community.clone());
        if is_of_agents(session) {
            self.of_agents.texts.push(text.to_owned());
        }
        self.found.texts.push(text.to_owned());
    }
}

fn is_of_agents(session: &SessionId) -> bool {
    session.as_str().starts_with(AGENTS_SESSION)
}
