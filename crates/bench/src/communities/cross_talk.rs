//! Looking everywhere for what belongs to another community.

use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use mind::Input;
use runtime::live::{LiveFeed, Missed, Numbered};
use runtime::memory::Question;
use runtime::ports::{JournalQuery, Listing, MessageQuery};
use runtime::{Hosted, Town};
use tokio::sync::broadcast::Receiver;
use vocabulary::{AuthorKind, Kinds, Reach, Record, RoomId, Viewpoint};

use super::markers;
use super::scripted::{Asked, ROOM};
use super::town::{ALICE, id, marker, message_of_alice, model, name, number};

/// Pages that listen to every community from before anything is said.
pub struct Listening(Vec<(usize, LiveFeed, u64, Receiver<Arc<Numbered>>)>);

impl Listening {
    pub fn to(everybody: &[Hosted]) -> Self {
        let feeds = everybody.iter().enumerate().map(|(place, hosted)| {
            let feed = hosted.handle.live().clone();
            let from = feed.next_id().saturating_sub(1);
            let (_, receiver) = feed.subscribe(None);
            (place, feed, from, receiver)
        });
        Self(feeds.collect())
    }
}

/// What was seen where it does not belong.
#[derive(Debug, Default)]
pub struct Seen {
    pub cross_talk: Vec<String>,
}

impl Seen {
    fn look(&mut self, owner: usize, place: &str, text: &str) {
        for found in markers(text).filter(|found| *found != owner) {
            let owner = id(owner);
            self.cross_talk
                .push(format!("{place} of {owner} has the word of {}", id(found)));
        }
    }

    fn expect(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.cross_talk.push(otherwise());
        }
    }

    /// Waits until everybody was answered, and reads every room; how many replies there are.
    pub async fn rooms(&mut self, everybody: &[Hosted], messages: usize) -> anyhow::Result<usize> {
        let mut replies = 0;
        for hosted in everybody {
            let owner = number(hosted)?;
            let said = answered(hosted, messages).await?;
            for stored in said {
                self.look(owner, "the room", &stored.text);
                if stored.author.kind == AuthorKind::Denizen {
                    replies += 1;
                    let wanted = format!("I am {}.", model(owner));
                    self.expect(
                        stored.text.contains(&wanted) && stored.author.name == name(owner),
                        || {
                            format!(
                                "{} was answered by {}: {}",
                                id(owner),
                                stored.author.name,
                                stored.text
                            )
                        },
                    );
                }
            }
        }
        Ok(replies)
    }

    pub async fn settings(&mut self, everybody: &[Hosted]) -> anyhow::Result<()> {
        for hosted in everybody {
            let owner = number(hosted)?;
            let in_force = hosted.handle.in_force();
            let settings = &in_force.settings;
            self.expect(
                settings.identity.name == name(owner) && settings.llm.model == model(owner),
                || format!("{} has the settings of {}", id(owner), settings.identity.name),
            );
            let saved = hosted.handle.store().settings(hosted.id()).await?;
            self.expect(saved.version() == in_force.saved.version, || {
                format!("{} is behind its settings", id(owner))
            });
        }
        Ok(())
    }

    pub async fn journals(&mut self, everybody: &[Hosted]) -> anyhow::Result<()> {
        for hosted in everybody {
            let owner = number(hosted)?;
            let query = JournalQuery {
                limit: 5_000,
                ..JournalQuery::default()
            };
            let lines = hosted.handle.store().journal(hosted.id(), query).await?;
            ensure!(!lines.is_empty(), "{} has no journal", hosted.id());
            for line in lines {
                self.look(owner, "the journal", &serde_json::to_string(&line)?);
            }
        }
        Ok(())
    }

    /// Everything that is remembered of each, and what a search there finds of the next; how many turns there are.
    pub async fn memories(&mut self, everybody: &[Hosted]) -> anyhow::Result<usize> {
        let mut turns = 0;
        for (place, hosted) in everybody.iter().enumerate() {
            let owner = number(hosted)?;
            let Some(service) = hosted.handle.memory() else {
                continue;
            };
            turns += archived(hosted).await?;
            let listing = Listing {
                community: Some(hosted.id().clone()),
                limit: 1_000,
                ..Listing::default()
            };
            for turn in service.records().turns(&listing).await?.items {
                self.look(owner, "a remembered turn", &turn.text);
            }
            for gem in service.records().gems(&listing).await?.items {
                self.look(owner, "a memory", &gem.content);
            }
            let neighbour = number(&everybody[(place + 1) % everybody.len()])?;
            let question = Question {
                words: format!("Alice likes {} best of all", marker::of(neighbour)),
                view: Viewpoint::Room {
                    community: hosted.id().clone(),
                    room: RoomId::new(ROOM),
                    reach: Reach::Community,
                    people: Vec::new(),
                },
                person: None,
                kinds: Kinds::Both,
                exclude: Vec::new(),
                superseded: true,
                limit: 20,
            };
            for found in service.records().recall(&question).await?.found {
                let text = match &found.record {
                    Record::Gem(gem) => &gem.content,
                    Record::Turn(turn) => &turn.text,
                };
                self.look(owner, "a search of memory", text);
            }
            let store = hosted.handle.store();
            let words = marker::of(neighbour);
            for message in store
                .search(hosted.id(), &RoomId::new(ROOM), &words, &[], 20)
                .await?
            {
                self.look(owner, "a search of messages", &message.text);
            }
        }
        Ok(turns)
    }

    /// What models were told, each by the name under which it was asked; how often they were.
    pub fn requests(&mut self, requests: &[Asked]) -> usize {
        for asked in requests {
            match markers(&asked.model).next() {
                Some(owner) => self.look(owner, "a question to a model", &asked.said),
                None => self
                    .cross_talk
                    .push(format!("a model called {} was asked", asked.model)),
            }
        }
        requests.len()
    }

    /// What pages were told; how many events there were.
    pub fn events(&mut self, listening: Listening) -> usize {
        let mut count = 0;
        for (place, feed, from, mut receiver) in listening.0 {
            let mut events: Vec<Arc<Numbered>> = Vec::new();
            while let Ok(event) = receiver.try_recv() {
                events.push(event);
            }
            if let (Missed::Events(kept), _) = feed.subscribe(Some(from)) {
                events.extend(kept);
            }
            count += events.len();
            for event in events {
                let text = serde_json::to_string(event.as_ref()).unwrap_or_default();
                // The default community stands last in the list of ids, and first in ours.
                let owner = markers_owner(event.community.as_str());
                self.expect(owner.is_some(), || {
                    format!("an event of place {place} has no community")
                });
                self.look(owner.unwrap_or(usize::MAX), "a live event", &text);
            }
        }
        count
    }

    /// Alice, who is somebody else in every community, wants to be forgotten in one of them, and nobody else forgets her.
    pub async fn forgetting(&mut self, everybody: &[Hosted]) -> anyhow::Result<()> {
        let mut before = Vec::new();
        for hosted in everybody {
            before.push(of_alice(hosted).await?);
        }
        let place = everybody.len() - 1;
        let one = &everybody[place];
        for (id, text) in [("forget-me", "/forget me"), ("forget-me-yes", "/forget me yes")] {
            let wish = message_of_alice(id, text.to_owned());
            one.handle.accept(Input::message_arrived(wish)).await?;
        }
        let mut left = before[place];
        for _ in 0..600 {
            left = of_alice(one).await?;
            if left == (0, 0) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        ensure!(
            left == (0, 0),
            "{} messages and {} turns of hers are left in {}",
            left.0,
            left.1,
            one.id()
        );
        for (hosted, before) in everybody.iter().zip(before).take(place) {
            ensure!(
                before.0 > 0 && before.1 > 0,
                "Alice is not known in {}",
                hosted.id()
            );
            let now = of_alice(hosted).await?;
            self.expect(now == before, || {
                format!("{} forgot Alice with another community", hosted.id())
            });
        }
        Ok(())
    }

    /// One community goes, and nobody else notices.
    pub async fn removal(&mut self, town: &Town) -> anyhow::Result<()> {
        let mut before = Vec::new();
        for hosted in town.list() {
            before.push((hosted.id().clone(), remembered(&hosted).await?));
        }
        let gone = town.remove(&id(1)).await?;
        ensure!(gone.stored.messages > 0, "the removed community had no messages");
        for hosted in town.list() {
            let owner = number(&hosted)?;
            let left = read(&hosted).await?.len();
            self.expect(left > 0, || {
                format!("{} lost its messages with another community", id(owner))
            });
            let now = remembered(&hosted).await?;
            let known = before
                .iter()
                .any(|(one, turns)| one == hosted.id() && now >= *turns);
            self.expect(known, || {
                format!("{} lost its memory with another community", id(owner))
            });
        }
        let listing = Listing {
            community: Some(id(1)),
            limit: 10,
            ..Listing::default()
        };
        if let Some(service) = town.home().handle.memory() {
            let left = service.records().turns(&listing).await?.items.len()
                + service.records().gems(&listing).await?.items.len();
            self.expect(left == 0, || {
                format!("{left} memories of a removed community are left")
            });
        }
        Ok(())
    }
}

fn markers_owner(community: &str) -> Option<usize> {
    match community.strip_prefix("community-") {
        Some(digits) => digits.parse().ok(),
        None => (community == id(0).as_str()).then_some(0),
    }
}

async fn read(hosted: &Hosted) -> anyhow::Result<Vec<vocabulary::Message>> {
    let query = MessageQuery {
        room: RoomId::new(ROOM),
        before: None,
        after: None,
        limit: 1_000,
    };
    let page = hosted.handle.store().messages(hosted.id(), query).await?;
    Ok(page.messages.into_iter().map(|stored| stored.message).collect())
}

/// How many messages of Alice's a community has, and how many turns of hers it remembers.
async fn of_alice(hosted: &Hosted) -> anyhow::Result<(usize, usize)> {
    let said = read(hosted).await?;
    let is_hers =
        |message: &&vocabulary::Message| message.author.id.as_str() == ALICE && !message.text.is_empty();
    let said = said.iter().filter(is_hers).count();
    let Some(service) = hosted.handle.memory() else {
        return Ok((said, 0));
    };
    let listing = Listing {
        community: Some(hosted.id().clone()),
        limit: 1_000,
        ..Listing::default()
    };
    let turns = service.records().turns(&listing).await?.items;
    let turns = turns.iter().filter(|turn| turn.speaker.id.as_str() == ALICE);
    Ok((said, turns.count()))
}

/// The room once every message in it was answered.
async fn answered(hosted: &Hosted, messages: usize) -> anyhow::Result<Vec<vocabulary::Message>> {
    for _ in 0..1_200 {
        let said = read(hosted).await?;
        let replies = said
            .iter()
            .filter(|message| message.author.kind == AuthorKind::Denizen);
        if replies.count() >= messages.min(1) && is_quiet(hosted, &said) {
            return Ok(said);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    anyhow::bail!("{} did not answer", hosted.id())
}

/// Whether the newest message is Denizen's: what was written close together is answered together.
fn is_quiet(_: &Hosted, said: &[vocabulary::Message]) -> bool {
    said.last()
        .is_some_and(|last| last.author.kind == AuthorKind::Denizen)
}

/// The turns that memory has of a community, once it has any.
async fn archived(hosted: &Hosted) -> anyhow::Result<usize> {
    for _ in 0..300 {
        let turns = remembered(hosted).await?;
        if turns > 0 {
            return Ok(turns);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(0)
}

/// How many turns memory has of a community now.
async fn remembered(hosted: &Hosted) -> anyhow::Result<usize> {
    let Some(service) = hosted.handle.memory() else {
        return Ok(0);
    };
    let listing = Listing {
        community: Some(hosted.id().clone()),
        limit: 1_000,
        ..Listing::default()
    };
    Ok(service.records().turns(&listing).await?.items.len())
}
