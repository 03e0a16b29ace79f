//! Tones that come out as they went in, in pieces or at once.

use std::f64::consts::TAU;

use proptest::prelude::*;

use super::*;

const COMMON: [u32; 6] = [8_000, 16_000, 22_050, 24_000, 44_100, 48_000];

fn tone(rate: u32, frequency: f64, samples: usize) -> Vec<i16> {
    (0..samples)
        .map(|at| ((at as f64 * frequency * TAU / f64::from(rate)).sin() * 16_000.0) as i16)
        .collect()
}

/// How far the difference of two tones lies below the tone, in decibels; their ends, where silence begins, are left out.
fn error(expected: &[i16], found: &[i16]) -> f64 {
    let inner = 400..expected.len().min(found.len()) - 400;
    let (mut noise, mut signal) = (0.0, 0.0);
    for at in inner {
        let difference = f64::from(expected[at]) - f64::from(found[at]);
        noise += difference * difference;
        signal += f64::from(expected[at]) * f64::from(expected[at]);
    }
    10.0 * (noise / signal).log10()
}

#[test]
fn a_tone_stays_the_tone_from_and_to_every_common_rate() {
    for from in COMMON {
        for to in [48_000, 16_000] {
            let frequency = 1_000.0;
            let found =
                Resampler::convert(from, to, &tone(from, frequency, from as usize / 4)).expect("common");
            let expected = tone(to, frequency, to as usize / 4);
            assert!(found.len().abs_diff(expected.len()) <= 1, "{from} to {to}");
            let error = error(&expected, &found);
            assert!(error < -60.0, "{from} to {to}: {error:.1} dB");
        }
    }
}

#[test]
fn what_the_lower_rate_cannot_carry_is_taken_out() {
    for frequency in [9_000.0, 12_000.0, 20_000.0] {
        let found = Resampler::convert(48_000, 16_000, &tone(48_000, frequency, 24_000)).expect("common");
        let loudest = found[400..7_600].iter().map(|sample| sample.unsigned_abs()).max();
        assert!(loudest.expect("samples") < 40, "{frequency} Hz: {loudest:?}");
    }
}

#[test]
fn speech_frequencies_pass_as_loud_as_they_were() {
    for frequency in [100.0, 3_000.0, 6_000.0] {
        let found = Resampler::convert(48_000, 16_000, &tone(48_000, frequency, 24_000)).expect("common");
        let error = error(&tone(16_000, frequency, 8_000), &found);
        assert!(error < -40.0, "{frequency} Hz: {error:.1} dB");
    }
}

#[test]
fn twenty_milliseconds_give_twenty_milliseconds_once_it_runs() {
    let mut resampler = Resampler::new(48_000, 16_000).expect("common");
    let mut output = Vec::new();
    let lengths: Vec<usize> = (0..5)
        .map(|_| {
            output.clear();
            resampler.push(&[7; 960], &mut output);
            output.len()
        })
        .collect();
    assert_eq!(&lengths[1..], [320, 320, 320, 320]);
    assert!(
        lengths[0] > 300,
        "the look ahead is about a millisecond: {lengths:?}"
    );
}

#[test]
fn the_same_rate_changes_nothing() {
    let speech = tone(48_000, 700.0, 5_000);
    assert_eq!(
        Resampler::convert(48_000, 48_000, &speech).expect("common"),
        speech
    );
}

#[test]
fn a_rate_that_shares_nothing_is_converted_all_the_same() {
    let found =
        Resampler::convert(15_999, 48_000, &tone(15_999, 1_000.0, 8_000)).expect("odd, and within bounds");
    let error = error(&tone(48_000, 1_000.0, 24_000), &found);
    assert!(error < -50.0, "{error:.1} dB");
}

#[test]
fn a_rate_out_of_bounds_is_refused_by_its_number() {
    let refused = Resampler::new(48_000, 100).expect_err("too low");
    assert_eq!(
        refused.to_string(),
        "100 samples a second: between 4000 and 384000 can be converted"
    );
    assert_eq!(Resampler::new(0, 48_000).expect_err("none"), RateError(0));
    assert_eq!(
        Resampler::new(400_000, 48_000).expect_err("too high"),
        RateError(400_000)
    );
}

#[test]
fn the_loudest_square_wave_is_cut_off_and_never_wraps() {
    let square: Vec<i16> = (0..4_800)
        .map(|at| if at / 40 % 2 == 0 { i16::MAX } else { i16::MIN })
        .collect();
    let found = Resampler::convert(24_000, 48_000, &square).expect("common");
    // In the middle of each half the sign is that of the wave.
    for half in 2..100 {
        let middle = found[half * 80 + 40];
        assert_eq!(middle > 0, half % 2 == 0, "half {half}: {middle}");
    }
}

proptest! {
    #![proptest_config(hostile::cases(64))]

    #[test]
    fn pieces_of_any_size_give_what_the_whole_gives(
        rates in (prop::sample::select(COMMON.to_vec()), prop::sample::select(COMMON.to_vec())),
        input in prop::collection::vec(any::<i16>(), 0..3_000),
        pieces in prop::collection::vec(1..700_usize, 1..20),
    ) {
        let (from, to) = rates;
        let whole = Resampler::convert(from, to, &input).expect("common");
        let mut resampler = Resampler::new(from, to).expect("common");
        let mut output = Vec::new();
        let mut rest = input.as_slice();
        for piece in pieces.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (now, later) = rest.split_at((*piece).min(rest.len()));
            resampler.push(now, &mut output);
            rest = later;
        }
        resampler.finish(&mut output);
        prop_assert_eq!(&output, &whole);
        let due = (input.len() as u64 * u64::from(to)).div_ceil(u64::from(from));
        prop_assert_eq!(output.len() as u64, due);
        // It begins anew after its end.
        let mut again = Vec::new();
        resampler.push(&input, &mut again);
        resampler.finish(&mut again);
        prop_assert_eq!(again, whole);
    }
}
