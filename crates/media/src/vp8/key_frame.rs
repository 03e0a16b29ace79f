//! Decoding a key frame: it is the same thing as a lossy WebP picture without its wrapping.

use std::io::Cursor;
use std::panic::catch_unwind;

use image_webp::vp8::Vp8Decoder;

use super::Undecodable;
use crate::Picture;
use crate::pictures::MAX_PIXELS;

/// The tag, the start code and the size.
const HEADER_BYTES: usize = 10;

/// Whether a frame stands on its own.
pub fn is_key_frame(frame: &[u8]) -> bool {
    frame.first().is_some_and(|tag| tag & 1 == 0)
}

/// Decodes a key frame. VP8 does not say whether its levels are those of video or of pictures, and browsers send both:
/// they are left as they come.
pub fn decode_key_frame(frame: &[u8]) -> Result<Picture, Undecodable> {
    let (width, height) = size(frame)?;
    if width * height > MAX_PIXELS {
        return Err(Undecodable::TooLarge { width, height });
    }
    // The decoder is made for pictures from files, not from strangers: should one make it fall over, it is that frame's
    // fault and no other's.
    let decoded = catch_unwind(|| Vp8Decoder::decode_frame(Cursor::new(frame)));
    let decoded = decoded.map_err(|_| damaged("its decoder gave up on it"))?;
    let decoded = decoded.map_err(|error| Undecodable::Damaged(error.to_string()))?;
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    // The planes are padded to whole macroblocks.
    let blocks = width.div_ceil(16);
    Ok(Picture {
        width,
        height,
        y: plane(&decoded.ybuf, blocks * 16, width, height)?,
        u: plane(&decoded.ubuf, blocks * 8, half_width, half_height)?,
        v: plane(&decoded.vbuf, blocks * 8, half_width, half_height)?,
    })
}

/// The size that a key frame's header names, read before anything is reserved for it.
fn size(frame: &[u8]) -> Result<(usize, usize), Undecodable> {
    if !is_key_frame(frame) {
        return Err(Undecodable::NoKeyFrame);
    }
    let header = frame
        .get(..HEADER_BYTES)
        .ok_or_else(|| damaged("it is cut short"))?;
    if header[3..6] != [0x9d, 0x01, 0x2a] {
        return Err(damaged("its start code is wrong"));
    }
    let side = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]) & 0x3fff);
    match (side(6), side(8)) {
        (0, _) | (_, 0) => Err(damaged("it is a picture without pixels")),
        size => Ok(size),
    }
}

fn plane(data: &[u8], stride: usize, width: usize, height: usize) -> Result<Vec<u8>, Undecodable> {
    let mut plane = Vec::with_capacity(width * height);
    for row in 0..height {
        let row = data.get(row * stride..row * stride + width);
        plane.extend(row.ok_or_else(|| damaged("a plane is too short"))?);
    }
    Ok(plane)
}

fn damaged(why: &str) -> Undecodable {
    Undecodable::Damaged(why.to_owned())
}

#[cfg(test)]
#[path = "key_frame_tests.rs"]
mod key_frame_tests;
