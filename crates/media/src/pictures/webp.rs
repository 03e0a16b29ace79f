//! WebP, lossy and lossless, decoded by image-webp.

use std::io::Cursor;

use image_webp::{DecodingError, WebPDecoder};
use vocabulary::PictureKind;

use super::decoded::{Channels, Decoded};
use super::{BadPicture, damaged};

/// What the decoder may keep beside the picture.
const MAX_BYTES: usize = 64 << 20;

pub(super) fn size(bytes: &[u8]) -> Result<(u64, u64), BadPicture> {
    let decoder = open(bytes)?;
    if decoder.is_animated() {
        return Err(BadPicture::Unsupported("several frames (an animated WebP)"));
    }
    let (width, height) = decoder.dimensions();
    // The lossy picture inside an extended file has a size of its own, which the decoder only compares after it has
    // made room for it.
    if lossy_size(bytes).is_some_and(|inner| inner != (width, height)) {
        return Err(damaged(PictureKind::Webp, "it has two sizes"));
    }
    Ok((u64::from(width), u64::from(height)))
}

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, BadPicture> {
    let mut decoder = open(bytes)?;
    let (width, height) = decoder.dimensions();
    let channels = if decoder.has_alpha() {
        Channels::Rgba
    } else {
        Channels::Rgb
    };
    let mut data = vec![0; width as usize * height as usize * channels.count()];
    decoder.read_image(&mut data).map_err(refused)?;
    Ok(Decoded {
        width: width as usize,
        height: height as usize,
        channels,
        data,
    })
}

fn open(bytes: &[u8]) -> Result<WebPDecoder<Cursor<&[u8]>>, BadPicture> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(refused)?;
    decoder.set_memory_limit(MAX_BYTES);
    Ok(decoder)
}

/// The size in the first lossy chunk, if there is one.
fn lossy_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.get(12..)?;
    while let Some((name, after)) = rest.split_first_chunk::<4>() {
        let (length, content) = after.split_first_chunk::<4>()?;
        if name == b"VP8 " {
            // Three bytes of tag, three of start code, then 14 bits of width and of height.
            let &[_, _, _, _, _, _, width_low, width_high, height_low, height_high] =
                content.first_chunk()?;
            let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
            return Some((side(width_low, width_high), side(height_low, height_high)));
        }
        let length = u32::from_le_bytes(*length) as usize;
        rest = content.get(length.checked_next_multiple_of(2)?..)?;
    }
    None
}

fn refused(error: DecodingError) -> BadPicture {
    damaged(PictureKind::Webp, error)
}
