//! JPEG, decoded by zune-jpeg.

use vocabulary::PictureKind;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::decoded::{Channels, Decoded};
use super::{BadPicture, MAX_SIDE, damaged};

/// Scans of a progressive picture, which usually has about ten: each costs a pass over all of it.
const MAX_SCANS: usize = 64;

/// Walks from marker to marker to the header of the frame.
pub(super) fn size(bytes: &[u8]) -> Result<(u64, u64), BadPicture> {
    let no_frame = || damaged(PictureKind::Jpeg, "it has no frame header");
    let mut rest = bytes.get(2..).unwrap_or_default();
    loop {
        // A marker may be filled up with further 0xff.
        let marker = rest.iter().position(|&byte| byte != 0xff).ok_or_else(no_frame)?;
        let (&code, after) = rest[marker..].split_first().ok_or_else(no_frame)?;
        let (&length, content) = after.split_first_chunk::<2>().ok_or_else(no_frame)?;
        match code {
            _ if marker == 0 => return Err(no_frame()),
            0xc0..=0xc2 => {
                let &[_, height_high, height_low, width_high, width_low] =
                    content.first_chunk().ok_or_else(no_frame)?;
                let side = |high, low| u64::from(u16::from_be_bytes([high, low]));
                return Ok((side(width_high, width_low), side(height_high, height_low)));
            }
            // Tables, which share the codes of frames.
            0xc4 | 0xc8 | 0xcc => {}
            0xc3..=0xcf => return Err(rare_coding()),
            // The picture begins or ends without a frame.
            0xd9 | 0xda => return Err(no_frame()),
            _ => {}
        }
        let length = usize::from(u16::from_be_bytes(length)).saturating_sub(2);
        rest = content.get(length..).ok_or_else(no_frame)?;
    }
}

/// Always with the colours: the decoder's way to brightness alone gives a wrong picture where the colours are sampled
/// in one direction only, and calls some good pictures damaged.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, BadPicture> {
    let mut decoder = open(bytes)?;
    let (space, channels) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (ColorSpace::Luma, Channels::Grey),
        Some(ColorSpace::YCbCr) => (ColorSpace::YCbCr, Channels::YCbCr),
        Some(ColorSpace::RGB | ColorSpace::CMYK | ColorSpace::YCCK) => (ColorSpace::RGB, Channels::Rgb),
        _ => return Err(BadPicture::Unsupported("a rare colour space")),
    };
    decoder.set_options(decoder.options().jpeg_set_out_colorspace(space));
    let data = decoder.decode().map_err(refused)?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    Ok(Decoded {
        width,
        height,
        channels,
        data,
    })
}

fn open(bytes: &[u8]) -> Result<JpegDecoder<ZCursor<&[u8]>>, BadPicture> {
    let options = DecoderOptions::default()
        .set_max_width(MAX_SIDE)
        .set_max_height(MAX_SIDE)
        // A picture that is cut short is refused: half a screen in grey would be taken for a change.
        .set_strict_mode(true)
        .jpeg_set_max_scans(MAX_SCANS);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(refused)?;
    Ok(decoder)
}

fn refused(error: DecodeErrors) -> BadPicture {
    match error {
        DecodeErrors::Unsupported(_) => rare_coding(),
        // Words only: the decoder speaks in quotation marks and line ends.
        error => damaged(
            PictureKind::Jpeg,
            error.to_string().replace(['"', '\n'], "").trim(),
        ),
    }
}

fn rare_coding() -> BadPicture {
    BadPicture::Unsupported("arithmetic, lossless or hierarchical JPEG coding")
}
