//! One stream's decoder: access units in, pictures out, and a wish for a key frame whenever it has lost the thread.

use openh264::OpenH264API;
use openh264::decoder::{DecodedYUV, Decoder as Engine, DecoderConfig, Flush};
use openh264::formats::YUVSource;

use super::annex_b::{START_CODE, UnitKind, units};
use super::parameter_sets::ParameterSets;
use super::{MAX_ACCESS_UNIT_BYTES, Undecodable};
use crate::Picture;
use crate::levels::{stretch_chroma, stretch_luma};

/// Decodes one stream. Pictures have the levels of JPEG (0 to 255), whatever the stream has.
///
/// A stream in main or high profile may hold frames back, as later ones can be shown before them: it gives its
/// pictures in the order in which they are shown, at least one access unit late. Baseline never does.
#[derive(Default)]
pub struct Decoder {
    /// None where the next picture must be a key frame.
    engine: Option<Engine>,
    sets: ParameterSets,
    /// The sets with which the last picture was decoded; damaged ones must not outlive an error.
    proven_sets: ParameterSets,
    unproven: bool,
    /// Units with slices that gave no picture, in a row.
    fruitless: usize,
}

/// More pictures than these are never held back; an engine that holds back more has lost the thread in silence.
const MAX_HELD_BACK: usize = 17;

impl Decoder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing will be decoded until a key frame comes: at the start, after a loss, after an error.
    pub fn needs_key_frame(&self) -> bool {
        self.engine.is_none()
    }

    /// Something was lost on the way, so that what follows refers to pictures that are not there.
    pub fn lost(&mut self) {
        self.engine = None;
    }

    /// Takes an access unit (Annex B) and gives the next picture that is to be shown, if there is one yet. While a key
    /// frame is needed, what is none is passed over without an error.
    pub fn decode(&mut self, access_unit: &[u8]) -> Result<Option<Picture>, Undecodable> {
        let decoded = self.try_decode(access_unit);
        match &decoded {
            Ok(Some(_)) if self.unproven => {
                self.proven_sets = self.sets.clone();
                self.unproven = false;
            }
            Ok(_) => {}
            Err(_) => {
                self.engine = None;
                if self.unproven {
                    self.sets = self.proven_sets.clone();
                    self.unproven = false;
                }
            }
        }
        decoded
    }

    /// The stream is over: the pictures that were still held back, in the order in which they are shown.
    pub fn finish(mut self) -> Vec<Picture> {
        let Some(mut engine) = self.engine.take() else {
            return Vec::new();
        };
        let held_back = engine.flush_remaining().unwrap_or_default();
        let pictures = held_back.iter().map(|yuv| picture(yuv, &self.sets));
        pictures.filter_map(Result::ok).collect()
    }

    fn try_decode(&mut self, access_unit: &[u8]) -> Result<Option<Picture>, Undecodable> {
        if access_unit.len() > MAX_ACCESS_UNIT_BYTES {
            return Err(Undecodable::TooLong {
                bytes: access_unit.len(),
            });
        }
        let mut has_key_slice = false;
        for (kind, unit) in units(access_unit) {
            has_key_slice |= kind == UnitKind::KeySlice;
            self.unproven |= self.sets.take(kind, unit)?;
        }
        if self.engine.is_none() && !has_key_slice {
            return Ok(None);
        }
        let stream = self.stream(access_unit)?;
        if stream.is_empty() {
            return Ok(None);
        }
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(new_engine()?),
        };
        if let Some(yuv) = engine.decode(&stream).map_err(damaged)? {
            self.fruitless = 0;
            return picture(&yuv, &self.sets).map(Some);
        }
        self.fruitless += 1;
        if self.fruitless > MAX_HELD_BACK {
            self.fruitless = 0;
            return Err(Undecodable::Damaged("it gives no pictures".to_owned()));
        }
        Ok(None)
    }

    /// What the engine is given: slices and parameter sets only, and a new engine the sets that it needs first.
    fn stream(&self, access_unit: &[u8]) -> Result<Vec<u8>, Undecodable> {
        let mut stream = Vec::with_capacity(access_unit.len() + 64);
        let is_new = self.engine.is_none();
        if is_new {
            self.sets.write_needed_by(access_unit, &mut stream)?;
        }
        for (kind, unit) in units(access_unit) {
            if kind.is_slice() || kind != UnitKind::Other && !is_new {
                stream.extend(START_CODE);
                stream.extend(unit);
            }
        }
        Ok(stream)
    }
}

/// Without flushing: the engine forgets to give a flushed picture's memory back, and runs out of it.
fn new_engine() -> Result<Engine, Undecodable> {
    let config = DecoderConfig::new().flush_after_decode(Flush::NoFlush);
    Engine::with_api_config(OpenH264API::from_source(), config).map_err(damaged)
}

fn picture(yuv: &DecodedYUV<'_>, sets: &ParameterSets) -> Result<Picture, Undecodable> {
    let (width, height) = yuv.dimensions();
    let (stride_y, stride_u, stride_v) = yuv.strides();
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let mut picture = Picture {
        width,
        height,
        y: plane(yuv.y(), stride_y, width, height)?,
        u: plane(yuv.u(), stride_u, half_width, half_height)?,
        v: plane(yuv.v(), stride_v, half_width, half_height)?,
    };
    if !sets.full_range(width, height) {
        stretch_luma(&mut picture.y);
        stretch_chroma(&mut picture.u);
        stretch_chroma(&mut picture.v);
    }
    Ok(picture)
}

fn plane(data: &[u8], stride: usize, width: usize, height: usize) -> Result<Vec<u8>, Undecodable> {
    let mut plane = Vec::with_capacity(width * height);
    for row in 0..height {
        let row = data.get(row * stride..row * stride + width);
        plane.extend(row.ok_or_else(|| Undecodable::Damaged("a plane is too short".to_owned()))?);
    }
    Ok(plane)
}

fn damaged(error: openh264::Error) -> Undecodable {
    Undecodable::Damaged(format!("decoder code {}", error.native_code()))
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder")
            .field("needs_key_frame", &self.needs_key_frame())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "decoder_tests.rs"]
mod decoder_tests;
