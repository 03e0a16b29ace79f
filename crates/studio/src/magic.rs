//! What a file is by its first bytes, whatever anybody calls it.

use vocabulary::MediaKind;

/// The only formats that are taken. SVG is a program in disguise and is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Png,
    Jpeg,
    Webp,
    Gif,
    Mp4,
    Webm,
}

impl Format {
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => Some(Format::Png),
            [0xFF, 0xD8, 0xFF, ..] => Some(Format::Jpeg),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Format::Webp),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Format::Gif),
            [_, _, _, _, b'f', b't', b'y', b'p', a, b, c, d, ..] if is_video_brand(&[*a, *b, *c, *d]) => {
                Some(Format::Mp4)
            }
            // A container of which WebM is one kind; the kind stands near the beginning.
            [0x1A, 0x45, 0xDF, 0xA3, rest @ ..]
                if rest.windows(4).take(64).any(|window| window == b"webm") =>
            {
                Some(Format::Webm)
            }
            _ => None,
        }
    }

    pub(crate) fn mime(self) -> &'static str {
        match self {
            Format::Png => "image/png",
            Format::Jpeg => "image/jpeg",
            Format::Webp => "image/webp",
            Format::Gif => "image/gif",
            Format::Mp4 => "video/mp4",
            Format::Webm => "video/webm",
        }
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Format::Png => "png",
            Format::Jpeg => "jpg",
            Format::Webp => "webp",
            Format::Gif => "gif",
            Format::Mp4 => "mp4",
            Format::Webm => "webm",
        }
    }

    /// Whether it will do for what was wanted.
    pub(crate) fn suits(self, kind: MediaKind) -> bool {
        match kind {
            MediaKind::Image => matches!(self, Format::Png | Format::Jpeg | Format::Webp | Format::Gif),
            MediaKind::Video => matches!(self, Format::Mp4 | Format::Webm),
            MediaKind::Gif => matches!(self, Format::Gif | Format::Webp | Format::Mp4 | Format::Webm),
        }
    }
}

/// The same container holds pictures and sound, too.
fn is_video_brand(brand: &[u8; 4]) -> bool {
    let others: [&[u8; 4]; 12] = [
        b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"avif", b"avis", b"qt  ", b"M4A ",
        b"M4B ",
    ];
    !others.contains(&brand)
}

#[cfg(test)]
#[path = "magic_tests.rs"]
mod tests;
