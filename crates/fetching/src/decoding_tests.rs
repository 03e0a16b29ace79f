use super::{Decoder, DecodingFault};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

fn bare(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

fn decode(encoding: &str, sent: &[u8], step: usize, limit: usize) -> Result<Vec<u8>, DecodingFault> {
    let mut decoder = Decoder::for_encoding(encoding, limit).expect("a known encoding");
    for chunk in sent.chunks(step.max(1)) {
        decoder.push(chunk)?;
    }
    decoder.finish()
}

fn text() -> Vec<u8> {
    (0..3000u32)
        .flat_map(|number| number.to_string().into_bytes())
        .collect()
}

#[test]
fn whatever_the_pieces_the_text_is_the_same() {
    let text = text();
    for step in [1, 2, 7, 100, 100_000] {
        assert_eq!(decode("gzip", &gzip(&text), step, 1 << 20).as_ref(), Ok(&text));
        assert_eq!(decode("X-GZIP", &gzip(&text), step, 1 << 20).as_ref(), Ok(&text));
        assert_eq!(decode("deflate", &zlib(&text), step, 1 << 20).as_ref(), Ok(&text));
        assert_eq!(decode("deflate", &bare(&text), step, 1 << 20).as_ref(), Ok(&text));
        assert_eq!(decode("identity", &text, step, 1 << 20).as_ref(), Ok(&text));
    }
}

#[test]
fn gzip_of_several_members_is_one_text() {
    let sent = [gzip(b"one "), gzip(b""), gzip(b"two")].concat();
    for step in [1, 5, 1000] {
        assert_eq!(decode("gzip", &sent, step, 100), Ok(b"one two".to_vec()));
    }
}

#[test]
fn what_stops_in_the_middle_is_broken() {
    for cut in [1, 5, 8, 9, 100] {
        let sent = gzip(&text());
        let sent = &sent[..sent.len() - cut];
        assert!(
            matches!(decode("gzip", sent, 64, 1 << 20), Err(DecodingFault::Broken(_))),
            "{cut}"
        );
    }
    for sent in [zlib(&text()), bare(&text())] {
        let sent = &sent[..sent.len() - 10];
        assert!(matches!(
            decode("deflate", sent, 64, 1 << 20),
            Err(DecodingFault::Broken(_))
        ));
    }
    let two = [gzip(b"one"), gzip(b"two")[..6].to_vec()].concat();
    assert!(matches!(
        decode("gzip", &two, 64, 100),
        Err(DecodingFault::Broken(_))
    ));
    assert!(matches!(
        decode("gzip", b"<html>not gzip</html>", 64, 100),
        Err(DecodingFault::Broken(_))
    ));
    assert!(matches!(
        decode("deflate", b"<html>not deflate</html>", 64, 100),
        Err(DecodingFault::Broken(_))
    ));
}

#[test]
fn a_little_that_stands_for_a_lot_is_stopped_at_the_limit() {
    let lot = vec![0; 4 << 20];
    for (encoding, sent) in [
        ("gzip", gzip(&lot)),
        ("deflate", zlib(&lot)),
        ("deflate", bare(&lot)),
    ] {
        assert!(sent.len() < 20_000);
        assert_eq!(
            decode(encoding, &sent, 4096, 1 << 18),
            Err(DecodingFault::TooLarge),
            "{encoding}"
        );
    }
    assert_eq!(decode("", &[0; 11], 4, 10), Err(DecodingFault::TooLarge));
    assert_eq!(decode("gzip", &gzip(&[7; 10]), 4, 10), Ok(vec![7; 10]));
}

#[test]
fn nothing_is_nothing_in_every_encoding_and_unknown_ones_are_not_understood() {
    for encoding in ["", "identity", "gzip", "deflate"] {
        assert_eq!(decode(encoding, b"", 1, 10), Ok(Vec::new()), "{encoding}");
    }
    for encoding in ["br", "zstd", "gzip, gzip", "compress"] {
        assert!(Decoder::for_encoding(encoding, 10).is_none(), "{encoding}");
    }
}
