use std::fs;
use std::path::Path;
use std::time::Duration;

use super::{Frame, VideoError, VideoFile, ffmpeg};
use crate::h264::testing::Film;
use crate::pictures::testing::{jpeg, png, webp};

fn read(path: &Path, rate: f64) -> Vec<Frame> {
    let file = VideoFile::open(&path.display().to_string(), rate).expect("a video");
    file.map(|frame| frame.expect("a frame")).collect()
}

fn fails(path: &Path) -> VideoError {
    VideoFile::open(&path.display().to_string(), 30.0).expect_err("no video")
}

fn tenths(frames: &[Frame]) -> Vec<u128> {
    frames.iter().map(|frame| frame.time.as_millis() / 100).collect()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a file");
    path
}

/// Frames that get brighter, one after the other.
fn get_brighter(frames: &[Frame]) -> bool {
    frames
        .windows(2)
        .all(|two| two[0].picture.y[0] < two[1].picture.y[0])
}

#[test]
fn a_folder_of_pictures_is_played_in_the_order_of_names() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "c.webp", &webp(12, 10));
    write(folder.path(), "a.PNG", &png(8, 6));
    write(folder.path(), "b.jpeg", &jpeg(10, 8));
    write(folder.path(), "notes.txt", b"no picture");
    let frames = read(folder.path(), 4.0);
    let widths: Vec<usize> = frames.iter().map(|frame| frame.picture.width).collect();
    assert_eq!(widths, [8, 10, 12]);
    assert_eq!(frames[2].time, Duration::from_millis(500));
}

#[test]
fn a_folder_is_counted_before_it_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    for at in 0..3 {
        write(folder.path(), &format!("{at}.png"), &png(8, 6));
    }
    let file = VideoFile::open(&folder.path().display().to_string(), 2.0).expect("a video");
    assert_eq!(file.expected_frames(), Some(3));
}

#[test]
fn a_folder_without_pictures_and_a_bad_picture_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = fails(folder.path()).to_string();
    assert!(error.contains("holds no pictures"), "{error}");
    write(folder.path(), "1.png", b"not a picture");
    let error = fails(folder.path()).to_string();
    assert!(error.contains("1.png") && error.contains("no JPEG"), "{error}");
}

#[test]
fn a_y4m_is_played_and_its_frames_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = b"YUV4MPEG2 W8 H8 F10:1\n".to_vec();
    for level in [40, 80, 120] {
        bytes.extend(b"FRAME\n");
        bytes.extend([level; 96]);
    }
    let path = write(folder.path(), "a clip.y4m", &bytes);
    let file = VideoFile::open(&path.display().to_string(), 30.0).expect("a video");
    assert_eq!(file.expected_frames(), Some(3));
    let frames = read(&path, 30.0);
    assert_eq!(tenths(&frames), [0, 1, 2]);
    assert!(get_brighter(&frames));
    // The same by its address.
    let address = format!("file://{}", path.display()).replace(' ', "%20");
    assert_eq!(VideoFile::open(&address, 30.0).expect("a video").count(), 3);
}

#[test]
fn an_error_ends_a_video() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(
        folder.path(),
        "cut.y4m",
        b"YUV4MPEG2 W2 H2 F10:1\nFRAME\n666666FRAME\n66",
    );
    let mut file = VideoFile::open(&path.display().to_string(), 30.0).expect("a video");
    assert!(file.next().expect("a frame").is_ok());
    let error = file.next().expect("an error").expect_err("cut short").to_string();
    assert!(
        error.contains("cut.y4m") && error.contains("cut short"),
        "{error}"
    );
    assert!(file.next().is_none());
}

#[test]
fn plain_h264_is_played_at_the_given_rate() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut film = Film::new(64, 48);
    let bytes: Vec<u8> = (0..6).flat_map(|at| film.frame(60 + 20 * at)).collect();
    let frames = read(&write(folder.path(), "a.h264", &bytes), 10.0);
    assert_eq!(tenths(&frames), [0, 1, 2, 3, 4, 5]);
    assert!(frames.iter().all(|frame| frame.picture.width == 64));
}

#[test]
fn an_mp4_is_played_in_the_order_in_which_it_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in [
        ("b.mp4", &include_bytes!("data/b_frames.mp4")[..]),
        ("f.mp4", include_bytes!("data/fragmented.mp4")),
    ] {
        let frames = read(&write(folder.path(), name, bytes), 30.0);
        assert_eq!(tenths(&frames), (0..12).collect::<Vec<_>>(), "{name}");
        assert!(get_brighter(&frames), "{name}");
    }
}

#[test]
fn what_is_damaged_is_named_with_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let mp4 = include_bytes!("data/b_frames.mp4");
    for keep in [0, 10, 200, 700, 1200] {
        let path = write(folder.path(), "cut.mp4", &mp4[..keep]);
        if let Ok(file) = VideoFile::open(&path.display().to_string(), 30.0) {
            let _ = file.count();
        }
    }
    let error = fails(&folder.path().join("nowhere.mp4")).to_string();
    assert!(
        error.contains("nowhere.mp4") && error.contains("No such file"),
        "{error}"
    );
    let error = fails(&write(folder.path(), "empty.h264", b"")).to_string();
    assert!(error.contains("empty.h264"), "{error}");
}

#[test]
fn addresses_elsewhere_are_refused() {
    for name in ["https://example.org/a.mp4", "file://elsewhere/a.mp4"] {
        let error = VideoFile::open(name, 30.0).expect_err("no file").to_string();
        assert!(
            error.contains(name) && error.contains("download it first"),
            "{error}"
        );
    }
}

#[test]
fn other_codings_are_left_to_ffmpeg() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "m.mp4", include_bytes!("data/mpeg4.mp4"));
    // Which programs this machine has is not for a test to say: both answers are checked where they can be had.
    if ffmpeg::is_installed() {
        assert_eq!(tenths(&read(&path, 30.0)), [0, 1, 2]);
        let error = fails(&write(folder.path(), "no.mkv", b"nothing")).to_string();
        assert!(
            error.contains("ffmpeg cannot read") && error.contains("no.mkv"),
            "{error}"
        );
    } else {
        assert!(fails(&path).to_string().contains("apt-get install ffmpeg"));
    }
}
