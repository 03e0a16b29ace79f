//! Links that let somebody in: each as often, and as long, as it says. They end with the process.

use std::sync::{Mutex, MutexGuard, PoisonError};

use vocabulary::WallTime;

use super::credential::{IssuedLink, NewLink, OpenLink};
use super::role::Role;
use super::secret;

const LINKS_MAX: usize = 200;

struct Link {
    sha256: String,
    open: OpenLink,
    made_by: Option<String>,
}

impl Link {
    fn is_good(&self, now: WallTime) -> bool {
        self.open.uses_left > 0 && self.open.expires_at > now
    }
}

/// The links that were made, the oldest first.
#[derive(Default)]
pub(super) struct Links(Mutex<Vec<Link>>);

impl Links {
    pub fn add(&self, new: NewLink) -> IssuedLink {
        let now = runtime::wall();
        let code = secret::fresh();
        let expires_at = WallTime(now.0.saturating_add(new.valid_ms));
        let mut links = self.lock();
        links.retain(|link| link.is_good(now));
        if links.len() >= LINKS_MAX {
            links.remove(0);
        }
        links.push(Link {
            sha256: secret::digest(&code),
            open: OpenLink {
                id: secret::fresh_id(),
                role: new.role,
                label: new.label,
                uses_left: new.uses,
                made_at: now,
                expires_at,
            },
            made_by: new.made_by,
        });
        IssuedLink { code, expires_at }
    }

    /// What a link would let somebody be, without using it.
    pub fn role_of(&self, code: &str) -> Option<Role> {
        self.with(code, |link| link.open.role)
    }

    /// Uses a link once: what it lets somebody be, and how they are labelled; none if it is used up, over or unknown.
    pub fn take(&self, code: &str) -> Option<(Role, String)> {
        self.with(code, |link| {
            link.open.uses_left -= 1;
            (link.open.role, link.open.label.clone())
        })
    }

    /// Those that still let somebody in, the oldest first.
    pub fn open(&self) -> Vec<OpenLink> {
        let now = runtime::wall();
        let links = self.lock();
        let open = links.iter().filter(|link| link.is_good(now));
        open.map(|link| link.open.clone()).collect()
    }

    /// Ends the link of that id, and all links that a credential of that id made; whether there was such a link.
    pub fn end(&self, id: &str) -> bool {
        let mut links = self.lock();
        let known = links.iter().any(|link| link.open.id == id);
        links.retain(|link| link.open.id != id && link.made_by.as_deref() != Some(id));
        known
    }

    fn with<T>(&self, code: &str, what: impl FnOnce(&mut Link) -> T) -> Option<T> {
        let (now, digest) = (runtime::wall(), secret::digest(code));
        let mut links = self.lock();
        let found = links
            .iter_mut()
            .find(|link| link.sha256 == digest && link.is_good(now));
        found.map(what)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Link>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
