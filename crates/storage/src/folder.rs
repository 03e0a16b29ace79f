//! The data folder: made for its owner only, with the database file in it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use runtime::ports::StoreError;

const DATABASE: &str = "denizen.db";

/// Where the database of a data folder is.
pub(crate) fn database(data_dir: &Path) -> PathBuf {
    data_dir.join(DATABASE)
}

/// Makes the folder and an empty database file where there is none. A folder that is there already keeps its
/// mode: it may be shared with other things, and the files in it are closed to others anyway.
pub(crate) fn prepare(data_dir: &Path) -> Result<PathBuf, StoreError> {
    make_folder(data_dir)?;
    let path = database(data_dir);
    make_file(&path).map_err(|error| refused(&path, "make or write the file", &error))?;
    Ok(path)
}

/// Makes the folder where there is none.
pub(crate) fn make_folder(data_dir: &Path) -> Result<(), StoreError> {
    if data_dir.exists() && !data_dir.is_dir() {
        return Err(failed(format!(
            "{} is a file, not a folder. Name a folder with --data",
            data_dir.display()
        )));
    }
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(data_dir)
        .map_err(|error| refused(data_dir, "make the folder", &error))
}

/// Opens a file for its owner alone, making it where there is none.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)?;
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

/// Makes a file anew for its owner alone, for what people said; one that is there is emptied and closed to others.
pub fn create_private(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    let about = file.metadata()?;
    // A pipe or a terminal is not ours to close.
    if about.is_file() && about.permissions().mode() & 0o077 != 0 {
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

/// For a folder or file that could not be used.
pub(crate) fn refused(path: &Path, wish: &str, error: &io::Error) -> StoreError {
    failed(format!(
        "cannot {wish} {}: {error}. Check who owns the folder, or name another with --data",
        path.display()
    ))
}

/// Makes a new name in a folder outlast a power cut.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => File::open(parent)?.sync_all(),
        None => File::open(".")?.sync_all(),
    }
}

// SQLite gives its -wal and -shm files the mode of the database, so the file is made before SQLite sees it.
fn make_file(path: &Path) -> io::Result<()> {
    let is_new = !path.exists();
    open_private(path)?;
    if is_new {
        sync_folder_of(path)?;
    }
    Ok(())
}

fn failed(detail: String) -> StoreError {
    StoreError::Failed {
        doing: "opening the data folder",
        detail,
    }
}
