use audio::FRAME;
use audio::segment::{Segmenter, SpeechEvent};
use audio::track::IncomingTrack;

use super::scene::{Scene, Talk};

/// Clips that are found in each track.
fn clips(scene: &Scene) -> Vec<usize> {
    let count = |track: &super::scene::Track| {
        let mut incoming = IncomingTrack::new().expect("libopus");
        let mut segmenter = Segmenter::default();
        let mut told = Vec::new();
        for at in 0..scene.frames() {
            let mut frame = [0; FRAME];
            let now = (at * FRAME) as u64;
            incoming.push(track.packet(at), now);
            incoming.frame(now, &mut frame);
            segmenter.push(&frame, &mut told);
        }
        segmenter.finish(&mut told);
        told.iter()
            .filter(|event| matches!(event, SpeechEvent::Clip(_)))
            .count()
    };
    scene.tracks.iter().map(count).collect()
}

#[test]
fn the_scene_holds_the_sentences_that_its_speakers_say() {
    let scene = Scene::render(2, 9, Talk::InTurn).expect("a scene");
    assert_eq!(clips(&scene), [2, 2], "four sentences in nine seconds, in turn");
    assert!(
        (0.3..0.4).contains(&scene.share_spoken()),
        "{}",
        scene.share_spoken()
    );
    let all = Scene::render(2, 9, Talk::AllAtOnce).expect("a scene");
    assert!(clips(&all).iter().all(|clips| *clips >= 1), "{:?}", clips(&all));
    assert!(all.share_spoken() > 0.99);
}
