use super::*;
use crate::h264::annex_b::{UnitKind, units};
use crate::h264::testing::Film;

/// Writes sequence parameter sets, so that absurd ones can be written too.
#[derive(Default)]
struct Pen {
    bits: Vec<bool>,
}

impl Pen {
    fn number(mut self, value: u64, bits: u32) -> Self {
        self.bits.extend((0..bits).rev().map(|bit| value >> bit & 1 == 1));
        self
    }

    fn golomb(self, value: u64) -> Self {
        let bits = 64 - (value + 1).leading_zeros();
        self.number(0, bits - 1).number(value + 1, bits)
    }

    fn unit(mut self) -> Vec<u8> {
        self.bits.push(true);
        let mut unit = vec![0x67];
        for eight in self.bits.chunks(8) {
            let byte = eight
                .iter()
                .enumerate()
                .map(|(at, bit)| u8::from(*bit) << (7 - at));
            let byte = byte.sum();
            if unit.ends_with(&[0, 0]) && byte <= 3 {
                unit.push(3);
            }
            unit.push(byte);
        }
        unit
    }
}

fn baseline(columns: u64, rows: u64, references: u64) -> Pen {
    let head = Pen::default().number(66, 8).number(0, 8).number(40, 8);
    let head = head.golomb(0).golomb(0).golomb(2).golomb(references).number(0, 1);
    head.golomb(columns - 1).golomb(rows - 1)
}

#[test]
fn the_size_is_what_the_encoder_was_given() {
    for (width, height) in [(64, 64), (98, 50), (1920, 1080), (18, 34)] {
        let unit = Film::new(width, height).frame(50);
        let (_, sps) = units(&unit)
            .find(|(kind, _)| *kind == UnitKind::SequenceParameters)
            .expect("a key frame has one");
        let sps = Sps::parse(sps).expect("a good one");
        assert_eq!((sps.width, sps.height), (width as u64, height as u64));
        assert!(!sps.full_range);
    }
}

#[test]
fn sizes_beyond_the_limit_are_refused_by_their_numbers() {
    let unit = baseline(4096, 4096, 1).number(1, 1).number(0, 3).unit();
    let refused = Undecodable::TooLarge {
        width: 65536,
        height: 65536,
    };
    assert_eq!(Sps::parse(&unit), Err(refused));
    let unit = baseline(u64::from(u32::MAX) - 1, u64::from(u32::MAX) - 1, 1)
        .number(1, 1)
        .unit();
    assert!(matches!(Sps::parse(&unit), Err(Undecodable::TooLarge { .. })));
    let largest = baseline(256, 144, 5).number(1, 1).number(0, 3).unit();
    assert_eq!(
        Sps::parse(&largest).map(|sps| (sps.width, sps.height)),
        Ok((4096, 2304))
    );
}

#[test]
fn more_kept_frames_than_the_level_allows_are_refused() {
    let unit = baseline(256, 144, 6).number(1, 1).number(0, 3).unit();
    assert!(matches!(Sps::parse(&unit), Err(Undecodable::Unsupported(_))));
    let unit = baseline(4, 4, 17).number(1, 1).number(0, 3).unit();
    assert!(matches!(Sps::parse(&unit), Err(Undecodable::Unsupported(_))));
}

#[test]
fn interlaced_deep_and_coloured_video_is_refused() {
    let interlaced = baseline(4, 4, 1).number(0, 1).number(0, 3).unit();
    assert!(matches!(
        Sps::parse(&interlaced),
        Err(Undecodable::Unsupported(_))
    ));
    let head = || Pen::default().number(100, 8).number(0, 8).number(40, 8).golomb(0);
    let coloured = head().golomb(3).unit();
    assert!(matches!(Sps::parse(&coloured), Err(Undecodable::Unsupported(_))));
    let deep = head().golomb(1).golomb(2).golomb(2).unit();
    assert!(matches!(Sps::parse(&deep), Err(Undecodable::Unsupported(_))));
    let unusual = Pen::default().number(244, 8).number(0, 64).unit();
    assert!(matches!(Sps::parse(&unusual), Err(Undecodable::Unsupported(_))));
}

#[test]
fn a_picture_of_which_everything_is_cropped_makes_no_sense() {
    let cropped = baseline(1, 1, 1).number(1, 1).number(0, 1).number(1, 1);
    let cropped = cropped
        .golomb(4)
        .golomb(4)
        .golomb(0)
        .golomb(0)
        .number(0, 1)
        .unit();
    assert!(matches!(Sps::parse(&cropped), Err(Undecodable::Damaged(_))));
}

#[test]
fn whatever_is_cut_off_is_an_error_or_the_same_size() {
    let unit = Film::new(64, 64).frame(50);
    let (_, sps) = units(&unit).next().expect("it begins with one");
    for length in 0..sps.len() {
        if let Ok(parsed) = Sps::parse(&sps[..length]) {
            assert_eq!((parsed.width, parsed.height), (64, 64));
        }
    }
    let long = vec![0x67; MAX_PARAMETER_SET_BYTES + 1];
    assert!(matches!(Sps::parse(&long), Err(Undecodable::Damaged(_))));
}
