//! Somebody switches between windows, at times there and back at once; each has a little life of its own.

use simulator::Chance;
use vocabulary::{Moment, Span};

use super::parts::{current, seconds, span};
use super::{Event, Made, Scene};
use crate::watch::canvas::{Area, Canvas, HEIGHT, LINE_HEIGHT, Text, WIDTH, mixed};

struct Windows {
    shown: Vec<(Moment, App)>,
}

/// A window: what kind of program it is, and which document of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct App {
    style: u64,
    document: u64,
}

const STYLES: u64 = 5;
/// Shorter looks are slips of the hand.
const STAYS: Span = Span(3_000);

pub fn make(chance: &mut Chance, length: Span) -> Made {
    let end = Moment(length.0);
    let documents: Vec<App> = (0..7)
        .map(|number| App {
            style: number % STYLES,
            document: chance.below(1 << 40),
        })
        .collect();
    let mut shown = vec![(Moment(0), documents[0])];
    let mut at = Moment(chance.between(6_000, 15_000));
    while at < end {
        let before = shown.last().expect("one window is shown from the start").1;
        let mut others = documents.clone();
        others.retain(|app| *app != before);
        let next = *chance.pick(&others);
        shown.push((at, next));
        if chance.percent(15) {
            at = at + span(chance, 600, 1_600);
            shown.push((at, before));
        }
        at = at + span(chance, 4_000, 38_000);
    }
    let ends = shown.iter().skip(1).map(|(from, _)| *from).chain([end]);
    let events = shown
        .iter()
        .zip(ends)
        .skip(1)
        .filter(|((from, _), until)| until.since(*from) >= STAYS)
        .map(|((from, _), until)| Event {
            at: *from,
            until,
            what: "another window",
        })
        .collect();
    (Box::new(Windows { shown }), events)
}

impl Scene for Windows {
    fn paint(&self, at: Moment, canvas: &mut Canvas) {
        let (_, App { style, document }) =
            *current(&self.shown, at).expect("one window is shown from the start");
        let text = Text {
            seed: document,
            ink: 60,
        };
        match style {
            // A page in a browser, with something that turns.
            0 => {
                canvas.fill(247);
                canvas.area(
                    Area {
                        x: 0,
                        y: 0,
                        width: WIDTH,
                        height: 22,
                    },
                    200,
                );
                canvas.paragraph(60, 40, 120, 30, text);
                let turn = seconds(at) * 6.0;
                canvas.disc(600.0 + turn.cos() * 6.0, 40.0 + turn.sin() * 6.0, 3.0, 90);
            }
            // A terminal.
            1 => {
                canvas.fill(18);
                canvas.paragraph(6, 10, 140, 25, Text { ink: 150, ..text });
                if (at.0 / 600).is_multiple_of(2) {
                    canvas.area(
                        Area {
                            x: 6,
                            y: 215,
                            width: 3,
                            height: 6,
                        },
                        210,
                    );
                }
            }
            // An editor.
            2 => {
                canvas.fill(32);
                canvas.area(
                    Area {
                        x: 0,
                        y: 0,
                        width: 110,
                        height: HEIGHT,
                    },
                    40,
                );
                for line in 0..40 {
                    let letters = (mixed(document, line) % 70) as i32;
                    let seed = mixed(document ^ 5, line);
                    canvas.text(
                        124,
                        10 + line as i32 * LINE_HEIGHT,
                        letters,
                        Text { seed, ink: 170 },
                    );
                }
            }
            // A chat that somebody writes in: a line more every nine seconds.
            3 => {
                canvas.fill(54);
                canvas.area(
                    Area {
                        x: 0,
                        y: 0,
                        width: 130,
                        height: HEIGHT,
                    },
                    44,
                );
                let newest = at.0 / 9_000;
                for row in 0..17_u64 {
                    let seed = mixed(document, newest + row);
                    let letters = 30 + (seed % 90) as i32;
                    canvas.text(150, 16 + row as i32 * 20, letters, Text { seed, ink: 205 });
                }
            }
            // Photographs, or a video that plays in a window.
            _ => {
                canvas.fill(28);
                let picture = document ^ (at.0 / 400);
                canvas.photograph(
                    Area {
                        x: 150,
                        y: 60,
                        width: 200,
                        height: 120,
                    },
                    picture,
                    110,
                );
                canvas.paragraph(150, 200, 100, 6, Text { ink: 180, ..text });
            }
        }
    }
}
