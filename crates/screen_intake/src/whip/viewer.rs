//! Looking at a stream: every frame is decoded and scored, some are given out, and a change between two that are given
//! is held until the next.

use std::time::{Duration, Instant};

use media::rtp::Arrived;
use media::score::{Grid, Scorer};
use media::{Picture, h264, jpeg, vp8};
use runtime::ports::Seen;
use vocabulary::ChangeScore;

use super::knobs::Knobs;
use super::outlet::Exposure;

/// How a stream is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    H264,
    /// Key frames only.
    Vp8,
}

/// What there is to do for whoever looks.
#[derive(Debug)]
pub(super) enum Work {
    Look(Codec, Arrived),
    /// The watch begins (anew): nothing before it counts.
    BeginWatch,
}

#[derive(Debug, Default)]
pub(super) struct Viewer {
    h264: h264::Decoder,
    /// A VP8 key frame was cut or damaged on the way, and none has come since.
    vp8_lost: bool,
    scorer: Scorer,
    /// Looked at, and not given out yet.
    latest: Option<Picture>,
    given: Option<Instant>,
}

/// Qualities that are tried where a picture has too many bytes in the one that is wanted.
const LESSER_QUALITIES: [u8; 4] = [85, 70, 50, 30];
/// How often a picture that has too many bytes even then is halved.
const HALVINGS_MAX: usize = 6;

impl Viewer {
    /// Does what there is to do; says whether a key frame is needed after it.
    pub(super) fn work(&mut self, work: Work) -> bool {
        let (codec, arrived) = match work {
            Work::BeginWatch => {
                *self = Self::default();
                return true;
            }
            Work::Look(codec, arrived) => (codec, arrived),
        };
        let decoded = match (codec, arrived) {
            (Codec::H264, Arrived::Frame(unit)) => self.h264.decode(&unit).map_err(|error| error.to_string()),
            (Codec::Vp8, Arrived::Frame(frame)) => {
                let decoded = vp8::decode_key_frame(&frame);
                self.vp8_lost = decoded.is_err();
                decoded.map(Some).map_err(|error| error.to_string())
            }
            (Codec::H264, Arrived::Lost) => {
                self.h264.lost();
                Ok(None)
            }
            (Codec::Vp8, Arrived::Lost) => {
                self.vp8_lost = true;
                Ok(None)
            }
        };
        match decoded {
            Ok(picture) => picture.into_iter().for_each(|picture| self.look(picture)),
            Err(error) => tracing::debug!(error, "a frame of a stream could not be decoded"),
        }
        match codec {
            Codec::H264 => self.h264.needs_key_frame(),
            Codec::Vp8 => self.vp8_lost,
        }
    }

    /// When the frame that was looked at last is to be given out; none where that is done.
    pub(super) fn due(&self, interval: Duration, now: Instant) -> Option<Instant> {
        self.latest.as_ref()?;
        Some(self.given.map_or(now, |given| given + interval))
    }

    /// Gives the frame out that was looked at last, with the greatest change since the one before it.
    pub(super) fn give(&mut self, knobs: &Knobs, now: Instant) -> Option<Exposure> {
        let picture = self.latest.take()?;
        let change = self.scorer.emit();
        self.given = Some(now);
        match expose(&picture, change, knobs) {
            Ok(exposure) => Some(exposure),
            Err(error) => {
                tracing::warn!(%error, "a frame of a stream could not be made a JPEG of");
                None
            }
        }
    }

    fn look(&mut self, picture: Picture) {
        self.scorer.look(Grid::of(&picture.luma()));
        self.latest = Some(picture);
    }
}

/// A JPEG as it is wanted; where that has more bytes than a frame may have, in lesser quality, and then smaller.
fn expose(picture: &Picture, change: ChangeScore, knobs: &Knobs) -> Result<Exposure, jpeg::CannotEncode> {
    let lesser = LESSER_QUALITIES
        .into_iter()
        .filter(|lesser| *lesser < knobs.quality);
    let least = knobs.quality.min(LESSER_QUALITIES[LESSER_QUALITIES.len() - 1]);
    let qualities = std::iter::once(knobs.quality)
        .chain(lesser)
        .map(|quality| (knobs.pixels, quality));
    let sizes = (1..=HALVINGS_MAX).map(|halvings| (knobs.pixels >> halvings, least));
    let mut exposure = None;
    for (pixels, quality) in qualities.chain(sizes) {
        let scaled = picture.with_about(pixels);
        let jpeg = jpeg::encode(&scaled, quality)?;
        let fits = jpeg.len() <= knobs.max_bytes;
        let seen = Seen {
            width: scaled.width as u32,
            height: scaled.height as u32,
            change,
        };
        exposure = Some(Exposure {
            jpeg: jpeg.into(),
            seen,
        });
        if fits {
            break;
        }
    }
    Ok(exposure.expect("the first is always made"))
}

#[cfg(test)]
#[path = "viewer_tests.rs"]
mod viewer_tests;
