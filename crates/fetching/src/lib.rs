//! Fetches what strangers serve: public addresses only, with limits on size, time, type, redirects and decompression.
//!
//! A name is resolved once, what it resolves to is checked, and just that is connected to; each redirect goes through
//! the same checks. Nothing of the environment (proxies, cookies, referrers) takes part.
//!
//! Services that the operator chose are no strangers: [`service`] has what their clients share.

mod accepting;
mod address;
mod body;
mod charset;
mod connecting;
mod decoding;
mod fault;
mod fetcher;
mod hop;
mod lookup;
mod policy;
mod reference;
pub mod service;
mod wanted;

pub use address::refusal_of;
pub use connecting::connect;
pub use fault::FetchFault;
pub use fetcher::Fetcher;
pub use lookup::{Addresses, Lookup, NameTable, SystemLookup};
pub use policy::FetchPolicy;
pub use reference::character_of;
pub use wanted::{Fetched, Validators, Wanted};
