//! A terminal: commands are run, their output rushes by and stops, an error comes past, a question waits.

use simulator::Chance;
use vocabulary::{Moment, Span};

use super::parts::span;
use super::{Event, Made, Scene};
use crate::watch::canvas::{Area, Canvas, HEIGHT, LINE_HEIGHT, Text, WIDTH, mixed};

struct Terminal {
    lines: Vec<TerminalRow>,
}

struct TerminalRow {
    at: Moment,
    ink: u8,
    letters: i32,
    /// Errors stand out.
    marked: bool,
}

const ROWS: usize = 43;
const BLINK: u64 = 600;

pub fn make(chance: &mut Chance, length: Span) -> Made {
    let end = Moment(length.0);
    let mut lines = Vec::new();
    let mut waiting: Vec<(usize, Moment, &'static str)> = Vec::new();
    let mut at = Moment(2_000);
    while at < end {
        print(&mut lines, chance, at, 30, 220);
        at = at + span(chance, 500, 2_500);
        // Some programs write two lines a second, some fifteen.
        let pace = chance.between(60, 450);
        let mut left = chance.between(40, 260);
        while left > 0 {
            let burst = chance.between(5, 40).min(left);
            for _ in 0..burst {
                let letters = chance.between(20, 120) as i32;
                print(&mut lines, chance, at, letters, 150);
                at = at + span(chance, pace / 2, pace * 3 / 2);
            }
            left -= burst;
            at = at + span(chance, 100, 4_000);
            if chance.percent(7) {
                for _ in 0..5 {
                    let letters = chance.between(40, 110) as i32;
                    lines.push(TerminalRow {
                        at,
                        ink: 215,
                        letters,
                        marked: true,
                    });
                }
                waiting.push((lines.len(), at, "an error comes past"));
                at = at + span(chance, 200, 1_500);
            }
        }
        if chance.percent(30) {
            print(&mut lines, chance, at, 45, 230);
            waiting.push((lines.len(), at, "it waits for an answer"));
            at = at + span(chance, 6_000, 15_000);
        }
        for _ in 0..3 {
            print(&mut lines, chance, at, 70, 210);
        }
        waiting.push((lines.len(), at, "the command has ended"));
        at = at + span(chance, 8_000, 35_000);
    }
    // A line is there until as many more were written as there are rows.
    let gone = |number: usize| {
        lines
            .get(number + ROWS - 4)
            .map_or(end, |line: &TerminalRow| line.at)
    };
    let events = waiting
        .into_iter()
        .map(|(number, at, what)| Event {
            at,
            until: gone(number).min(at + Span::minutes(1)),
            what,
        })
        .collect();
    (Box::new(Terminal { lines }), events)
}

fn print(lines: &mut Vec<TerminalRow>, chance: &mut Chance, at: Moment, letters: i32, ink: u8) {
    let letters = letters.min(20 + chance.below(130) as i32);
    lines.push(TerminalRow {
        at,
        ink,
        letters,
        marked: false,
    });
}

impl Scene for Terminal {
    fn paint(&self, at: Moment, canvas: &mut Canvas) {
        canvas.fill(18);
        canvas.area(
            Area {
                x: 0,
                y: 0,
                width: WIDTH,
                height: 8,
            },
            60,
        );
        let written = self.lines.partition_point(|line| line.at <= at);
        let first = written.saturating_sub(ROWS);
        for (row, line) in self.lines[first..written].iter().enumerate() {
            let y = 11 + row as i32 * LINE_HEIGHT;
            let seed = mixed(77, (first + row) as u64);
            if line.marked {
                canvas.area(
                    Area {
                        x: 0,
                        y: y - 1,
                        width: WIDTH,
                        height: LINE_HEIGHT,
                    },
                    70,
                );
            }
            canvas.text(6, y, line.letters, Text { seed, ink: line.ink });
        }
        if (at.0 / BLINK).is_multiple_of(2) {
            let y = (11 + (written - first) as i32 * LINE_HEIGHT).min(HEIGHT - LINE_HEIGHT);
            canvas.area(
                Area {
                    x: 6,
                    y,
                    width: 3,
                    height: 6,
                },
                210,
            );
        }
    }
}
