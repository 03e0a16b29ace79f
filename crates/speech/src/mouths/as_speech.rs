//! A mouth as the house knows it: what it says of sentences, and what it hands on for others.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use runtime::ports::{RealtimeSound, Speech, SpeechFault, Spoken, SpokenSound};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Mouth;
use super::passing;

#[async_trait]
impl Speech for Mouth {
    async fn speak(
        &self,
        voice: &str,
        sentences: mpsc::Receiver<String>,
        sound: mpsc::Sender<SpokenSound>,
        cancel: CancellationToken,
    ) -> Spoken {
        let Some(speaking) = &self.speaking else {
            return Spoken {
                fault: Some(SpeechFault {
                    detail: self.status.detail.clone(),
                    retryable: false,
                }),
                ..Spoken::default()
            };
        };
        // What goes wrong is told until something goes well again, and in the log once for each thing.
        let last = || self.last_fault.lock().unwrap_or_else(PoisonError::into_inner);
        let was_troubled = AtomicBool::new(speaking.has_failed_lately());
        let troubled = |trouble: &crate::trouble::Trouble| {
            was_troubled.store(true, Ordering::Relaxed);
            let mut last = last();
            if last.as_ref() != Some(&trouble.detail) {
                tracing::warn!("speaking: {}", trouble.detail);
                *last = Some(trouble.detail.clone());
            }
        };
        let spoken = speaking.speak(voice, sentences, sound, &cancel, troubled).await;
        if spoken.fault.is_none() && !was_troubled.load(Ordering::Relaxed) {
            *last() = None;
        }
        spoken
    }

    async fn pass_on(
        &self,
        pieces: mpsc::Receiver<RealtimeSound>,
        sound: mpsc::Sender<SpokenSound>,
        cancel: CancellationToken,
    ) -> Spoken {
        let passed = cancel.run_until_cancelled(passing::pass_on(pieces, sound)).await;
        Spoken {
            fault: passed.and_then(Result::err).map(Into::into),
            ..Spoken::default()
        }
    }
}
