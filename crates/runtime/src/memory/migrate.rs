//! Moving everything from one store to another, in either direction: page by page, embedded anew for the new one, taken
//! up again where it was cut short, and looked over in the end.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vocabulary::{Record, RecordId};

use super::embedding::{EMBED_BATCH, embedded_text};
use crate::ports::{
    EmbedRole, Embedded, Embedder, EmbedderIdentity, GemStore, Listing, MemoryFault, WhoseTurns,
};

/// How far a migration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    pub step: Step,
    /// Records of this step that are done.
    pub done: usize,
    pub total: usize,
}

/// What a migration does, one after the other: turns come before the gems that cite them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    #[default]
    Turns,
    Gems,
    CheckingTurns,
    CheckingGems,
}

/// What was moved, all runs taken together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Migrated {
    pub turns: usize,
    pub gems: usize,
    /// Records that came while it ran, or were missing for another reason, and were moved when it was looked over.
    pub late: usize,
}

/// Where a migration is, in a file beside the data, so that the next run goes on from there.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    mark: Option<Mark>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mark {
    from: String,
    to: String,
    embedder: EmbedderIdentity,
    step: Step,
    after: Option<String>,
    /// Records of the step that are done.
    done: usize,
    turns: usize,
    gems: usize,
    late: usize,
}

impl Checkpoint {
    /// Reads where an earlier run was, if there was one.
    pub fn open(path: &Path) -> Result<Self, MemoryFault> {
        let mark = match fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .inspect_err(|error| {
                    tracing::warn!(path = %path.display(), %error, "the mark of a migration cannot be read; it begins again");
                })
                .ok(),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(unwritable(path, &error)),
        };
        Ok(Self {
            path: path.to_owned(),
            mark,
        })
    }

    /// Whether an earlier run was cut short.
    pub fn is_begun(&self) -> bool {
        self.mark.is_some()
    }

    fn save(&mut self, mark: &Mark) -> Result<(), MemoryFault> {
        let bytes = serde_json::to_vec(mark).map_err(|error| unwritable(&self.path, &error))?;
        // Whole or not at all.
        let beside = self.path.with_extension("new");
        fs::write(&beside, bytes)
            .and_then(|()| fs::rename(&beside, &self.path))
            .map_err(|error| unwritable(&self.path, &error))?;
        self.mark = Some(mark.clone());
        Ok(())
    }

    fn remove(&mut self) -> Result<(), MemoryFault> {
        self.mark = None;
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(unwritable(&self.path, &error)),
            _ => Ok(()),
        }
    }
}

/// Copies everything; the old store keeps what it has. Repeating it does no harm.
pub async fn migrate(
    from: &dyn GemStore,
    to: &dyn GemStore,
    embedder: &dyn Embedder,
    checkpoint: &mut Checkpoint,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Migrated, MemoryFault> {
    if from.describe() == to.describe() {
        return Err(MemoryFault::Refused(format!(
            "memory is already kept in {}. Set memory.store to where it is to go",
            from.describe()
        )));
    }
    to.set_embedder(&embedder.identity(), false).await?;
    let mut mark = begin(from, to, embedder, checkpoint);
    loop {
        let stats = from.stats(&WhoseTurns::All).await?;
        let total = match mark.step {
            Step::Turns | Step::CheckingTurns => stats.turns,
            Step::Gems | Step::CheckingGems => stats.gems,
        };
        // Records may have come or gone meanwhile.
        let told = |mark: &Mark| Progress {
            step: mark.step,
            done: mark.done.min(total),
            total,
        };
        progress(told(&mark));
        loop {
            let (records, next) = page(from, &mark).await?;
            let count = records.len();
            match mark.step {
                Step::Turns => mark.turns += put(to, embedder, records).await?,
                Step::Gems => mark.gems += put(to, embedder, records).await?,
                Step::CheckingTurns | Step::CheckingGems => {
                    mark.late += put(to, embedder, missing(to, records).await?).await?;
                }
            }
            mark.done += count;
            mark.after = next;
            progress(told(&mark));
            if mark.after.is_none() {
                break;
            }
            checkpoint.save(&mark)?;
        }
        mark.step = match mark.step {
            Step::Turns => Step::Gems,
            Step::Gems => Step::CheckingTurns,
            Step::CheckingTurns => Step::CheckingGems,
            Step::CheckingGems => break,
        };
        mark.done = 0;
        checkpoint.save(&mark)?;
    }
    verify(from, to).await?;
    checkpoint.remove()?;
    Ok(Migrated {
        turns: mark.turns,
        gems: mark.gems,
        late: mark.late,
    })
}

/// Goes on where an earlier run between the same two was.
fn begin(from: &dyn GemStore, to: &dyn GemStore, embedder: &dyn Embedder, checkpoint: &Checkpoint) -> Mark {
    let fresh = Mark {
        from: from.describe(),
        to: to.describe(),
        embedder: embedder.identity(),
        step: Step::default(),
        after: None,
        done: 0,
        turns: 0,
        gems: 0,
        late: 0,
    };
    let is_same =
        |mark: &&Mark| (&mark.from, &mark.to, &mark.embedder) == (&fresh.from, &fresh.to, &fresh.embedder);
    checkpoint.mark.as_ref().filter(is_same).cloned().unwrap_or(fresh)
}

async fn page(from: &dyn GemStore, mark: &Mark) -> Result<(Vec<Record>, Option<String>), MemoryFault> {
    let listing = Listing {
        after: mark.after.clone(),
        limit: EMBED_BATCH,
        ..Listing::default()
    };
    match mark.step {
        Step::Turns | Step::CheckingTurns => {
            let page = from.turns(&listing).await?;
            Ok((page.items.into_iter().map(Record::Turn).collect(), page.next))
        }
        Step::Gems | Step::CheckingGems => {
            let page = from.gems(&listing).await?;
            let gems = page.items.into_iter().map(|gem| Record::Gem(Box::new(gem)));
            Ok((gems.collect(), page.next))
        }
    }
}

/// Embeds and stores; how many.
async fn put(to: &dyn GemStore, embedder: &dyn Embedder, records: Vec<Record>) -> Result<usize, MemoryFault> {
    if records.is_empty() {
        return Ok(0);
    }
    let count = records.len();
    let texts: Vec<String> = records.iter().map(embedded_text).collect();
    let vectors = embedder.embed(&texts, EmbedRole::Passage).await?;
    if vectors.len() != count {
        return Err(MemoryFault::Failed {
            doing: "embedding records for the new store",
            detail: format!(
                "{} was given {count} texts and made {} vectors",
                embedder.identity().name,
                vectors.len()
            ),
        });
    }
    let embedded = records.into_iter().zip(vectors);
    to.put(
        embedded
            .map(|(record, vector)| Embedded { record, vector })
            .collect(),
    )
    .await?;
    Ok(count)
}

async fn missing(to: &dyn GemStore, records: Vec<Record>) -> Result<Vec<Record>, MemoryFault> {
    let ids: Vec<RecordId> = records.iter().map(Record::id).collect();
    let there: Vec<RecordId> = to.get(&ids).await?.iter().map(Record::id).collect();
    Ok(records
        .into_iter()
        .filter(|record| !there.contains(&record.id()))
        .collect())
}

/// The new store has at least what the old one has.
async fn verify(from: &dyn GemStore, to: &dyn GemStore) -> Result<(), MemoryFault> {
    let (old, new) = (
        from.stats(&WhoseTurns::All).await?,
        to.stats(&WhoseTurns::All).await?,
    );
    if new.turns >= old.turns && new.gems >= old.gems {
        return Ok(());
    }
    Err(MemoryFault::Failed {
        doing: "looking the new store over",
        detail: format!(
            "{} has {} gems and {} turns, and {} has only {} and {}. Run the migration again while nothing else writes to either",
            from.describe(),
            old.gems,
            old.turns,
            to.describe(),
            new.gems,
            new.turns
        ),
    })
}

fn unwritable(path: &Path, error: &dyn std::error::Error) -> MemoryFault {
    MemoryFault::Failed {
        doing: "noting how far the migration is",
        detail: format!("{}: {error}. Make the folder writable", path.display()),
    }
}
