//! Files that would keep a reader busy for ever, or make it ask for more memory than there is.

use std::fs;
use std::io::Cursor;

use super::{Patient, look_over};
use crate::file::VideoFile;

fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    sized(content.len() as u32 + 8, kind, content)
}

fn sized(size: u32, kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&size.to_be_bytes(), kind.as_slice(), content].concat()
}

fn file(movie: &[u8]) -> Vec<u8> {
    let kind = boxed(b"ftyp", b"isom\0\0\x02\0isomiso2avc1mp41");
    [kind, boxed(b"moov", movie)].concat()
}

fn verdict(bytes: &[u8]) -> Result<(), String> {
    look_over(&mut Cursor::new(bytes), bytes.len() as u64)
}

#[test]
fn a_box_without_a_size_ends_the_reading_and_not_the_patience() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loops.mp4");
    for size in [0, 1, 4, 7, 4_000_000_000] {
        let mut bytes = file(&[sized(size, b"free", &[]), boxed(b"free", &[0; 60])].concat());
        bytes.resize(120, 0);
        fs::write(&path, &bytes).unwrap();
        let opened = VideoFile::open(path.to_str().unwrap(), 30.0);
        assert!(opened.is_err(), "{size}");
        assert!(verdict(&bytes).is_err(), "{size}");
    }
}

#[test]
fn boxes_that_reach_out_of_their_box_are_refused() {
    let inner = sized(100, b"trak", &[0; 8]);
    let told = verdict(&file(&inner)).unwrap_err();
    assert!(told.contains("trak") && told.contains("100"), "{told}");
}

#[test]
fn more_frames_than_bytes_are_refused() {
    let sizes = |each: u32, count: u32| {
        let table = [[0; 4], each.to_be_bytes(), count.to_be_bytes()].concat();
        let mut inner = boxed(b"stsz", &table);
        for container in [b"stbl", b"minf", b"mdia", b"trak"] {
            inner = boxed(container, &inner);
        }
        verdict(&file(&inner))
    };
    assert!(sizes(1, u32::MAX).is_err());
    assert_eq!(sizes(1, 10), Ok(()));
}

#[test]
fn boxes_in_boxes_without_end_are_refused() {
    let mut inner = Vec::new();
    for _ in 0..10_000 {
        inner = boxed(b"trak", &inner);
    }
    assert!(verdict(&file(&inner)).is_err());
}

#[test]
fn real_files_are_looked_over_and_found_good() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/file/data");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(verdict(&fs::read(&path).unwrap()), Ok(()), "{}", path.display());
    }
}

#[test]
fn whoever_goes_round_in_a_circle_is_stopped() {
    use std::io::{Seek, SeekFrom};
    let mut patient = Patient::with(Cursor::new([0; 16]), 16);
    let circles = (0..1_000_000).take_while(|_| patient.seek(SeekFrom::Start(0)).is_ok());
    assert!(circles.count() < 100_000);
}
