use super::*;

// Made with ffmpeg and libvpx: 70 by 50, black on the left and white on the right.
const KEY: &[u8] = include_bytes!("data/key.vp8");
const INTER: &[u8] = include_bytes!("data/inter.vp8");

#[test]
fn a_key_frame_becomes_a_picture_with_the_levels_it_was_sent_with() {
    assert!(is_key_frame(KEY));
    let picture = decode_key_frame(KEY).expect("a good one");
    assert_eq!((picture.width, picture.height), (70, 50));
    assert_eq!(
        (picture.y.len(), picture.u.len(), picture.v.len()),
        (3500, 35 * 25, 35 * 25)
    );
    for row in picture.y.chunks(70) {
        assert!(
            row[2].abs_diff(16) < 6 && row[67].abs_diff(235) < 6,
            "{} {}",
            row[2],
            row[67]
        );
    }
    assert!(picture.u.iter().all(|level| level.abs_diff(128) < 4));
}

#[test]
fn another_frame_and_none_at_all_are_no_key_frames() {
    assert!(!is_key_frame(INTER));
    assert!(!is_key_frame(&[]));
    assert_eq!(decode_key_frame(INTER), Err(Undecodable::NoKeyFrame));
    assert_eq!(decode_key_frame(&[]), Err(Undecodable::NoKeyFrame));
}

#[test]
fn a_size_beyond_the_limit_is_refused_before_memory_is_reserved() {
    let mut frame = KEY.to_vec();
    frame[6..10].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    let refused = Undecodable::TooLarge {
        width: 16383,
        height: 16383,
    };
    assert_eq!(decode_key_frame(&frame), Err(refused));
    frame[6..10].copy_from_slice(&[0, 0, 1, 0]);
    assert!(matches!(decode_key_frame(&frame), Err(Undecodable::Damaged(_))));
}

#[test]
fn a_frame_that_is_cut_is_an_error_or_a_picture_of_the_same_size() {
    for length in 1..KEY.len() {
        if let Ok(picture) = decode_key_frame(&KEY[..length]) {
            assert_eq!((picture.width, picture.height), (70, 50));
        }
    }
    let mut wrong = KEY.to_vec();
    wrong[3] = 0;
    assert!(matches!(decode_key_frame(&wrong), Err(Undecodable::Damaged(_))));
}
