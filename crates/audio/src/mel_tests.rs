use super::*;

/// Three seconds of a rising tone that is louder and softer by turns, in whole numbers so that it is the same everywhere.
fn sweep() -> Vec<i16> {
    let triangle = |phase: i64| match phase % 4_000 {
        rising @ 0..2_000 => rising - 1_000,
        falling => 3_000 - falling,
    };
    let sample = |place: i64| triangle(place * (place / 40 + 400) / 16) * (1 + (place / 2_000) % 9);
    (0..48_000).map(|place| sample(place) as i16).collect()
}

#[test]
fn the_picture_is_that_of_the_feature_extractor_of_transformers() {
    let mel = LogMel::new(8);
    let picture = mel.picture(&sweep());
    assert_eq!((picture.len(), mel.columns()), (80 * 800, 800));
    // What WhisperFeatureExtractor(chunk_length=8) of transformers 5.22 gives with do_normalize.
    for (band, column, wanted) in [
        (0, 0, 0.47723),
        (79, 0, -0.16156),
        (0, 499, 0.32377),
        (5, 500, 0.98233),
        (3, 520, 1.53331),
        (10, 560, 0.54996),
        (20, 600, 1.06077),
        (31, 640, 1.20723),
        (40, 640, 0.50801),
        (55, 700, 1.07894),
        (63, 750, 0.8815),
        (70, 780, 0.85056),
        (79, 799, 0.85721),
        (12, 799, 1.24867),
        (0, 799, 0.98721),
    ] {
        let found = picture[band * 800 + column];
        assert!((found - wanted).abs() < 2e-4, "{band}, {column}: {found}");
    }
    let mean = picture.iter().map(|power| f64::from(*power)).sum::<f64>() / 64_000.0;
    assert!((mean - 0.231_092).abs() < 1e-4, "{mean}");
    let loudest = picture.iter().copied().fold(f32::MIN, f32::max);
    let softest = picture.iter().copied().fold(f32::MAX, f32::min);
    assert!(
        (loudest - 1.83844).abs() < 2e-4 && (loudest - softest - 2.0).abs() < 1e-5,
        "{softest} {loudest}"
    );
}

#[test]
fn only_the_end_of_a_long_sound_is_seen_and_nothing_at_all_is_a_picture_too() {
    let mel = LogMel::new(1);
    let sound = sweep();
    let end = &sound[sound.len() - 16_000..];
    assert_eq!(mel.picture(&sound), mel.picture(end));
    let nothing = mel.picture(&[]);
    assert_eq!(nothing.len(), 80 * 100);
    assert!(nothing.iter().all(|power| *power == nothing[0]), "{}", nothing[0]);
}
