//! The file of the data folder in which credentials and names are kept, closed to everybody but its owner.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::secret;
use super::store::{Credential, OwnedName};

const FILE: &str = "access.json";
const VERSION: u32 = 1;

/// Everything that is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kept {
    version: u32,
    /// Distinguishes this folder from others on the same machine, whose cookies a browser cannot tell apart by port.
    pub folder: String,
    #[serde(default)]
    pub credentials: Vec<Credential>,
    /// By the id of the person whose name it is.
    #[serde(default)]
    pub names: BTreeMap<String, OwnedName>,
}

impl Kept {
    pub fn new() -> Self {
        Self {
            version: VERSION,
            folder: secret::fresh_id(),
            credentials: Vec::new(),
            names: BTreeMap::new(),
        }
    }

    /// What a folder has; nothing yet where there is no such file.
    pub fn read(data: &Path) -> io::Result<Self> {
        let path = data.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => return Ok(Self::new()),
            Err(problem) => return Err(named(&path, &problem.to_string())),
        };
        let kept: Self = serde_json::from_str(&text).map_err(|problem| named(&path, &problem.to_string()))?;
        if kept.version > VERSION {
            return Err(named(&path, "a newer Denizen has written it. Use that one"));
        }
        Ok(kept)
    }

    /// Written whole beside the old one, then put in its place.
    pub fn write(&self, data: &Path) -> io::Result<()> {
        let (path, fresh) = (data.join(FILE), data.join("access.json.new"));
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&fresh)?;
        file.write_all(&serde_json::to_vec_pretty(self)?)?;
        file.sync_all()?;
        fs::rename(&fresh, &path)?;
        File::open(data)?.sync_all()
    }
}

fn named(path: &Path, problem: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!(
            "{} cannot be read: {problem}. Restore it, or remove it: then everybody has to come in anew",
            path.display()
        ),
    )
}
