//! Decodes a video on a thread of its own, a little ahead of time, and makes JPEGs of the frames that are sent.

use std::time::Duration;

use media::file::VideoFile;
use media::score::{Emission, Grid, Scorer};
use media::{Picture, jpeg};
use tokio::sync::mpsc;

use super::limits::Limits;

/// Frames that are ready before it is their time.
const AHEAD: usize = 3;

/// A frame that is to be sent, and its place in the video.
pub struct Ready {
    pub time: Duration,
    pub jpeg: Vec<u8>,
    /// The greatest change since the frame before it, those between the two included.
    pub peak: f64,
}

pub struct Player {
    frames: mpsc::Receiver<anyhow::Result<Ready>>,
}

impl Player {
    /// Plays so many frames of a second of video.
    pub fn start(video: VideoFile, per_second: f64, encoder: Encoder) -> Self {
        let (sender, frames) = mpsc::channel(AHEAD);
        std::thread::spawn(move || {
            let mut emission = Emission::new(per_second);
            let mut scorer = Scorer::default();
            for frame in video {
                if let Ok(frame) = &frame {
                    scorer.look(Grid::of(&frame.picture.luma()));
                }
                let ready = match frame {
                    Ok(frame) if emission.takes(frame.time) => encoder
                        .encode(&frame.picture)
                        .map(|jpeg| Ready {
                            time: frame.time,
                            jpeg,
                            peak: scorer.emit().score,
                        })
                        .map_err(Into::into),
                    Ok(_) => continue,
                    Err(error) => Err(error.into()),
                };
                // Nobody looks any more.
                if sender.blocking_send(ready).is_err() {
                    return;
                }
            }
        });
        Self { frames }
    }

    /// The next frame; none at the end.
    pub async fn next(&mut self) -> anyhow::Result<Option<Ready>> {
        self.frames.recv().await.transpose()
    }
}

/// Makes JPEGs as Denizen wants them.
pub struct Encoder {
    pub max_width: usize,
    pub quality: u8,
    pub max_bytes: usize,
}

impl Encoder {
    pub fn new(limits: &Limits) -> Self {
        Self {
            max_width: limits.max_width,
            quality: limits.quality,
            max_bytes: limits.max_frame_bytes,
        }
    }

    /// A picture that comes out too large is coded more coarsely, and then made smaller, as far as that helps.
    pub fn encode(&self, picture: &Picture) -> Result<Vec<u8>, jpeg::CannotEncode> {
        let mut width = self.max_width.min(picture.width);
        let mut quality = self.quality;
        loop {
            let encoded = jpeg::encode(&picture.with_width(width), quality)?;
            if encoded.len() <= self.max_bytes || width <= LEAST_WIDTH {
                return Ok(encoded);
            }
            if quality > LEAST_QUALITY {
                quality = quality.saturating_sub(15).max(LEAST_QUALITY);
            } else {
                width = width * 3 / 4;
            }
        }
    }
}

/// Below these nothing can be read on a screen any more.
const LEAST_QUALITY: u8 = 35;
const LEAST_WIDTH: usize = 320;
