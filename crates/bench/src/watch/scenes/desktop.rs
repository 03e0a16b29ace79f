//! A desktop that nobody does much on: a clock ticks, the mouse moves, a toast, a dialog or a window comes.

use simulator::Chance;
use vocabulary::{Moment, Span};

use super::parts::{OPENING, Panel, progress, span};
use super::{Event, Made, Scene};
use crate::watch::canvas::{Area, Canvas, HEIGHT, LETTER_WIDTH, Text, WIDTH, mixed};

struct Desktop {
    panels: Vec<Panel>,
    volume: Vec<Moment>,
    mouse: Vec<Journey>,
}

/// The mouse goes somewhere.
struct Journey {
    from: Moment,
    length: Span,
    to: (f64, f64),
}

const VOLUME_SHOWN: Span = Span(1_800);

pub fn make(chance: &mut Chance, length: Span) -> Made {
    let end = Moment(length.0);
    let (mut panels, mut events) = (Vec::new(), Vec::new());
    let mut at = Moment(chance.between(12_000, 25_000));
    while at < end {
        let text = Text {
            seed: chance.below(1 << 40),
            ink: 30,
        };
        let (what, stays, area, paper, ink) = match chance.below(5) {
            0 | 1 => ("a toast", span(chance, 5_000, 8_000), toast(), 50, 190),
            2 | 3 => (
                "a dialog opens",
                span(chance, 8_000, 25_000),
                dialog(chance),
                232,
                40,
            ),
            _ => (
                "a window opens",
                span(chance, 20_000, 40_000),
                window(chance),
                244,
                60,
            ),
        };
        let until = at + stays;
        panels.push(Panel {
            from: at,
            until,
            area,
            paper,
            text: Text { ink, ..text },
        });
        events.push(Event {
            at: at + OPENING,
            until,
            what,
        });
        at = until + span(chance, 10_000, 60_000);
    }
    let mut volume = Vec::new();
    let mut mouse = Vec::new();
    let mut at = Moment(0);
    while at < end {
        at = at + span(chance, 4_000, 35_000);
        let to = (chance.below(600) as f64, chance.below(330) as f64);
        mouse.push(Journey {
            from: at,
            length: span(chance, 400, 1_800),
            to,
        });
        if chance.percent(12) {
            volume.push(at);
        }
    }
    (
        Box::new(Desktop {
            panels,
            volume,
            mouse,
        }),
        events,
    )
}

fn toast() -> Area {
    Area {
        x: WIDTH - 160,
        y: HEIGHT - 72,
        width: 150,
        height: 48,
    }
}

fn dialog(chance: &mut Chance) -> Area {
    Area {
        x: 190 + chance.below(60) as i32,
        y: 100 + chance.below(50) as i32,
        width: 210,
        height: 100,
    }
}

fn window(chance: &mut Chance) -> Area {
    Area {
        x: 80 + chance.below(80) as i32,
        y: 20 + chance.below(60) as i32,
        width: 390,
        height: 240,
    }
}

impl Scene for Desktop {
    fn paint(&self, at: Moment, canvas: &mut Canvas) {
        canvas.gradient(75.0, 125.0);
        for icon in 0..12_i32 {
            let (x, y) = (14 + icon / 6 * 44, 14 + icon % 6 * 50);
            canvas.photograph(
                Area {
                    x,
                    y,
                    width: 22,
                    height: 22,
                },
                icon as u64,
                140,
            );
            canvas.text(
                x - 4,
                y + 26,
                10,
                Text {
                    seed: icon as u64,
                    ink: 235,
                },
            );
        }
        for panel in &self.panels {
            panel.paint(at, canvas);
        }
        if self
            .volume
            .iter()
            .any(|&from| (from..from + VOLUME_SHOWN).contains(&at))
        {
            canvas.area(
                Area {
                    x: 20,
                    y: 20,
                    width: 90,
                    height: 16,
                },
                30,
            );
            canvas.area(
                Area {
                    x: 26,
                    y: 26,
                    width: 50,
                    height: 4,
                },
                220,
            );
        }
        canvas.area(
            Area {
                x: 0,
                y: HEIGHT - 16,
                width: WIDTH,
                height: 16,
            },
            28,
        );
        clock(at, canvas);
        self.paint_mouse(at, canvas);
    }
}

impl Desktop {
    fn paint_mouse(&self, at: Moment, canvas: &mut Canvas) {
        let (mut x, mut y) = (320.0, 180.0);
        for journey in self.mouse.iter().take_while(|journey| journey.from <= at) {
            let share = progress(at, journey.from, journey.length);
            x += (journey.to.0 - x) * share;
            y += (journey.to.1 - y) * share;
        }
        canvas.area(
            Area {
                x: x as i32,
                y: y as i32,
                width: 4,
                height: 7,
            },
            250,
        );
    }
}

/// Hours, minutes and seconds in the corner.
fn clock(at: Moment, canvas: &mut Canvas) {
    let seconds = 43_000 + at.0 / 1_000;
    let digits = [
        seconds / 36_000,
        seconds / 3_600 % 10,
        seconds / 600 % 6,
        seconds / 60 % 10,
        seconds / 10 % 6,
        seconds % 10,
    ];
    for (place, digit) in digits.into_iter().enumerate() {
        let gap = place as i32 / 2 * LETTER_WIDTH;
        canvas.glyph(
            WIDTH - 44 + place as i32 * LETTER_WIDTH + gap,
            HEIGHT - 11,
            mixed(99, digit),
            225,
        );
    }
}
