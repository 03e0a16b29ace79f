use super::*;
use crate::h264::testing::{Film, is_key_frame, units_of};

// Made with ffmpeg and x264: flat frames of 70 by 50 whose luma is 16 + 20n (with B frames, levels of video) and 40n
// (no B frames, levels of pictures).
const HIGH_B_FRAMES: &[u8] = include_bytes!("data/high_b_frames.h264");
const FULL_RANGE: &[u8] = include_bytes!("data/full_range.h264");

/// The brightness of the top left corner.
fn corner(picture: &Picture) -> u8 {
    picture.y[0]
}

fn near(level: u8, expected: u8) -> bool {
    level.abs_diff(expected) <= 6
}

/// Access units of a stream in which every picture is one slice.
fn access_units(stream: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for (kind, unit) in units(stream) {
        let current = all.last_mut().expect("there is always one");
        current.extend(START_CODE);
        current.extend(unit);
        if kind.is_slice() {
            all.push(Vec::new());
        }
    }
    all.retain(|unit| !unit.is_empty());
    all
}

#[test]
fn a_stream_becomes_pictures_without_padding() {
    let mut film = Film::new(98, 50);
    let mut decoder = Decoder::new();
    assert!(decoder.needs_key_frame());
    for brightness in [60, 70, 80, 235] {
        let unit = film.frame(brightness);
        let picture = decoder.decode(&unit).expect("good data").expect("a picture");
        assert!(!decoder.needs_key_frame());
        assert_eq!((picture.width, picture.height), (98, 50));
        assert_eq!(picture.y.len(), 98 * 50);
        assert_eq!((picture.u.len(), picture.v.len()), (49 * 25, 49 * 25));
        assert!(picture.u.iter().all(|level| near(*level, 128)));
    }
}

#[test]
fn the_levels_of_video_become_those_of_pictures() {
    let mut film = Film::new(64, 64);
    let mut decoder = Decoder::new();
    let mut last = |brightness| {
        film.frame(brightness);
        let unit = film.key_frame(brightness);
        let picture = decoder.decode(&unit).expect("good data").expect("a picture");
        picture.y[63]
    };
    assert!(near(last(16), 0));
    assert!(near(last(235), 255));
    let mut decoder = Decoder::new();
    let pictures: Vec<Picture> = access_units(FULL_RANGE)
        .iter()
        .filter_map(|unit| decoder.decode(unit).expect("good data"))
        .collect();
    let pictures = [pictures, decoder.finish()].concat();
    let corners: Vec<u8> = pictures.iter().map(corner).collect();
    assert_eq!(corners, [0, 40, 80]);
}

#[test]
fn frames_that_are_shown_out_of_their_order_come_in_the_order_in_which_they_are_shown() {
    let mut decoder = Decoder::new();
    let mut pictures = Vec::new();
    for unit in access_units(HIGH_B_FRAMES) {
        pictures.extend(decoder.decode(&unit).expect("good data"));
    }
    pictures.extend(decoder.finish());
    assert_eq!(pictures.len(), 10);
    assert!(
        pictures
            .iter()
            .all(|picture| (picture.width, picture.height) == (70, 50))
    );
    for (number, picture) in pictures.iter().enumerate() {
        let expected = (20 * number * 255 / 219).min(255) as u8;
        assert!(
            near(corner(picture), expected),
            "frame {number}: {}",
            corner(picture)
        );
    }
}

#[test]
fn what_refers_to_lost_pictures_is_passed_over_until_a_key_frame_comes() {
    let mut film = Film::new(64, 64);
    let mut decoder = Decoder::new();
    film.frame(50);
    assert_eq!(decoder.decode(&film.frame(50)), Ok(None));
    assert!(decoder.needs_key_frame());
    let key = film.key_frame(60);
    assert!(is_key_frame(&key));
    assert!(decoder.decode(&key).expect("good data").is_some());
    decoder.lost();
    assert!(decoder.needs_key_frame());
    assert_eq!(decoder.decode(&film.frame(70)), Ok(None));
    assert!(decoder.decode(&film.key_frame(80)).expect("good data").is_some());
}

#[test]
fn a_key_frame_without_parameter_sets_is_decoded_with_those_of_before() {
    let mut film = Film::new(64, 64);
    let mut decoder = Decoder::new();
    let only_slices = |unit: &[u8]| {
        let slices = units(unit).filter(|(kind, _)| *kind == UnitKind::KeySlice);
        slices
            .flat_map(|(_, unit)| [&START_CODE, unit].concat())
            .collect::<Vec<u8>>()
    };
    let first = film.frame(50);
    assert_eq!(
        decoder.decode(&only_slices(&first)),
        Err(Undecodable::NoParameterSets)
    );
    assert!(decoder.decode(&first).expect("good data").is_some());
    decoder.lost();
    let second = only_slices(&film.key_frame(60));
    assert!(decoder.decode(&second).expect("good data").is_some());
}

#[test]
fn a_change_of_size_is_followed() {
    let mut decoder = Decoder::new();
    for (width, height) in [(64, 64), (320, 180), (32, 48)] {
        let mut film = Film::new(width, height);
        for _ in 0..3 {
            let picture = decoder
                .decode(&film.frame(50))
                .expect("good data")
                .expect("a picture");
            assert_eq!((picture.width, picture.height), (width, height));
        }
    }
}

#[test]
fn damage_is_an_error_and_the_next_key_frame_mends_it() {
    let mut film = Film::new(64, 64);
    let mut decoder = Decoder::new();
    let first = film.frame(50);
    assert!(decoder.decode(&first).expect("good data").is_some());
    let mut damaged = film.frame(70);
    let length = damaged.len();
    damaged.truncate(length - length / 3);
    damaged[8..].iter_mut().for_each(|byte| *byte ^= 0x5a);
    assert!(decoder.decode(&damaged).is_err());
    assert!(decoder.needs_key_frame());
    assert_eq!(decoder.decode(&film.frame(80)), Ok(None));
    assert!(decoder.decode(&film.key_frame(90)).expect("good data").is_some());
    assert!(!decoder.needs_key_frame());
}

#[test]
fn damaged_parameter_sets_do_not_outlive_the_error() {
    let mut film = Film::new(64, 64);
    let mut decoder = Decoder::new();
    assert!(decoder.decode(&film.frame(50)).expect("good data").is_some());
    let key = film.key_frame(60);
    let mut damaged = Vec::new();
    for mut unit in units_of(&key) {
        if UnitKind::of(unit[0]) == UnitKind::PictureParameters {
            unit[1..].iter_mut().for_each(|byte| *byte = !*byte & 0x7f | 0x80);
        }
        damaged.extend(START_CODE);
        damaged.extend(unit);
    }
    assert!(decoder.decode(&damaged).is_err());
    assert!(decoder.decode(&film.key_frame(70)).expect("good data").is_some());
}

#[test]
fn an_access_unit_that_is_too_long_is_not_looked_at() {
    let long = vec![0; MAX_ACCESS_UNIT_BYTES + 1];
    let refused = Decoder::new().decode(&long);
    assert_eq!(refused, Err(Undecodable::TooLong { bytes: long.len() }));
}

#[test]
fn nothing_and_units_without_pictures_give_nothing() {
    let mut decoder = Decoder::new();
    assert_eq!(decoder.decode(&[]), Ok(None));
    assert_eq!(decoder.decode(&[0, 0, 1, 9, 0xf0]), Ok(None));
    assert_eq!(decoder.decode(&[1, 2, 3]), Ok(None));
    assert!(decoder.finish().is_empty());
}
