//! How much of what happened was noted, how soon, and for how many looks.

use serde::Serialize;
use vocabulary::{Moment, Span};

use super::scenes::Event;
use super::watching::{Note, Watched};

/// What was found, over one session or many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub events: usize,
    pub caught: usize,
    pub calls: usize,
    pub watched: Span,
    /// From event to note, of those caught.
    delays: Vec<Span>,
}

/// A tally in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    pub events: usize,
    pub caught: usize,
    pub median_delay_seconds: Option<f64>,
    pub p90_delay_seconds: Option<f64>,
    pub calls_per_hour: f64,
}

impl Tally {
    pub fn of(events: &[Event], watched: &Watched, length: Span) -> Self {
        let delays: Vec<Span> = events
            .iter()
            .filter_map(|event| delay(event, &watched.notes))
            .collect();
        Self {
            events: events.len(),
            caught: delays.len(),
            calls: watched.notes.len(),
            watched: length,
            delays,
        }
    }

    pub fn add(&mut self, other: &Tally) {
        self.events += other.events;
        self.caught += other.caught;
        self.calls += other.calls;
        self.watched = Span(self.watched.0 + other.watched.0);
        self.delays.extend(&other.delays);
    }

    pub fn calls_per_hour(&self) -> f64 {
        self.calls as f64 * 3_600_000.0 / self.watched.0.max(1) as f64
    }

    pub fn figures(&self) -> Figures {
        Figures {
            events: self.events,
            caught: self.caught,
            median_delay_seconds: self.delay(50),
            p90_delay_seconds: self.delay(90),
            calls_per_hour: self.calls_per_hour(),
        }
    }

    /// The delay that so many in a hundred stay within.
    fn delay(&self, hundredths: usize) -> Option<f64> {
        let mut sorted = self.delays.clone();
        sorted.sort();
        let place = (sorted.len() * hundredths).div_ceil(100).saturating_sub(1);
        sorted.get(place).map(|delay| delay.0 as f64 / 1_000.0)
    }
}

/// The first note that shows an event: of a frame from when it could be seen until it was gone.
pub fn caught_by<'a>(event: &Event, notes: &'a [Note]) -> Option<&'a Note> {
    let shows = |note: &&Note| (event.at..event.until).contains(&note.frame);
    notes.iter().find(shows)
}

fn delay(event: &Event, notes: &[Note]) -> Option<Span> {
    let landed: Moment = caught_by(event, notes)?.landed;
    Some(landed.since(event.at))
}
