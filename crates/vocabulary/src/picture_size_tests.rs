//! Headers of every kind of picture that is taken, good ones and cut ones.

use super::{is_fit_picture_size, picture_size};

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0]);
    bytes
}

/// One of each kind, all of 640 by 480.
fn all() -> Vec<Vec<u8>> {
    let jpeg = b"\xff\xd8\xff\xe0\x00\x04JF\xff\xff\xc2\x00\x0b\x08\x01\xe0\x02\x80\x03\x01\x22\x00";
    let gif = b"GIF89a\x80\x02\xe0\x01\xf7\x00\x00";
    let lossy = b"RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x30\x01\x00\x9d\x01\x2a\x80\x02\xe0\x01";
    let bits: u32 = 639 | 479 << 14;
    let mut lossless = b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f".to_vec();
    lossless.extend(bits.to_le_bytes());
    let extended = b"RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x7f\x02\x00\xdf\x01\x00";
    vec![
        png(640, 480),
        jpeg.to_vec(),
        gif.to_vec(),
        lossy.to_vec(),
        lossless,
        extended.to_vec(),
    ]
}

#[test]
fn every_kind_of_picture_says_how_large_it_is() {
    for picture in all() {
        assert_eq!(picture_size(&picture), Some((640, 480)), "{picture:?}");
    }
}

#[test]
fn a_header_that_is_cut_short_says_nothing() {
    for picture in all() {
        for length in 0..picture.len() {
            // Whatever it says, it says it without breaking; before the size there is nothing to say.
            let cut = picture_size(&picture[..length]);
            assert!(
                cut.is_none() || cut == Some((640, 480)),
                "{length} of {picture:?}"
            );
        }
    }
    assert_eq!(picture_size(b"<svg>"), None);
    assert_eq!(picture_size(b""), None);
}

#[test]
fn a_picture_that_nobody_could_decode_is_not_fit() {
    assert!(is_fit_picture_size((8_160, 6_120)), "a phone's");
    assert!(!is_fit_picture_size((30_000, 30_000)));
    assert!(!is_fit_picture_size((16_384, 16_384)));
    assert!(!is_fit_picture_size((100_000, 1)));
    assert!(!is_fit_picture_size((0, 10)));
}
