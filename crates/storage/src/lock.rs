//! The lock that lets only one process run on a data folder.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use runtime::ports::StoreError;

use crate::folder;

const LOCK: &str = "denizen.lock";

/// Holds the data folder until it is dropped or the process ends, however it ends.
#[derive(Debug)]
#[must_use = "the folder is free again as soon as this is dropped"]
pub struct DataLock {
    _file: File,
}

impl DataLock {
    /// Takes the lock, or says who holds it.
    pub(crate) fn take(data_dir: &Path) -> Result<Self, StoreError> {
        folder::make_folder(data_dir)?;
        let path = data_dir.join(LOCK);
        let refused = |error| folder::refused(&path, "lock", &error);
        let mut file = folder::open_private(&path).map_err(refused)?;
        match file.try_lock() {
            Ok(()) => {
                note_holder(&mut file).map_err(refused)?;
                Ok(Self { _file: file })
            }
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy {
                path: data_dir.display().to_string(),
                detail: holder(&mut file),
            }),
            Err(TryLockError::Error(error)) => Err(refused(error)),
        }
    }
}

// The number is for people only; the lock itself is the kernel's and cannot go stale.
fn note_holder(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    write!(file, "{}", std::process::id())
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file
        .rewind()
        .and_then(|()| Read::by_ref(file).take(20).read_to_string(&mut text));
    match (read, text.trim().parse::<u32>()) {
        (Ok(_), Ok(process)) => format!("process {process} runs on it"),
        _ => "another process runs on it".to_owned(),
    }
}
