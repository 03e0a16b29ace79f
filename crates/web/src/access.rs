//! Who may do what: credentials with roles, links that let somebody in once, and whose a name in a room is.

mod credential;
pub(crate) mod enter;
mod file;
mod links;
pub(crate) mod manage;
pub(crate) mod names;
mod owned;
mod role;
mod secret;
mod sessions;
mod store;

pub use credential::{Caller, Credential, CredentialKind, IssuedLink, NewLink, NotKept, OpenLink, OwnedName};
pub use enter::open_at;
pub(crate) use names::refuse_taken;
pub use owned::NotHandedOver;
pub(crate) use owned::until_not_theirs;
pub use role::{Role, UnknownRole};
pub use store::Access;
