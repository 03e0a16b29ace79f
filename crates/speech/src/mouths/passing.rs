//! Sound that a realtime service says by itself, as frames: nobody here has anything to say about it.

use audio::resample::Resampler;
use runtime::ports::{RealtimeSound, SpokenSound};
use tokio::sync::mpsc;

use super::frames::{FRAME_MS, Framer, reached_by};
use crate::trouble::Trouble;

/// Hands it on until it ends, or nobody listens any more.
pub(super) async fn pass_on(
    mut pieces: mpsc::Receiver<RealtimeSound>,
    sound: mpsc::Sender<SpokenSound>,
) -> Result<(), Trouble> {
    let mut passing = Passing::default();
    while let Some(piece) = pieces.recv().await {
        for frame in passing.push(&piece)? {
            if sound.send(frame).await.is_err() {
                return Ok(());
            }
        }
    }
    for frame in passing.finish() {
        if sound.send(frame).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Sound on its way into frames.
#[derive(Default)]
struct Passing {
    framer: Framer,
    resampler: Option<(u32, Resampler)>,
    waiting: Vec<i16>,
    marks: Vec<(f64, usize)>,
    frames: u64,
}

impl Passing {
    fn push(&mut self, piece: &RealtimeSound) -> Result<Vec<SpokenSound>, Trouble> {
        self.marks.extend(&piece.marks);
        if self
            .resampler
            .as_ref()
            .is_none_or(|(rate, _)| *rate != piece.rate)
        {
            let resampler = Resampler::new(piece.rate, audio::RATE).map_err(|error| {
                Trouble::lasting(format!("the service gave sound that cannot be used: {error}"))
            })?;
            self.resampler = Some((piece.rate, resampler));
        }
        if let Some((_, resampler)) = &mut self.resampler {
            resampler.push(&piece.samples, &mut self.waiting);
        }
        Ok(self.whole_frames())
    }

    /// The rest, filled up with silence.
    fn finish(&mut self) -> Vec<SpokenSound> {
        if let Some((_, resampler)) = &mut self.resampler {
            resampler.finish(&mut self.waiting);
        }
        let whole = self.waiting.len().next_multiple_of(audio::FRAME);
        self.waiting.resize(whole, 0);
        self.whole_frames()
    }

    fn whole_frames(&mut self) -> Vec<SpokenSound> {
        let waiting = std::mem::take(&mut self.waiting);
        let (whole, rest) = waiting.as_chunks::<{ audio::FRAME }>();
        self.waiting = rest.to_vec();
        let frames = whole.iter().map(|samples| {
            let mut bytes = Vec::new();
            audio::pcm::write(samples, &mut bytes);
            self.frames += 1;
            let now = (self.frames * FRAME_MS) as f64 / 1_000.0;
            let characters = reached_by(&self.marks, now);
            self.framer.frame(bytes.into(), 0, characters)
        });
        frames.collect()
    }
}

#[cfg(test)]
#[path = "passing_tests.rs"]
mod tests;
