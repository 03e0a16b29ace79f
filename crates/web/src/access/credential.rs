//! What a credential is, who somebody is that has shown one, and why something was not done.

use std::io;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use vocabulary::WallTime;

use super::role::Role;

/// Whether somebody's browser has it, or a program, or whoever was given a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CredentialKind {
    Session,
    Token,
    /// It lets somebody in; it ends with the process.
    Link,
}

/// A credential; its secret is known only to whoever has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    pub id: String,
    pub(super) sha256: String,
    pub kind: CredentialKind,
    pub role: Role,
    pub label: String,
    pub made_at: WallTime,
    /// What a session was made from and ends with: the id of a token, or what is given from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
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
    /// The token that a session was made from; it is the same person.
    pub parent: Option<String>,
}

impl Caller {
    /// Whom a name belongs to that they take: administrators may release each other's, so they share theirs.
    pub fn owner(&self) -> &str {
        if self.role == Role::Administrator {
            Role::Administrator.name()
        } else {
            self.root()
        }
    }

    /// What all sessions of a token have in common with it.
    pub fn root(&self) -> &str {
        self.parent.as_ref().unwrap_or(&self.credential)
    }
}

/// A link to be made.
#[derive(Clone, Debug)]
pub struct NewLink {
    pub role: Role,
    pub label: String,
    pub uses: u32,
    pub valid_ms: i64,
    /// The credential of whoever makes it, with which it ends; none for the process's own.
    pub made_by: Option<String>,
}

/// A link that still lets somebody in, without its code.
#[derive(Clone, Debug)]
pub struct OpenLink {
    pub id: String,
    pub role: Role,
    pub label: String,
    pub uses_left: u32,
    pub made_at: WallTime,
    pub expires_at: WallTime,
}

/// A link that was made.
#[derive(Clone, Debug)]
pub struct IssuedLink {
    pub code: String,
    pub expires_at: WallTime,
}

/// What could not be written to the data folder.
#[derive(Debug, Error)]
#[error("access.json could not be written ({0})")]
pub struct NotKept(#[from] io::Error);

impl Credential {
    pub(super) fn is_over(&self, now: WallTime) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}
