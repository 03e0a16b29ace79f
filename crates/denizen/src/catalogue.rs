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

/// What is known of models under a data folder: read in one way by everybody. A file with a wrong value in it is refused as a
/// whole, since half a price list is worse than none; keys that are not known are passed over and told.
pub fn of(data: &Path) -> anyhow::Result<Catalogue> {
    let path = path(data);
    if std::env::var_os(VARIABLE).is_some_and(|named| !named.is_empty()) && !path.exists() {
        anyhow::bail!(
            "{VARIABLE} names {}, and there is no such file. Correct it, or unset it",
            path.display()
        );
    }
    let catalogue = Catalogue::with_file(&path).context("the catalogue of models")?;
    let remarks = catalogue.own.iter().flat_map(|own| &own.remarks);
    let wrong: Vec<_> = remarks.filter(|remark| !remark.unknown_key).collect();
    if !wrong.is_empty() {
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        anyhow::bail!("{} is not taken: {}", path.display(), wrong.join("; "));
    }
    Ok(catalogue)
}

/// Has a running Denizen take the file whenever it has changed.
pub async fn keep_up(data: PathBuf, models: Arc<Models>) {
    let path = path(&data);
    let mut known = stamp(&path);
    loop {
        sleep(LOOK_EVERY).await;
        let now = stamp(&path);
        if now != known {
            known = now;
            models.know_anew(&path, of(&data).map_err(|error| format!("{error:#}")));
        }
    }
}

/// What tells one state of a file from another.
fn stamp(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()))
}
