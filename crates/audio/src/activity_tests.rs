//! Voices of several people in several rooms, and what is no voice.

use proptest::prelude::*;

use super::*;
use crate::fixtures::{Voice, at_level, noise, together};

const SECOND: usize = 16_000;

/// Two seconds of a room, somebody's sentence in it, and two seconds of the room again.
fn in_a_room(sentence: &[i16], room: Decibels) -> (Vec<i16>, std::ops::Range<usize>) {
    let mut sound = noise(1, 2 * SECOND, room);
    let begins = sound.len() / BLOCK;
    let sentence = at_level(sentence, Decibels(-23.0));
    sound.extend(together(&sentence, &noise(2, sentence.len(), room)));
    let ends = sound.len() / BLOCK;
    sound.extend(noise(3, 2 * SECOND, room));
    (sound, begins..ends)
}

fn heard(sound: &[i16]) -> Vec<Activity> {
    let mut activity = VoiceActivity::new();
    let (blocks, _) = sound.as_chunks::<BLOCK>();
    blocks.iter().map(|block| activity.hear(block)).collect()
}

fn share(of: &[Activity], which: impl Fn(&Activity) -> bool) -> f64 {
    of.iter().filter(|activity| which(activity)).count() as f64 / of.len() as f64
}

#[test]
fn every_voice_is_found_in_rooms_from_silent_to_noisy() {
    for voice in Voice::SENTENCES.into_iter().chain([Voice::Mhm]) {
        for room in [-90.0, -60.0, -50.0, -40.0] {
            let (sound, spoken) = in_a_room(&voice.for_ears(), Decibels(room));
            let heard = heard(&sound);
            let said = format!("{voice:?} in a room of {room} dB");
            let known = &heard[spoken.start - 50..spoken.start];
            assert_eq!(share(known, |block| block.voiced), 0.0, "{said}: before");
            let within = share(&heard[spoken.clone()], |block| block.voiced);
            assert!(within > 0.75, "{said}: {within}");
            let after = heard[spoken.end..].iter().filter(|block| block.voiced).count();
            assert!(after <= 5, "{said}: {after} blocks after the end");
            let first = heard[spoken.start..].iter().position(|block| block.voiced);
            assert!(
                first.is_some_and(|first| first <= 5),
                "{said}: after {first:?} blocks"
            );
        }
    }
}

#[test]
fn whoever_speaks_with_the_very_first_sample_is_heard() {
    for voice in Voice::SENTENCES {
        let heard = heard(&at_level(&voice.for_ears(), Decibels(-23.0)).repeat(3));
        let voiced = share(&heard, |block| block.voiced);
        assert!(voiced > 0.75, "{voice:?}: {voiced}");
    }
}

#[test]
fn the_network_does_not_look_at_silent_tracks() {
    let quiet = heard(&noise(1, 20 * SECOND, Decibels(-70.0)));
    assert_eq!(share(&quiet, |block| block.examined), 0.0);
    let muted = heard(&vec![0; 20 * SECOND]);
    assert_eq!(share(&muted, |block| block.examined), 0.0);
}

#[test]
fn a_fan_is_looked_at_until_its_noise_is_known() {
    let fan = heard(&noise(1, 20 * SECOND, Decibels(-40.0)));
    assert_eq!(share(&fan[70..], |block| block.voiced), 0.0);
    let examined = share(&fan, |block| block.examined);
    assert!((0.02..0.1).contains(&examined), "{examined}");
}

#[test]
fn noise_that_the_network_takes_for_speech_is_known_for_noise_after_some_seconds() {
    let roar = heard(&noise(1, 20 * SECOND, Decibels(-30.0)));
    assert!(
        share(&roar[..60], |block| block.voiced) > 0.2,
        "the network is wrong here"
    );
    assert_eq!(share(&roar[90..], |block| block.voiced), 0.0);
}

#[test]
fn a_microphone_that_was_off_does_not_make_the_room_loud() {
    let mut activity = VoiceActivity::new();
    for block in noise(1, 4 * SECOND, Decibels(-45.0)).as_chunks::<BLOCK>().0 {
        activity.hear(block);
    }
    let known = activity.noise();
    for _ in 0..500 {
        activity.hear(&[0; BLOCK]);
    }
    assert_eq!(activity.noise(), known);
    assert!(!activity.hear(&[0; BLOCK]).examined);
}

#[test]
fn after_a_sleep_the_network_knows_what_it_would_have_known() {
    let (sound, spoken) = in_a_room(&Voice::Bob.for_ears(), Decibels(-70.0));
    let gated = heard(&sound);
    let mut network = Detector::default();
    let all: Vec<f32> = sound
        .as_chunks::<BLOCK>()
        .0
        .iter()
        .map(|block| network.predict_i16(block))
        .collect();
    for at in spoken.start + 3..spoken.end {
        assert!(gated[at].examined, "block {at}");
        let difference = (gated[at].likelihood - all[at]).abs();
        assert!(
            difference < 0.25,
            "block {at}: {} and {}",
            gated[at].likelihood,
            all[at]
        );
    }
}

#[test]
fn a_reset_forgets_the_room_and_the_voice() {
    let (sound, _) = in_a_room(&Voice::Ann.for_ears(), Decibels(-40.0));
    let first = heard(&sound);
    let mut activity = VoiceActivity::new();
    for block in noise(9, SECOND, Decibels(-20.0)).as_chunks::<BLOCK>().0 {
        activity.hear(block);
    }
    activity.reset();
    let again: Vec<Activity> = sound
        .as_chunks::<BLOCK>()
        .0
        .iter()
        .map(|block| activity.hear(block))
        .collect();
    assert_eq!(again, first);
}

proptest! {
    #![proptest_config(hostile::cases(32))]

    #[test]
    fn hostile_samples_give_sound_figures(samples in prop::collection::vec(any::<i16>(), 0..4_000), times in 1..4_usize) {
        for block in heard(&samples.repeat(times)) {
            prop_assert!((0.0..=1.0).contains(&block.likelihood));
            prop_assert!((-100.0..=0.1).contains(&block.level.0));
        }
    }
}
