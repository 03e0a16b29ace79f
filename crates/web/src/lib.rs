//! The HTTP API, live events, the local room and the embedded pages.
//!
//! Everything goes through [`runtime::Handle`]: what people write is brought in there and durable when it says so,
//! and what is shown is read from its store and live feed. Nothing is decided here.

mod access;
mod agents;
mod ambient;
mod body;
mod communities;
mod contract;
mod declared;
mod discovery;
mod doorway;
mod events;
mod guard;
mod health;
mod in_process;
mod inspector;
mod large_bodies;
mod listeners;
mod local_room;
mod memory;
mod metrics;
mod openapi;
mod overview;
mod pages;
mod parameters;
mod plain_lines;
mod public;
mod refusal;
mod refused;
mod rooms;
mod router;
mod serve;
mod settings_migrate;
mod settings_page;
mod site;
mod spending;
mod voice;
mod watch;

pub use access::{
    Access, Caller, Credential, CredentialKind, IssuedLink, NewLink, NotHandedOver, NotKept, OpenLink,
    OwnedName, Role, UnknownRole, open_at,
};
pub use contract::typescript;
pub use guard::{Token, WeakToken};
pub use in_process::InProcess;
pub use local_room::{LocalRoom, Names};
pub use public::{NoPublicAddress, PublicAddress};
pub use router::{description, router};
pub use serve::serve;
pub use site::{Export, Site};
