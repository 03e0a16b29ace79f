use std::fs;

use media::Picture;
use media::file::VideoFile;
use media::pictures::header;
use vocabulary::PictureKind;

use super::player::{Encoder, Player};

fn encoder(max_bytes: usize) -> Encoder {
    Encoder {
        max_width: 640,
        quality: 60,
        max_bytes,
    }
}

fn noise(width: usize, height: usize) -> Picture {
    let level = |at: usize| (at as u32).wrapping_mul(2_654_435_761).to_le_bytes()[3];
    let colours = width.div_ceil(2) * height.div_ceil(2);
    Picture {
        width,
        height,
        y: (0..width * height).map(level).collect(),
        u: vec![128; colours],
        v: vec![128; colours],
    }
}

#[test]
fn frames_are_as_wide_as_wanted_and_never_wider_than_they_are() {
    let width = |picture: &Picture| {
        let jpeg = encoder(1_000_000).encode(picture).expect("a JPEG");
        header(PictureKind::Jpeg, &jpeg).expect("a header").width
    };
    assert_eq!(width(&noise(1280, 720)), 640);
    assert_eq!(width(&noise(320, 200)), 320);
}

#[test]
fn a_frame_that_is_too_large_is_made_to_fit() {
    let picture = noise(1280, 720);
    let free = encoder(1_000_000).encode(&picture).expect("a JPEG");
    for share in [2, 4] {
        let fitted = encoder(free.len() / share).encode(&picture).expect("a JPEG");
        assert!(fitted.len() <= free.len() / share);
    }
    // What can never fit ends all the same.
    assert!(encoder(10).encode(&picture).is_ok());
}

#[tokio::test]
async fn a_video_is_thinned_out_and_an_error_in_it_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("clip.y4m");
    let mut bytes = b"YUV4MPEG2 W16 H16 F10:1\n".to_vec();
    for _ in 0..20 {
        bytes.extend(b"FRAME\n");
        bytes.extend([60; 16 * 16 * 3 / 2]);
    }
    bytes.extend(b"FRAME\nand no more");
    fs::write(&file, bytes).expect("a file");
    let video = VideoFile::open(file.to_str().expect("a name"), 30.0).expect("a video");
    let mut player = Player::start(video, 2.0, encoder(100_000));
    let mut times = Vec::new();
    let error = loop {
        match player.next().await {
            Ok(Some(frame)) => times.push(frame.time.as_millis()),
            Ok(None) => panic!("the error was not told"),
            Err(error) => break error.to_string(),
        }
    };
    assert_eq!(times, [0, 500, 1000, 1500]);
    assert!(error.contains("cut short"), "{error}");
}

#[tokio::test]
async fn a_flash_between_two_frames_that_are_sent_is_held() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("flash.y4m");
    let mut bytes = b"YUV4MPEG2 W16 H16 F10:1\n".to_vec();
    for number in 0..15 {
        bytes.extend(b"FRAME\n");
        let level = if number == 7 { 255 } else { 0 };
        bytes.extend([level; 16 * 16]);
        bytes.extend([128; 16 * 16 / 2]);
    }
    fs::write(&file, bytes).expect("a file");
    let video = VideoFile::open(file.to_str().expect("a name"), 30.0).expect("a video");
    let mut player = Player::start(video, 2.0, encoder(100_000));
    let mut peaks = Vec::new();
    while let Some(frame) = player.next().await.expect("a whole video") {
        peaks.push(frame.peak > 0.9);
    }
    assert_eq!(
        peaks,
        [false, false, true],
        "the flash is in the seventh frame of fifteen"
    );
}
