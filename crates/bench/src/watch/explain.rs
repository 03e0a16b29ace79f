//! The time line of one session: what happened, what was scored against which lines, and when a look was taken.

use std::fmt::Write;

use vocabulary::{Moment, Span};

use super::Options;
use super::measure::{Tally, caught_by};
use super::policy::Reason;
use super::scenes::{Event, Kind, Session};
use super::seen;
use super::watching::{Judged, Watched, watch};

/// Frames in a row on which nothing happened are told in one line, so many at the most.
const FOLDED_MAX: usize = 20;

/// Something on the time line, in the order in which it is told.
enum WatchedMoment<'a> {
    Begins(&'a Event),
    Frame(&'a Judged),
    Ends(&'a Event),
}

pub fn explain(kind: Kind, options: &Options) -> String {
    let length = Span::minutes(options.minutes);
    let session = Session::new(kind, options.seed, length);
    let frames = seen::see(&session, options.fps);
    let watched = watch(&frames, options.way, options.seed);
    let mut out = format!(
        "{}, seed {}, {}\n{:>7}  {:>7} {:>7}  {:>15}\n",
        kind.name(),
        options.seed,
        options.way.name(),
        "second",
        "score",
        "ema",
        "static, change"
    );
    let mut quiet: Vec<&Judged> = Vec::new();
    for line in time_line(&session, &watched) {
        if let WatchedMoment::Frame(judged) = line
            && is_quiet(judged, &watched)
        {
            quiet.push(judged);
            if quiet.len() >= FOLDED_MAX {
                write_quiet(&mut out, &mut quiet);
            }
            continue;
        }
        write_quiet(&mut out, &mut quiet);
        match line {
            WatchedMoment::Begins(event) => line_of_event(&mut out, event.at, &format!("▶ {}", event.what)),
            WatchedMoment::Ends(event) => {
                let fate = match caught_by(event, &watched.notes) {
                    Some(note) => format!("noted {:.1} s after", seconds(note.landed) - seconds(event.at)),
                    None => "MISSED".to_owned(),
                };
                line_of_event(&mut out, event.until, &format!("◀ {}: {fate}", event.what));
            }
            WatchedMoment::Frame(judged) => line_of_frame(&mut out, judged, &watched),
        }
    }
    write_quiet(&mut out, &mut quiet);
    let figures = Tally::of(&session.events, &watched, length).figures();
    let _ = writeln!(
        out,
        "{} of {} caught, {:.0} calls an hour",
        figures.caught, figures.events, figures.calls_per_hour
    );
    out
}

fn time_line<'a>(session: &'a Session, watched: &'a Watched) -> Vec<WatchedMoment<'a>> {
    let mut lines: Vec<(Moment, u8, WatchedMoment<'a>)> = Vec::new();
    for event in &session.events {
        lines.push((event.at, 0, WatchedMoment::Begins(event)));
        lines.push((event.until, 2, WatchedMoment::Ends(event)));
    }
    let frames = watched.judged.iter();
    lines.extend(frames.map(|judged| (judged.at, 1, WatchedMoment::Frame(judged))));
    lines.sort_by_key(|(at, order, _)| (*at, *order));
    lines.into_iter().map(|(_, _, line)| line).collect()
}

/// No look was taken of it, and it was below the line that makes one.
fn is_quiet(judged: &Judged, watched: &Watched) -> bool {
    let looked = watched.notes.iter().any(|note| note.frame == judged.at);
    let line = judged.lines.map_or(f64::INFINITY, |lines| lines.change);
    !looked && !judged.change.scene_cut && judged.change.score < line
}

fn write_quiet(out: &mut String, quiet: &mut Vec<&Judged>) {
    if let (Some(first), Some(last)) = (quiet.first(), quiet.last()) {
        let scores = quiet.iter().map(|judged| judged.change.score);
        let highest = scores.clone().fold(0.0, f64::max);
        let lowest = scores.fold(f64::INFINITY, f64::min);
        let _ = writeln!(
            out,
            "{:>7.1}  … {} frames until {:.1}, scores {lowest:.5} to {highest:.5}",
            seconds(first.at),
            quiet.len(),
            seconds(last.at)
        );
    }
    quiet.clear();
}

fn line_of_event(out: &mut String, at: Moment, what: &str) {
    let _ = writeln!(out, "{:>7.1}  {what}", seconds(at));
}

fn line_of_frame(out: &mut String, judged: &Judged, watched: &Watched) {
    let lines = judged.lines.map_or_else(String::new, |lines| {
        format!("{:.5} {:.5}", lines.static_floor, lines.change)
    });
    let mut said: Vec<String> = Vec::new();
    if judged.change.scene_cut {
        said.push("cut".to_owned());
    } else if judged
        .lines
        .is_some_and(|lines| judged.change.score >= lines.change)
    {
        said.push("above".to_owned());
    }
    for note in watched.notes.iter().filter(|note| note.frame == judged.at) {
        let why = match note.reason {
            Reason::Noting(trigger) => trigger.name(),
            Reason::Due => "due",
        };
        said.push(format!("look ({why}), noted at {:.1}", seconds(note.landed)));
    }
    let _ = writeln!(
        out,
        "{:>7.1}  {:.5} {:.5}  {lines:>15}  {}",
        seconds(judged.at),
        judged.change.score,
        judged.change.ema,
        said.join(", ")
    );
}

fn seconds(at: Moment) -> f64 {
    at.0 as f64 / 1_000.0
}
