//! What the runtime asks of a buffer, done by the scripts.

use async_trait::async_trait;
use redis::ScriptInvocation;
use runtime::ports::{BufferCount, MemoryFault, TurnBuffer, WhoseTurns};
use vocabulary::{CapturedTurn, CommunityId, Forget, TurnKey};

use super::adoption::{Raw, as_json};
use super::{RedisBuffer, Shared};

const PUSH_AT_ONCE: usize = 200;
const CLAIM_MAX: usize = 1_000;
/// Ids are remembered this long and this many, so that what is put again is not put twice.
const SEEN_FOR_MS: u64 = 30 * 24 * 3_600_000;
const SEEN_MAX: usize = 100_000;
/// An entry may move or change between being read and being written.
const EDIT_TRIES: usize = 5;

#[async_trait]
impl TurnBuffer for RedisBuffer {
    fn describe(&self) -> String {
        let shared = &self.shared;
        format!("Redis at {}, list {}", shared.link.place(), shared.settings.key)
    }

    async fn push(&self, turns: &[CapturedTurn]) -> Result<(), MemoryFault> {
        let shared = &self.shared;
        for some in turns.chunks(PUSH_AT_ONCE) {
            let mut script = shared.scripts.push.key(&shared.settings.key);
            script.arg(SEEN_FOR_MS).arg(SEEN_MAX);
            for turn in some {
                script.arg(turn.id.as_str()).arg(as_json(turn)?);
            }
            let _added: usize = shared
                .link
                .run("putting turns into the Redis buffer", &script)
                .await?;
        }
        Ok(())
    }

    async fn claim(&self, whose: &WhoseTurns, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let shared = &self.shared;
        let max = max.min(CLAIM_MAX);
        if max == 0 {
            return Ok(Vec::new());
        }
        // One at a time: what one claim moved is not yet told, and the next must not take it for lost.
        let _turnstile = shared.claiming.lock().await;
        match shared.claim_once(whose, max).await {
            // The connection may have broken long ago, which shows only now.
            Err(MemoryFault::Unreachable { .. }) => shared.claim_once(whose, max).await,
            answered => answered,
        }
    }

    async fn held(&self, whose: &WhoseTurns) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let _turnstile = self.shared.claiming.lock().await;
        let mut turns = self.shared.all_held().await?;
        let is_whole = *whose == WhoseTurns::All;
        turns.retain(|turn| whose.covers(&turn.place.community));
        if is_whole {
            self.shared.given().clear();
            self.shared.set_unsure(false);
        }
        self.shared.remember_given(&turns);
        Ok(turns)
    }

    async fn waiting(&self) -> Result<Vec<CommunityId>, MemoryFault> {
        let shared = &self.shared;
        let script = shared.scripts.waiting.key(&shared.settings.key);
        let mut communities: Vec<CommunityId> = shared
            .link
            .run::<Vec<String>>("asking Redis whose turns wait", &script)
            .await?
            .into_iter()
            .map(|community| match community.is_empty() {
                // An entry of another program's that does not say so itself.
                true => shared.settings.adopt_into.community.clone(),
                false => CommunityId::new(community),
            })
            .collect();
        communities.sort();
        communities.dedup();
        Ok(communities)
    }

    async fn settle(&self, turns: &[TurnKey]) -> Result<(), MemoryFault> {
        if turns.is_empty() {
            return Ok(());
        }
        let shared = &self.shared;
        shared.sign_of_life().await?;
        let ids: Vec<&str> = turns.iter().map(TurnKey::as_str).collect();
        shared.remove(&shared.settings.consumer, "turns", &ids).await?;
        Ok(())
    }

    async fn forget(&self, what: &Forget) -> Result<usize, MemoryFault> {
        let shared = &self.shared;
        let (by, values): (&str, Vec<&str>) = match what {
            // A buffer knows no gems; the turns they came from are named one by one.
            Forget::Gems(_) => return Ok(0),
            Forget::Turns(turns) => ("turns", turns.iter().map(TurnKey::as_str).collect()),
            Forget::Session(session) => ("session", vec![session.as_str()]),
            Forget::Community(community) => ("community", vec![community.as_str()]),
            Forget::Room { community, room } => ("room", vec![community.as_str(), room.as_str()]),
            Forget::Person {
                person, community, ..
            } => {
                let community = community.as_ref().map_or("", |community| community.as_str());
                ("person", vec![person.as_str(), community])
            }
        };
        if values.is_empty() {
            return Ok(0);
        }
        shared.adopt_strangers().await?;
        shared.remove("", by, &values).await
    }

    async fn edit(&self, turn: &TurnKey, text: &str) -> Result<(), MemoryFault> {
        let shared = &self.shared;
        shared.adopt_strangers().await?;
        for _ in 0..EDIT_TRIES {
            let mut script = shared.scripts.find.key(&shared.settings.key);
            script.arg(turn.as_str());
            let entries: Vec<Raw> = shared
                .link
                .run("looking for a turn in the Redis buffer", &script)
                .await?;
            let mut changes = Vec::new();
            for raw in &entries {
                if let Ok(mut found) = serde_json::from_slice::<CapturedTurn>(raw)
                    && found.text != text
                {
                    found.text = text.to_owned();
                    changes.push((raw, as_json(&found)?));
                }
            }
            if shared.replace(&shared.settings.key, &changes).await? == changes.len() {
                return Ok(());
            }
        }
        Err(too_busy("editing a turn in the Redis buffer"))
    }

    async fn count(&self, whose: &WhoseTurns) -> Result<BufferCount, MemoryFault> {
        let shared = &self.shared;
        let count = async |list: String| {
            let mut script = shared.scripts.count.key(list);
            shared.name(whose, &mut script)?;
            shared
                .link
                .run::<usize>("counting the Redis buffer", &script)
                .await
        };
        Ok(BufferCount {
            waiting: count(shared.settings.key.clone()).await?,
            held: count(shared.held_list()).await?,
            kept_back: 0,
        })
    }
}

impl Shared {
    pub(super) fn held_list(&self) -> String {
        format!("{}:held:{}", self.settings.key, self.settings.consumer)
    }

    async fn all_held(&self) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let mut script = self.scripts.held.key(&self.settings.key);
        script.arg(&self.settings.consumer).arg(self.lease_ms());
        for _ in 0..EDIT_TRIES {
            let entries: Vec<Raw> = self.link.run("asking Redis for held turns", &script).await?;
            if let Some(turns) = self.adopt(&entries).await? {
                return Ok(turns);
            }
        }
        Err(too_busy("reading turns that are held in the Redis buffer"))
    }

    /// Whose turns are meant, as the scripts take it: a word, where entries of other programs belong, and a list.
    fn name(&self, whose: &WhoseTurns, script: &mut ScriptInvocation<'_>) -> Result<(), MemoryFault> {
        let (word, ids): (&str, &[CommunityId]) = match whose {
            WhoseTurns::All => ("all", &[]),
            WhoseTurns::Of(community) => ("of", std::slice::from_ref(community)),
            WhoseTurns::NotOf(others) => ("not", others),
        };
        let ids = serde_json::to_string(ids).map_err(|error| MemoryFault::Failed {
            doing: "writing ids as JSON",
            detail: error.to_string(),
        })?;
        let adopted = self.settings.adopt_into.community.as_str();
        script.arg(word).arg(adopted).arg(ids);
        Ok(())
    }

    async fn claim_once(&self, whose: &WhoseTurns, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        if self.is_unsure() {
            let found = self.not_told_of(whose, max).await?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        // Unless the answer is fully taken in, turns may be held that nobody here knows of. A caller that stops
        // waiting drops this future, so it is said beforehand.
        self.set_unsure(true);
        loop {
            let mut script = self.scripts.claim.key(&self.settings.key);
            script.arg(&self.settings.consumer).arg(self.lease_ms()).arg(max);
            self.name(whose, &mut script)?;
            let entries: Vec<Raw> = self
                .link
                .run_once("claiming turns from the Redis buffer", &script)
                .await?;
            let Some(turns) = self.adopt(&entries).await? else {
                return self.not_told_of(whose, max).await;
            };
            // Where everything was unreadable and set aside, there may be turns behind it.
            if turns.is_empty() && !entries.is_empty() {
                continue;
            }
            self.remember_given(&turns);
            self.set_unsure(false);
            return Ok(turns);
        }
    }

    /// Turns that a claim moved here without its answer having arrived.
    async fn not_told_of(&self, whose: &WhoseTurns, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let held = self.all_held().await?;
        let mut found: Vec<CapturedTurn> = {
            let mut given = self.given();
            given.retain(|id| held.iter().any(|turn| turn.id == *id));
            held.into_iter()
                .filter(|turn| !given.contains(&turn.id))
                .collect()
        };
        // More than are wanted now, and those of others, are left for the next claim.
        let all = found.len();
        found.retain(|turn| whose.covers(&turn.place.community));
        found.truncate(max);
        self.set_unsure(found.len() < all);
        self.remember_given(&found);
        Ok(found)
    }

    /// Takes turns out for good, first where the consumer holds them; how many.
    async fn remove(&self, consumer: &str, by: &str, values: &[&str]) -> Result<usize, MemoryFault> {
        let mut script = self.scripts.remove.key(&self.settings.key);
        script.arg(consumer).arg(by);
        for value in values {
            script.arg(*value);
        }
        let removed: Vec<String> = self
            .link
            .run("taking turns out of the Redis buffer", &script)
            .await?;
        let mut given = self.given();
        for id in &removed {
            given.remove(&TurnKey::new(id.as_str()));
        }
        Ok(removed.len())
    }
}

fn too_busy(doing: &'static str) -> MemoryFault {
    MemoryFault::Failed {
        doing,
        detail: format!("others changed the same turns {EDIT_TRIES} times in a row. Try again"),
    }
}
