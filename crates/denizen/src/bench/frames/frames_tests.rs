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
    assert_eq!(coded.by, "openh264");
    assert!(coded.decode_and_score().expect("it plays") > Duration::ZERO);
}

#[test]
fn the_time_that_ffmpeg_tells_is_read() {
    let said = "frame=  150\nbench: utime=0.310s stime=0.020s rtime=0.352s\nbench: maxrss=57068kB\n";
    assert_eq!(ffmpeg::benchmark(said), Some(Duration::from_millis(352)));
    assert_eq!(ffmpeg::benchmark("Conversion failed!"), None);
}
