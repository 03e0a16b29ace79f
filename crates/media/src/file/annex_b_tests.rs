use std::io::{Cursor, Read};

use proptest::prelude::*;

use super::AccessUnits;
use crate::h264::testing::Film;

/// Gives few bytes at a time, as a slow disk does.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let step = self.1.min(buffer.len());
        self.0.read(&mut buffer[..step])
    }
}

#[test]
fn access_units_come_as_they_went_in() {
    let mut film = Film::new(64, 48);
    let mut whole = Vec::new();
    let mut written = Vec::new();
    for at in 0..7 {
        let unit = if at == 3 {
            film.key_frame(90)
        } else {
            film.frame(60)
        };
        whole.extend(&unit);
        written.push(unit);
    }
    for step in [1, 3, 7, 100_000] {
        let read: Vec<Vec<u8>> = AccessUnits::new(Slow(&whole, step))
            .map(|unit| unit.expect("a unit"))
            .collect();
        assert_eq!(read, written, "{step} bytes at a time");
    }
}

#[test]
fn several_slices_of_a_picture_stay_together() {
    // A slice that begins with the first block, one that does not, and a new picture.
    let stream = [
        &[0, 0, 1, 0x65, 0x88, 1][..],
        &[0, 0, 1, 0x65, 0x40, 2],
        &[0, 0, 0, 1, 0x41, 0x9a, 3],
    ];
    let units: Vec<usize> = AccessUnits::new(Cursor::new(stream.concat()))
        .map(|unit| unit.expect("a unit").len())
        .collect();
    assert_eq!(units.len(), 2);
}

#[test]
fn a_file_without_an_end_is_no_video() {
    let mut units = AccessUnits::new(std::io::repeat(7));
    let error = units.next().expect("an answer").expect_err("no unit");
    assert!(error.to_string().contains("no H.264"), "{error}");
}

proptest! {
    #[test]
    fn whatever_stands_in_it_does_no_harm(bytes in proptest::collection::vec(0u8..3, 0..300), step in 1usize..20) {
        for unit in AccessUnits::new(Slow(&bytes, step)).take(400) {
            let _ = unit;
        }
    }
}
