//! What a step costs in a community of many rooms, beside one of a single room.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Duration;

use clap::Args;
use mind::{Genesis, Input, Mind, RoomEvent, ShellEvent};
use settings::Settings;
use vocabulary::{Moment, Now, PersonId, RoomId, Span, WallTime};

use super::{median_time, microseconds, nth_message, timed};

/// Messages in each room before anything is measured.
const HISTORY: usize = 20;

#[derive(Debug, Args)]
pub struct Options {
    /// How many rooms the community has, one row each; the first is what the others are compared with.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 10, 100, 1_000, 4_000])]
    pub rooms: Vec<usize>,
    /// Rounds of which the median counts.
    #[arg(long, default_value_t = 15, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub rounds: usize,
    /// Steps of each kind in a round.
    #[arg(long, default_value_t = 200, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub steps: usize,
}

/// What one step costs where there are so many rooms.
#[derive(Debug)]
pub struct Row {
    pub rooms: usize,
    pub message: Duration,
    pub typing: Duration,
    pub wake: Duration,
    /// Journal lines of all measured messages, which are the same however many rooms there are.
    pub lines: usize,
}

pub fn run(options: &Options) {
    print!("{}", table(&measure(options)));
}

pub fn measure(options: &Options) -> Vec<Row> {
    let settings = Settings::default();
    let row = |&rooms: &usize| {
        let mut town = ManyRooms::new(rooms, &settings);
        let Options { rounds, steps, .. } = *options;
        let mut lines = 0;
        let message = median_time(rounds, steps, || {
            let input = town.message(0, "so the build is broken again since this morning");
            timed(|| lines += town.step(input, &settings))
        });
        let typing = median_time(rounds, steps, || {
            let input = ManyRooms::typing();
            timed(|| {
                town.step(input, &settings);
            })
        });
        let wake = median_time(rounds, steps, || {
            timed(|| {
                town.step(Input::Shell(ShellEvent::WakeReached), &settings);
            })
        });
        Row {
            rooms,
            message,
            typing,
            wake,
            lines,
        }
    };
    options.rooms.iter().map(row).collect()
}

fn table(rows: &[Row]) -> String {
    let mut out = "  rooms          a message           a typing sign               a wake   journal lines\n"
        .to_owned();
    let Some(first) = rows.first() else { return out };
    for row in rows {
        let beside = |time: Duration, one: Duration| {
            let ratio = time.as_secs_f64() / one.as_secs_f64().max(1e-12);
            format!("{} ({ratio:.2}×)", microseconds(time))
        };
        let _ = writeln!(
            out,
            "{:>7} {:>18} {:>23} {:>20} {:>15}",
            row.rooms,
            beside(row.message, first.message),
            beside(row.typing, first.typing),
            beside(row.wake, first.wake),
            row.lines
        );
    }
    out.push_str(
        "(in brackets: beside the first row; everything happens in one room of many, and nobody is answered, so that what is left is the step itself)\n",
    );
    out
}

struct ManyRooms {
    mind: Mind,
    said: usize,
    now: Now,
}

impl ManyRooms {
    fn new(rooms: usize, settings: &Settings) -> Self {
        let mind = Mind::new(Genesis::first("bench", "local-denizen", 1));
        let now = Now {
            moment: Moment(0),
            wall: WallTime(1_760_000_000_000),
        };
        let mut town = Self { mind, said: 0, now };
        for count in 0..rooms * HISTORY {
            let text = format!("message {count} about the release and the flaky test");
            let input = town.message(count % rooms, &text);
            town.step(input, settings);
        }
        town
    }

    /// The next message.
    fn message(&mut self, room: usize, text: &str) -> Input {
        self.said += 1;
        let room = RoomId::new(format!("room-{room}"));
        Input::message_arrived(nth_message(self.said, room, text, self.now.wall))
    }

    fn typing() -> Input {
        let room = RoomId::new("room-0");
        let person = PersonId::new("person1");
        Input::Room(room, RoomEvent::TypingChanged { person, typing: true })
    }

    /// Takes a step; how many journal lines it wrote.
    fn step(&mut self, input: Input, settings: &Settings) -> usize {
        // A short while, so that the cycle of thoughts, which is the community's, does not tick in every step.
        self.now.moment = self.now.moment + Span(20);
        self.now.wall.0 += 20;
        let step = black_box(self.mind.step(self.now, input, settings));
        let lines = step.effects.iter();
        lines
            .filter(|effect| matches!(effect, mind::Effect::Journal(_)))
            .count()
    }
}

#[cfg(test)]
#[path = "rooms_tests.rs"]
mod rooms_tests;
