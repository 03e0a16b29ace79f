//! The database: whether its bytes fit together, whether the next start can read what it goes on from, and whether
//! retention believes the clock.

use std::path::Path;

use providers::Finding;
use runtime::ports::{KeptState, Resume, Store, StoreError};
use runtime::wall;
use storage::Sqlite;
use vocabulary::{CommunityId, WallTime, rfc3339};

use super::{bad, good, noted};
use crate::command::backup::last_made;

const RESTORE: &str = "stop Denizen and put the last back-up in its place (`denizen restore --from FOLDER --replace`). \
    Without one, `denizen export` of the damaged file saves what can be read";
/// Older than this, somebody has forgotten about it.
const BACKUP_DAYS_MAX: i64 = 7;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

pub async fn examine(data: &Path, store: &Sqlite) -> Vec<Finding> {
    let mut findings = vec![match store.damage().await {
        Ok(damage) if damage.is_empty() => good(
            "storage",
            format!(
                "{} opens, its schema is current, and its pages fit together",
                data.display()
            ),
        ),
        Ok(damage) => bad(
            "storage",
            format!("{} is damaged: {}", data.display(), damage.join("; ")),
            RESTORE,
        ),
        Err(error) => bad("storage", error.to_string(), RESTORE),
    }];
    match store.communities().await {
        Ok(communities) => {
            for record in communities {
                let resume = store.resume(&record.id).await;
                findings.extend(state_of(&record.id, resume));
            }
        }
        Err(error) => findings.push(bad("communities", error.to_string(), RESTORE)),
    }
    match store.clock_doubt().await {
        Ok(None) => {}
        Ok(Some(doubt)) => findings.push(noted(
            "retention",
            doubt.to_string(),
            "`denizen doctor --trust-clock` if the clock is right",
        )),
        Err(error) => findings.push(bad("retention", error.to_string(), RESTORE)),
    }
    findings.extend(last_backup(data, wall()));
    findings
}

/// When the last back-up was made; nothing where none ever was, for not everybody wants one.
fn last_backup(data: &Path, now: WallTime) -> Option<Finding> {
    let (at, folder) = last_made(data)?;
    let days = (now.0 - at.0).max(0) / DAY_MS;
    let told = format!("{}, at {}", rfc3339::format(at), folder.display());
    Some(match days > BACKUP_DAYS_MAX {
        true => noted(
            "back-up",
            format!("the last one is {days} days old: {told}"),
            "`denizen backup --out FOLDER`; packaging/systemd has a timer for it",
        ),
        false => good("back-up", told),
    })
}

/// Whether a community goes on with all it knew; nothing where it does.
fn state_of(community: &CommunityId, resume: Result<Resume, StoreError>) -> Option<Finding> {
    let what = format!("state of {community}");
    let resume = match resume {
        Ok(resume) => resume,
        Err(error) => return Some(bad(&what, error.to_string(), RESTORE)),
    };
    let trouble = |kept: &KeptState| mind::snapshot::read(&kept.state).err();
    let newest = resume.states.first()?;
    if let Some(problem) = trouble(newest) {
        let detail = format!(
            "the newest, after input {}, cannot be read: {problem}",
            newest.input
        );
        return Some(match resume.states.iter().find(|kept| trouble(kept).is_none()) {
            Some(older) => noted(
                &what,
                format!(
                    "{detail}. The next start goes on from the one after input {}",
                    older.input
                ),
                "nothing need be done; look at the disk, for something has changed these bytes",
            ),
            None => bad(
                &what,
                format!("{detail}, and none before it can"),
                "put a copy in its place; without one the next start begins with the newest messages alone",
            ),
        });
    }
    let unread = resume.unread.first()?;
    Some(noted(
        &what,
        format!("input {} cannot be read: {}", unread.seq, unread.detail),
        "the next start leaves it out; look at the disk, for something has changed these bytes",
    ))
}
