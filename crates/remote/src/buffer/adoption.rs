//! Entries of other programs become turns of ours in the list itself, so that every later reading says the same.

use runtime::ports::MemoryFault;
use vocabulary::CapturedTurn;

use super::Shared;
use super::foreign::{self, Entry};

const STRANGERS_AT_ONCE: usize = 200;
const UNREADABLE_MAX: usize = 10_000;
/// Each round takes in or sets aside what it was shown; so many rounds are a million entries.
const ROUNDS_MAX: usize = 5_000;

/// An entry as it stands in a list; other programs may have written anything.
pub(super) type Raw = Vec<u8>;

/// What entries say, and which of them have to be written anew.
struct Reading<'a> {
    turns: Vec<CapturedTurn>,
    changes: Vec<(&'a Raw, String)>,
}

impl Shared {
    /// Reads entries that this process holds, and writes back those that were in another form. None where some of
    /// them were changed by others meanwhile, so that what was read is not what stands there.
    pub(super) async fn adopt(&self, entries: &[Raw]) -> Result<Option<Vec<CapturedTurn>>, MemoryFault> {
        let Reading { turns, changes } = self.read(entries)?;
        let replaced = self.replace(&self.held_list(), &changes).await?;
        Ok((replaced == changes.len()).then_some(turns))
    }

    /// Takes in everything in the lists that is in another form, so that scripts can read it.
    pub(super) async fn adopt_strangers(&self) -> Result<(), MemoryFault> {
        for _ in 0..ROUNDS_MAX {
            let mut script = self.scripts.strangers.key(&self.settings.key);
            script.arg(STRANGERS_AT_ONCE);
            let strangers: Vec<Raw> = self.link.run("looking through the Redis buffer", &script).await?;
            let changes = self.read(&strangers)?.changes;
            if changes.is_empty() {
                break;
            }
            self.replace(&self.settings.key, &changes).await?;
        }
        Ok(())
    }

    fn read<'a>(&self, entries: &'a [Raw]) -> Result<Reading<'a>, MemoryFault> {
        let now = runtime::wall();
        let mut turns = Vec::with_capacity(entries.len());
        let mut changes = Vec::new();
        let mut unreadable = 0;
        for raw in entries {
            match foreign::read_bytes(raw, &self.settings.adopt_into, now) {
                Entry::Ours(turn) => turns.push(turn),
                Entry::Adopted(turn) => {
                    changes.push((raw, as_json(&turn)?));
                    turns.push(turn);
                }
                Entry::Unreadable => {
                    changes.push((raw, String::new()));
                    unreadable += 1;
                }
            }
        }
        if unreadable > 0 {
            tracing::warn!(
                entries = unreadable,
                list = format!("{}:unreadable", self.settings.key),
                "the Redis buffer held entries that are no turns; they are set aside in that list"
            );
        }
        Ok(Reading { turns, changes })
    }

    /// Puts new entries in the place of old ones, wherever those are by now; how many were found. Where equal ones
    /// are in several lists, it is the one in `first`.
    pub(super) async fn replace(
        &self,
        first: &str,
        changes: &[(&Raw, String)],
    ) -> Result<usize, MemoryFault> {
        if changes.is_empty() {
            return Ok(0);
        }
        let mut script = self.scripts.replace.key(&self.settings.key);
        script.arg(UNREADABLE_MAX).arg(first);
        for (old, new) in changes {
            script.arg(*old).arg(new);
        }
        self.link
            .run("rewriting turns in the Redis buffer", &script)
            .await
    }
}

pub(super) fn as_json(turn: &CapturedTurn) -> Result<String, MemoryFault> {
    serde_json::to_string(turn).map_err(|error| MemoryFault::Failed {
        doing: "writing a turn as JSON",
        detail: error.to_string(),
    })
}
