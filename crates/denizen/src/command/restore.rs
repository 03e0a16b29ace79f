//! `denizen restore`: a back-up in the place of the data folder, once it was found whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use storage::Sqlite;

use super::backup::{BackupManifest, DATABASE, copy_private, sync};
use super::block_on;
use super::progress::Busy;

#[derive(Debug, Args)]
pub struct RestoreOptions {
    /// The folder that `denizen backup` made.
    #[arg(long, value_name = "FOLDER")]
    from: PathBuf,
    /// Also where the data folder holds something: that is kept beside, in a folder of its own.
    #[arg(long)]
    replace: bool,
}

/// The files beside the database that belong to it.
const PARTS: [&str; 2] = ["denizen.db-wal", "denizen.db-shm"];

pub fn run(data: &Path, options: &RestoreOptions) -> anyhow::Result<ExitCode> {
    let from = &options.from;
    let busy = Busy::with("looking at the back-up");
    let manifest = BackupManifest::read(from)?;
    check_database(from)?;
    busy.now("copying");
    // From here on nothing else can run on the folder.
    let lock = Sqlite::lock(data)?;
    let there = in_the_way(data, &manifest);
    let kept = match there.is_empty() {
        true => None,
        false if options.replace => Some(set_aside(data, &there)?),
        false => bail!(
            "{} holds {} already. Name another folder with --data, or give --replace: what is there is kept beside, in a folder of its own",
            data.display(),
            there.join(", ")
        ),
    };
    for file in &manifest.files {
        copy_private(&from.join(&file.name), &data.join(&file.name))
            .with_context(|| format!("cannot write {} to {}", file.name, data.display()))?;
    }
    sync(data)?;
    drop(lock);
    drop(busy);
    println!(
        "{} holds what it held at {}; `denizen run` goes on from there",
        data.display(),
        vocabulary::rfc3339::format(manifest.made_at)
    );
    if let Some(kept) = kept {
        println!(
            "what was there before is in {}; remove it when nothing is missing",
            kept.display()
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether its pages fit together. A copy of another schema is not looked into: the next start brings it up to date, or
/// says that it is too new.
fn check_database(folder: &Path) -> anyhow::Result<()> {
    let Ok(store) = Sqlite::open_read_only(folder) else {
        return Ok(());
    };
    let damage = block_on(async { Ok(store.damage().await?) })?;
    if !damage.is_empty() {
        bail!(
            "the database of the back-up is damaged: {}. Use another one",
            damage.join("; ")
        );
    }
    Ok(())
}

/// What the data folder has already under the names that are to be written.
fn in_the_way(data: &Path, manifest: &BackupManifest) -> Vec<String> {
    let names = manifest.files.iter().map(|file| file.name.as_str());
    let names = names.chain([DATABASE]).chain(PARTS);
    let mut there: Vec<String> = names
        .filter(|name| fs::symlink_metadata(data.join(name)).is_ok())
        .map(str::to_owned)
        .collect();
    there.sort();
    there.dedup();
    there
}

fn set_aside(data: &Path, there: &[String]) -> anyhow::Result<PathBuf> {
    let kept = data.join(format!("before-restore-{}", runtime::wall().0));
    fs::create_dir(&kept).with_context(|| format!("cannot make {}", kept.display()))?;
    for name in there {
        fs::rename(data.join(name), kept.join(name)).with_context(|| format!("cannot set {name} aside"))?;
    }
    sync(data)?;
    Ok(kept)
}
