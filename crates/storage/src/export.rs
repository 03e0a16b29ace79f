//! A consistent copy of everything in a new file, made while others read and write.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::fault::Fault;
use crate::{connection, folder};

/// Copies by `VACUUM INTO`: it reads one moment of the database without holding up the writer, and the copy holds
/// nothing that was deleted.
pub(crate) fn copy(database: &Path, to: &Path) -> Result<(), Fault> {
    let name = to.to_str().ok_or_else(|| {
        Fault::Told(format!(
            "the name {} is not UTF-8. Name another file",
            to.display()
        ))
    })?;
    // Made first, so that nobody else can read it and nothing there already is overwritten.
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)
        .map_err(|error| not_made(to, &error))?;
    let copied = connection::open_to_read(database)
        .and_then(|source| Ok(source.execute("VACUUM INTO ?1", [name])?))
        .and_then(|_| settle(to).map_err(|error| not_made(to, &error)));
    if copied.is_err()
        && let Err(error) = fs::remove_file(to)
    {
        tracing::warn!(%error, path = %to.display(), "an unfinished copy could not be removed");
    }
    copied
}

fn settle(copy: &Path) -> io::Result<()> {
    fs::File::open(copy)?.sync_all()?;
    folder::sync_folder_of(copy)
}

fn not_made(to: &Path, error: &io::Error) -> Fault {
    Fault::Told(match error.kind() {
        io::ErrorKind::AlreadyExists => {
            format!(
                "{} is there already. Name a new file; none is overwritten",
                to.display()
            )
        }
        _ => format!(
            "cannot write {}: {error}. Name a file in a folder you may write to",
            to.display()
        ),
    })
}
