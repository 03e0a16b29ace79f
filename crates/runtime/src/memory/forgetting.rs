//! Forgetting, for good: the records, their vectors and words, turns that wait, and what others' memories say of a person.

use std::collections::BTreeSet;
use std::sync::Arc;

use gist::gems::scrub::scrub_summary;
use vocabulary::{
    CapturedTurn, CommunityId, Forget, Gem, Kinds, Record, RecordId, RoomId, SessionId, Viewpoint,
};

use super::changing::Changing;
use super::records::{MemoryRecords, Question};
use super::retelling::brief;
use super::wanted::{OfAgents, Wanted};
use crate::ports::{GemStore, Listing, MemoryFault, Removed, TurnBuffer};

/// Records that are read in one go.
const PAGE: usize = 200;
/// Forgotten texts that summaries are searched for; more than a conversation is ever summarised from.
const TEXTS_MAX: usize = 5_000;
/// Memories of others that are looked at for a person's name.
const MENTIONS_MAX: usize = 500;

/// What was forgotten, and what must not be told any more wherever else it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forgotten {
    pub removed: Removed,
    /// Names of whom is forgotten.
    pub names: Vec<String>,
    /// The forgotten texts. They go no further than to whoever must remove them too.
    pub texts: Vec<String>,
}

impl Forgotten {
    /// As the mind is told.
    pub(crate) fn told(&self, what: Forget, asked_in: Option<RoomId>) -> mind::Forgotten {
        mind::Forgotten {
            what,
            names: self.names.clone(),
            texts: self.texts.clone(),
            turn_ids: self.removed.turns.clone(),
            gems: self.removed.gems.len(),
            turns: self.removed.turns.len(),
            asked_in,
            failure: None,
        }
    }
}

/// Forgetting, in the store, in the buffer and in stores that were moved away from. Cheap to clone.
#[derive(Clone)]
pub struct MemoryForgetting {
    records: MemoryRecords,
    buffer: Arc<dyn TurnBuffer>,
    /// Stores that were moved away from and still hold a copy: whatever is forgotten is forgotten there too.
    left_behind: Vec<Arc<dyn GemStore>>,
    /// Held while turns are taken on, gems are stored or something is forgotten: what is forgotten must not come back.
    changing: Arc<Changing>,
}

impl std::fmt::Debug for MemoryForgetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryForgetting")
            .field("left_behind", &self.left_behind.len())
            .finish_non_exhaustive()
    }
}

impl MemoryForgetting {
    pub(super) fn new(records: MemoryRecords, buffer: Arc<dyn TurnBuffer>, changing: Arc<Changing>) -> Self {
        Self {
            records,
            buffer,
            left_behind: Vec::new(),
            changing,
        }
    }

    pub(super) fn leave_behind(&mut self, store: Arc<dyn GemStore>) {
        self.left_behind.push(store);
    }

    /// Removes it from stores that were moved away from.
    pub(super) async fn remove_copies(&self, what: &Forget) -> Result<(), MemoryFault> {
        for store in &self.left_behind {
            store.forget(what).await?;
        }
        Ok(())
    }

    pub(super) fn records(&self) -> &MemoryRecords {
        &self.records
    }

    /// Forgets, here and in the buffer. Safe to repeat: a second time finds nothing left.
    pub async fn forget(&self, what: &Forget) -> Result<Forgotten, MemoryFault> {
        let wanted = self.find(what).await?;
        self.carry_out(wanted).await
    }

    /// Finds all that a wish is about, and removes nothing yet: whoever is told of it first can repeat the wish after a
    /// crash. Nothing else changes what is remembered there while it is held.
    pub async fn find(&self, what: &Forget) -> Result<Wanted, MemoryFault> {
        let quiet = self.changing.quiet(community_of(what)).await;
        let mut wanted = Wanted {
            what: what.clone(),
            found: Forgotten::default(),
            gems: Vec::new(),
            turns: Vec::new(),
            summaries: Vec::new(),
            meant_texts: 0,
            of_agents: OfAgents::default(),
            communities: BTreeSet::new(),
            _quiet: quiet,
        };
        let Meant {
            gems,
            turns,
            sessions,
        } = self.meant(what).await?;
        wanted.take(&gems, &turns);
        wanted.meant_texts = wanted.found.texts.len();
        if let Forget::Person { name, community, .. } = what {
            wanted.found.names.push(name.clone());
            self.find_mentions(name, community.as_ref(), &mut wanted).await?;
        }
        self.find_retellings(&sessions, &mut wanted).await?;
        Ok(wanted)
    }

    /// Removes what was found; what the wish names goes last, so that one that breaks off finds the rest again.
    pub async fn carry_out(&self, wanted: Wanted) -> Result<Forgotten, MemoryFault> {
        let Wanted {
            what,
            mut found,
            gems,
            turns,
            summaries,
            ..
        } = wanted;
        found.removed = Removed::default();
        self.scrub(summaries, &found).await?;
        if !turns.is_empty() {
            self.remove(&Forget::Turns(turns), &mut found).await?;
        }
        if !gems.is_empty() {
            self.remove(&Forget::Gems(gems), &mut found).await?;
        }
        self.remove(&what, &mut found).await?;
        Ok(found)
    }

    /// Removes it from everywhere it is kept. The buffer first: what is gone from it cannot become a gem any more.
    pub(super) async fn remove(&self, what: &Forget, forgotten: &mut Forgotten) -> Result<(), MemoryFault> {
        self.buffer.forget(what).await?;
        self.remove_copies(what).await?;
        let removed = self.records.gems.forget(what).await?;
        forgotten.removed.gems.extend(removed.gems);
        forgotten.removed.turns.extend(removed.turns);
        Ok(())
    }

    /// What others' memories say of a person: gems that name them go, summaries lose the sentences that do.
    async fn find_mentions(
        &self,
        name: &str,
        community: Option<&CommunityId>,
        wanted: &mut Wanted,
    ) -> Result<(), MemoryFault> {
        if name.trim().is_empty() {
            return Ok(());
        }
        let question = Question {
            words: name.to_owned(),
            view: Viewpoint::Operator,
            person: None,
            kinds: Kinds::Both,
            exclude: Vec::new(),
            superseded: true,
            limit: MENTIONS_MAX,
        };
        let found = self.records.find(&question).await?.found;
        let mut gems = Vec::new();
        for record in found.into_iter().map(|found| found.record) {
            match record {
                Record::Gem(gem) if is_in(&gem.place.community, community) && names(&gem.content, name) => {
                    gems.push(*gem);
                }
                Record::Turn(turn) if is_in(&turn.place.community, community) => wanted.look_at(turn, false),
                Record::Gem(_) | Record::Turn(_) => {}
            }
        }
        let sources = wanted.take_mentions(&gems);
        // What others said stays theirs; what Denizen retold of it does not.
        for turn in self.records.turns_of(&sources).await? {
            wanted.look_at(turn, false);
        }
        Ok(())
    }

    pub(super) async fn scrub(
        &self,
        summaries: Vec<CapturedTurn>,
        forgotten: &Forgotten,
    ) -> Result<(), MemoryFault> {
        let brief = brief(forgotten);
        for mut summary in summaries {
            let Some(text) = scrub_summary(&summary.text, &brief) else {
                continue;
            };
            if text.trim().is_empty() {
                self.records
                    .gems
                    .forget(&Forget::Turns(vec![summary.id.clone()]))
                    .await?;
            } else {
                summary.text = text;
                self.records.put(vec![Record::Turn(summary)]).await?;
            }
        }
        Ok(())
    }

    async fn meant(&self, what: &Forget) -> Result<Meant, MemoryFault> {
        let listing = match what {
            Forget::Gems(gems) => {
                let gems: Vec<RecordId> = gems.iter().cloned().map(RecordId::Gem).collect();
                let mut meant = Meant::default();
                for record in self.records.gems.get(&gems).await? {
                    if let Record::Gem(gem) = record {
                        meant.take_turns(self.records.turns_of(&gem.source.turns).await?);
                        meant.take_gems(vec![*gem]);
                    }
                }
                return Ok(meant);
            }
            Forget::Turns(turns) => {
                let mut meant = Meant::default();
                meant.take_turns(self.records.turns_of(turns).await?);
                return Ok(meant);
            }
            Forget::Person {
                person, community, ..
            } => Listing {
                person: Some(person.clone()),
                community: community.clone(),
                ..Listing::default()
            },
            Forget::Session(session) => Listing {
                session: Some(session.clone()),
                ..Listing::default()
            },
            Forget::Community(community) => Listing {
                community: Some(community.clone()),
                ..Listing::default()
            },
            Forget::Room { community, room } => Listing {
                community: Some(community.clone()),
                room: Some(room.clone()),
                ..Listing::default()
            },
        };
        self.meant_listed(listing).await
    }

    async fn meant_listed(&self, mut listing: Listing) -> Result<Meant, MemoryFault> {
        listing.limit = PAGE;
        let mut meant = Meant::default();
        let mut turns = listing.clone();
        while meant.len() < TEXTS_MAX {
            let page = self.records.gems.gems(&listing).await?;
            meant.take_gems(page.items);
            listing.after = page.next;
            if listing.after.is_none() {
                break;
            }
        }
        while meant.len() < TEXTS_MAX {
            let page = self.records.gems.turns(&turns).await?;
            meant.take_turns(page.items);
            turns.after = page.next;
            if turns.after.is_none() {
                break;
            }
        }
        Ok(meant)
    }
}

/// What a wish means by itself, and the conversations it is from.
#[derive(Default)]
struct Meant {
    gems: Vec<Gem>,
    turns: Vec<CapturedTurn>,
    sessions: BTreeSet<SessionId>,
}

impl Meant {
    fn len(&self) -> usize {
        self.gems.len() + self.turns.len()
    }

    fn take_gems(&mut self, gems: Vec<Gem>) {
        let sessions = gems.iter().map(|gem| gem.source.session_id.clone());
        self.sessions.extend(sessions);
        self.gems.extend(gems);
    }

    fn take_turns(&mut self, turns: Vec<CapturedTurn>) {
        self.sessions
            .extend(turns.iter().map(|turn| turn.session.clone()));
        self.turns.extend(turns);
    }
}

/// The one community that a wish concerns, where it is one.
fn community_of(what: &Forget) -> Option<&CommunityId> {
    match what {
        Forget::Person { community, .. } => community.as_ref(),
        Forget::Room { community, .. } | Forget::Community(community) => Some(community),
        Forget::Gems(_) | Forget::Turns(_) | Forget::Session(_) => None,
    }
}

fn is_in(place: &CommunityId, wanted: Option<&CommunityId>) -> bool {
    wanted.is_none_or(|wanted| wanted == place)
}

/// Whether a text has a name as words of its own, whatever the case.
fn names(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.trim().to_lowercase());
    text.match_indices(&name).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !is_word(before) && !is_word(after)
    })
}
