//! Boss fights: the camera runs, bullets fly, things explode; bosses come, change, fall, or win.

use simulator::Chance;
use vocabulary::{Moment, Span};

use super::parts::{current, progress, seconds, span};
use super::{Event, Made, Scene};
use crate::watch::canvas::{Area, Canvas, HEIGHT, Text, WIDTH, mixed};

struct Fight {
    /// How fast the camera runs from when on, in pixels a second, and where it was then.
    camera: Vec<(Moment, (f64, f64))>,
    acts: Vec<(Moment, Act)>,
    explosions: Vec<(Moment, (i32, i32))>,
}

/// What goes on, from one turn of the fight to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    Calm,
    /// The boss in its first, second or third shape.
    Boss {
        shape: u8,
        number: u64,
    },
    Dead,
}

const BANNER_SHOWN: Span = Span(3_500);
/// How long the light takes to change with a new phase.
const TINTING: Span = Span(900);
const TILE: i32 = 16;

pub fn make(chance: &mut Chance, length: Span) -> Made {
    let end = Moment(length.0);
    let mut acts = vec![(Moment(0), Act::Calm)];
    let mut events: Vec<Event> = Vec::new();
    let mut at = Moment(chance.between(8_000, 15_000));
    let mut number = 0;
    let mut tell = |at: Moment, what, longest: Span| {
        if let Some(before) = events.last_mut() {
            before.until = before.until.min(at);
        }
        events.push(Event {
            at,
            until: at + longest,
            what,
        });
    };
    while at < end {
        number += 1;
        let shapes = 1 + chance.below(3) as u8;
        for shape in 0..=shapes.min(2) {
            acts.push((at, Act::Boss { shape, number }));
            let what = if shape == 0 {
                "a boss awakes"
            } else {
                "the boss changes"
            };
            tell(at, what, Span::minutes(1));
            at = at + span(chance, 14_000, 32_000);
        }
        if chance.percent(35) {
            acts.push((at, Act::Dead));
            let shown = span(chance, 4_000, 7_000);
            tell(at, "the player dies", shown);
            at = at + shown;
        } else {
            tell(at, "the boss falls", Span::seconds(15));
        }
        acts.push((at, Act::Calm));
        at = at + span(chance, 12_000, 30_000);
    }
    let (mut camera, mut explosions) = (Vec::new(), Vec::new());
    let (mut at, mut place) = (Moment(0), 0.0);
    while at < end {
        let speed = chance.between(0, 240) as f64 - 120.0;
        let speed = if chance.percent(25) { 0.0 } else { speed };
        camera.push((at, (speed, place)));
        let runs = span(chance, 800, 4_000);
        place += speed * runs.0 as f64 / 1_000.0;
        at = at + runs;
        let (x, y) = (chance.below(640) as i32, 80 + chance.below(180) as i32);
        explosions.push((at, (x, y)));
    }
    (
        Box::new(Fight {
            camera,
            acts,
            explosions,
        }),
        events,
    )
}

impl Scene for Fight {
    fn paint(&self, at: Moment, canvas: &mut Canvas) {
        let (since, act) = *current(&self.acts, at).expect("it is calm at the start");
        let before = self.acts.iter().rev().find(|(from, _)| *from < since);
        let was = before.map_or(act, |(_, act)| *act);
        let share = progress(at, since, TINTING);
        let light = was.light() + (act.light() - was.light()) * share;
        canvas.gradient(60.0 + light, 110.0 + light);
        self.paint_ground(at, canvas);
        let time = seconds(at);
        if let Act::Boss { shape, number } = act {
            paint_boss(time, shape, number, canvas);
            let life = 1.0 - progress(at, since, Span::seconds(40));
            let bar = Area {
                x: 170,
                y: HEIGHT - 24,
                width: 300,
                height: 12,
            };
            canvas.area(bar, 20);
            canvas.area(
                Area {
                    width: (300.0 * life) as i32,
                    ..bar
                },
                150,
            );
        }
        for (from, (x, y)) in &self.explosions {
            let age = at.since(*from).0;
            if *from <= at && age < 300 && act != Act::Calm {
                canvas.disc(f64::from(*x), f64::from(*y), 8.0 + age as f64 / 12.0, 235);
            }
        }
        // The player stays in the middle and swings something.
        canvas.area(
            Area {
                x: 312,
                y: 218,
                width: 14,
                height: 26,
            },
            190,
        );
        let swing = (time * 9.0).sin() * 18.0;
        canvas.disc(319.0 + swing, 214.0, 5.0, 225);
        if act == Act::Dead {
            canvas.shade(1.0 - 0.6 * share);
            canvas.area(
                Area {
                    x: 200,
                    y: 150,
                    width: 240,
                    height: 40,
                },
                20,
            );
            canvas.paragraph(
                230,
                164,
                60,
                2,
                Text {
                    seed: since.0,
                    ink: 230,
                },
            );
        } else if at.since(since) < BANNER_SHOWN && since.0 > 0 {
            canvas.text(
                230,
                60,
                60,
                Text {
                    seed: since.0,
                    ink: 240,
                },
            );
        }
    }
}

impl Fight {
    fn paint_ground(&self, at: Moment, canvas: &mut Canvas) {
        let (from, (speed, place)) =
            *current(&self.camera, at).expect("the camera is somewhere from the start");
        let scrolled = (place + speed * seconds(Moment(at.since(from).0))) as i32;
        let first = scrolled.div_euclid(TILE);
        for column in first..=first + WIDTH / TILE + 1 {
            let height = 4 + (mixed(11, (column / 5) as u64) % 5) as i32;
            for row in 0..height {
                let luma = 45 + (mixed(column as u64, row as u64) % 50) as u8;
                let area = Area {
                    x: column * TILE - scrolled,
                    y: HEIGHT - (row + 1) * TILE,
                    width: TILE,
                    height: TILE,
                };
                canvas.area(area, luma);
            }
        }
    }
}

impl Act {
    /// How much brighter or darker than usual it is.
    fn light(self) -> f64 {
        match self {
            Act::Calm => 25.0,
            Act::Boss { shape: 0, .. } => 0.0,
            Act::Boss { shape: 1, .. } => -22.0,
            Act::Boss { .. } => 18.0,
            Act::Dead => 0.0,
        }
    }
}

fn paint_boss(time: f64, shape: u8, number: u64, canvas: &mut Canvas) {
    let wild = 1.0 + f64::from(shape) * 0.5;
    let own = (mixed(number, 1) % 100) as f64;
    let x = 320.0 + (time * 0.9 * wild + own).sin() * 220.0;
    let y = 120.0 + (time * 1.7 * wild + own).sin() * 60.0;
    let radius = 24.0 + f64::from(shape) * 10.0;
    // It flashes when it is hit, a few times a second.
    let is_hit = mixed(number, (time * 10.0) as u64).is_multiple_of(4);
    canvas.disc(x, y, radius, if is_hit { 240 } else { 140 - shape * 30 });
    canvas.disc(x, y, radius / 3.0, 30);
    for bullet in 0..12 + u64::from(shape) * 8 {
        let age = (time * 0.8 * wild + (mixed(number, bullet) % 1_000) as f64 / 1_000.0).fract();
        let angle = (mixed(bullet, number) % 628) as f64 / 100.0;
        let far = age * 260.0;
        canvas.disc(x + angle.cos() * far, y + angle.sin() * far, 3.0, 215);
    }
}
