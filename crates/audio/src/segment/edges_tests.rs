//! What lies at the edges of a speech: clicks, nods, soft beginnings, and ends at a cut.

use super::tests::{clips, dropped, in_turn, told, told_by};
use super::*;
use crate::fixtures::{Voice, silence};

#[test]
fn a_click_is_not_told_of_at_all() {
    let mut click = Voice::Ann.sound();
    click.truncate(48 * 90);
    assert_eq!(told(&in_turn(&[&silence(500), &click, &silence(1_000)])), []);
}

#[test]
fn nodding_twice_has_only_the_voice_of_two_nods() {
    let nod = Voice::Mhm.sound();
    let told = told(&in_turn(&[
        &silence(500),
        &nod,
        &silence(450),
        &nod,
        &silence(1_000),
    ]));
    let heard = told.iter().filter_map(|event| match event {
        SpeechEvent::Continues { spoken, voiced, .. } => Some((*spoken, *voiced)),
        _ => None,
    });
    let (spoken, voiced) = heard.max().expect("it goes on");
    assert!(
        spoken >= voiced + Duration::from_millis(250),
        "{spoken:?}, {voiced:?}"
    );
}

#[test]
fn a_soft_beginning_just_after_the_end_of_a_speech_is_in_the_next_clip() {
    let mut segmenter = Segmenter::new(SegmentRules {
        end_of_speech: Duration::from_millis(300),
        ..SegmentRules::default()
    });
    let sound = in_turn(&[
        &silence(400),
        &Voice::Ann.sound(),
        &silence(340),
        &Voice::Bob.sound(),
        &silence(900),
    ]);
    let told = told_by(&mut segmenter, &sound);
    let [first, second] = clips(&told)[..] else {
        panic!("{told:?}")
    };
    let end = first.begins + first.samples_16k.len() as u64 * PER_EAR_SAMPLE;
    assert!(second.begins >= end, "nothing is heard twice");
    assert!(
        second.begins - end < 48 * 60,
        "{} ms are in neither",
        (second.begins - end) / 48
    );
}

#[test]
fn what_is_behind_the_tail_stays_for_the_next_speech() {
    let quiet = VoiceActivity::new().hear(&[0; BLOCK]);
    let voiced = Activity {
        voiced: true,
        ..quiet
    };
    let mut capture = Capture::default();
    for place in 0..60_i16 {
        capture.push(&[place; BLOCK], if place < 10 { &voiced } else { &quiet });
    }
    assert_eq!(capture.take(13, 13).len(), 23 * BLOCK);
    assert_eq!(
        (capture.samples()[0], capture.length(), capture.end()),
        (47, 13, 60)
    );
    assert_eq!(capture.take(13, 60).len(), 0, "without voice there is no clip");
    assert_eq!(capture.length(), 13);
}

#[test]
fn a_long_speech_that_ends_at_the_cut_tells_of_no_part_without_voice() {
    for longest in (1_000..3_000).step_by(100) {
        let mut segmenter = Segmenter::new(SegmentRules {
            longest_clip: Duration::from_millis(longest),
            ..SegmentRules::default()
        });
        let sound = in_turn(&[&Voice::Bob.sound(), &silence(1_500)]);
        let told = told_by(&mut segmenter, &sound);
        let voiceless = told.iter().any(|event| {
            matches!(event, SpeechEvent::Dropped(clip) if clip.part > 0 && clip.evidence.voiced.is_zero())
        });
        assert!(!voiceless, "cut at {longest} ms: {:?}", dropped(&told));
    }
}

#[test]
fn a_pause_that_somebody_knows_more_of_ends_when_they_say_and_only_that_one() {
    let mut segmenter = Segmenter::default();
    let pausing = in_turn(&[&silence(400), &Voice::Ann.sound(), &silence(250)]);
    let mut told = told_by(&mut segmenter, &pausing);
    segmenter.end_after(Duration::from_millis(1_500));
    // A gap in the track counts as silence, as long as it has to be here.
    segmenter.gap(48 * 900, &mut told);
    assert!(segmenter.is_speaking() && clips(&told).is_empty(), "{told:?}");
    told.extend(told_by(
        &mut segmenter,
        &in_turn(&[&Voice::Bob.sound(), &silence(900)]),
    ));
    assert_eq!(clips(&told).len(), 1, "{told:?}");
    assert!(clips(&told)[0].silence < Duration::from_millis(800), "{told:?}");

    let mut told = told_by(&mut segmenter, &in_turn(&[&Voice::Ann.sound(), &silence(250)]));
    segmenter.end_after(Duration::from_secs(60));
    segmenter.gap(48 * 60_000, &mut told);
    assert_eq!(clips(&told).len(), 1, "it ends at last: {told:?}");
}
