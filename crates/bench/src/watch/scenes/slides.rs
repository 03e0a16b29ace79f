//! A talk: slides that cut or fade, bullets that come one by one, a video that plays, and the presenter's face.

use std::f64::consts::TAU;

use simulator::Chance;
use vocabulary::{Moment, Span};

use super::parts::{progress, seconds, span};
use super::{Event, Made, Scene};
use crate::watch::canvas::{Area, Canvas, HEIGHT, Text, WIDTH, mixed};

struct Talk {
    slides: Vec<Slide>,
}

struct Slide {
    from: Moment,
    /// How long it takes to come.
    fade: Span,
    seed: u64,
    look: Look,
    /// When each bullet comes.
    bullets: Vec<Moment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Title,
    Bullets,
    Picture,
    Video,
}

const BULLET_FADE: Span = Span(400);
/// A fade can be read from here on.
const LEGIBLE: f64 = 0.8;
const FACE: Area = Area {
    x: WIDTH - 100,
    y: HEIGHT - 84,
    width: 92,
    height: 76,
};

pub fn make(chance: &mut Chance, length: Span) -> Made {
    let end = Moment(length.0);
    let (mut slides, mut events): (Vec<Slide>, Vec<Event>) = (Vec::new(), Vec::new());
    let mut at = Moment(0);
    while at < end {
        let fade = match chance.below(4) {
            0 | 1 => Span(0),
            2 => span(chance, 500, 1_000),
            _ => span(chance, 1_500, 3_000),
        };
        let look = *chance.pick(&[
            Look::Title,
            Look::Bullets,
            Look::Bullets,
            Look::Picture,
            Look::Video,
        ]);
        let mut slide = Slide {
            from: at,
            fade,
            seed: chance.below(1 << 40),
            look,
            bullets: Vec::new(),
        };
        let mut told = vec![(at + Span((fade.0 as f64 * LEGIBLE) as u64), "a new slide")];
        at = at + fade + span(chance, 5_000, 30_000);
        if look == Look::Bullets {
            for _ in 0..2 + chance.below(3) {
                slide.bullets.push(at);
                told.push((at + BULLET_FADE, "another bullet"));
                at = at + span(chance, 6_000, 18_000);
            }
        }
        // A new slide ends what was told before; a bullet stays as long as its slide.
        events.extend(told.into_iter().map(|(from, what)| Event {
            at: from,
            until: at,
            what,
        }));
        slides.push(slide);
    }
    events.retain(|event| event.at.0 > 0);
    (Box::new(Talk { slides }), events)
}

impl Scene for Talk {
    fn paint(&self, at: Moment, canvas: &mut Canvas) {
        let number = self.slides.partition_point(|slide| slide.from <= at).max(1) - 1;
        let slide = &self.slides[number];
        let share = progress(at, slide.from, slide.fade);
        if share < 1.0 && number > 0 {
            let mut next = Canvas::new();
            slide.paint(at, &mut next);
            self.slides[number - 1].paint(at, canvas);
            canvas.fade_to(&next, share);
        } else {
            slide.paint(at, canvas);
        }
        paint_face(seconds(at), canvas);
    }
}

impl Slide {
    fn paint(&self, at: Moment, canvas: &mut Canvas) {
        let dark = self.seed.is_multiple_of(5);
        let (paper, ink) = if dark { (40, 215) } else { (250, 50) };
        canvas.fill(paper);
        let text = Text { seed: self.seed, ink };
        match self.look {
            Look::Title => {
                canvas.photograph(
                    Area {
                        x: 0,
                        y: 240,
                        width: WIDTH,
                        height: 120,
                    },
                    self.seed,
                    150,
                );
                large(canvas, 120, 120, 22, text);
            }
            Look::Bullets => {
                large(canvas, 50, 40, 16, text);
                for (row, came) in self.bullets.iter().enumerate().filter(|(_, came)| **came <= at) {
                    let strength = progress(at, *came, BULLET_FADE);
                    let ink = f64::from(paper) + (f64::from(ink) - f64::from(paper)) * strength;
                    let seed = mixed(self.seed, row as u64);
                    large(
                        canvas,
                        70,
                        110 + row as i32 * 44,
                        24,
                        Text { seed, ink: ink as u8 },
                    );
                }
            }
            Look::Picture => {
                large(canvas, 50, 30, 16, text);
                canvas.photograph(
                    Area {
                        x: 80,
                        y: 90,
                        width: 400,
                        height: 220,
                    },
                    self.seed,
                    130,
                );
            }
            Look::Video => {
                large(canvas, 50, 30, 16, text);
                let area = Area {
                    x: 80,
                    y: 90,
                    width: 320,
                    height: 180,
                };
                canvas.area(area, 70);
                let time = seconds(at);
                for blob in 0..9 {
                    let own = (mixed(self.seed, blob) % 628) as f64 / 100.0;
                    let x = 240.0 + (time * 0.8 + own).sin() * 130.0;
                    let y = 180.0 + (time * 0.6 + own * 2.0).cos() * 60.0;
                    canvas.disc(x, y, 22.0, 90 + (blob * 15) as u8);
                }
            }
        }
    }
}

/// Headline letters: four times as large as small text.
fn large(canvas: &mut Canvas, x: i32, y: i32, letters: i32, text: Text) {
    for letter in 0..letters {
        let shape = mixed(text.seed, letter as u64);
        if shape.is_multiple_of(6) {
            continue;
        }
        for stroke in 0..4 {
            let bits = shape >> (8 + 4 * stroke);
            let (left, top) = ((bits & 3) as i32 * 2, (bits >> 2 & 3) as i32 * 4);
            let area = Area {
                x: x + letter * 13 + left,
                y: y + top,
                width: 4,
                height: 6,
            };
            canvas.area(area, text.ink);
        }
    }
}

/// Somebody talks: the head sways, the mouth moves.
fn paint_face(time: f64, canvas: &mut Canvas) {
    canvas.area(FACE, 95);
    let sway = (time / 4.0 * TAU).sin() * 4.0 + (time / 1.3 * TAU).sin() * 1.5;
    let (x, y) = (f64::from(FACE.x) + 46.0 + sway, f64::from(FACE.y) + 34.0);
    canvas.disc(x, y + 48.0, 34.0, 60);
    canvas.disc(x, y, 20.0, 175);
    let mouth = 2.0 + (time * 7.0).sin().abs() * 3.0;
    canvas.disc(x, y + 9.0, mouth, 70);
}
