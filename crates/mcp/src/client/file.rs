//! `mcp.json`, looked at every few seconds.

use std::fs::Metadata;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const FILE_BYTES_MAX: u64 = 256 * 1024;

/// A file that was written so lately may be written again without its time showing it.
const FRESH: Duration = Duration::from_secs(5);

/// The file as it was seen last.
pub(crate) struct WatchedFile {
    path: PathBuf,
    seen: Option<(SystemTime, u64)>,
    last: Option<Seen>,
}

/// What is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Nothing,
    Text(Vec<u8>),
    /// Why it cannot be read; for a person.
    Unreadable(String),
}

impl WatchedFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            seen: None,
            last: None,
        }
    }

    /// What is there now, if it is something else than before.
    pub(crate) fn look(&mut self) -> Option<Seen> {
        let now = match std::fs::metadata(&self.path) {
            Ok(about) if self.is_as_before(&about) => return None,
            Ok(about) => read(&self.path, &about),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.seen = None;
                Seen::Nothing
            }
            Err(error) => Seen::Unreadable(format!("it cannot be read: {error}")),
        };
        if self.last.as_ref() == Some(&now) {
            return None;
        }
        self.last = Some(now.clone());
        Some(now)
    }

    fn is_as_before(&mut self, about: &Metadata) -> bool {
        let Ok(written) = about.modified() else {
            return false;
        };
        let signs = (written, about.len());
        let same = self.seen == Some(signs);
        self.seen = Some(signs);
        same && written.elapsed().is_ok_and(|age| age > FRESH)
    }
}

fn read(path: &Path, about: &Metadata) -> Seen {
    if !about.is_file() {
        return Seen::Unreadable("it is not a file".to_owned());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // It names programs that are started: whoever may write it may do whatever Denizen may.
        if about.permissions().mode() & 0o002 != 0 {
            return Seen::Unreadable(format!(
                "everybody on this machine may write it, and it names programs to start. Run `chmod o-w {}`",
                path.display()
            ));
        }
    }
    let mut text = Vec::new();
    let reading =
        std::fs::File::open(path).and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut text));
    match reading {
        Err(error) => Seen::Unreadable(format!("it cannot be read: {error}")),
        Ok(_) if text.len() as u64 > FILE_BYTES_MAX => {
            Seen::Unreadable(format!("it has more than {} kB", FILE_BYTES_MAX / 1024))
        }
        Ok(_) => Seen::Text(text),
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
