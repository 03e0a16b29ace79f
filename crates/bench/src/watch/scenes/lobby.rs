//! The lobby of a game: particles drift without end, heroes breathe, and now and then something matters.

use std::f64::consts::TAU;

use simulator::Chance;
use vocabulary::{Moment, Span};

use super::parts::{OPENING, Panel, current, seconds, span};
use super::{Event, Made, Scene};
use crate::watch::canvas::{Area, Canvas, HEIGHT, LINE_HEIGHT, Text, WIDTH, mixed};

struct Lobby {
    particles: Vec<Particle>,
    /// When somebody joined.
    joined: Vec<Moment>,
    panels: Vec<Panel>,
    /// Which background there is from when on.
    places: Vec<(Moment, u64)>,
}

struct Particle {
    x: f64,
    y: f64,
    right: f64,
    up: f64,
    radius: f64,
    luma: u8,
}

const PARTICLES: usize = 160;
const HEROES: usize = 4;
const PLAYERS_SHOWN: usize = 10;

pub fn make(chance: &mut Chance, length: Span) -> Made {
    let end = Moment(length.0);
    let particles = (0..PARTICLES).map(|_| particle(chance)).collect();
    let mut lobby = Lobby {
        particles,
        joined: Vec::new(),
        panels: Vec::new(),
        places: vec![(Moment(0), 1)],
    };
    let mut events = Vec::new();
    let mut at = Moment(chance.between(10_000, 20_000));
    while at < end {
        let text = Text {
            seed: chance.below(1 << 40),
            ink: 210,
        };
        let mut panel = |chance: &mut Chance, stays: (u64, u64), area, paper| {
            let until = at + span(chance, stays.0, stays.1);
            lobby.panels.push(Panel {
                from: at,
                until,
                area,
                paper,
                text,
            });
            (at + OPENING, until)
        };
        let (what, (seen, until)) = match chance.below(6) {
            0 | 1 => {
                lobby.joined.push(at);
                ("somebody joins", (at, at + Span::seconds(40)))
            }
            2 => (
                "a match is found",
                panel(chance, (6_000, 10_000), middle(250, 110), 70),
            ),
            3 => ("a vote on the map", panel(chance, (9_000, 15_000), side(), 60)),
            4 => (
                "the shop opens",
                panel(chance, (10_000, 25_000), middle(420, 250), 95),
            ),
            _ => {
                lobby.places.push((at, chance.below(1 << 40)));
                ("another hero is looked at", (at, at + Span::seconds(30)))
            }
        };
        events.push(Event {
            at: seen,
            until,
            what,
        });
        // What stays open ends before the next thing comes; what only appeared may be followed soon.
        at = if until.since(at) >= Span::seconds(30) {
            at
        } else {
            until
        } + span(chance, 8_000, 35_000);
        if let Some(last) = events.last_mut() {
            last.until = last.until.min(at);
        }
    }
    (Box::new(lobby), events)
}

fn particle(chance: &mut Chance) -> Particle {
    Particle {
        x: chance.below(WIDTH as u64) as f64,
        y: chance.below(HEIGHT as u64) as f64,
        right: chance.between(0, 24) as f64 - 12.0,
        up: chance.between(8, 34) as f64,
        radius: chance.between(12, 40) as f64 / 10.0,
        luma: chance.between(110, 220) as u8,
    }
}

fn middle(width: i32, height: i32) -> Area {
    Area {
        x: (WIDTH - width) / 2,
        y: (HEIGHT - height) / 2,
        width,
        height,
    }
}

fn side() -> Area {
    Area {
        x: WIDTH - 150,
        y: 40,
        width: 140,
        height: 200,
    }
}

impl Scene for Lobby {
    fn paint(&self, at: Moment, canvas: &mut Canvas) {
        let time = seconds(at);
        let (_, place) = *current(&self.places, at).expect("there is a place from the start");
        let tint = (place % 40) as f64;
        canvas.gradient(35.0 + tint, 60.0 + tint);
        for tower in 0..6 {
            let height = 60 + (mixed(place, tower) % 140) as i32;
            let area = Area {
                x: 30 + tower as i32 * 105,
                y: HEIGHT - 40 - height,
                width: 60,
                height,
            };
            canvas.area(area, 45 + (mixed(place, tower + 9) % 40) as u8);
        }
        for hero in 0..HEROES {
            // Breathing: up and down by a pixel or two every three seconds.
            let breath = ((time / 3.0 + hero as f64 / 4.0) * TAU).sin() * 2.0;
            let area = Area {
                x: 190 + hero as i32 * 75,
                y: 170 + breath as i32,
                width: 40,
                height: 120,
            };
            canvas.photograph(area, place ^ hero as u64, 120);
        }
        for particle in &self.particles {
            let x = (particle.x + particle.right * time).rem_euclid(f64::from(WIDTH));
            let y = (particle.y - particle.up * time).rem_euclid(f64::from(HEIGHT));
            canvas.disc(x, y, particle.radius, particle.luma);
        }
        canvas.area(
            Area {
                x: 8,
                y: 30,
                width: 130,
                height: 210,
            },
            30,
        );
        let players = self.joined.partition_point(|joined| *joined <= at);
        for (row, player) in (players.saturating_sub(PLAYERS_SHOWN - 3)..players + 3).enumerate() {
            let y = 36 + row as i32 * 20;
            canvas.area(
                Area {
                    x: 12,
                    y,
                    width: 122,
                    height: 16,
                },
                70,
            );
            canvas.text(
                32,
                y + 5,
                20,
                Text {
                    seed: player as u64,
                    ink: 220,
                },
            );
            canvas.photograph(
                Area {
                    x: 13,
                    y: y + 1,
                    width: 14,
                    height: 14,
                },
                player as u64,
                150,
            );
        }
        canvas.paragraph(8, HEIGHT - 3 * LINE_HEIGHT, 60, 2, Text { seed: 5, ink: 190 });
        for panel in &self.panels {
            panel.paint(at, canvas);
        }
    }
}
