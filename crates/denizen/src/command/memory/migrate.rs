//! `denizen memory migrate`: everything copied from one store to another, or what waits from one buffer to another.

use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{bail, ensure};
use clap::Args;
use runtime::memory::{Checkpoint, Step, migrate};
use runtime::ports::{GemStore, StoreError, TurnBuffer, WhoseTurns};
use storage::Sqlite;
use vocabulary::TurnKey;
use vocabulary::text::counted;

use crate::command::progress::Progress;
use crate::memory::{DataFolder, qdrant};

/// Where a migration is, so that the next run goes on from there.
const MARK: &str = "memory-migration.json";
const TURNS_AT_ONCE: usize = 200;

#[derive(Debug, Args)]
pub struct MigrateOptions {
    /// Where it is: `embedded`, `qdrant` or `redis`, the last two with `=URL` where it is not that of the settings.
    #[arg(long, value_name = "STORE")]
    from: Backend,
    /// Where it goes.
    #[arg(long, value_name = "STORE")]
    to: Backend,
}

/// A store of gems and turns, or a buffer of turns that wait; the data folder has one of each.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Backend {
    Embedded,
    Qdrant(Option<String>),
    Redis(Option<String>),
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, url) = match text.split_once('=') {
            Some((name, url)) if !url.is_empty() => (name, Some(url.to_owned())),
            Some(_) => return Err(format!("`{text}` names no address after the =")),
            None => (text, None),
        };
        match (name, url) {
            ("embedded", None) => Ok(Backend::Embedded),
            ("qdrant", url) => Ok(Backend::Qdrant(url)),
            ("redis", url) => Ok(Backend::Redis(url)),
            _ => Err(format!(
                "`{text}` is no place for memory: give embedded, qdrant, qdrant=URL, redis or redis=URL"
            )),
        }
    }
}

pub async fn run(data: &Path, options: &MigrateOptions) -> anyhow::Result<ExitCode> {
    ensure!(
        data.exists(),
        "there is nothing at {} yet. Name the data folder with --data",
        data.display()
    );
    let _lock = match Sqlite::lock(data) {
        Ok(lock) => lock,
        Err(StoreError::Busy { .. }) => bail!(
            "a Denizen runs on {}, and would go on writing to where memory is now. Stop it, migrate, and start it again",
            data.display()
        ),
        Err(error) => return Err(error.into()),
    };
    let folder = DataFolder::of(data).await?;
    match (&options.from, &options.to) {
        (Backend::Redis(_), Backend::Embedded) | (Backend::Embedded, Backend::Redis(_)) => {
            move_what_waits(&folder, options).await
        }
        (Backend::Redis(_), _) | (_, Backend::Redis(_)) => bail!(
            "Redis holds turns that wait, and not what is remembered. Move them with --from redis --to embedded, or the other way round"
        ),
        (Backend::Embedded, Backend::Embedded) => {
            bail!("--from and --to are the same place. Name another one")
        }
        _ => copy_what_is_remembered(data, &folder, options).await,
    }
}

async fn copy_what_is_remembered(
    data: &Path,
    folder: &DataFolder,
    options: &MigrateOptions,
) -> anyhow::Result<ExitCode> {
    let from = store(folder, &options.from).await?;
    let to = store(folder, &options.to).await?;
    let embedder = folder.embedder().await?;
    let mut checkpoint = Checkpoint::open(&data.join(MARK))?;
    let mut progress = Progress::new("copying");
    if checkpoint.is_begun() {
        progress.remark("going on where an earlier run was cut short");
    }
    let mut tell = |far: runtime::memory::Progress| {
        progress.now(match far.step {
            Step::Turns => "copying turns",
            Step::Gems => "copying gems",
            Step::CheckingTurns => "checking turns",
            Step::CheckingGems => "checking gems",
        });
        progress.at(far.done, Some(far.total));
    };
    let migrated = migrate(&*from, &*to, &*embedder, &mut checkpoint, &mut tell).await;
    progress.done();
    let migrated = migrated?;
    println!(
        "{} and {} copied from {} to {}, and checked",
        counted(migrated.gems, "gem"),
        counted(migrated.turns, "turn"),
        from.describe(),
        to.describe()
    );
    println!(
        "nothing was taken away from where it was. To use the copy: {}",
        how_to_use(&options.to, "gems")
    );
    Ok(ExitCode::SUCCESS)
}

/// What waits is moved, not copied: it must become gems once.
async fn move_what_waits(folder: &DataFolder, options: &MigrateOptions) -> anyhow::Result<ExitCode> {
    let from = buffer(folder, &options.from)?;
    let to = buffer(folder, &options.to)?;
    let mut progress = Progress::new("moving turns");
    let mut moved = 0;
    let mut turns = from.held(&WhoseTurns::All).await?;
    loop {
        // There before it is gone here: a run that is cut short leaves a turn in both, which are taken for one.
        to.push(&turns).await?;
        let keys: Vec<TurnKey> = turns.iter().map(|turn| turn.id.clone()).collect();
        from.settle(&keys).await?;
        moved += keys.len();
        progress.at(moved, None);
        turns = from.claim(&WhoseTurns::All, TURNS_AT_ONCE).await?;
        if turns.is_empty() {
            break;
        }
    }
    progress.done();
    println!(
        "{} moved from {} to {}",
        counted(moved, "turn"),
        from.describe(),
        to.describe()
    );
    println!("to use it from now on: {}", how_to_use(&options.to, "buffer"));
    Ok(ExitCode::SUCCESS)
}

async fn store(folder: &DataFolder, place: &Backend) -> anyhow::Result<Arc<dyn GemStore>> {
    let settings = &folder.settings.memory_store;
    Ok(match place {
        Backend::Qdrant(url) => qdrant(url.as_deref().unwrap_or(&settings.qdrant_url), settings)?,
        Backend::Embedded | Backend::Redis(_) => folder.embedded().await?,
    })
}

fn buffer(folder: &DataFolder, place: &Backend) -> anyhow::Result<Arc<dyn TurnBuffer>> {
    Ok(match place {
        Backend::Redis(url) => folder.redis(url.as_deref())?,
        Backend::Embedded | Backend::Qdrant(_) => folder.local_buffer(),
    })
}

fn how_to_use(place: &Backend, what: &str) -> String {
    let (name, key, url) = match place {
        Backend::Embedded => ("embedded", "", &None),
        Backend::Qdrant(url) => ("qdrant", "qdrantUrl", url),
        Backend::Redis(url) => ("redis", "redisUrl", url),
    };
    let mut how = format!("denizen settings set memory.store.{what} {name}");
    // An address with a password in it belongs into the environment, and not on a screen.
    if let Some(url) = url.as_ref().filter(|url| !url.contains('@')) {
        how.push_str(&format!(" && denizen settings set memory.store.{key} {url}"));
    }
    how
}

#[cfg(test)]
mod tests {
    use super::{Backend, how_to_use};

    #[test]
    fn places_are_read_with_and_without_an_address() {
        assert_eq!("embedded".parse(), Ok(Backend::Embedded));
        assert_eq!("qdrant".parse(), Ok(Backend::Qdrant(None)));
        assert_eq!(
            "qdrant=http://10.0.0.7:6333".parse(),
            Ok(Backend::Qdrant(Some("http://10.0.0.7:6333".to_owned())))
        );
        for bad in ["", "embedded=x", "qdrant=", "postgres", "Redis"] {
            assert!(bad.parse::<Backend>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_password_is_not_printed() {
        let place = Backend::Redis(Some("redis://:secret@10.0.0.7".to_owned()));
        assert_eq!(
            how_to_use(&place, "buffer"),
            "denizen settings set memory.store.buffer redis"
        );
        let place = Backend::Qdrant(Some("http://10.0.0.7:6333".to_owned()));
        assert!(how_to_use(&place, "gems").ends_with("memory.store.qdrantUrl http://10.0.0.7:6333"));
    }
}
