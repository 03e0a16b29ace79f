//! Rooms of several people, quiet and loud.

use proptest::prelude::*;

use super::*;
use crate::Decibels;
use crate::fixtures::{Voice, scaled};

fn frames(sound: &[i16]) -> Vec<Frame> {
    sound.as_chunks::<FRAME>().0.to_vec()
}

/// What each of the speakers hears, and what somebody hears who only listens.
fn room(speakers: &[Vec<Frame>]) -> (Vec<Vec<i16>>, Vec<i16>) {
    let mut limiters = vec![Limiter::new(); speakers.len()];
    let mut limiter = Limiter::new();
    let mut heard = vec![Vec::new(); speakers.len()];
    let mut heard_by_all = Vec::new();
    let length = speakers.iter().map(Vec::len).min().unwrap_or(0);
    let mut mixer = Mixer::new();
    let mut mix = [0; FRAME];
    for at in 0..length {
        mixer.clear();
        for speaker in speakers {
            mixer.add(&speaker[at]);
        }
        for (index, speaker) in speakers.iter().enumerate() {
            mixer.without(&speaker[at], &mut limiters[index], &mut mix);
            heard[index].extend(mix);
        }
        mixer.for_all(&mut limiter, &mut mix);
        heard_by_all.extend(mix);
    }
    (heard, heard_by_all)
}

#[test]
fn two_hear_each_other_exactly_and_never_themselves() {
    let ann = frames(&scaled(&Voice::Ann.sound(), 0.4));
    let bob = frames(&scaled(&Voice::Bob.sound(), 0.4));
    let (heard, _) = room(&[ann.clone(), bob.clone()]);
    let length = heard[0].len();
    assert_eq!(heard[0], bob.concat()[..length]);
    assert_eq!(heard[1], ann.concat()[..length]);
}

#[test]
fn somebody_alone_hears_silence() {
    let (heard, all) = room(&[frames(&Voice::Ann.sound())]);
    assert!(heard[0].iter().all(|sample| *sample == 0));
    assert!(all.iter().any(|sample| *sample != 0));
}

#[test]
fn a_room_of_twenty_five_loud_people_is_loud_and_not_broken() {
    let speakers: Vec<Vec<Frame>> = (0..25)
        .map(|number| {
            let mut sound = Voice::SENTENCES[number % 4].sound();
            sound.rotate_left(number * 1_000);
            frames(&scaled(&sound, 1.5))
        })
        .collect();
    let (_, all) = room(&speakers);
    let cut = all
        .iter()
        .filter(|sample| sample.unsigned_abs() >= 32_767)
        .count();
    assert!(cut * 200 < all.len(), "{cut} of {} are cut off", all.len());
    assert!(Decibels::of_samples(&all) > Decibels(-20.0));
    // Where the sum is far from nought, its sign is kept: nothing wraps.
    for at in 0..all.len() {
        let sum: i32 = speakers
            .iter()
            .map(|speaker| i32::from(speaker[at / FRAME][at % FRAME]))
            .sum();
        if sum.unsigned_abs() > 3_000 {
            assert_eq!(all[at] > 0, sum > 0, "at {at}: {sum} became {}", all[at]);
        }
    }
}

#[test]
fn what_was_turned_down_comes_back_within_a_second() {
    let mut limiter = Limiter::new();
    let mut mix = [0; FRAME];
    limiter.limit(&[90_000; FRAME], &mut mix);
    assert!(limiter.gain() < 0.4);
    for _ in 0..50 {
        limiter.limit(&[1_000; FRAME], &mut mix);
    }
    assert!(limiter.gain() > 0.98, "{}", limiter.gain());
    assert!(mix.iter().all(|sample| (980..=1_000).contains(sample)));
}

#[test]
fn gain_moves_without_a_jump() {
    let mut limiter = Limiter::new();
    let mut mix = [0; FRAME];
    limiter.limit(&[90_000; FRAME], &mut mix);
    limiter.limit(&[10_000; FRAME], &mut mix);
    let largest = mix
        .windows(2)
        .map(|two| (i32::from(two[0]) - i32::from(two[1])).abs())
        .max();
    assert!(largest < Some(20), "{largest:?}");
}

proptest! {
    #![proptest_config(hostile::cases(32))]

    #[test]
    fn hostile_sounds_never_change_their_sign(
        seeds in prop::collection::vec(prop::collection::vec(any::<i16>(), 7), 1..30),
    ) {
        let mut mixer = Mixer::new();
        let sounds: Vec<Frame> = seeds.iter().map(|seed| std::array::from_fn(|at| seed[at * at % 7])).collect();
        for sound in &sounds {
            mixer.add(sound);
        }
        let mut mix = [0; FRAME];
        mixer.without(&sounds[0], &mut Limiter::new(), &mut mix);
        for at in 0..FRAME {
            let sum: i32 = sounds[1..].iter().map(|sound| i32::from(sound[at])).sum();
            prop_assert!(i64::from(sum) * i64::from(mix[at]) >= 0, "{} became {}", sum, mix[at]);
            prop_assert!(u32::from(mix[at].unsigned_abs()) <= sum.unsigned_abs().max(1));
        }
    }
}
