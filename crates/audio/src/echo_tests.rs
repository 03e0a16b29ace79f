//! Its own voice out of somebody's speakers, and people who speak.

use super::*;
use crate::fixtures::{Voice, at_level, dull, noise, scaled, together};

/// What is played in a room, and a guard that was given all of it.
fn guard(played: &[i16]) -> EchoGuard {
    let mut guard = EchoGuard::new();
    for frame in played.as_chunks::<FRAME>().0 {
        guard.play(frame);
    }
    guard.rest(48_000 * 2);
    guard
}

/// The sound as it comes back: later, and through a small room with reflections.
fn through_a_room(sound: &[i16], delay_milliseconds: usize) -> Vec<i16> {
    let mut heard = vec![0.0_f32; sound.len() + (delay_milliseconds + 40) * 48];
    for (after, gain) in [(0, 0.5), (3, 0.2), (7, -0.15), (13, 0.1), (22, 0.06)] {
        let from = (delay_milliseconds + after) * 48;
        for (at, sample) in sound.iter().enumerate() {
            heard[from + at] += f32::from(*sample) * gain;
        }
    }
    heard.into_iter().map(crate::decibels::sample).collect()
}

/// The likeness of what a microphone hears from a time on, in milliseconds.
fn likeness(guard: &mut EchoGuard, heard: &[i16], from: usize, length: usize) -> EchoLikeness {
    let clip = &heard[from * 48..((from + length) * 48).min(heard.len())];
    let clip = Resampler::convert(RATE, EAR_RATE, clip).expect("common");
    guard.likeness(&clip, from as u64 * 48)
}

#[test]
fn an_echo_is_known_at_any_delay_quiet_and_dull() {
    for voice in [Voice::Bob, Voice::Cleo] {
        let played = at_level(&voice.sound(), Decibels(-20.0));
        let mut guard = guard(&played);
        for delay in [60, 300, 800, 1_400] {
            for gain in [1.0, 0.1, 0.02] {
                let heard = scaled(&dull(&through_a_room(&played, delay)), gain);
                let heard = together(&heard, &noise(3, heard.len(), Decibels(-75.0)));
                let found = likeness(&mut guard, &heard, delay + 100, 800);
                let said = format!("{voice:?} after {delay} ms, times {gain}: {found:?}");
                assert!(found.share > 0.7, "{said}");
                let off = found
                    .delay
                    .map_or(i64::MAX, |found| (i64::from(found) - delay as i64).abs());
                assert!(off < 30, "{said}");
            }
        }
    }
}

#[test]
fn whoever_speaks_while_it_speaks_is_no_echo() {
    for (denizen, person) in [
        (Voice::Bob, Voice::Ann),
        (Voice::Ann, Voice::Bob),
        (Voice::Cleo, Voice::Dan),
        (Voice::Dan, Voice::Cleo),
        (Voice::Bob, Voice::Dan),
    ] {
        let mut guard = guard(&at_level(&denizen.sound(), Decibels(-20.0)));
        let heard = at_level(&person.sound(), Decibels(-25.0));
        for from in [0, 200, 400, 600] {
            let found = likeness(&mut guard, &heard, from, 800);
            assert!(
                found.share < 0.3,
                "{person:?} over {denizen:?} from {from} ms: {found:?}"
            );
        }
    }
}

#[test]
fn somebody_who_speaks_over_the_echo_is_told_by_how_much_louder_they_are() {
    let played = at_level(&Voice::Bob.sound(), Decibels(-20.0));
    let mut guard = guard(&played);
    let echo = at_level(&through_a_room(&played, 150), Decibels(-35.0));
    let person = at_level(&Voice::Cleo.sound(), Decibels(-25.0));
    let share = |gain: f32, guard: &mut EchoGuard| {
        let heard = together(&echo, &scaled(&person, gain));
        likeness(guard, &heard, 250, 800).share
    };
    let (alone, beneath, equal, above) = (
        share(0.0, &mut guard),
        share(0.1, &mut guard),
        share(0.3, &mut guard),
        share(1.0, &mut guard),
    );
    assert!(
        alone > beneath && beneath > equal && equal > above,
        "{alone} {beneath} {equal} {above}"
    );
    assert!(beneath > 0.6 && above < 0.35, "{beneath} {above}");
}

#[test]
fn the_same_voice_with_other_words_is_no_echo() {
    // A person with the very voice of Denizen: only what is said and when can tell.
    let sound = at_level(&Voice::Dan.sound(), Decibels(-20.0));
    let half = sound.len() / 2 / FRAME * FRAME;
    let mut guard = guard(&sound[..half]);
    let heard = [vec![0; 4_800], sound[half..].to_vec()].concat();
    let found = likeness(&mut guard, &heard, 100, 800);
    assert!(found.share < 0.35, "{found:?}");
}

#[test]
fn before_anything_was_played_and_long_after_there_is_no_echo() {
    let played = at_level(&Voice::Bob.sound(), Decibels(-20.0));
    let ears = Voice::Bob.for_ears();
    assert_eq!(EchoGuard::new().likeness(&ears, 0), EchoLikeness::NONE);
    let mut guard = guard(&played);
    let late = (played.len() + 48_000 * 2) as u64;
    assert_eq!(guard.likeness(&ears, late), EchoLikeness::NONE);
    assert_eq!(guard.likeness(&[], 0), EchoLikeness::NONE);
    assert_eq!(guard.likeness(&[5; 100], u64::MAX), EchoLikeness::NONE);
}

#[test]
fn an_hour_of_rest_is_counted_and_not_kept() {
    let played = at_level(&Voice::Bob.sound(), Decibels(-20.0));
    let mut guard = EchoGuard::new();
    // Neither is a whole number of frames.
    guard.rest(48_000 * 3_600 + 48 * 7);
    guard.rest(48 * 6);
    for frame in played.as_chunks::<FRAME>().0 {
        guard.play(frame);
    }
    guard.rest(48_000);
    let begins = 48_000 * 3_600 + 48 * 13;
    let found = guard.likeness(&Voice::Bob.for_ears()[..16_000], begins + 48 * 200);
    assert!(found.share > 0.8, "{found:?}");
    assert!(
        found.delay.is_some_and(|delay| delay.abs_diff(200) <= 2),
        "{found:?}"
    );
}

#[test]
fn a_long_clip_is_compared_piece_by_piece() {
    let played = at_level(&Voice::SENTENCES.map(Voice::sound).concat(), Decibels(-20.0));
    let mut guard = guard(&played);
    let heard = through_a_room(&played, 220);
    let found = likeness(&mut guard, &heard, 300, 5_000);
    assert!(found.share > 0.7, "{found:?}");
}
