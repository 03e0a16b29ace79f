//! A week of lost lines, dead connections, refused sessions and outages: whatever the server could send again came, and
//! nothing came twice.

use serde_json::Value;
use vocabulary::{Moment, SeededChance, Span};

use super::week_server::{Arrival, WeekServer};
use super::{BotPresence, IdentifyTurns, Intents, Shard, ShardInput, ShardLogin, ShardOutput, StartLimit};
use crate::wire::GatewayEvent;

const WEEK: Moment = Moment(7 * 24 * 3_600_000);
/// Without faults, at its end.
const CALM: Span = Span::hours(3);
const SHARDS: u32 = 2;
/// Of every six seeds one has a server that never lets a session go on.
const REFUSING: u64 = 6;

struct Pair {
    shard: Shard,
    server: WeekServer,
    next_message: Moment,
    next_fault: Moment,
}

impl Pair {
    fn new(number: u32, seed: u64) -> Self {
        let login = ShardLogin {
            token: "token".into(),
            intents: Intents::NEEDED,
            shard: (number, SHARDS),
            presence: BotPresence::default(),
        };
        Self {
            shard: Shard::new(login, "wss://gateway", seed ^ u64::from(number)),
            server: WeekServer::new(seed % REFUSING == REFUSING - 1, 1_000),
            next_message: Moment(60_000),
            next_fault: Moment(600_000),
        }
    }

    fn next(&self) -> Moment {
        let soon = [self.shard.wake(), self.server.next_arrival()];
        let soon = soon.into_iter().flatten().min().unwrap_or(WEEK);
        soon.min(self.next_message).min(self.next_fault)
    }

    /// Everything whose time has come.
    fn go_on(&mut self, now: Moment, chance: &mut SeededChance, turns: &mut IdentifyTurns) {
        if now >= self.next_message {
            if chance.number().is_multiple_of(20) {
                self.server.malformed(now);
            }
            // Some come together.
            for _ in 0..=chance.number() % 3 {
                self.server.message(now);
            }
            self.next_message = now + Span(1 + chance.number() % 600_000);
        }
        if now >= self.next_fault {
            self.server.fault(now, chance);
            let calm = now + CALM >= WEEK;
            self.next_fault = if calm {
                WEEK
            } else {
                now + Span(1 + chance.number() % 1_800_000)
            };
        }
        while let Some(arrival) = self.server.arrive(now) {
            let outputs = match &arrival {
                Arrival::Opened => self.shard.step(now, ShardInput::Opened),
                Arrival::Text(text) => self.shard.step(now, ShardInput::Text(text)),
                Arrival::Closed(code) => self.shard.step(now, ShardInput::Closed(*code)),
            };
            self.perform(now, outputs, turns);
        }
        let outputs = self.shard.step(now, ShardInput::Tick);
        self.perform(now, outputs, turns);
    }

    fn perform(&mut self, now: Moment, outputs: Vec<ShardOutput>, turns: &mut IdentifyTurns) {
        let number = self.number();
        for output in outputs {
            match output {
                ShardOutput::Connect(_) => self.server.connect(now),
                ShardOutput::Close(code) => self.server.hang_up(code),
                ShardOutput::Send(text) => {
                    let payload: Value = serde_json::from_str(&text.0).expect("JSON");
                    self.server.hear(now, &payload);
                }
                ShardOutput::Skipped(_) => {}
                ShardOutput::AskTurn => turns.ask(number),
                ShardOutput::WithdrawTurn => turns.withdraw(number),
                ShardOutput::Event(event) => {
                    if let GatewayEvent::MessageCreated(message) = *event {
                        let is_new = self.server.dispatched.insert(message.id.number());
                        assert!(is_new, "message {} came twice", message.id);
                        let has_hole = self.server.has_hole_before(message.id.number());
                        assert!(!has_hole, "something before {} is missing", message.id);
                    }
                }
                ShardOutput::Stopped(refusal) => panic!("it stopped: {refusal}"),
            }
        }
    }

    fn number(&self) -> u32 {
        self.shard.number()
    }
}

fn week(seed: u64) -> Vec<Pair> {
    let mut chance = SeededChance::new(seed);
    let mut turns = IdentifyTurns::new(StartLimit::default(), Moment(0));
    let mut pairs: Vec<Pair> = (0..SHARDS).map(|number| Pair::new(number, seed)).collect();
    let mut now = Moment(0);
    while now < WEEK {
        for pair in &mut pairs {
            pair.go_on(now, &mut chance, &mut turns);
        }
        for number in turns.grant(now) {
            let pair = &mut pairs[number as usize];
            let outputs = pair.shard.step(now, ShardInput::TurnGranted);
            pair.perform(now, outputs, &mut turns);
        }
        let next = pairs.iter().map(Pair::next).chain(turns.wake()).min();
        now = next.unwrap_or(WEEK).max(now + Span(1));
    }
    pairs
}

fn holds(seed: u64) {
    let pairs = week(seed);
    let mut begun: Vec<Moment> = Vec::new();
    for pair in &pairs {
        let health = pair.shard.health();
        assert!(
            health.is_live,
            "seed {seed}: not live in calm weather: {health:?}"
        );
        let came = pair.server.dispatched.len();
        assert!(came > 1_000, "seed {seed}: only {came} messages came");
        // What was written in the last moment is still on its way.
        let missing = pair.server.missing();
        assert!(missing.len() <= 3, "seed {seed}: {missing:?} never came");
        assert!(
            health.zombies > 10 && health.reconnects > 100,
            "seed {seed}: {health:?}"
        );
        let refusing = seed % REFUSING == REFUSING - 1;
        assert_eq!(health.resumes == 0, refusing, "seed {seed}: {health:?}");
        assert!(health.skipped["MESSAGE_CREATE"] > 10, "seed {seed}: {health:?}");
        begun.extend(&pair.server.identifies);
    }
    begun.sort();
    let close = begun
        .windows(2)
        .find(|pair| pair[1].since(pair[0]) < Span::seconds(5));
    assert_eq!(
        close, None,
        "seed {seed}: two sessions began too close to each other"
    );
}

#[test]
fn in_a_week_of_outages_nothing_replayable_is_lost_and_nothing_comes_twice() {
    (0..12).for_each(holds);
}

#[test]
fn and_not_in_other_weeks() {
    (12..24).for_each(holds);
}
