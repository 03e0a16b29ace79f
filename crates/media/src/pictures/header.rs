//! The first look at a picture: its kind by its first bytes, and its size before anything is decoded.

use vocabulary::PictureKind;

use super::{BadPicture, MAX_PIXELS, MAX_SIDE, jpeg, png, webp};

/// What a picture says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: PictureKind,
    pub width: usize,
    pub height: usize,
}

/// Reads the header of a picture, whose kind must be the declared one and whose size must be within the limits.
pub fn header(declared: PictureKind, bytes: &[u8]) -> Result<Header, BadPicture> {
    if bytes.is_empty() {
        return Err(BadPicture::Empty);
    }
    let kind = kind_of(bytes);
    if kind != Some(declared) {
        let found = kind.map_or("no JPEG, PNG or WebP", with_article);
        return Err(BadPicture::WrongKind { declared, found });
    }
    let (width, height) = match declared {
        PictureKind::Jpeg => jpeg::size(bytes)?,
        PictureKind::Png => png::size(bytes)?,
        PictureKind::Webp => webp::size(bytes)?,
    };
    let sides = 1..=MAX_SIDE as u64;
    if !sides.contains(&width) || !sides.contains(&height) || width * height > MAX_PIXELS as u64 {
        return Err(BadPicture::Size { width, height });
    }
    Ok(Header {
        kind: declared,
        width: width as usize,
        height: height as usize,
    })
}

/// The kind of a picture by its first bytes.
pub fn kind_of(bytes: &[u8]) -> Option<PictureKind> {
    if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        Some(PictureKind::Jpeg)
    } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(PictureKind::Png)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(PictureKind::Webp)
    } else {
        None
    }
}

pub(super) fn name(kind: PictureKind) -> &'static str {
    match kind {
        PictureKind::Jpeg => "JPEG",
        PictureKind::Png => "PNG",
        PictureKind::Webp => "WebP",
    }
}

fn with_article(kind: PictureKind) -> &'static str {
    match kind {
        PictureKind::Jpeg => "a JPEG",
        PictureKind::Png => "a PNG",
        PictureKind::Webp => "a WebP",
    }
}
