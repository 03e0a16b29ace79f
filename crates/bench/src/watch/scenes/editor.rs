//! Somebody writes code: a cursor blinks, letters come in bursts, files are switched, tests end.

use simulator::Chance;
use vocabulary::{Moment, Span};

use super::parts::{OPENING, Panel, current, span};
use super::{Event, Made, Scene};
use crate::watch::canvas::{Area, Canvas, HEIGHT, LETTER_WIDTH, LINE_HEIGHT, Text, WIDTH, mixed};

struct Editor {
    /// Which file is open from when on.
    files: Vec<(Moment, u64)>,
    /// Every key, in order.
    keys: Vec<Moment>,
    /// Completion lists (nobody wants those noted), test results, questions.
    panels: Vec<Panel>,
}

const PAPER: u8 = 30;
const INK: u8 = 175;
const PANE_LEFT: i32 = 120;
/// The line that is written, lines above it and below it.
const ABOVE: i32 = 22;
const BELOW: i32 = 14;
const BLINK: u64 = 530;
const FUNCTION_LINES: usize = 9;

pub fn make(chance: &mut Chance, length: Span) -> Made {
    let end = Moment(length.0);
    let mut editor = Editor {
        files: vec![(Moment(0), chance.below(1 << 40))],
        keys: Vec::new(),
        panels: Vec::new(),
    };
    let mut events = Vec::new();
    let mut at = Moment(3_000);
    while at < end {
        at = editor.write_function(chance, at);
        let written = editor.keys.last().copied().unwrap_or(at);
        at = at + span(chance, 2_000, 9_000);
        let next = match chance.below(4) {
            0 => editor.switch_file(chance, at),
            1 | 2 => editor.run_tests(chance, at),
            _ => editor.ask(chance, at),
        };
        // It stands there until the next thing happens.
        events.push(Event {
            at: written,
            until: at,
            what: "a function is written",
        });
        events.push(next);
        at = next.at;
        at = at + span(chance, 4_000, 14_000);
    }
    (Box::new(editor), events)
}

impl Editor {
    /// Letters in bursts, with thought in between, until so many lines are full.
    fn write_function(&mut self, chance: &mut Chance, from: Moment) -> Moment {
        let mut at = from;
        let mut left: usize = (0..FUNCTION_LINES).map(|_| 15 + chance.below(25) as usize).sum();
        while left > 0 {
            let burst = (20 + chance.below(60) as usize).min(left);
            for _ in 0..burst {
                at = at + span(chance, 60, 240);
                self.keys.push(at);
            }
            left -= burst;
            if chance.percent(40) {
                let area = Area {
                    x: PANE_LEFT + 120,
                    y: (ABOVE + 2) * LINE_HEIGHT,
                    width: 96,
                    height: 56,
                };
                let until = at + span(chance, 700, 1_800);
                let words = self.words(chance);
                self.open(area, 52, words, at, until);
            }
            at = at + span(chance, 500, 5_000);
        }
        at
    }

    fn switch_file(&mut self, chance: &mut Chance, at: Moment) -> Event {
        self.files.push((at, chance.below(1 << 40)));
        Event {
            at,
            until: at + Span::seconds(40),
            what: "another file",
        }
    }

    /// The panel opens at once, which nobody needs to know; the result comes after some seconds.
    fn run_tests(&mut self, chance: &mut Chance, at: Moment) -> Event {
        let done = at + span(chance, 3_000, 9_000);
        let until = done + span(chance, 9_000, 20_000);
        let area = Area {
            x: PANE_LEFT,
            y: HEIGHT - 104,
            width: WIDTH - PANE_LEFT,
            height: 94,
        };
        let nothing = Text { seed: 0, ink: 40 };
        self.open(area, 40, nothing, at, done);
        let result = self.words(chance);
        self.open(area, 40, result, done, until);
        Event {
            at: done + OPENING,
            until,
            what: "the tests ended",
        }
    }

    fn ask(&mut self, chance: &mut Chance, at: Moment) -> Event {
        let until = at + span(chance, 4_000, 9_000);
        let area = Area {
            x: 240,
            y: 30,
            width: 190,
            height: 44,
        };
        let question = self.words(chance);
        self.open(area, 62, question, at, until);
        Event {
            at: at + OPENING,
            until,
            what: "a question is asked",
        }
    }

    fn open(&mut self, area: Area, paper: u8, text: Text, from: Moment, until: Moment) {
        self.panels.push(Panel {
            from,
            until,
            area,
            paper,
            text,
        });
    }

    fn words(&self, chance: &mut Chance) -> Text {
        Text {
            seed: chance.below(1 << 40),
            ink: 200,
        }
    }
}

impl Scene for Editor {
    fn paint(&self, at: Moment, canvas: &mut Canvas) {
        canvas.fill(PAPER);
        canvas.area(
            Area {
                x: 0,
                y: 0,
                width: PANE_LEFT - 8,
                height: HEIGHT,
            },
            38,
        );
        canvas.area(
            Area {
                x: 0,
                y: HEIGHT - 10,
                width: WIDTH,
                height: 10,
            },
            80,
        );
        for line in 0..24 {
            canvas.text(
                10 + line % 3 * 6,
                12 + line * LINE_HEIGHT,
                16,
                Text {
                    seed: line as u64,
                    ink: 140,
                },
            );
        }
        let (opened, file) = *current(&self.files, at).expect("the first file is open from the start");
        let before = self.keys.partition_point(|key| *key < opened);
        let now = self.keys.partition_point(|key| *key <= at);
        let (written, letters) = lines_of(file, now - before);
        // New lines push what is below down, and what is above up and out.
        for line in 0..ABOVE {
            self.code(canvas, file, written - ABOVE + line, line, None);
        }
        self.code(canvas, file, written, ABOVE, Some(letters));
        for line in 0..BELOW {
            self.code(canvas, file ^ 1, line, ABOVE + 1 + line, None);
        }
        let typing = now > before && at.since(self.keys[now - 1]) < Span(BLINK);
        if typing || (at.0 / BLINK).is_multiple_of(2) {
            let x = PANE_LEFT + indent(file, written) + letters * LETTER_WIDTH;
            canvas.area(
                Area {
                    x,
                    y: 8 + ABOVE * LINE_HEIGHT,
                    width: 1,
                    height: 7,
                },
                230,
            );
        }
        for panel in &self.panels {
            panel.paint(at, canvas);
        }
    }
}

impl Editor {
    fn code(&self, canvas: &mut Canvas, file: u64, line: i32, row: i32, letters: Option<i32>) {
        let seed = mixed(file, line as u64);
        let letters = letters.unwrap_or(line_length(file, line));
        canvas.text(
            PANE_LEFT + indent(file, line),
            8 + row * LINE_HEIGHT,
            letters,
            Text { seed, ink: INK },
        );
    }
}

/// How many full lines so many letters are, and how many letters are on the line after them.
fn lines_of(file: u64, mut letters: usize) -> (i32, i32) {
    let mut line = 0;
    loop {
        let length = line_length(file, line).max(1) as usize;
        if letters < length {
            return (line, letters as i32);
        }
        letters -= length;
        line += 1;
    }
}

fn line_length(file: u64, line: i32) -> i32 {
    (mixed(file ^ 7, line as u64) % 48) as i32
}

fn indent(file: u64, line: i32) -> i32 {
    (mixed(file ^ 3, line as u64 / 3) % 4) as i32 * 4 * LETTER_WIDTH
}
