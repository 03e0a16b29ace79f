//! What every engine that speaks has in common.

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::trouble::Trouble;

/// A piece of sound from an engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sound {
    /// Samples a second; the same for all of a sentence.
    pub(crate) rate: u32,
    pub(crate) samples: Vec<i16>,
    /// Where the engine tells it: by this time, in seconds since the sentence began, so many characters are said.
    pub(crate) marks: Vec<(f64, usize)>,
}

/// An engine that speaks.
#[async_trait]
pub(crate) trait Voicebox: Send + Sync {
    /// The name under which what it says is written down.
    fn engine(&self) -> String;

    /// Says a text; the sound goes out as it is made. An empty voice is the usual one.
    async fn say(&self, text: &str, voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble>;

    /// Millionths of a dollar for so many characters, which took so long to say.
    fn cost(&self, characters: u64, seconds: f64) -> Option<u64> {
        let _ = (characters, seconds);
        Some(0)
    }
}
