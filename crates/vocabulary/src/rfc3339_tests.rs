use super::{date, format, parse};
use crate::WallTime;

#[test]
fn known_times_are_written_and_read() {
    for (ms, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (1_771_860_360_000, "2026-02-23T15:26:00Z"),
        (951_782_400_000, "2000-02-29T00:00:00Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
    ] {
        assert_eq!(format(WallTime(ms)), text);
        assert_eq!(parse(text), Some(WallTime(ms)));
    }
}

#[test]
fn a_day_an_offset_and_a_fraction_are_understood() {
    assert_eq!(parse("2026-02-23"), parse("2026-02-23T00:00:00Z"));
    assert_eq!(parse("2026-02-23T16:26:00+01:00"), parse("2026-02-23T15:26:00Z"));
    assert_eq!(parse("2026-02-23T15:26:00.5Z"), Some(WallTime(1_771_860_360_500)));
    assert_eq!(date(WallTime(1_771_860_360_000)), "2026-02-23");
}

#[test]
fn nonsense_is_no_time() {
    for text in [
        "",
        "yesterday",
        "2026-02-30",
        "2026-13-01",
        "2026-02-23T25:00:00Z",
        "2026-02-23T15:26:00+1",
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
}

#[test]
fn every_day_of_four_centuries_survives_the_way_there_and_back() {
    for day in (-146_097..146_097).step_by(7) {
        let time = WallTime(day * 86_400_000);
        assert_eq!(parse(&date(time)), Some(time));
    }
}
