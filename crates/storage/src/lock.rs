//! The lock that lets only one process run on a data folder, and where that process can be asked.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use runtime::ports::StoreError;
use serde::{Deserialize, Serialize};

use crate::folder;

const LOCK: &str = "denizen.lock";

/// Holds the data folder until it is dropped or the process ends, however it ends.
#[derive(Debug)]
#[must_use = "the folder is free again as soon as this is dropped"]
pub struct DataLock {
    file: File,
}

/// The process that runs on a data folder.
#[derive(Clone, Serialize, Deserialize)]
pub struct Holder {
    pub process: u32,
    /// Where it listens, once it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub door: Option<Door>,
}

/// Where a process can be asked, for those who may read its data folder.
#[derive(Clone, Serialize, Deserialize)]
pub struct Door {
    pub url: String,
    /// Where people open it, where a proxy stands before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<String>,
    /// What it is told apart from others by.
    pub instance: String,
    /// Whoever knows it may do everything: the file is its owner's alone.
    pub key: String,
}

impl fmt::Debug for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Holder")
            .field("process", &self.process)
            .field("door", &self.door)
            .finish()
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door")
            .field("url", &self.url)
            .field("instance", &self.instance)
            .finish_non_exhaustive()
    }
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
                note_holder(&mut file, None).map_err(refused)?;
                Ok(Self { file })
            }
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy {
                path: data_dir.display().to_string(),
                detail: told(&mut file),
            }),
            Err(TryLockError::Error(error)) => Err(refused(error)),
        }
    }

    /// Notes where this process can be asked.
    pub fn announce(&mut self, door: Door) -> std::io::Result<()> {
        note_holder(&mut self.file, Some(door))
    }

    /// Who runs on a folder; none if nobody does.
    pub fn holder(data_dir: &Path) -> Result<Option<Holder>, StoreError> {
        let path = data_dir.join(LOCK);
        let refused = |error| folder::refused(&path, "read", &error);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(refused(error)),
        };
        // What stands in it counts only while the lock is held: the lock is the kernel's and cannot go stale.
        match file.try_lock_shared() {
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => Ok(Some(read(&mut file).unwrap_or(Holder {
                process: 0,
                door: None,
            }))),
            Err(TryLockError::Error(error)) => Err(refused(error)),
        }
    }
}

fn note_holder(file: &mut File, door: Option<Door>) -> std::io::Result<()> {
    let process = std::process::id();
    let text = serde_json::to_string(&Holder { process, door })?;
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())
}

fn read(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.rewind().ok()?;
    Read::by_ref(file).take(4_096).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn told(file: &mut File) -> String {
    match read(file) {
        Some(holder) => {
            let at = holder
                .door
                .map_or_else(String::new, |door| format!(" at {}", door.url));
            format!("process {} runs on it{at}", holder.process)
        }
        None => "another process runs on it".to_owned(),
    }
}
