//! Credentials, links and names, in memory and in the file.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use vocabulary::WallTime;

use super::credential::{Caller, Credential, CredentialKind, IssuedLink, NewLink, NotKept, OpenLink};
use super::file::Kept;
use super::links::Links;
use super::role::Role;
use super::secret;
use crate::guard::Token;
use crate::public::PublicAddress;

/// How far behind the note of the last use may be.
const USE_NOTED_EVERY_MS: i64 = 60 * 60 * 1_000;
pub(super) const SESSION_LASTS_MS: i64 = 180 * 24 * 60 * 60 * 1_000;
/// How long after a failure what is in memory is written again.
const WRITE_AGAIN_AFTER: Duration = Duration::from_secs(5);
/// A clock that is set meanwhile is noticed after this.
const LOOK_AT_CLOCK_EVERY: Duration = Duration::from_secs(15);
/// Sessions of browsers whose role rose, of which is known what they are now.
const SUCCESSORS_MAX: usize = 500;

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
    pub(super) links: Links,
    /// Secrets of the sessions that were made from a token while this process runs, by that token.
    pub(super) browsers: Mutex<BTreeMap<String, String>>,
    /// Told whenever a credential ends before its time.
    pub(super) ended: watch::Sender<()>,
    /// What somebody is now whose session ended for a better one, by the credential that ended.
    successors: Mutex<BTreeMap<String, Caller>>,
    /// Something in memory could not be written; it is tried again until it is.
    is_unwritten: AtomicBool,
    /// Where people open it, where a proxy stands before it.
    pub(super) public: OnceLock<PublicAddress>,
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
            links: Links::default(),
            browsers: Mutex::default(),
            ended: watch::channel(()).0,
            successors: Mutex::default(),
            is_unwritten: AtomicBool::new(false),
            public: OnceLock::new(),
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

    /// When the time of a token was over that somebody shows; none for what never was one, or was taken back.
    pub(crate) fn ended_at(&self, secret: &str) -> Option<WallTime> {
        let (digest, now) = (secret::digest(secret), runtime::wall());
        let kept = self.kept();
        let found = kept.credentials.iter().find(|other| other.sha256 == digest)?;
        let parent = kept
            .credentials
            .iter()
            .find(|other| Some(&other.id) == found.parent.as_ref());
        let over = [Some(found), parent].into_iter().flatten();
        let over = over.filter(|credential| credential.is_over(now));
        over.filter_map(|credential| credential.expires_at).min()
    }

    /// For how long somebody who came in is still somebody, as things are: none if they or the token they came by has
    /// ended.
    pub(super) fn lasts(&self, caller: &Caller) -> Option<Duration> {
        if self.0.given.iter().any(|(_, given)| given == caller) {
            return Some(Duration::MAX);
        }
        let (kept, now) = (self.kept(), runtime::wall());
        let is_kept = |other: &&Credential| {
            other.id == caller.credential && other.role == caller.role && self.is_live(&kept, other, now)
        };
        let found = kept.credentials.iter().find(is_kept)?;
        let parent = kept
            .credentials
            .iter()
            .find(|other| Some(&other.id) == found.parent.as_ref());
        let ends = [Some(found), parent].into_iter().flatten();
        let first = ends.filter_map(|credential| credential.expires_at).min();
        let left = first.map(|end| u64::try_from(end.0.saturating_sub(now.0)).unwrap_or(0));
        Some(left.map_or(Duration::MAX, Duration::from_millis))
    }

    /// Resolves once somebody who came in is nobody any more: taken back, or at the end of their time.
    pub(crate) fn until_over(&self, caller: &Caller) -> impl Future<Output = ()> + Send + use<> {
        let (access, caller) = (self.clone(), caller.clone());
        let mut endings = self.0.ended.subscribe();
        async move {
            while let Some(left) = access.lasts(&caller) {
                tokio::select! {
                    _ = endings.changed() => {}
                    () = tokio::time::sleep(left.min(LOOK_AT_CLOCK_EVERY)) => {}
                }
            }
        }
    }

    /// Resolves once whoever came in is gone for good: a browser whose role rises is the same one.
    pub(crate) async fn until_gone(&self, caller: &Caller) {
        let mut now = caller.clone();
        loop {
            self.until_over(&now).await;
            let successors = self.0.successors.lock().unwrap_or_else(PoisonError::into_inner);
            match successors.get(&now.credential) {
                Some(next) => now = next.clone(),
                None => return,
            }
        }
    }

    pub(super) fn succeed(&self, old: &Caller, new: Caller) {
        let mut successors = self.0.successors.lock().unwrap_or_else(PoisonError::into_inner);
        if successors.len() >= SUCCESSORS_MAX {
            successors.pop_first();
        }
        successors.insert(old.credential.clone(), new);
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

    /// Takes a credential or a link back, with the sessions and links made from it; whether there was one. The names it held stay its own, so
    /// that nobody else acts as whoever had it, until an administrator hands them on. Where it cannot be written it opens
    /// nothing all the same, and writing it is tried again.
    pub fn revoke(&self, id: &str) -> Result<bool, NotKept> {
        let was_link = self.0.links.end(id);
        let mut kept = self.kept();
        let is_known = kept.credentials.iter().any(|credential| credential.id == id);
        if was_link && !is_known {
            return Ok(true);
        }
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
        self.0.links.add(new)
    }

    /// Links that still let somebody in, the oldest first.
    pub fn links(&self) -> Vec<OpenLink> {
        self.0.links.open()
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

    /// Writes while what is kept is locked.
    fn write(&self, kept: &Kept) -> Result<(), NotKept> {
        let Some(data) = &self.0.data else { return Ok(()) };
        let written = kept.write(data);
        match &written {
            Ok(()) => self.0.is_unwritten.store(false, Ordering::Relaxed),
            Err(_) => self.keep_trying(),
        }
        Ok(written?)
    }

    /// For what holds in memory at least, such as a session: whoever comes in while the disk is full can mend that.
    pub(super) fn write_or_say(&self, kept: &Kept) {
        if let Err(problem) = self.write(kept) {
            tracing::error!(%problem, "credentials and names of now are lost if Denizen ends before it can be written. Make room on the disk of the data folder");
        }
    }

    /// Whether something in memory could not be written yet.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.0.is_unwritten.load(Ordering::Relaxed)
    }

    /// Has what is in memory written a while later, and again until it is, whether anybody asks for something or not.
    fn keep_trying(&self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.0.is_unwritten.swap(true, Ordering::Relaxed) {
            return;
        }
        let inner = Arc::downgrade(&self.0);
        runtime.spawn(async move {
            loop {
                tokio::time::sleep(WRITE_AGAIN_AFTER).await;
                let Some(access) = inner.upgrade().map(Access) else {
                    return;
                };
                let mut kept = access.kept();
                if !access.is_unwritten() {
                    return;
                }
                if access.write(&kept).is_ok() {
                    kept.revoked_in_memory.clear();
                    tracing::info!("credentials and names are on the disk again, as they are in memory");
                    return;
                }
            }
        });
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
