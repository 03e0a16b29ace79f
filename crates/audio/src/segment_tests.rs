//! Conversations of one person, heard in frames.

use proptest::prelude::*;

use super::*;
use crate::fixtures::{Voice, at_level, noise, scaled, silence, together};

const ROOM: Decibels = Decibels(-65.0);

/// What is told of a sound that comes in frames of 20 ms.
pub(super) fn told(sound: &[i16]) -> Vec<SpeechEvent> {
    told_by(&mut Segmenter::default(), sound)
}

pub(super) fn told_by(segmenter: &mut Segmenter, sound: &[i16]) -> Vec<SpeechEvent> {
    let mut told = Vec::new();
    for frame in sound.chunks(FRAME) {
        segmenter.push(frame, &mut told);
    }
    told
}

/// Sounds one after the other, in a quiet room.
pub(super) fn in_turn(sounds: &[&[i16]]) -> Vec<i16> {
    let all = sounds.concat();
    together(&all, &noise(7, all.len(), ROOM))
}

pub(super) fn clips(told: &[SpeechEvent]) -> Vec<&SpeechClip> {
    told.iter()
        .filter_map(|event| match event {
            SpeechEvent::Clip(clip) => Some(clip),
            _ => None,
        })
        .collect()
}

pub(super) fn dropped(told: &[SpeechEvent]) -> Vec<DropReason> {
    told.iter()
        .filter_map(|event| match event {
            SpeechEvent::Dropped(clip) => Some(clip.reason),
            _ => None,
        })
        .collect()
}

fn milliseconds(duration: Duration) -> i64 {
    duration.as_millis() as i64
}

#[test]
fn a_sentence_is_started_told_of_each_tenth_of_a_second_and_given_out_whole() {
    let sentence = Voice::Bob.sound();
    let length = sentence.len() as i64 / 48;
    let told = told(&in_turn(&[&silence(1_000), &sentence, &silence(1_500)]));

    let SpeechEvent::Started { speech: 1, begins } = told[0] else {
        panic!("{:?}", told[0])
    };
    assert!(
        (750..850).contains(&(begins / 48)),
        "200 ms before: {}",
        begins / 48
    );
    let spoken: Vec<i64> = told
        .iter()
        .filter_map(|event| match event {
            SpeechEvent::Continues { spoken, .. } => Some(milliseconds(*spoken)),
            _ => None,
        })
        .collect();
    assert!(spoken.len() >= 14, "{spoken:?}");
    assert!(
        spoken.windows(2).all(|two| two[1] / 100 > two[0] / 100),
        "{spoken:?}"
    );
    let silences: Vec<i64> = told
        .iter()
        .filter_map(|event| match event {
            SpeechEvent::Pauses { silence, .. } => Some(milliseconds(*silence) / 100),
            _ => None,
        })
        .collect();
    assert_eq!(silences, [1, 2, 3, 4, 5, 6, 7]);

    let [clip] = clips(&told)[..] else {
        panic!("{told:?}")
    };
    assert_eq!(
        (clip.speech, clip.part, clip.begins, clip.cut),
        (1, 0, begins, false)
    );
    assert!(
        (milliseconds(clip.evidence.spoken) - length).abs() < 120,
        "{:?} of {length}",
        clip.evidence
    );
    assert!(clip.evidence.voiced_share() > 0.8, "{:?}", clip.evidence);
    assert!(
        (700..720).contains(&milliseconds(clip.silence)),
        "{:?}",
        clip.silence
    );
    let long = clip.samples_16k.len() as i64 / 16;
    assert!(
        (long - length - 400).abs() < 120,
        "{long} of {length}, with 200 ms on each side"
    );
    assert!(
        matches!(told.last(), Some(SpeechEvent::Ended { speech: 1, .. })),
        "{told:?}"
    );
}

#[test]
fn the_samples_of_a_clip_are_those_of_its_place_in_the_track() {
    let sound = in_turn(&[&silence(730), &Voice::Cleo.sound(), &silence(900)]);
    let told = told(&sound);
    let clip = clips(&told)[0];
    let whole = Resampler::convert(RATE, EAR_RATE, &sound).expect("common");
    let first = (clip.begins / PER_EAR_SAMPLE) as usize;
    assert_eq!(clip.samples_16k, whole[first..first + clip.samples_16k.len()]);
}

#[test]
fn a_pause_within_a_sentence_does_not_end_it_and_a_long_one_does() {
    let (first, second) = (Voice::Ann.sound(), Voice::Ann.sound());
    let short = told(&in_turn(&[
        &silence(500),
        &first,
        &silence(500),
        &second,
        &silence(900),
    ]));
    assert_eq!(clips(&short).len(), 1);
    let long = told(&in_turn(&[
        &silence(500),
        &first,
        &silence(900),
        &second,
        &silence(900),
    ]));
    let long = clips(&long);
    assert_eq!(long.iter().map(|clip| clip.speech).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn the_end_of_speech_is_a_rule() {
    let mut segmenter = Segmenter::new(SegmentRules {
        end_of_speech: Duration::from_millis(300),
        ..SegmentRules::default()
    });
    let sound = in_turn(&[
        &Voice::Ann.sound(),
        &silence(500),
        &Voice::Bob.sound(),
        &silence(400),
    ]);
    assert_eq!(clips(&told_by(&mut segmenter, &sound)).len(), 2);
}

#[test]
fn a_speech_longer_than_ears_take_is_cut_where_it_is_quiet_and_nothing_of_it_is_lost() {
    let sentences: Vec<Vec<i16>> = Voice::SENTENCES.map(Voice::sound).into();
    let mut speech = Vec::new();
    for at in 0..12 {
        speech.extend(&sentences[at % 4]);
        speech.extend(silence(150));
    }
    let sound = in_turn(&[&silence(400), &speech, &silence(1_000)]);
    let told = told(&sound);
    let clips = clips(&told);
    assert_eq!(clips.iter().map(|clip| clip.part).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(
        clips
            .iter()
            .all(|clip| clip.speech == 1 && clip.samples_16k.len() <= 8 * 16_000)
    );
    assert_eq!(
        clips.iter().map(|clip| clip.cut).collect::<Vec<_>>(),
        [true, true, false]
    );
    for two in clips.windows(2) {
        let end = two[0].begins + two[0].samples_16k.len() as u64 * PER_EAR_SAMPLE;
        assert!(two[1].begins - end < 100 * 48, "what is left out is silence");
        let seam = &two[0].samples_16k[two[0].samples_16k.len() - 256..];
        let level = Decibels::of_samples(seam);
        assert!(level < Decibels(-45.0), "the seam is as loud as {level}");
    }
    assert_eq!(
        told.iter()
            .filter(|event| matches!(event, SpeechEvent::Ended { .. }))
            .count(),
        1
    );
}

#[test]
fn speech_without_a_pause_is_cut_all_the_same() {
    let speech = Voice::Bob.sound().repeat(12);
    let told = told(&in_turn(&[&speech, &silence(1_000)]));
    let clips = clips(&told);
    assert!(clips.len() >= 3, "{}", clips.len());
    let samples: usize = clips.iter().map(|clip| clip.samples_16k.len()).sum();
    assert!(
        samples * 3 + 48_000 / 5 >= speech.len(),
        "{} of {}",
        samples * 3,
        speech.len()
    );
}

#[test]
fn a_click_is_no_speech() {
    let mut click = Voice::Ann.sound();
    click.truncate(48 * 90);
    let told = told(&in_turn(&[&silence(500), &click, &silence(1_000)]));
    assert!(clips(&told).is_empty(), "{told:?}");
    assert_eq!(dropped(&told), [], "nobody has to know");
}

#[test]
fn a_murmur_in_the_next_room_is_dropped_as_too_quiet() {
    let murmur = scaled(&at_level(&Voice::Bob.sound(), Decibels(-20.0)), 0.004);
    let sound = [silence(500), murmur, silence(1_000)].concat();
    let mut segmenter = Segmenter::new(SegmentRules {
        quietest_peak: Decibels(-30.0),
        ..SegmentRules::default()
    });
    let loud = [silence(500), scaled(&Voice::Bob.sound(), 0.02), silence(1_000)].concat();
    assert_eq!(dropped(&told_by(&mut segmenter, &loud)), [DropReason::TooQuiet]);
    assert!(clips(&told(&sound)).is_empty());
}

#[test]
fn noise_that_is_no_louder_than_the_room_is_dropped() {
    let told = told(&noise(3, 48_000 * 6, Decibels(-30.0)));
    assert!(clips(&told).is_empty(), "{told:?}");
    assert_eq!(dropped(&told), [DropReason::NotAboveNoise]);
}

#[test]
fn quiet_noise_and_silence_tell_nothing_at_all() {
    assert_eq!(told(&noise(3, 48_000 * 10, Decibels(-45.0))), []);
    assert_eq!(told(&silence(5_000)), []);
}

#[test]
fn the_clip_under_way_can_be_looked_at() {
    let mut segmenter = Segmenter::default();
    assert_eq!(segmenter.running(), None);
    let sound = in_turn(&[&silence(500), &Voice::Dan.sound()]);
    let started = told_by(&mut segmenter, &sound[..48 * 1_500]);
    let running = segmenter.running().expect("a speech");
    let SpeechEvent::Started { begins, .. } = started[0] else {
        panic!("{started:?}")
    };
    assert_eq!((running.speech, running.part, running.begins), (1, 0, begins));
    let length = running.samples_16k.len();
    assert!((1_100..1_250).contains(&(length / 16)), "{}", length / 16);
    assert!(running.evidence.voiced > Duration::from_millis(500));
    told_by(&mut segmenter, &silence(1_000));
    assert_eq!(segmenter.running(), None);
}

#[test]
fn whoever_leaves_in_the_middle_of_a_word_is_heard_up_to_there() {
    let mut segmenter = Segmenter::default();
    let sound = in_turn(&[&silence(500), &Voice::Dan.sound()[..48 * 800]]);
    let mut told = told_by(&mut segmenter, &sound);
    assert!(clips(&told).is_empty());
    segmenter.finish(&mut told);
    let clip = clips(&told)[0];
    let ends = clip.begins + clip.samples_16k.len() as u64 * PER_EAR_SAMPLE;
    assert!(
        ends.abs_diff(sound.len() as u64) < 48 * 50,
        "{ends} of {}",
        sound.len()
    );
    assert!(matches!(told.last(), Some(SpeechEvent::Ended { .. })));
    let before = told.len();
    segmenter.finish(&mut told);
    assert_eq!(told.len(), before, "nothing is ended twice");
}

#[test]
fn a_gap_ends_a_speech_and_counts_as_time() {
    let mut segmenter = Segmenter::default();
    let mut told = told_by(&mut segmenter, &in_turn(&[&silence(500), &Voice::Ann.sound()]));
    let before = segmenter.heard();
    segmenter.gap(48_000 * 3_600 + 1, &mut told);
    segmenter.gap(2, &mut told);
    assert_eq!(clips(&told).len(), 1);
    let gap = segmenter.heard() - before;
    assert!(gap.abs_diff(48_000 * 3_600 + 3) <= 2, "{gap}");
    let after = told_by(&mut segmenter, &in_turn(&[&Voice::Bob.sound(), &silence(800)]));
    let begins = clips(&after)[0].begins;
    assert!(begins > before + 48_000 * 3_599, "{begins}");
}

#[test]
fn rules_without_sense_are_moved_to_the_nearest_that_have_some() {
    let mut segmenter = Segmenter::new(SegmentRules {
        end_of_speech: Duration::ZERO,
        longest_clip: Duration::ZERO,
        pre_roll: Duration::from_secs(1 << 40),
        tail: Duration::MAX,
        ..SegmentRules::default()
    });
    let told = told_by(&mut segmenter, &in_turn(&[&Voice::Ann.sound(), &silence(1_500)]));
    assert!(!clips(&told).is_empty());
}

/// What must hold of everything that is told of one track.
fn check(told: &[SpeechEvent]) -> Result<(), TestCaseError> {
    let mut speaking = None;
    let mut last = 0;
    for event in told {
        match event {
            SpeechEvent::Started { speech, .. } => {
                prop_assert_eq!(speaking, None);
                prop_assert_eq!(*speech, last + 1);
                speaking = Some(*speech);
                last = *speech;
            }
            SpeechEvent::Ended { speech, .. } => {
                prop_assert_eq!(speaking, Some(*speech));
                speaking = None;
            }
            SpeechEvent::Clip(SpeechClip {
                speech, samples_16k, ..
            }) => {
                prop_assert_eq!(speaking, Some(*speech));
                prop_assert!(samples_16k.len() <= 8 * 16_000 + BLOCK);
            }
            SpeechEvent::Continues { speech, .. }
            | SpeechEvent::Pauses { speech, .. }
            | SpeechEvent::Dropped(DroppedClip { speech, .. }) => prop_assert_eq!(speaking, Some(*speech)),
        }
    }
    prop_assert_eq!(speaking, None);
    Ok(())
}

proptest! {
    #![proptest_config(hostile::cases(24))]

    #[test]
    fn every_speech_ends_once_whatever_is_pushed(
        pieces in prop::collection::vec((0..6_usize, 0..40_000_usize, 1..3_000_usize), 1..12),
    ) {
        let mut segmenter = Segmenter::default();
        let mut told = Vec::new();
        for (kind, length, piece) in pieces {
            let sound = match kind {
                0 => Voice::Ann.sound(),
                1 => Voice::Bob.sound(),
                2 => noise(length as u64, length, Decibels(-20.0)),
                3 => vec![if length % 2 == 0 { i16::MIN } else { i16::MAX }; length],
                4 => silence(length / 48),
                _ => {
                    segmenter.gap(length as u64 * 100, &mut told);
                    Vec::new()
                }
            };
            for frame in sound.chunks(piece) {
                segmenter.push(frame, &mut told);
            }
        }
        segmenter.finish(&mut told);
        check(&told)?;
    }

    #[test]
    fn the_size_of_pieces_changes_nothing(pieces in prop::collection::vec(1..5_000_usize, 1..8)) {
        let sound = in_turn(&[&silence(300), &Voice::Dan.sound(), &silence(900)]);
        let whole = told(&sound);
        let mut segmenter = Segmenter::default();
        let mut told = Vec::new();
        let mut rest = sound.as_slice();
        for piece in pieces.iter().cycle() {
            let (now, later) = rest.split_at((*piece).min(rest.len()));
            segmenter.push(now, &mut told);
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        prop_assert_eq!(told, whole);
    }
}
