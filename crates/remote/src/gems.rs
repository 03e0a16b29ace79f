//! Gems and turns in a Qdrant collection that several processes may share, over its REST interface.
//!
//! Each record is a point: what it means is the plain vector, its words are the sparse vector `words`, and its payload
//! is the gem (or the turn) itself with what it is looked up by. One further point says whose vectors these are.
//! Qdrant 1.10 or newer.

mod client;
mod collection;
mod filter;
mod forget;
mod listing;
mod moving;
mod point;
mod search;
mod store;

use std::fmt;

use runtime::ports::MemoryFault;
use secrecy::SecretString;

use client::Client;
use collection::Collection;

/// Which collection of which Qdrant.
#[derive(Clone)]
pub struct QdrantSettings {
    /// Of the REST port, `http://127.0.0.1:6333`.
    pub url: String,
    pub collection: String,
    pub api_key: Option<SecretString>,
}

impl fmt::Debug for QdrantSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QdrantSettings")
            .field("url", &self.url)
            .field("collection", &self.collection)
            .finish_non_exhaustive()
    }
}

/// The shared store.
pub struct QdrantGems {
    collection: Collection,
}

impl QdrantGems {
    /// Takes the address in; Qdrant need not answer yet.
    pub fn new(settings: QdrantSettings) -> Result<Self, MemoryFault> {
        let collection = settings.collection;
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
        if collection.is_empty() || !collection.chars().all(is_name) {
            return Err(MemoryFault::Refused(format!(
                "memory.store.qdrantCollection is `{collection}`, and a name has letters, digits, - _ and . only"
            )));
        }
        Ok(Self {
            collection: Collection::new(Client::new(&settings.url, settings.api_key)?, collection),
        })
    }
}

impl fmt::Debug for QdrantGems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QdrantGems")
            .field("place", &self.collection.client.place())
            .field("collection", &self.collection.name)
            .finish_non_exhaustive()
    }
}
