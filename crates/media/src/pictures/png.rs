//! PNG of every kind: grey, palette, alpha, 1 to 16 bits, interlaced; of an animation the picture that stands for it.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Reader, Transformations};
use vocabulary::PictureKind;

use super::decoded::{Channels, Decoded};
use super::{BadPicture, damaged};

/// What the decoder may keep beside the picture: a few of its longest rows, 16 bits of four channels each.
const MAX_BYTES: usize = 8 << 20;

pub(super) fn size(bytes: &[u8]) -> Result<(u64, u64), BadPicture> {
    let mut decoder = decoder(bytes);
    let info = decoder.read_header_info().map_err(refused)?;
    Ok((u64::from(info.width), u64::from(info.height)))
}

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, BadPicture> {
    let mut reader: Reader<_> = decoder(bytes).read_info().map_err(refused)?;
    let (width, height) = reader.info().size();
    let (colours, depth) = reader.output_color_type();
    let channels = match (colours, depth) {
        (ColorType::Grayscale, BitDepth::Eight) => Channels::Grey,
        (ColorType::GrayscaleAlpha, BitDepth::Eight) => Channels::GreyAlpha,
        (ColorType::Rgb, BitDepth::Eight) => Channels::Rgb,
        (ColorType::Rgba, BitDepth::Eight) => Channels::Rgba,
        _ => {
            return Err(BadPicture::Unsupported(
                "colours that cannot be brought to 8 bits",
            ));
        }
    };
    let mut data = vec![0; width as usize * height as usize * channels.count()];
    reader.next_frame(&mut data).map_err(refused)?;
    Ok(Decoded {
        width: width as usize,
        height: height as usize,
        channels,
        data,
    })
}

fn decoder(bytes: &[u8]) -> Decoder<Cursor<&[u8]>> {
    let limits = Limits { bytes: MAX_BYTES };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder
}

fn refused(error: DecodingError) -> BadPicture {
    damaged(PictureKind::Png, error)
}
