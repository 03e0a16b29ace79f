//! `denizen backup`: everything that is kept in the data folder, copied to a new folder, while Denizen runs or not.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use runtime::ports::Store;
use serde::{Deserialize, Serialize};
use settings::{BufferKind, GemStoreKind, Settings};
use storage::Sqlite;
use vocabulary::WallTime;

use super::progress::Busy;
use super::{block_on, saved_settings};

/// What a back-up says of itself.
pub const MANIFEST: &str = "backup.json";
pub const DATABASE: &str = "denizen.db";
/// In the data folder: when the last back-up was made.
const LAST: &str = "last-backup.json";
const FORMAT: u32 = 1;
/// Files of the folder that are nobody's to take elsewhere: who runs on it, and parts of the database.
const LEFT_OUT: [&str; 4] = ["denizen.lock", "denizen.db-wal", "denizen.db-shm", LAST];

#[derive(Debug, Args)]
pub struct BackupOptions {
    /// The new folder; it must not be there yet.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// The contents of a back-up.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupManifest {
    format: u32,
    /// The version of Denizen that made it.
    pub denizen: String,
    pub made_at: WallTime,
    pub files: Vec<BackedUpFile>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct BackedUpFile {
    pub name: String,
    pub bytes: u64,
}

impl BackupManifest {
    /// What a folder says that it holds; refused where a file is missing or has another length.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(MANIFEST);
        let text = fs::read_to_string(&path).with_context(|| {
            format!(
                "{} is no back-up: {} cannot be read. Name a folder that `denizen backup` made",
                folder.display(),
                path.display()
            )
        })?;
        let manifest: Self = serde_json::from_str(&text)
            .with_context(|| format!("{} cannot be understood", path.display()))?;
        if manifest.format > FORMAT {
            bail!(
                "the back-up was made by a newer Denizen ({}). Use that version",
                manifest.denizen
            );
        }
        for file in &manifest.files {
            let is_plain = Path::new(&file.name).file_name() == Some(file.name.as_ref());
            let bytes =
                fs::symlink_metadata(folder.join(&file.name)).map(|about| (about.is_file(), about.len()));
            match bytes {
                _ if !is_plain => bail!("the back-up names {}, which is no file of its own", file.name),
                Ok((true, bytes)) if bytes == file.bytes => {}
                Ok((_, bytes)) => bail!(
                    "the back-up is damaged: {} has {bytes} bytes, and had {} when it was made. Use another one",
                    file.name,
                    file.bytes
                ),
                Err(error) => bail!(
                    "the back-up is damaged: {} cannot be read ({error}). Use another one",
                    file.name
                ),
            }
        }
        Ok(manifest)
    }
}

/// When the last back-up of a data folder was made, and where it is; none where none is known.
pub fn last_made(data: &Path) -> Option<(WallTime, PathBuf)> {
    let text = fs::read_to_string(data.join(LAST)).ok()?;
    let told: LastBackup = serde_json::from_str(&text).ok()?;
    Some((told.at, told.folder))
}

#[derive(Debug, Serialize, Deserialize)]
struct LastBackup {
    at: WallTime,
    folder: PathBuf,
}

pub fn run(data: &Path, options: &BackupOptions) -> anyhow::Result<ExitCode> {
    let out = &options.out;
    if fs::symlink_metadata(out).is_ok() {
        bail!(
            "{} is there already. Name a new folder; none is overwritten",
            out.display()
        );
    }
    let store = Sqlite::open_read_only(data)?;
    let partial = partial_of(out)?;
    let busy = Busy::with("copying the database");
    let made = make(data, &store, &partial);
    drop(busy);
    let manifest = match made {
        Ok(manifest) => manifest,
        Err(error) => {
            // Half of a back-up must not pass for one.
            let _ = fs::remove_dir_all(&partial);
            return Err(error);
        }
    };
    fs::rename(&partial, out)
        .with_context(|| format!("cannot name the finished back-up {}", out.display()))?;
    sync(out.parent().unwrap_or(Path::new(".")))?;
    let whole = fs::canonicalize(out).unwrap_or_else(|_| out.clone());
    note_last(data, &manifest, whole);
    let bytes: u64 = manifest.files.iter().map(|file| file.bytes).sum();
    println!(
        "{} files, {:.1} MB, are at {}. They hold what people wrote, and tokens: keep them as safe as the data folder",
        manifest.files.len(),
        bytes as f64 / 1_000_000.0,
        out.display()
    );
    let elsewhere = |settings: &Settings| {
        let store = &settings.memory_store;
        store.gems != GemStoreKind::Embedded || store.buffer != BufferKind::Embedded
    };
    if saved_settings(data).is_ok_and(|settings| elsewhere(&settings)) {
        println!("Memories are kept by the servers that memory.store names: back these up as well");
    }
    println!("Installed models (`models/`) are not among them; `denizen models install` gets them again");
    Ok(ExitCode::SUCCESS)
}

fn make(data: &Path, store: &Sqlite, to: &Path) -> anyhow::Result<BackupManifest> {
    fs::DirBuilder::new()
        .mode(0o700)
        .create(to)
        .with_context(|| format!("cannot make {}", to.display()))?;
    let made_at = runtime::wall();
    block_on(async { Ok(store.export_copy(&to.join(DATABASE)).await?) })?;
    let mut files = vec![listed(to, DATABASE)?];
    let mut names: Vec<String> = fs::read_dir(data)?
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name != DATABASE && name != MANIFEST && !LEFT_OUT.contains(&name.as_str()))
        .collect();
    names.sort();
    for name in names {
        copy_private(&data.join(&name), &to.join(&name)).with_context(|| format!("cannot copy {name}"))?;
        files.push(listed(to, &name)?);
    }
    let manifest = BackupManifest {
        format: FORMAT,
        denizen: env!("CARGO_PKG_VERSION").to_owned(),
        made_at,
        files,
    };
    let mut file = private(&to.join(MANIFEST))?;
    file.write_all(&serde_json::to_vec_pretty(&manifest)?)?;
    file.sync_all()?;
    sync(to)?;
    Ok(manifest)
}

fn listed(folder: &Path, name: &str) -> io::Result<BackedUpFile> {
    Ok(BackedUpFile {
        name: name.to_owned(),
        bytes: fs::metadata(folder.join(name))?.len(),
    })
}

/// Copies a file so that only its owner reads the copy, and it is on disk.
pub fn copy_private(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = fs::File::open(from)?;
    let mut copy = private(to)?;
    io::copy(&mut source, &mut copy)?;
    copy.sync_all()
}

fn private(path: &Path) -> io::Result<fs::File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// What was named or removed in a folder stays so after a power cut.
pub fn sync(folder: &Path) -> io::Result<()> {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    fs::File::open(folder)?.sync_all()
}

fn partial_of(out: &Path) -> anyhow::Result<PathBuf> {
    let name = out
        .file_name()
        .with_context(|| format!("{} is no name of a folder", out.display()))?;
    let mut partial = name.to_owned();
    partial.push(format!(".partial-{}", std::process::id()));
    Ok(out.with_file_name(partial))
}

/// For the doctor. Nothing depends on it.
fn note_last(data: &Path, manifest: &BackupManifest, folder: PathBuf) {
    let last = LastBackup {
        at: manifest.made_at,
        folder,
    };
    let written = serde_json::to_vec(&last).map(|text| fs::write(data.join(LAST), text));
    if !matches!(written, Ok(Ok(()))) {
        eprintln!(
            "when this was made could not be noted in {}; the doctor does not know of it",
            data.display()
        );
    }
}
