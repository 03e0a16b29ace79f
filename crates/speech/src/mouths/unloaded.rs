//! A voice that is there and not loaded: a look at it is no reason to.

use async_trait::async_trait;
use tokio::sync::mpsc;

use super::voicebox::{Sound, Voicebox};
use crate::trouble::Trouble;

/// Whoever would speak, by name.
pub(crate) struct Unloaded(pub(crate) String);

#[async_trait]
impl Voicebox for Unloaded {
    fn engine(&self) -> String {
        self.0.clone()
    }

    async fn say(&self, _: &str, _: &str, _: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        Err(Trouble::passing("the voice is not loaded"))
    }
}
