//! Pictures from outside: what they are, how large they are, their brightness, and they themselves.
//!
//! Nothing is decoded before the header is believed: the kind must be the declared one and the size within limits.

mod colours;
mod decoded;
mod header;
mod jpeg;
mod png;
mod webp;

#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod pictures_tests;
#[cfg(test)]
pub(crate) mod testing;

pub use header::{Header, header, kind_of};

use std::panic::{AssertUnwindSafe, catch_unwind};

use thiserror::Error;
use vocabulary::PictureKind;

use crate::{Luma, Picture};
use decoded::Decoded;

/// The most pixels that a picture may have: 16.8 million.
pub const MAX_PIXELS: usize = 1 << 24;
/// The most pixels on a side.
pub const MAX_SIDE: usize = 16384;

/// Why a picture cannot be looked at, for a person.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BadPicture {
    #[error("the picture has no bytes")]
    Empty,
    #[error("it is no JPEG, PNG or WebP")]
    Unknown,
    #[error("the picture says {}, and is {found}", .declared.mime())]
    WrongKind {
        declared: PictureKind,
        found: &'static str,
    },
    #[error(
        "the picture is {width} by {height}; it may have 1 to {MAX_SIDE} pixels on a side and {MAX_PIXELS} in all: \
         scale it before sending"
    )]
    Size { width: u64, height: u64 },
    #[error("the picture has {0}, which is not decoded here; send it as an ordinary JPEG, PNG or WebP")]
    Unsupported(&'static str),
    #[error("the {kind} is cut short or damaged ({detail})")]
    Damaged { kind: &'static str, detail: String },
}

/// The brightness of a picture, 0 to 255, one byte a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brightness {
    pub width: usize,
    pub height: usize,
    pub data: Vec<u8>,
}

impl Brightness {
    pub fn luma(&self) -> Luma<'_> {
        Luma {
            data: &self.data,
            stride: self.width,
            width: self.width,
            height: self.height,
        }
    }
}

/// The brightness of a picture, which is all that a score needs.
pub fn brightness(kind: PictureKind, bytes: &[u8]) -> Result<Brightness, BadPicture> {
    Ok(colours::brightness(decode(kind, bytes)?))
}

/// The whole picture. What is transparent stands on black.
pub fn picture(kind: PictureKind, bytes: &[u8]) -> Result<Picture, BadPicture> {
    Ok(colours::picture(decode(kind, bytes)?))
}

fn decode(kind: PictureKind, bytes: &[u8]) -> Result<Decoded, BadPicture> {
    let header = header(kind, bytes)?;
    let decoders = || match kind {
        PictureKind::Jpeg => jpeg::decode(bytes),
        PictureKind::Png => png::decode(bytes),
        PictureKind::Webp => webp::decode(bytes),
    };
    // The decoders are other people's work and the bytes are a stranger's: a decoder that falls over takes the picture
    // with it, and nothing else.
    let decoded = catch_unwind(AssertUnwindSafe(decoders))
        .unwrap_or_else(|_| Err(damaged(kind, "its decoder gave up on it")))?;
    let pixels = header.width * header.height;
    if (decoded.width, decoded.height) != (header.width, header.height)
        || decoded.data.len() != pixels * decoded.channels.count()
    {
        return Err(damaged(kind, "its size is not the one in its header"));
    }
    Ok(decoded)
}

fn damaged(kind: PictureKind, detail: impl std::fmt::Display) -> BadPicture {
    let kind = header::name(kind);
    let detail = detail.to_string();
    BadPicture::Damaged { kind, detail }
}
