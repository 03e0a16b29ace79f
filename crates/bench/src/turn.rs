//! CPU time of what happens for a message: the gate, a whole turn with an instant model, the prompt down to wire bytes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;
use mind::{Answer, Asking, Effect, Genesis, Input, Mind, RoomWish};
use providers::{Keys, Models};
use runtime::ports::Language;
use settings::{Document, Settings};
use vocabulary::{
    AskOutcome, AskPurpose, Finish, Message, ModelAnswer, Moment, Now, PersonId, RoomId, Span, Usage,
    WallTime,
};

use super::{median_time, microseconds, nth_message, ratio, timed};

const LOCAL_DENIZEN: &str = "local-denizen";
const LOUNGE: &str = "lounge";

#[derive(Debug, Args)]
pub struct Options {
    /// How many messages the room has, one row each.
    #[arg(long, value_delimiter = ',', default_values_t = [10, 50, 220, 1_000, 10_000])]
    histories: Vec<usize>,
    /// Rounds of which the median counts.
    #[arg(long, default_value_t = 9, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    rounds: usize,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let rounds = options.rounds;
    let settings = settings();
    let models = models()?;
    println!(
        "history      gate decision    whole turn    prompt to wire bytes    naive prompt    naive ÷ ours"
    );
    for &history in &options.histories {
        let mut room = Room::new(history);
        let gate = median_time(rounds, 500, || {
            timed(|| room.hear("so the build is broken again since this morning", &settings))
        });
        let mut room = Room::new(history);
        let turn = median_time(rounds, 100, || timed(|| room.whole_turn(&models, &settings)));
        let said = Room::new(history).said;
        let mut room = Room::new(history);
        let prompt = median_time(rounds, 100, || room.prompt(&models, &settings));
        let naive = median_time(rounds, if history > 1_000 { 5 } else { 50 }, || {
            timed(|| {
                black_box(naive_prompt(&said));
            })
        });
        println!(
            "{history:>7} {:>18} {:>13} {:>23} {:>15} {:>15}",
            microseconds(gate),
            microseconds(turn),
            microseconds(prompt),
            microseconds(naive),
            ratio(naive, prompt)
        );
    }
    println!("(naive: every message of the room goes into every prompt, as one formatted JSON body)");
    Ok(())
}

/// No waiting, no look-ups and no caps: what is left is the work itself.
fn settings() -> Settings {
    let mut document = Document::default();
    for (key, value) in [
        ("activity.replyCoalesceWindowSeconds", 0),
        ("activity.minSecondsBetweenMessages", 0),
        ("activity.maxMessagesPerHour", 1_000),
        ("context.maxRelevantMessages", 0),
        ("memory.maxUserFacts", 0),
        ("memory.maxRelevantFacts", 0),
    ] {
        document.set(key, value.into());
    }
    document.set("llm.provider", "anthropic".into());
    Settings::read(&document).expect("these values are within their limits")
}

fn models() -> anyhow::Result<Models> {
    let key = |name: &str| (name == "ANTHROPIC_API_KEY").then(|| "not-a-key-only-bytes-are-made".to_owned());
    Ok(Models::new(Keys::from_env_and_file(
        key,
        Path::new("/nonexistent"),
    )?))
}

struct Room {
    mind: Mind,
    said: Vec<Message>,
    folds: usize,
    now: Now,
}

impl Room {
    /// A room in which so many messages were written, one in ten by Denizen.
    fn new(history: usize) -> Self {
        let mind = Mind::new(Genesis::first("bench", PersonId::new(LOCAL_DENIZEN), 1));
        let mut room = Self {
            mind,
            said: Vec::new(),
            folds: 0,
            now: Now {
                moment: Moment(0),
                wall: WallTime(1_760_000_000_000),
            },
        };
        let settings = settings();
        for count in 0..history {
            let text = format!(
                "message {count} about the release, the tests and who is going to look at the flaky one"
            );
            room.hear(&text, &settings);
        }
        room
    }

    fn message(&mut self, text: &str) -> Message {
        self.now.moment = self.now.moment + Span::seconds(30);
        self.now.wall.0 += 30_000;
        nth_message(self.said.len(), RoomId::new(LOUNGE), text, self.now.wall)
    }

    fn hear(&mut self, text: &str, settings: &Settings) {
        let message = self.message(text);
        self.said.push(message.clone());
        let _ = black_box(
            self.mind
                .step(self.now, Input::message_arrived(message), settings),
        );
    }

    /// Addresses Denizen and takes the question it wants to ask.
    fn ask(&mut self, settings: &Settings) -> Box<Asking> {
        let message = self.message("Denizen, what do you think about the release?");
        self.said.push(message.clone());
        let step = self
            .mind
            .step(self.now, Input::message_arrived(message), settings);
        let mut reply = None;
        for effect in step.effects {
            if let Effect::Ask(asking) = effect {
                match asking.request.purpose {
                    AskPurpose::ContextCompaction => self.summarise(&asking, settings),
                    _ => reply = Some(asking),
                }
            }
        }
        reply.expect("it is addressed, and nothing makes it wait")
    }

    /// The model writes a summary at once, too, and the next one while there is a backlog.
    fn summarise(&mut self, asking: &Asking, settings: &Settings) {
        let mut open = Some(asking.ask);
        while let Some(ask) = open.take() {
            self.folds += 1;
            // Never twice the same: a summary that is the old one again is not taken.
            let text = match self.folds % 3 {
                0 => "The people here talked about the release, the tests and who looks at the flaky one.",
                1 => "They went on about the release and the tests; the flaky one is still open.",
                _ => "The release waits for the flaky test, and nobody looks at it yet.",
            };
            let outcome = AskOutcome::Answered(answer(text));
            let step = self.mind.step(
                self.now,
                Input::Answer(Answer::AskEnded { ask, outcome }),
                settings,
            );
            open = step.effects.iter().find_map(|effect| match effect {
                Effect::Ask(asking) => Some(asking.ask),
                _ => None,
            });
        }
    }

    /// From a message to the bytes of the request; the answer that ends the turn does not count.
    fn prompt(&mut self, models: &Models, settings: &Settings) -> Duration {
        let started = Instant::now();
        let asking = self.ask(settings);
        black_box(
            models
                .prepare(&asking.request, &BTreeMap::new(), settings)
                .expect("the request is sound"),
        );
        let took = started.elapsed();
        self.answer(&asking, settings);
        took
    }

    fn whole_turn(&mut self, models: &Models, settings: &Settings) {
        let asking = self.ask(settings);
        black_box(
            models
                .prepare(&asking.request, &BTreeMap::new(), settings)
                .expect("the request is sound"),
        );
        self.answer(&asking, settings);
    }

    /// The model answers at once, and the room takes the message.
    fn answer(&mut self, asking: &Asking, settings: &Settings) {
        let text = r#"{"action":"reply","text":"I would wait for the flaky test to be looked at.","reason":"asked"}"#;
        let ended = Input::Answer(Answer::AskEnded {
            ask: asking.ask,
            outcome: AskOutcome::Answered(answer(text)),
        });
        let step = self.mind.step(self.now, ended, settings);
        for effect in step.effects {
            if let Effect::Room(_, RoomWish::Send(delivery)) = effect {
                let message = delivery.as_message(PersonId::new(LOCAL_DENIZEN), "Denizen", self.now.wall);
                let sent = Input::Answer(Answer::MessageSent {
                    delivery: delivery.id,
                    message,
                });
                let _ = black_box(self.mind.step(self.now, sent, settings));
            }
        }
    }
}

/// An answer that takes no time and costs nothing.
pub(crate) fn answer(text: &str) -> ModelAnswer {
    ModelAnswer {
        provider: "bench".to_owned(),
        model: "instant".to_owned(),
        text: text.to_owned(),
        tool_calls: Vec::new(),
        carried: None,
        finish: Finish::Complete,
        cap: None,
        usage: Usage::default(),
        first_text: None,
        took: Span(1),
        tries: 1,
    }
}

/// What a bot without a window does: the whole room into every prompt.
fn naive_prompt(said: &[Message]) -> Vec<u8> {
    let mut transcript = String::new();
    for message in said {
        let _ = writeln!(transcript, "{}: {}", message.author.name, message.text);
    }
    let body = serde_json::json!({
        "model": "x", "max_tokens": 600, "stream": true,
        "messages": [{"role": "user", "content": transcript}],
    });
    serde_json::to_vec(&body).expect("plain JSON")
}
