use std::io::Cursor;
use std::time::Duration;

use proptest::prelude::*;

use super::Y4mReader;
use crate::file::Frame;

fn read(bytes: &[u8]) -> Result<Vec<Frame>, String> {
    let mut reader = Y4mReader::new(Cursor::new(bytes), 30.0)?;
    let mut frames = Vec::new();
    while let Some(frame) = reader.next_frame()? {
        frames.push(frame);
    }
    Ok(frames)
}

fn video(header: &str, frames: &[&[u8]]) -> Vec<u8> {
    let mut bytes = format!("YUV4MPEG2 {header}\n").into_bytes();
    for frame in frames {
        bytes.extend(b"FRAME\n");
        bytes.extend(*frame);
    }
    bytes
}

#[test]
fn frames_have_their_planes_and_times() {
    let bytes = video(
        "W4 H2 F25:2 Ip A1:1 C420jpeg XCOLORRANGE=FULL",
        &[&[1, 2, 3, 4, 5, 6, 7, 8, 20, 21, 30, 31], &[9; 12]],
    );
    let frames = read(&bytes).expect("the frames");
    assert_eq!(frames.len(), 2);
    assert_eq!(frames[0].picture.y, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(frames[0].picture.u, [20, 21]);
    assert_eq!(frames[0].picture.v, [30, 31]);
    assert_eq!(frames[0].time, Duration::ZERO);
    assert_eq!(frames[1].time, Duration::from_millis(80));
    assert!(frames[1].picture.is_whole());
}

#[test]
fn levels_of_video_become_those_of_pictures() {
    let bytes = video("W2 H2 F30:1", &[&[16, 235, 126, 0, 128, 240]]);
    let picture = &read(&bytes).expect("the frame")[0].picture;
    assert_eq!(picture.y, [0, 255, 128, 0]);
    assert_eq!((&picture.u[..], &picture.v[..]), (&[128][..], &[255][..]));
}

#[test]
fn odd_sizes_have_colours_to_their_edges() {
    let bytes = video("W3 H3 XCOLORRANGE=FULL", &[&[7; 9 + 4 + 4]]);
    assert!(read(&bytes).expect("the frame")[0].picture.is_whole());
}

#[test]
fn more_colours_are_averaged_and_none_are_grey() {
    let wide = video("W2 H2 C422 XCOLORRANGE=FULL", &[&[9, 9, 9, 9, 10, 30, 40, 60]]);
    let picture = &read(&wide).expect("the frame")[0].picture;
    assert_eq!((&picture.u[..], &picture.v[..]), (&[20][..], &[50][..]));
    let all = video(
        "W2 H2 C444 XCOLORRANGE=FULL",
        &[&[9, 9, 9, 9, 10, 20, 30, 40, 1, 2, 3, 6]],
    );
    let picture = &read(&all).expect("the frame")[0].picture;
    assert_eq!((&picture.u[..], &picture.v[..]), (&[25][..], &[3][..]));
    let grey = video("W2 H2 Cmono XCOLORRANGE=FULL", &[&[9, 9, 9, 9]]);
    let picture = &read(&grey).expect("the frame")[0].picture;
    assert_eq!((&picture.u[..], &picture.v[..]), (&[128][..], &[128][..]));
}

#[test]
fn what_cannot_be_read_is_said() {
    let fails = |bytes: &[u8]| read(bytes).expect_err("not read");
    assert_eq!(fails(b""), "it is empty");
    assert_eq!(fails(b"RIFF\n"), "it does not begin with YUV4MPEG2");
    assert!(fails(&video("W20000 H2", &[])).contains("20000 by 2"));
    assert!(fails(&video("H2", &[])).contains("0 by 2"));
    assert!(fails(&video("W2 H2 C420p10", &[])).contains("ffmpeg -pix_fmt yuv420p"));
    assert_eq!(fails(&video("W2 H2", &[&[1, 2, 3]])), "frame 0 is cut short");
    let mut wrong = video("W2 H2", &[&[1; 6]]);
    wrong.extend(b"FLAME\n");
    assert_eq!(fails(&wrong), "frame 1 does not begin with FRAME");
    assert_eq!(fails(&[b'x'; 5000]), "a header has no end");
}

proptest! {
    #[test]
    fn whatever_stands_in_it_does_no_harm(
        header in "[ WHFCX0-9:a-z]{0,40}",
        rest in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let _ = read(&video(&header, &[&rest]));
        let _ = read(&rest);
    }
}
