//! Who may do what: credentials with roles, links that let somebody in once, and whose a name in a room is.

pub(crate) mod enter;
mod file;
pub(crate) mod manage;
pub(crate) mod names;
mod owned;
mod role;
mod secret;
mod store;

pub(crate) use names::refuse_taken;
pub use owned::NotHandedOver;
pub use role::{Role, UnknownRole};
pub use store::{Access, Caller, Credential, CredentialKind, IssuedLink, NewLink, OwnedName};
