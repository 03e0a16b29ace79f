//! Credentials, links and names, in memory and in the file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::WallTime;

use super::file::Kept;
use super::role::Role;
use super::secret;
use crate::guard::Token;

/// Sessions that are kept; the one that was not used for longest goes.
const SESSIONS_MAX: usize = 500;
const LINKS_MAX: usize = 200;
/// How far behind the note of the last use may be.
const USE_NOTED_EVERY_MS: i64 = 60 * 60 * 1_000;
const SESSION_LASTS_MS: i64 = 180 * 24 * 60 * 60 * 1_000;

/// Whether somebody's browser has it, or a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CredentialKind {
    Session,
    Token,
}

/// A credential; its secret is known only to whoever has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    pub id: String,
    sha256: String,
    pub kind: CredentialKind,
    pub role: Role,
    pub label: String,
    pub made_at: WallTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<WallTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<WallTime>,
}

/// Whose a name is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OwnedName {
    /// As it was written when it was taken.
    pub name: String,
    /// The credential that took it; `administrator` stands for every administrator's.
    pub owner: String,
    pub since: WallTime,
}

/// Somebody who has shown a credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub credential: String,
    pub role: Role,
}

impl Caller {
    /// Whom a name belongs to that they take: administrators may release each other's, so they share theirs.
    pub fn owner(&self) -> &str {
        if self.role == Role::Administrator {
            Role::Administrator.name()
        } else {
            &self.credential
        }
    }
}

/// A link to be made.
#[derive(Clone, Debug)]
pub struct NewLink {
    pub role: Role,
    pub label: String,
    pub uses: u32,
    pub valid_ms: i64,
}

/// A link that was made.
#[derive(Clone, Debug)]
pub struct IssuedLink {
    pub code: String,
    pub expires_at: WallTime,
}

struct Link {
    sha256: String,
    role: Role,
    label: String,
    uses_left: u32,
    expires_at: WallTime,
}

/// Everybody who may come in, and as what.
#[derive(Clone)]
pub struct Access(Arc<Inner>);

struct Inner {
    instance: String,
    folder: String,
    data: Option<PathBuf>,
    /// What is given from outside and not kept: its digest, and who that is.
    given: Vec<(String, Caller)>,
    kept: Mutex<Kept>,
    links: Mutex<Vec<Link>>,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").finish_non_exhaustive()
    }
}

impl Access {
    /// What a data folder has. `given` are secrets of administrators that are not kept, each with a name.
    pub fn open(data: &Path, given: &[(&str, &Token)]) -> io::Result<Self> {
        Ok(Self::with(Kept::read(data)?, Some(data.to_owned()), given))
    }

    /// One that keeps nothing.
    pub fn in_memory(given: &[(&str, &Token)]) -> Self {
        Self::with(Kept::new(), None, given)
    }

    fn with(kept: Kept, data: Option<PathBuf>, given: &[(&str, &Token)]) -> Self {
        let given = given.iter().map(|(name, token)| {
            let caller = Caller {
                credential: (*name).to_owned(),
                role: Role::Administrator,
            };
            (secret::digest(token.as_str()), caller)
        });
        Self(Arc::new(Inner {
            instance: secret::fresh_id(),
            folder: kept.folder.clone(),
            data,
            given: given.collect(),
            kept: Mutex::new(kept),
            links: Mutex::default(),
        }))
    }

    /// A fresh secret, such as a command line's way in.
    pub fn fresh_token() -> Token {
        Token::new(&secret::fresh()).expect("what is made here is long and plain")
    }

    /// What this process is told apart from others by; no secret.
    pub fn instance(&self) -> &str {
        &self.0.instance
    }

    /// Cookies do not know ports, so their name says whose they are.
    pub fn cookie_name(&self) -> String {
        format!("denizen_{}", self.0.folder)
    }

    /// Who knows this secret.
    pub fn who(&self, secret: &str) -> Option<Caller> {
        let digest = secret::digest(secret);
        if let Some((_, caller)) = self.0.given.iter().find(|(known, _)| *known == digest) {
            return Some(caller.clone());
        }
        let now = runtime::wall();
        let mut kept = self.kept();
        let found = kept
            .credentials
            .iter_mut()
            .find(|credential| credential.sha256 == digest && !is_over(credential, now))?;
        let caller = Caller {
            credential: found.id.clone(),
            role: found.role,
        };
        let noted = found.last_used_at.map_or(0, |at| at.0);
        if now.0.saturating_sub(noted) >= USE_NOTED_EVERY_MS {
            found.last_used_at = Some(now);
            if found.kind == CredentialKind::Session {
                found.expires_at = Some(WallTime(now.0 + SESSION_LASTS_MS));
            }
            self.save(&kept);
        }
        Some(caller)
    }

    /// Makes a lasting credential; the secret is told this once.
    pub fn issue(&self, role: Role, label: &str, valid_ms: Option<i64>) -> (Credential, String) {
        self.make(CredentialKind::Token, role, label, valid_ms)
    }

    /// A session of a browser; its secret goes into a cookie.
    pub(crate) fn session(&self, role: Role, label: &str) -> String {
        self.make(CredentialKind::Session, role, label, Some(SESSION_LASTS_MS))
            .1
    }

    fn make(
        &self,
        kind: CredentialKind,
        role: Role,
        label: &str,
        valid_ms: Option<i64>,
    ) -> (Credential, String) {
        let (secret, now) = (secret::fresh(), runtime::wall());
        let credential = Credential {
            id: secret::fresh_id(),
            sha256: secret::digest(&secret),
            kind,
            role,
            label: label.to_owned(),
            made_at: now,
            last_used_at: None,
            expires_at: valid_ms.map(|valid| WallTime(now.0.saturating_add(valid))),
        };
        let mut kept = self.kept();
        kept.credentials.retain(|other| !is_over(other, now));
        kept.credentials.push(credential.clone());
        let is_session = |other: &&Credential| other.kind == CredentialKind::Session;
        if kept.credentials.iter().filter(is_session).count() > SESSIONS_MAX {
            let used = |other: &Credential| other.last_used_at.unwrap_or(other.made_at).0;
            let oldest = kept
                .credentials
                .iter()
                .filter(is_session)
                .min_by_key(|other| used(other));
            if let Some(oldest) = oldest.map(|oldest| oldest.id.clone()) {
                kept.credentials.retain(|other| other.id != oldest);
            }
        }
        self.save(&kept);
        (credential, secret)
    }

    /// Every lasting credential and session that is not over.
    pub fn credentials(&self) -> Vec<Credential> {
        let now = runtime::wall();
        let kept = self.kept();
        let known = kept
            .credentials
            .iter()
            .filter(|credential| !is_over(credential, now));
        known.cloned().collect()
    }

    /// Whether a credential is a browser's or a program's; none for what is not kept.
    pub(crate) fn kind_of(&self, id: &str) -> Option<CredentialKind> {
        let kept = self.kept();
        let found = kept.credentials.iter().find(|credential| credential.id == id);
        found.map(|credential| credential.kind)
    }

    /// Takes a credential back; whether there was one. The names it held stay its own, so that nobody else acts as
    /// whoever had it, until an administrator hands them on.
    pub fn revoke(&self, id: &str) -> bool {
        let mut kept = self.kept();
        let before = kept.credentials.len();
        kept.credentials.retain(|credential| credential.id != id);
        let was_there = kept.credentials.len() < before;
        if was_there {
            self.save(&kept);
        }
        was_there
    }

    /// Makes a link that lets somebody in.
    pub fn link(&self, new: NewLink) -> IssuedLink {
        let now = runtime::wall();
        let code = secret::fresh();
        let expires_at = WallTime(now.0.saturating_add(new.valid_ms));
        let mut links = self.0.links.lock().unwrap_or_else(PoisonError::into_inner);
        links.retain(|link| link.uses_left > 0 && link.expires_at > now);
        if links.len() >= LINKS_MAX {
            links.remove(0);
        }
        links.push(Link {
            sha256: secret::digest(&code),
            role: new.role,
            label: new.label,
            uses_left: new.uses,
            expires_at,
        });
        IssuedLink { code, expires_at }
    }

    /// Uses a link once: what it lets somebody be, and how they are labelled; none if it is used up, over or unknown.
    pub(crate) fn use_link(&self, code: &str) -> Option<(Role, String)> {
        let now = runtime::wall();
        let digest = secret::digest(code);
        let mut links = self.0.links.lock().unwrap_or_else(PoisonError::into_inner);
        let link = links
            .iter_mut()
            .find(|link| link.sha256 == digest && link.uses_left > 0 && link.expires_at > now)?;
        link.uses_left -= 1;
        Some((link.role, link.label.clone()))
    }

    /// Raises a session to a higher role, when its browser comes in by another link; names it had as a lesser one stay
    /// its own.
    pub(crate) fn raise(&self, caller: &Caller, role: Role) {
        let mut kept = self.kept();
        let own = caller.owner().to_owned();
        let raised = Caller {
            credential: caller.credential.clone(),
            role,
        };
        for owned in kept.names.values_mut().filter(|owned| owned.owner == own) {
            owned.owner = raised.owner().to_owned();
        }
        let found = kept
            .credentials
            .iter_mut()
            .find(|other| other.id == caller.credential);
        if let Some(found) = found {
            found.role = role;
            self.save(&kept);
        }
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn save(&self, kept: &Kept) {
        let Some(data) = &self.0.data else { return };
        if let Err(problem) = kept.write(data) {
            tracing::error!(%problem, "access.json could not be written: credentials and names of now are lost at the next start");
        }
    }
}

pub(super) fn is_over(credential: &Credential, now: WallTime) -> bool {
    credential.expires_at.is_some_and(|end| end <= now)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod store_tests;
