//! The catalogue of models that counts on this machine: the built-in one, with the operator's own laid over it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use providers::Catalogue;

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
