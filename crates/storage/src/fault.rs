//! What goes wrong inside, and how it is told to a person.

use std::path::Path;

use runtime::ports::StoreError;
use rusqlite::ErrorCode;

/// A failure before it is known what was being done, and where.
#[derive(Debug)]
pub(crate) enum Fault {
    Sql(rusqlite::Error),
    /// A kept value that this version cannot read, or one that cannot be written.
    Json {
        what: String,
        error: serde_json::Error,
    },
    /// A failure that needs nothing added but what was being done.
    Told(String),
    /// An answer that is right as it is.
    Refused(StoreError),
}

impl Fault {
    /// A closure for `map_err` that names what could not be read or written as JSON.
    pub fn json(what: impl Into<String>) -> impl FnOnce(serde_json::Error) -> Fault {
        let what = what.into();
        move |error| Fault::Json { what, error }
    }

    /// Whether the disk or the machine is to blame, and not what was to be done: then it may go well later.
    pub fn is_of_the_disk(&self) -> bool {
        let Fault::Sql(error) = self else { return false };
        matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DiskFull
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::OutOfMemory
                    | ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
            )
        )
    }

    /// Whether the file is damaged: then it may go well once a copy of it is in its place.
    pub fn is_of_damage(&self) -> bool {
        let Fault::Sql(error) = self else { return false };
        matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
        )
    }

    /// Says it to a person: what failed, and what to do.
    pub fn tell(self, doing: &'static str, path: &Path) -> StoreError {
        match self {
            Fault::Sql(error) => tell_sql(&error, doing, path),
            Fault::Json { what, error } => StoreError::Failed {
                doing,
                detail: format!(
                    "{what} cannot be understood: {error}. If another version of Denizen wrote it, use that version"
                ),
            },
            Fault::Told(detail) => StoreError::Failed { doing, detail },
            Fault::Refused(error) => error,
        }
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Fault::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Fault::Refused(error)
    }
}

/// Says to a person that the disk failed.
pub(crate) fn tell_disk(error: &std::io::Error, doing: &'static str, path: &Path) -> StoreError {
    let shown = path.display();
    failed(
        doing,
        &format!("{error}; the disk of {shown} failed. Check it and its free space"),
    )
}

pub(crate) fn failed(doing: &'static str, detail: &str) -> StoreError {
    StoreError::Failed {
        doing,
        detail: detail.to_owned(),
    }
}

pub(crate) fn taken_back(doing: &'static str) -> StoreError {
    failed(
        doing,
        "it was taken back together with another write that failed. Check the disk and try again",
    )
}

/// Whether the disk failed while it was waited for.
pub(crate) fn is_of_a_wait(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_IOERR_FSYNC)
}

/// Says a failure of SQLite's to a person.
pub(crate) fn tell_sql(error: &rusqlite::Error, doing: &'static str, path: &Path) -> StoreError {
    let shown = path.display();
    let remedy = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            return StoreError::Busy {
                path: shown.to_string(),
                detail: format!("it was locked for too long while {doing}"),
            };
        }
        Some(ErrorCode::NotADatabase) => {
            format!("{shown} is not a database. Move that file away, or use another --data folder")
        }
        Some(ErrorCode::DatabaseCorrupt) => format!(
            "{shown} is damaged. Put a copy in its place, or move it away (with its -wal and -shm) to start anew"
        ),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => format!(
            "{shown} cannot be opened or written. Check who owns it and its folder, or use another --data folder"
        ),
        Some(ErrorCode::DiskFull) => {
            format!("the disk of {shown} is full. Free some space; nothing that was stored is lost")
        }
        Some(ErrorCode::SystemIoFailure) => {
            format!("the disk of {shown} failed. Check it and its free space")
        }
        _ => format!("at {shown}"),
    };
    StoreError::Failed {
        doing,
        detail: format!("{error}; {remedy}"),
    }
}
