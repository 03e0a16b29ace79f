use vocabulary::Moment;

use super::canvas::Canvas;
use super::measure::caught_by;
use super::policy::Reason;
use super::scenes::Event;
use super::watching::{Note, watch};
use super::*;

/// Small enough for a build that is not optimised.
const SMALL: Options = Options {
    sessions: 1,
    minutes: 3,
    fps: 4,
    seed: 1,
    json: false,
    explain: None,
    way: Way::Relative,
};

#[test]
fn against_the_usual_most_is_caught_with_the_fewest_looks() {
    let report = compare(&SMALL);
    let all = report.all();
    let (relative, others) = all.split_first().expect("every way has a row");
    assert_eq!(relative.way, Way::Relative);
    let relative = &relative.tally;
    assert!(relative.caught * 100 >= relative.events * 94, "{relative:?}");
    for Row { way, tally } in others {
        let times = match way {
            Way::Relative => unreachable!("it is the first"),
            Way::Absolute => 1.2,
            Way::EverySecond => 3.0,
            Way::EveryTwoSeconds => 2.0,
            Way::EveryThreeSeconds => 1.5,
            Way::FivePercent => 1.4,
            // It takes about as many, and must miss a lot.
            Way::EveryTenSeconds => 0.7,
        };
        let ratio = tally.calls as f64 / relative.calls as f64;
        assert!(ratio > times, "{} {ratio:.2}", way.name());
        // Those that look at anything all the time miss nothing.
        if matches!(way, Way::Absolute | Way::FivePercent | Way::EveryTenSeconds) {
            assert!(
                relative.caught >= tally.caught,
                "{} {tally:?} {relative:?}",
                way.name()
            );
        }
    }
    for (kind, rows) in &report.kinds {
        let tally = &rows[0].tally;
        assert!(tally.events >= 3, "{} {tally:?}", kind.name());
        assert!(
            tally.caught * 100 >= tally.events * 75,
            "{} {tally:?}",
            kind.name()
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let options = Options { minutes: 1, ..SMALL };
    assert_eq!(
        compare_kind(Kind::Slides, &options),
        compare_kind(Kind::Slides, &options)
    );
    let other = Options { seed: 2, ..options };
    assert_ne!(
        compare_kind(Kind::Slides, &options),
        compare_kind(Kind::Slides, &other)
    );
}

#[test]
fn a_scene_looks_the_same_at_the_same_moment_whatever_was_painted_before() {
    for &kind in Kind::value_variants() {
        let session = Session::new(kind, 3, Span::minutes(2));
        let (mut fresh, mut used) = (Canvas::new(), Canvas::new());
        for at in [90_000, 30_000] {
            session.paint(Moment(at), &mut used);
        }
        session.paint(Moment(30_000), &mut fresh);
        assert!(fresh == used, "{}", kind.name());
    }
}

#[test]
fn events_come_in_order_and_last_until_the_end_at_the_most() {
    for &kind in Kind::value_variants() {
        let session = Session::new(kind, 4, Span::minutes(6));
        assert!(
            session.events.is_sorted_by_key(|event| event.at),
            "{}",
            kind.name()
        );
        for event in &session.events {
            assert!(event.at < event.until, "{} {event:?}", kind.name());
            assert!(
                event.until <= Moment(session.length.0),
                "{} {event:?}",
                kind.name()
            );
        }
    }
}

#[test]
fn one_look_is_under_way_at_a_time_and_takes_one_to_three_seconds() {
    let session = Session::new(Kind::Windows, 5, Span::minutes(1));
    let frames = seen::see(&session, 4);
    for way in Way::ALL {
        let notes = watch(&frames, way, 5).notes;
        assert!(notes.len() > 1, "{}", way.name());
        for note in &notes {
            // The frame may be half a second old when it is looked at.
            let took = note.landed.since(note.frame);
            assert!(
                (Span(1_000)..=Span(3_500)).contains(&took),
                "{} {note:?}",
                way.name()
            );
        }
        for pair in notes.windows(2) {
            let between = pair[1].landed.since(pair[0].landed);
            assert!(between >= Span(1_000), "{} {pair:?}", way.name());
        }
    }
}

#[test]
fn an_event_is_caught_by_the_first_look_at_it_before_it_is_gone() {
    let event = Event {
        at: Moment(10_000),
        until: Moment(15_000),
        what: "a toast",
    };
    let note = |frame: u64| Note {
        frame: Moment(frame),
        landed: Moment(frame + 2_000),
        reason: Reason::Due,
    };
    let notes = [note(9_500), note(12_000), note(14_000)];
    assert_eq!(caught_by(&event, &notes), Some(&notes[1]));
    assert_eq!(caught_by(&event, &[note(9_999), note(15_000)]), None);
}

#[test]
fn the_time_line_tells_what_happened_against_which_lines_and_what_came_of_it() {
    let options = Options {
        explain: Some(Kind::Windows),
        minutes: 1,
        ..SMALL
    };
    let told = explain::explain(Kind::Windows, &options);
    for part in [
        "▶ another window",
        "◀ another window: noted",
        "look (first_frame), noted at",
        "calls an hour",
    ] {
        assert!(told.contains(part), "{part} is not in\n{told}");
    }
}

#[test]
fn the_report_can_be_read_by_people_and_by_programs() {
    let report = compare(&Options { minutes: 1, ..SMALL });
    let text = report.to_string();
    assert!(text.contains("verdict: denizen, relative catches"), "{text}");
    let json = report.json();
    let calls = json["all"]["every2s"]["callsPerHour"].as_f64();
    assert!(calls.is_some_and(|calls| calls > 1_000.0), "{json:#}");
    assert!(
        json["kinds"]["fight"]["relative"]["p90DelaySeconds"].is_f64(),
        "{json:#}"
    );
}
