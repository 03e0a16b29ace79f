//! Ears that are there and not loaded: a look at them is no reason to.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::time::Instant;

use super::transcriber::{Transcriber, Transcript};
use crate::trouble::Trouble;

/// Whoever would understand, by name.
pub(crate) struct Unloaded(pub(crate) String);

#[async_trait]
impl Transcriber for Unloaded {
    fn engine(&self) -> String {
        self.0.clone()
    }

    fn is_free(&self) -> bool {
        true
    }

    async fn transcribe(&self, _: Arc<[i16]>, _: Instant) -> Result<Transcript, Trouble> {
        Err(Trouble::passing("the ears are not loaded"))
    }
}
