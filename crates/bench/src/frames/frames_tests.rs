use std::time::Duration;

use media::score::{Grid, Scorer};

use super::clip::Clip;
use super::{ffmpeg, h264, naive};

#[test]
fn the_naive_way_gives_the_same_score() {
    let clip = Clip::render(20);
    let (first, last) = (&clip.frames[0], &clip.frames[19]);
    let mut scorer = Scorer::default();
    scorer.look(Grid::of(&first.luma()));
    scorer.emit();
    scorer.look(Grid::of(&last.luma()));
    let ours = scorer.emit().score;
    let theirs = naive::difference(&naive::grid(first), &naive::grid(last));
    assert!(ours > 0.01, "something moves in the clip: {ours}");
    assert!((ours - theirs).abs() < 0.002, "{ours} is not {theirs}");
}

#[test]
fn the_clip_can_be_coded_and_played_without_ffmpeg() {
    let folder = tempfile::tempdir().expect("a folder");
    let coded = h264::encode(&Clip::render(3), folder.path(), None).expect("a clip");
    assert_eq!(coded.len(), 1);
    assert!(coded[0].by.contains("openh264"));
    assert!(coded[0].decode_and_score(1).expect("it plays") > Duration::ZERO);
}

#[test]
fn the_time_that_ffmpeg_tells_is_read() {
    let said = "frame=   10 fps=0\rframe=  150 fps=0.0 q=-0.0\nbench: utime=0.3s stime=0.0s rtime=0.300s\nbench: maxrss=5kB\n";
    assert_eq!(ffmpeg::time_of_a_frame(said), Some(Duration::from_millis(2)));
    assert_eq!(ffmpeg::time_of_a_frame("Conversion failed!"), None);
}
