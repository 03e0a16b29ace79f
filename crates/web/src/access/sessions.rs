//! Sessions of browsers: made when somebody comes in, each ending with the token it was made from.

use std::sync::PoisonError;

use super::credential::{Caller, Credential, CredentialKind};
use super::file::{BY_A_TOKEN, Kept};
use super::role::Role;
use super::secret;
use super::store::{Access, SESSION_LASTS_MS, new_credential};

/// Sessions that are kept.
const SESSIONS_MAX: usize = 500;
/// Sessions of one token that are kept; browsers of one token share one while Denizen runs.
const SESSIONS_PER_TOKEN_MAX: usize = 8;

/// What a session is made from.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub role: Role,
    pub label: String,
    /// What it ends with; nothing but its own time for a link.
    pub parent: Option<String>,
}

impl Access {
    /// What a token lets somebody be.
    pub(crate) fn entry_by(&self, token: &Caller) -> Entry {
        Entry {
            role: token.role,
            label: format!("{BY_A_TOKEN}{}", token.credential),
            parent: Some(self.parent_of_sessions(token)),
        }
    }

    /// The secret of the session of a browser that comes in, perhaps with a session of its own. That one stays unless
    /// the role rises: then it ends, and the names it had go to the new one, whose secret nobody has seen before. One that
    /// browsers of a token share stays the others', with its names.
    pub(crate) fn come_in(&self, own: Option<(&str, Caller)>, entry: &Entry) -> String {
        match own {
            Some((secret, caller)) if entry.role <= caller.role => secret.to_owned(),
            Some((_, caller)) if caller.parent.is_none() && self.is_session(&caller) => {
                let secret = self.session(entry);
                self.replace(&caller, &secret);
                secret
            }
            Some(_) | None => self.session(entry),
        }
    }

    /// Whether somebody has come in by a session, and not by a token or what is given from outside.
    pub(super) fn is_session(&self, caller: &Caller) -> bool {
        self.kind_of(&caller.credential) == Some(CredentialKind::Session)
    }

    /// A session; its secret goes into a cookie. That of a token is made once.
    pub(crate) fn session(&self, entry: &Entry) -> String {
        let Some(parent) = &entry.parent else {
            return self.fresh_session(entry);
        };
        let mut browsers = self.0.browsers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = browsers.get(parent).filter(|secret| self.who(secret).is_some());
        if let Some(secret) = known {
            return secret.clone();
        }
        let secret = self.fresh_session(entry);
        browsers.insert(parent.clone(), secret.clone());
        secret
    }

    fn fresh_session(&self, entry: &Entry) -> String {
        let secret = secret::fresh();
        let lasts = Some(SESSION_LASTS_MS);
        let made = Credential {
            parent: entry.parent.clone(),
            ..new_credential(CredentialKind::Session, entry.role, &entry.label, lasts, &secret)
        };
        let mut kept = self.kept();
        let before = kept.credentials.len();
        make_room(&mut kept, &made);
        if kept.credentials.len() < before {
            self.0.ended.send_replace(());
        }
        kept.credentials.push(made);
        self.write_or_say(&kept);
        secret
    }

    /// Ends a session for another one, which has its names from now on.
    fn replace(&self, old: &Caller, secret: &str) {
        let Some(new) = self.who(secret) else { return };
        let mut kept = self.kept();
        for owned in kept.names.values_mut().filter(|owned| owned.owner == old.owner()) {
            owned.owner = new.owner().to_owned();
        }
        kept.remove(&old.credential);
        self.succeed(old, new);
        self.0.ended.send_replace(());
        self.write_or_say(&kept);
    }
}

/// Where there are too many sessions, the one that was not used for longest goes: of the same token, else of the same
/// role, else of a lesser one. Nobody pushes somebody out who may do more.
fn make_room(kept: &mut Kept, new: &Credential) {
    let of = |kept: &Kept, which: &dyn Fn(&Credential) -> bool| -> Vec<(bool, Role, i64, String)> {
        let sessions = kept
            .credentials
            .iter()
            .filter(|other| other.kind == CredentialKind::Session);
        let rank = |other: &Credential| {
            let used = other.last_used_at.unwrap_or(other.made_at).0;
            (other.role != new.role, other.role, used, other.id.clone())
        };
        sessions.filter(|other| which(other)).map(rank).collect()
    };
    let siblings = of(kept, &|other| {
        other.parent.is_some() && other.parent == new.parent
    });
    let all = of(kept, &|_| true);
    let leaving = if siblings.len() >= SESSIONS_PER_TOKEN_MAX {
        siblings
    } else if all.len() >= SESSIONS_MAX {
        of(kept, &|other| other.role <= new.role)
    } else {
        return;
    };
    if let Some((.., id)) = leaving.into_iter().min() {
        kept.credentials.retain(|other| other.id != id);
    }
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod sessions_tests;
