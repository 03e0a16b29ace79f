//! Whatever a stranger sends, the answer is a picture or a sentence.

use std::sync::LazyLock;

use proptest::prelude::*;
use vocabulary::PictureKind::{self, Jpeg, Png, Webp};

use super::testing::*;
use super::{BadPicture, brightness, header, picture};

/// Real pictures of every kind and coding.
static SAMPLES: LazyLock<Vec<(PictureKind, Vec<u8>)>> = LazyLock::new(|| {
    let progressive = jpeg_with(
        &scene(WIDTH, HEIGHT),
        WIDTH,
        HEIGHT,
        turbojpeg::PixelFormat::RGB,
        |jpeg| jpeg.set_progressive(true).expect("progressive"),
    );
    vec![
        (Jpeg, jpeg(WIDTH, HEIGHT)),
        (Jpeg, progressive),
        (Png, png(WIDTH, HEIGHT)),
        (Png, INTERLACED_PNG.to_vec()),
        (Png, ANIMATED_PNG.to_vec()),
        (Webp, webp(WIDTH, HEIGHT)),
        (Webp, LOSSY_WEBP.to_vec()),
        (Webp, LOSSY_ALPHA_WEBP.to_vec()),
        (Webp, ANIMATED_WEBP.to_vec()),
    ]
});

/// Looks in every way; what is decoded has the size that the header says.
fn look(kind: PictureKind, bytes: &[u8]) {
    let header = header(kind, bytes);
    // Whoever takes a picture as an attachment reads its size by itself, and must not be told another.
    let size = vocabulary::picture_size(bytes);
    if let (Ok(header), Some((width, height))) = (&header, size) {
        assert_eq!((header.width, header.height), (width as usize, height as usize));
    }
    let luma = brightness(kind, bytes);
    let whole = picture(kind, bytes);
    for error in [luma.as_ref().err(), whole.as_ref().err()].into_iter().flatten() {
        assert!(!gave_up(error), "a decoder panicked");
    }
    if let Ok(luma) = luma {
        let header = header.as_ref().expect("a header");
        assert_eq!(luma.data.len(), header.width * header.height);
    }
    if let Ok(whole) = whole {
        let header = header.as_ref().expect("a header");
        assert_eq!(whole.y.len(), header.width * header.height);
        assert_eq!(
            whole.u.len(),
            header.width.div_ceil(2) * header.height.div_ceil(2)
        );
    }
}

fn gave_up(error: &BadPicture) -> bool {
    matches!(error, BadPicture::Damaged { detail, .. } if detail.contains("gave up"))
}

proptest! {
    #![proptest_config(hostile::cases(200))]

    #[test]
    fn random_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        for (kind, magic) in [
            (Jpeg, &[0xff, 0xd8, 0xff][..]),
            (Png, b"\x89PNG\r\n\x1a\n"),
            (Webp, b"RIFF\x40\0\0\0WEBPVP8 "),
        ] {
            look(kind, &bytes);
            look(kind, &[magic, &bytes].concat());
        }
    }

    #[test]
    fn pictures_that_are_cut_do_no_harm(sample in 0usize..9, keep in 0.0f64..1.0) {
        let (kind, bytes) = &SAMPLES[sample];
        look(*kind, &bytes[..(bytes.len() as f64 * keep) as usize]);
    }

    #[test]
    fn flipped_bits_do_no_harm(
        sample in 0usize..9,
        flips in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..12),
    ) {
        let (kind, mut bytes) = SAMPLES[sample].clone();
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        look(kind, &bytes);
    }

    #[test]
    fn pieces_that_are_torn_out_or_doubled_do_no_harm(
        sample in 0usize..9,
        from in any::<prop::sample::Index>(),
        length in 0usize..64,
        to in any::<prop::sample::Index>(),
    ) {
        let (kind, bytes) = SAMPLES[sample].clone();
        let from = from.index(bytes.len());
        let piece = &bytes[from..bytes.len().min(from + length)];
        let without = [&bytes[..from], &bytes[from + piece.len()..]].concat();
        look(kind, &without);
        let to = to.index(without.len() + 1);
        look(kind, &[&without[..to], piece, &without[to..]].concat());
    }
}
