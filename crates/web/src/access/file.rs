//! The file of the data folder in which credentials and names are kept, closed to everybody but its owner.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::credential::{Credential, CredentialKind, OwnedName};
use super::secret;

const FILE: &str = "access.json";
const VERSION: u32 = 1;
/// What the label of a session begins with that was made from a token, before the token's id.
pub(super) const BY_A_TOKEN: &str = "a browser, by ";

/// Everything that is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// What was taken back and could not be written.
    #[serde(skip)]
    pub revoked_in_memory: BTreeSet<String>,
}

impl Kept {
    pub fn new() -> Self {
        Self {
            version: VERSION,
            folder: secret::fresh_id(),
            credentials: Vec::new(),
            names: BTreeMap::new(),
            revoked_in_memory: BTreeSet::new(),
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
        let mut kept: Self =
            serde_json::from_str(&text).map_err(|problem| named(&path, &problem.to_string()))?;
        if kept.version > VERSION {
            return Err(named(&path, "a newer Denizen has written it. Use that one"));
        }
        kept.find_parents();
        Ok(kept)
    }

    /// Removes a credential and what was made from it.
    pub fn remove(&mut self, id: &str) {
        let ends = |other: &Credential| other.id == id || other.parent.as_deref() == Some(id);
        self.credentials.retain(|other| !ends(other));
    }

    /// Sessions of before say only in their label which token they were made from.
    fn find_parents(&mut self) {
        let is_id = |text: &str| text.len() == 12 && text.bytes().all(|letter| letter.is_ascii_hexdigit());
        let sessions = self.credentials.iter_mut();
        for session in
            sessions.filter(|other| other.kind == CredentialKind::Session && other.parent.is_none())
        {
            let parent = session.label.strip_prefix(BY_A_TOKEN).filter(|id| is_id(id));
            let Some(parent) = parent.map(ToOwned::to_owned) else {
                continue;
            };
            for owned in self.names.values_mut().filter(|owned| owned.owner == session.id) {
                owned.owner.clone_from(&parent);
            }
            session.parent = Some(parent);
        }
    }

    /// Written whole beside the old one, then put in its place.
    pub fn write(&self, data: &Path) -> io::Result<()> {
        let (path, fresh) = (data.join(FILE), data.join("access.json.new"));
        let written = self.write_beside(&fresh).and_then(|()| fs::rename(&fresh, &path));
        if let Err(problem) = written {
            // Half a file would only take more of a disk that is full.
            let _ = fs::remove_file(&fresh);
            return Err(problem);
        }
        File::open(data)?.sync_all()
    }

    fn write_beside(&self, fresh: &Path) -> io::Result<()> {
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(fresh)?;
        file.write_all(&serde_json::to_vec_pretty(self)?)?;
        file.sync_all()
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
