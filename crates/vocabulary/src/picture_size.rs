//! How large a picture says it is, by its first bytes and without decoding anything.

/// The most pixels on a side that an attached picture may have.
pub const PICTURE_SIDE_MAX: u32 = 16_384;
/// The most pixels that an attached picture may have in all: decoded they take 200 MB of whoever looks at it.
pub const PICTURE_PIXELS_MAX: u64 = 50_000_000;

/// Width and height of a PNG, JPEG, GIF or WebP, as its header has them; none where the header cannot be read.
pub fn picture_size(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => png(bytes),
        [0xff, 0xd8, rest @ ..] => jpeg(rest),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => gif(bytes),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => webp(bytes),
        _ => None,
    }
}

/// Whether a picture of this size can be taken.
pub fn is_fit_picture_size((width, height): (u32, u32)) -> bool {
    let sides = 1..=PICTURE_SIDE_MAX;
    let pixels = u64::from(width) * u64::from(height);
    sides.contains(&width) && sides.contains(&height) && pixels <= PICTURE_PIXELS_MAX
}

/// Its first chunk is the header.
fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    if bytes.get(12..16)? != b"IHDR" {
        return None;
    }
    let side = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
    Some((side(16)?, side(20)?))
}

/// The screen that its frames lie on; a frame may be larger, which decoders cut.
fn gif(bytes: &[u8]) -> Option<(u32, u32)> {
    let side = |at: usize| Some(u32::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    Some((side(6)?, side(8)?))
}

/// Segments follow each other until one is the header of a frame.
fn jpeg(mut rest: &[u8]) -> Option<(u32, u32)> {
    loop {
        let marker = rest.iter().position(|&byte| byte != 0xff)?;
        if marker == 0 {
            return None;
        }
        let (&code, after) = rest.get(marker..)?.split_first()?;
        let (&length, content) = after.split_first_chunk::<2>()?;
        match code {
            // Tables share the codes of frames.
            0xc4 | 0xc8 | 0xcc => {}
            0xc0..=0xcf => {
                let &[_, height_high, height_low, width_high, width_low] = content.first_chunk()?;
                let side = |high, low| u32::from(u16::from_be_bytes([high, low]));
                return Some((side(width_high, width_low), side(height_high, height_low)));
            }
            // The picture begins or ends without a frame.
            0xd9 | 0xda => return None,
            _ => {}
        }
        rest = content.get(usize::from(u16::from_be_bytes(length)).checked_sub(2)?..)?;
    }
}

/// Plain lossy, plain lossless, or extended; the latter says how large the whole is.
fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    let body = bytes.get(20..)?;
    match bytes.get(12..16)? {
        b"VP8 " => {
            let &[_, _, _, 0x9d, 0x01, 0x2a, a, b, c, d] = body.first_chunk()? else {
                return None;
            };
            let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
            Some((side(a, b), side(c, d)))
        }
        b"VP8L" => {
            let &[0x2f, a, b, c, d] = body.first_chunk()? else {
                return None;
            };
            let bits = u32::from_le_bytes([a, b, c, d]);
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => {
            let &[_, _, _, _, a, b, c, d, e, f] = body.first_chunk()?;
            let side = |low, middle, high| u32::from_le_bytes([low, middle, high, 0]) + 1;
            Some((side(a, b, c), side(d, e, f)))
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "picture_size_tests.rs"]
mod tests;
