//! The catalogue of models that counts on this machine: the built-in one, with the operator's own laid over it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use providers::{Catalogue, Models};
use tokio::time::sleep;

/// How often it is looked whether the file has changed.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The variable that names an operator's own catalogue elsewhere than in the data folder.
pub const VARIABLE: &str = "DENIZEN_CATALOGUE";

/// Where an operator's own catalogue is looked for. It can decide whom conversations go to and what they may cost, so
/// only whoever has the machine can say: by a file, or by the environment.
pub fn path(data: &Path) -> PathBuf {
    match std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => data.join("catalogue.toml"),
    }
}

/// What is known of models under a data folder.
pub fn of(data: &Path) -> anyhow::Result<Catalogue> {
    let path = path(data);
    if std::env::var_os(VARIABLE).is_some_and(|named| !named.is_empty()) && !path.exists() {
        anyhow::bail!(
            "{VARIABLE} names {}, and there is no such file. Correct it, or unset it",
            path.display()
        );
    }
    let catalogue = Catalogue::with_file(&path).context("the catalogue of models")?;
    for remark in catalogue.own.iter().flat_map(|own| &own.remarks) {
        tracing::warn!(path = %path.display(), "{remark}");
    }
    Ok(catalogue)
}

/// Has a running Denizen take the file whenever it has changed. One that cannot be used is refused as a whole: half a price
/// list is worse than an old one.
pub async fn keep_up(data: PathBuf, models: Arc<Models>) {
    let path = path(&data);
    let mut known = stamp(&path);
    loop {
        sleep(LOOK_EVERY).await;
        let now = stamp(&path);
        if now != known {
            known = now;
            models.know_anew(&path, whole(&data));
        }
    }
}

fn whole(data: &Path) -> Result<Catalogue, String> {
    let found = of(data).map_err(|error| format!("{error:#}"))?;
    let own = found.own.as_ref();
    let wrong = own.into_iter().flat_map(|own| &own.remarks);
    let wrong: Vec<String> = wrong
        .filter(|remark| !remark.unknown_key)
        .map(ToString::to_string)
        .collect();
    match wrong.is_empty() {
        true => Ok(found),
        false => Err(format!("{}: {}", path(data).display(), wrong.join("; "))),
    }
}

/// What tells one state of a file from another.
fn stamp(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()))
}
