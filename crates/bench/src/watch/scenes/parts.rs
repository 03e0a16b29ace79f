//! What many screens have in common: panels that come and go, and a sense of when.

use simulator::Chance;
use vocabulary::{Moment, Span};

use crate::watch::canvas::{Area, Canvas, LETTER_WIDTH, LINE_HEIGHT, Text};

/// How long a panel takes to come up; its text is there at the end of it.
pub const OPENING: Span = Span(250);

/// A box with text that is there for a while: a toast, a dialog, a window.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    pub from: Moment,
    pub until: Moment,
    pub area: Area,
    pub paper: u8,
    pub text: Text,
}

impl Panel {
    pub fn paint(&self, at: Moment, canvas: &mut Canvas) {
        if !(self.from..self.until).contains(&at) {
            return;
        }
        let share = progress(at, self.from, OPENING);
        let Area { x, y, width, height } = self.area;
        let shown = Area {
            height: ((f64::from(height) * share) as i32).max(1),
            ..self.area
        };
        canvas.area(shown, self.paper);
        let title = Area {
            height: shown.height.min(9),
            ..shown
        };
        canvas.area(title, self.paper / 2 + 40);
        if share >= 1.0 {
            let letters = (width - 12) / LETTER_WIDTH;
            let lines = (height - 16) / LINE_HEIGHT;
            canvas.paragraph(x + 6, y + 13, letters, lines, self.text);
        }
    }
}

/// How far something that began at `from` and takes `length` has come, 0 to 1.
pub fn progress(at: Moment, from: Moment, length: Span) -> f64 {
    (at.since(from).0 as f64 / length.0.max(1) as f64).min(1.0)
}

/// A length of time between two, in milliseconds.
pub fn span(chance: &mut Chance, low: u64, high: u64) -> Span {
    Span(chance.between(low, high))
}

/// Something that stays in force from its moment on until the next of its kind.
pub fn current<T>(list: &[(Moment, T)], at: Moment) -> Option<&(Moment, T)> {
    let after = list.partition_point(|(from, _)| *from <= at);
    list[..after].last()
}

pub fn seconds(at: Moment) -> f64 {
    at.0 as f64 / 1_000.0
}
