//! Damaged MP4 files: their reader ends with pictures or with a sentence, whatever is in them.

use std::path::Path;

use proptest::prelude::*;

use super::{VideoError, mp4};

/// Pictures of one file that are looked at.
const FRAMES_MAX: usize = 40;

fn samples() -> Vec<Vec<u8>> {
    let all: [&[u8]; 3] = [
        include_bytes!("data/b_frames.mp4"),
        include_bytes!("data/fragmented.mp4"),
        include_bytes!("data/mpeg4.mp4"),
    ];
    all.into_iter().map(<[u8]>::to_vec).collect()
}

/// Only the tables: what is wounded there is what leads astray.
fn tables() -> Vec<Vec<u8>> {
    let is_table = |kind: &[u8]| matches!(kind, b"ftyp" | b"moov" | b"moof");
    let only_tables = |bytes: Vec<u8>| {
        let (mut rest, mut kept) = (bytes.as_slice(), Vec::new());
        while let Some(&[a, b, c, d, ref kind @ ..]) = rest.first_chunk::<8>() {
            let size = u32::from_be_bytes([a, b, c, d]) as usize;
            let Some((whole, after)) = rest.split_at_checked(size.max(8)) else {
                break;
            };
            if is_table(kind) {
                kept.extend(whole);
            }
            rest = after;
        }
        kept
    };
    samples().into_iter().map(only_tables).collect()
}

fn play(path: &Path) -> Result<usize, VideoError> {
    let Some(opened) = mp4::open(path)? else {
        return Ok(0);
    };
    let shown = opened.frames.take(FRAMES_MAX).take_while(Result::is_ok);
    Ok(shown.count())
}

fn play_bytes(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("any.mp4");
    std::fs::write(&path, bytes).expect("written");
    // Pictures or a sentence: either will do.
    let _ = play(&path);
}

proptest! {
    #![proptest_config(hostile::cases(60))]

    #[test]
    fn a_wounded_film_ends(bytes in hostile::wounded(samples())) {
        play_bytes(&bytes);
    }

    #[test]
    fn wounded_tables_end(bytes in hostile::wounded(tables())) {
        play_bytes(&bytes);
    }
}
