//! Credentials, links and names, in memory and in the file.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use vocabulary::WallTime;

use super::credential::{Caller, Credential, CredentialKind, IssuedLink, NewLink, NotKept};
use super::file::Kept;
use super::role::Role;
use super::secret;
use crate::guard::Token;

const LINKS_MAX: usize = 200;
/// How far behind the note of the last use may be.
const USE_NOTED_EVERY_MS: i64 = 60 * 60 * 1_000;
pub(super) const SESSION_LASTS_MS: i64 = 180 * 24 * 60 * 60 * 1_000;
/// How long after a failure what is in memory is written again.
const RETRY_AFTER_MS: i64 = 5_000;

struct Link {
    sha256: String,
    role: Role,
    label: String,
    uses_left: u32,
    expires_at: WallTime,
}

/// Everybody who may come in, and as what.
#[derive(Clone)]
pub struct Access(pub(super) Arc<Inner>);

pub(super) struct Inner {
    instance: String,
    folder: String,
    data: Option<PathBuf>,
    /// What is given from outside and not kept: its digest, and who that is.
    given: Vec<(String, Caller)>,
    kept: Mutex<Kept>,
    links: Mutex<Vec<Link>>,
    /// Secrets of the sessions that were made from a token while this process runs, by that token.
    pub(super) browsers: Mutex<BTreeMap<String, String>>,
    /// Told whenever a credential ends before its time.
    pub(super) ended: watch::Sender<()>,
    /// When it was last tried in vain to write; 0 if what is in memory is on the disk.
    failed_at: AtomicI64,
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
                parent: None,
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
            browsers: Mutex::default(),
            ended: watch::channel(()).0,
            failed_at: AtomicI64::new(0),
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
        self.write_again(&kept, now);
        let known = |other: &Credential| other.sha256 == digest && self.is_live(&kept, other, now);
        let place = kept.credentials.iter().position(known)?;
        let found = &mut kept.credentials[place];
        let caller = Caller {
            credential: found.id.clone(),
            role: found.role,
            parent: found.parent.clone(),
        };
        let noted = found.last_used_at.map_or(0, |at| at.0);
        // A clock that was wrong may have left a time to come.
        if now.0.saturating_sub(noted).saturating_abs() >= USE_NOTED_EVERY_MS {
            found.last_used_at = Some(now);
            if found.kind == CredentialKind::Session {
                found.expires_at = Some(WallTime(now.0 + SESSION_LASTS_MS));
            }
            self.write_or_say(&kept);
        }
        Some(caller)
    }

    /// Whether somebody who came in is still somebody: neither they nor the token they came by has ended.
    pub(crate) fn is_still(&self, caller: &Caller) -> bool {
        let is_given = |(_, given): &(String, Caller)| given == caller;
        let (kept, now) = (self.kept(), runtime::wall());
        let is_kept = |other: &Credential| {
            other.id == caller.credential && other.role == caller.role && self.is_live(&kept, other, now)
        };
        self.0.given.iter().any(is_given) || kept.credentials.iter().any(is_kept)
    }

    /// Told whenever a credential ends before its time.
    pub(crate) fn endings(&self) -> watch::Receiver<()> {
        self.0.ended.subscribe()
    }

    fn is_live(&self, kept: &Kept, credential: &Credential, now: WallTime) -> bool {
        let parent_lives = |parent: &String| {
            let mut given = self.0.given.iter().map(outside);
            let mut kept = kept.credentials.iter();
            given.any(|known| known == *parent)
                || kept.any(|other| other.id == *parent && !other.is_over(now))
        };
        !credential.is_over(now) && credential.parent.as_ref().is_none_or(parent_lives)
    }

    /// What a session of theirs is made from.
    pub(super) fn parent_of_sessions(&self, caller: &Caller) -> String {
        let is_given = |(_, given): &&(String, Caller)| given == caller;
        let given = self.0.given.iter().find(is_given).map(outside);
        given.unwrap_or_else(|| caller.root().to_owned())
    }

    /// Makes a lasting credential; the secret is told this once, and only if it is on the disk.
    pub fn issue(
        &self,
        role: Role,
        label: &str,
        valid_ms: Option<i64>,
    ) -> Result<(Credential, String), NotKept> {
        let secret = secret::fresh();
        let made = new_credential(CredentialKind::Token, role, label, valid_ms, &secret);
        self.change(|kept| kept.credentials.push(made.clone()))?;
        Ok((made, secret))
    }

    /// Every lasting credential and session that is not over.
    pub fn credentials(&self) -> Vec<Credential> {
        let now = runtime::wall();
        let kept = self.kept();
        // Without a process that is given anything, nobody knows whether that has changed.
        let nobody_knows = |credential: &Credential| self.0.given.is_empty() && !credential.is_over(now);
        let mut known = kept.credentials.clone();
        known.retain(|credential| self.is_live(&kept, credential, now) || nobody_knows(credential));
        known
    }

    /// Whether a credential is a browser's or a program's; none for what is not kept.
    pub(crate) fn kind_of(&self, id: &str) -> Option<CredentialKind> {
        let kept = self.kept();
        let found = kept.credentials.iter().find(|credential| credential.id == id);
        found.map(|credential| credential.kind)
    }

    /// Takes a credential back, with the sessions made from it; whether there was one. The names it held stay its own, so
    /// that nobody else acts as whoever had it, until an administrator hands them on. Where it cannot be written it opens
    /// nothing all the same, as long as this process runs.
    pub fn revoke(&self, id: &str) -> Result<bool, NotKept> {
        let mut kept = self.kept();
        let is_known = kept.credentials.iter().any(|credential| credential.id == id);
        if !is_known && !kept.revoked_in_memory.contains(id) {
            return Ok(false);
        }
        kept.remove(id);
        self.0.ended.send_replace(());
        let written = self.write(&kept);
        match written {
            Ok(()) => kept.revoked_in_memory.remove(id),
            Err(_) => kept.revoked_in_memory.insert(id.to_owned()),
        };
        written.map(|()| true)
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

    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is kept; nothing is changed where it cannot be written.
    pub(super) fn change<T>(&self, how: impl FnOnce(&mut Kept) -> T) -> Result<T, NotKept> {
        let mut kept = self.kept();
        let mut changed = kept.clone();
        let done = how(&mut changed);
        self.write(&changed)?;
        *kept = changed;
        Ok(done)
    }

    fn write(&self, kept: &Kept) -> Result<(), NotKept> {
        let Some(data) = &self.0.data else { return Ok(()) };
        let written = kept.write(data);
        let failed_at = written.as_ref().map_or_else(|_| runtime::wall().0.max(1), |()| 0);
        self.0.failed_at.store(failed_at, Ordering::Relaxed);
        Ok(written?)
    }

    /// For what holds in memory at least, such as a session: whoever comes in while the disk is full can mend that.
    pub(super) fn write_or_say(&self, kept: &Kept) {
        if let Err(problem) = self.write(kept) {
            tracing::error!(%problem, "credentials and names of now are lost if Denizen ends before it can be written. Make room on the disk of the data folder");
        }
    }

    /// Writes what could not be written before, a while later.
    fn write_again(&self, kept: &Kept, now: WallTime) {
        let failed_at = self.0.failed_at.load(Ordering::Relaxed);
        if failed_at != 0 && now.0.saturating_sub(failed_at).saturating_abs() >= RETRY_AFTER_MS {
            self.write_or_say(kept);
        }
    }
}

/// What sessions that are made from something given from outside end with: another secret of that name is another one.
fn outside((digest, given): &(String, Caller)) -> String {
    format!("{} {}", given.credential, &digest[..12])
}

pub(super) fn new_credential(
    kind: CredentialKind,
    role: Role,
    label: &str,
    valid_ms: Option<i64>,
    secret: &str,
) -> Credential {
    let now = runtime::wall();
    Credential {
        id: secret::fresh_id(),
        sha256: secret::digest(secret),
        kind,
        role,
        label: label.to_owned(),
        made_at: now,
        parent: None,
        last_used_at: None,
        expires_at: valid_ms.map(|valid| WallTime(now.0.saturating_add(valid))),
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod store_tests;
