use std::time::{Duration, Instant};

use super::*;

#[path = "../../tests/peer/film.rs"]
mod film;

use film::Film;

const KNOBS: Knobs = Knobs {
    frame_interval: Duration::from_millis(500),
    key_frame_interval: Duration::from_millis(1200),
    quality: 100,
    pixels: 230_400,
    max_bytes: 350_000,
};

fn h264(unit: Vec<u8>) -> Work {
    Work::Look(Codec::H264, Arrived::Frame(unit))
}

#[test]
fn a_change_between_two_frames_that_are_given_is_held_until_the_next() {
    let (mut film, mut viewer, now) = (Film::new(64, 48), Viewer::default(), Instant::now());
    assert!(!viewer.work(h264(film.frame(40, true))));
    assert_eq!(viewer.due(KNOBS.frame_interval, now), Some(now));
    let first = viewer.give(&KNOBS, now).expect("a frame");
    assert_eq!(first.seen.change.score, 0.0);
    assert_eq!(viewer.due(KNOBS.frame_interval, now), None);
    for brightness in [40, 230, 40] {
        viewer.work(h264(film.frame(brightness, false)));
    }
    let later = now + KNOBS.frame_interval;
    assert_eq!(viewer.due(KNOBS.frame_interval, now), Some(later));
    let second = viewer.give(&KNOBS, later).expect("a frame");
    assert!(second.seen.change.scene_cut, "{:?}", second.seen.change);
    assert!(viewer.give(&KNOBS, later).is_none());
}

#[test]
fn a_frame_is_scaled_in_its_proportions_and_made_a_jpeg_of() {
    let (mut film, mut viewer, now) = (Film::new(640, 320), Viewer::default(), Instant::now());
    viewer.work(h264(film.frame(40, true)));
    let knobs = Knobs {
        pixels: 320 * 160,
        ..KNOBS
    };
    let given = viewer.give(&knobs, now).expect("a frame");
    assert_eq!((given.seen.width, given.seen.height), (320, 160));
    let picture = media::pictures::picture(vocabulary::PictureKind::Jpeg, &given.jpeg).expect("a JPEG");
    assert_eq!((picture.width, picture.height), (320, 160));
}

#[test]
fn a_picture_with_too_many_bytes_is_tried_in_lesser_quality_and_then_smaller() {
    let (mut film, mut viewer, now) = (Film::new(320, 240), Viewer::default(), Instant::now());
    let mut give = |max_bytes| {
        viewer.work(h264(film.frame(40, true)));
        viewer.give(&Knobs { max_bytes, ..KNOBS }, now).expect("a frame")
    };
    let wanted = give(KNOBS.max_bytes).jpeg.len();
    let lesser = give(wanted * 3 / 4);
    assert!(lesser.jpeg.len() <= wanted * 3 / 4);
    assert_eq!((lesser.seen.width, lesser.seen.height), (320, 240));
    let smaller = give(wanted / 3);
    assert!(
        smaller.jpeg.len() <= wanted / 3,
        "{} of {wanted}",
        smaller.jpeg.len()
    );
    assert!(smaller.seen.width < 320);
}

#[test]
fn a_loss_needs_a_key_frame_and_only_that_mends_it() {
    let (mut film, mut viewer) = (Film::new(64, 48), Viewer::default());
    assert!(!viewer.work(h264(film.frame(40, true))));
    assert!(viewer.work(Work::Look(Codec::H264, Arrived::Lost)));
    assert!(viewer.work(h264(film.frame(50, false))));
    assert!(!viewer.work(h264(film.frame(50, true))));
    assert!(viewer.work(h264(vec![0, 0, 0, 1, 0x67, 1, 2, 3])));
}

#[test]
fn of_vp8_a_damaged_key_frame_needs_another() {
    let key: &[u8] = include_bytes!("../../../media/src/vp8/data/key.vp8");
    let mut viewer = Viewer::default();
    let vp8 = |frame: &[u8]| Work::Look(Codec::Vp8, Arrived::Frame(frame.to_vec()));
    assert!(viewer.work(vp8(&key[..11])));
    assert!(!viewer.work(vp8(key)));
    assert!(viewer.work(Work::Look(Codec::Vp8, Arrived::Lost)));
    let given = viewer.give(&KNOBS, Instant::now()).expect("a frame");
    assert_eq!((given.seen.width, given.seen.height), (70, 50));
}

#[test]
fn nothing_from_before_a_watch_counts_in_it() {
    let (mut film, mut viewer, now) = (Film::new(64, 48), Viewer::default(), Instant::now());
    viewer.work(h264(film.frame(40, true)));
    viewer.give(&KNOBS, now);
    viewer.work(h264(film.frame(40, false)));
    assert!(viewer.work(Work::BeginWatch));
    assert_eq!(viewer.due(KNOBS.frame_interval, now), None);
    viewer.work(h264(film.frame(230, true)));
    let first = viewer.give(&KNOBS, now).expect("a frame");
    assert_eq!(first.seen.change.score, 0.0);
}
