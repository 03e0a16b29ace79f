//! A shard, step by step.

use serde_json::{Value, json};
use vocabulary::{Moment, Span};

use super::{
    BotPresence, GatewayCommand, GatewayRefusal, Intents, Shard, ShardInput, ShardLogin, ShardOutput,
};
use crate::wire::GatewayEvent;

/// A shard with a clock of its own.
struct Bench {
    shard: Shard,
    now: Moment,
}

/// What a step came to, in short.
#[derive(Debug, Default, PartialEq)]
struct Did {
    connects: Vec<String>,
    sent: Vec<Value>,
    closed: Vec<u16>,
    asked: bool,
    events: usize,
    stopped: Option<GatewayRefusal>,
}

impl Did {
    fn ops(&self) -> Vec<u64> {
        self.sent.iter().filter_map(|sent| sent["op"].as_u64()).collect()
    }
}

impl Bench {
    fn new() -> Self {
        let login = ShardLogin {
            token: "token".into(),
            intents: Intents::NEEDED,
            shard: (0, 1),
            presence: BotPresence::default(),
        };
        Self {
            shard: Shard::new(login, "wss://gateway", 7),
            now: Moment(1_000),
        }
    }

    fn step(&mut self, input: ShardInput<'_>) -> Did {
        let mut did = Did::default();
        for output in self.shard.step(self.now, input) {
            match output {
                ShardOutput::Connect(url) => did.connects.push(url),
                ShardOutput::Send(text) => did.sent.push(serde_json::from_str(&text.0).expect("JSON")),
                ShardOutput::Close(code) => did.closed.push(code),
                ShardOutput::AskTurn => did.asked = true,
                ShardOutput::WithdrawTurn | ShardOutput::Skipped(_) => {}
                ShardOutput::Event(_) => did.events += 1,
                ShardOutput::Stopped(refusal) => did.stopped = Some(refusal),
            }
        }
        did
    }

    fn hear(&mut self, value: Value) -> Did {
        self.step(ShardInput::Text(&value.to_string()))
    }

    /// Goes on to when it wants to be woken.
    fn wake(&mut self) -> Did {
        self.now = self.shard.wake().expect("it wants to be woken").max(self.now);
        self.step(ShardInput::Tick)
    }

    fn later(&mut self, span: Span) -> Did {
        self.now = self.now + span;
        self.step(ShardInput::Tick)
    }

    fn open(&mut self) -> Did {
        self.step(ShardInput::Opened);
        self.hear(json!({"op": 10, "d": {"heartbeat_interval": 40_000}}))
    }

    fn ready(&mut self) -> Did {
        self.hear(json!({"op": 0, "s": 1, "t": "READY", "d": {
            "session_id": "abc", "resume_gateway_url": "wss://resume", "user": {"id": "7"}}}))
    }

    fn typing(&mut self, sequence: u64) -> Did {
        self.hear(
            json!({"op": 0, "s": sequence, "t": "TYPING_START", "d": {"channel_id": "1", "user_id": "2"}}),
        )
    }

    fn live() -> Self {
        let mut bench = Self::new();
        bench.step(ShardInput::Tick);
        bench.open();
        bench.step(ShardInput::TurnGranted);
        assert_eq!(bench.ready().events, 1);
        bench
    }

    /// To where the session goes on, or another one is to begin.
    fn again(&mut self) -> Did {
        assert_eq!(self.wake().connects.len(), 1);
        self.open()
    }
}

#[test]
fn it_connects_waits_for_its_turn_and_logs_in() {
    let mut bench = Bench::new();
    assert_eq!(bench.step(ShardInput::Tick).connects, ["wss://gateway"]);
    let greeted = bench.open();
    assert!(greeted.asked && greeted.sent.is_empty());
    let sent = bench.step(ShardInput::TurnGranted).sent;
    assert_eq!(
        (&sent[0]["op"], &sent[0]["d"]["token"]),
        (&json!(2), &json!("token"))
    );
    assert_eq!(sent[0]["d"]["intents"], json!(Intents::NEEDED.bits()));
    assert!(
        bench.step(ShardInput::TurnGranted).sent.is_empty(),
        "once is enough"
    );
    assert!(!bench.shard.health().is_live);
    bench.ready();
    assert!(bench.shard.health().is_live);
}

#[test]
fn a_lost_connection_goes_on_where_it_was() {
    let mut bench = Bench::live();
    bench.typing(2);
    bench.step(ShardInput::Closed(None));
    assert_eq!(bench.wake().connects, ["wss://resume"]);
    let sent = bench.open().sent;
    assert_eq!(
        sent,
        [json!({"op": 6, "d": {"token": "token", "session_id": "abc", "seq": 2}})]
    );
    assert_eq!(bench.typing(2).events, 0, "it had come");
    assert_eq!(bench.typing(3).events, 1);
    bench.hear(json!({"op": 0, "s": 4, "t": "RESUMED", "d": {}}));
    let health = bench.shard.health();
    assert!(health.is_live && health.resumes == 1 && health.repeated == 1 && health.sessions == 1);
}

#[test]
fn a_dead_connection_is_given_up_and_its_session_kept() {
    let mut bench = Bench::live();
    assert_eq!(bench.wake().ops(), [1]);
    bench.now = bench.now + Span(70);
    bench.hear(json!({"op": 11}));
    assert_eq!(bench.shard.health().latency, Some(Span(70)));
    assert_eq!(bench.wake().ops(), [1]);
    let dead = bench.wake();
    assert_eq!((dead.closed.as_slice(), dead.sent.len()), (&[4000][..], 0));
    assert_eq!(bench.shard.health().zombies, 1);
    assert_eq!(bench.again().ops(), [6]);
}

#[test]
fn a_server_that_asks_for_a_heartbeat_or_another_connection_gets_it() {
    let mut bench = Bench::live();
    assert_eq!(bench.hear(json!({"op": 1})).sent, [json!({"op": 1, "d": 1})]);
    assert_eq!(bench.hear(json!({"op": 7, "d": null})).closed, [4000]);
    assert_eq!(bench.again().ops(), [6]);
}

#[test]
fn a_refused_session_is_begun_anew_and_one_that_may_go_on_is_not() {
    let mut bench = Bench::live();
    assert_eq!(bench.hear(json!({"op": 9, "d": true})).closed, [4000]);
    assert_eq!(bench.again().ops(), [6]);
    assert_eq!(bench.hear(json!({"op": 9, "d": false})).closed, [1000]);
    let greeted = bench.again();
    assert!(greeted.asked && greeted.sent.is_empty());
    bench.step(ShardInput::TurnGranted);
    assert_eq!(bench.ready().events, 1, "sequences begin again with a session");
    assert_eq!(bench.shard.health().sessions, 2);
}

#[test]
fn what_nothing_helps_against_stops_it() {
    let mut bench = Bench::live();
    assert_eq!(
        bench.step(ShardInput::Closed(Some(4004))).stopped,
        Some(GatewayRefusal::Token)
    );
    assert_eq!(bench.shard.wake(), None);
    assert_eq!(bench.later(Span::hours(24)), Did::default());
    assert_eq!(bench.shard.health().refusal, Some(GatewayRefusal::Token));
}

#[test]
fn a_server_that_closes_every_login_is_told_and_asked_seldom() {
    let mut bench = Bench::new();
    bench.step(ShardInput::Tick);
    for _ in 0..5 {
        bench.open();
        bench.step(ShardInput::TurnGranted);
        bench.step(ShardInput::Closed(Some(4000)));
        let before = bench.now;
        assert_eq!(bench.wake().connects.len(), 1);
        assert_eq!(
            bench.now.since(before) >= Span(150_000),
            bench.shard.health().is_login_refused
        );
    }
    assert!(bench.shard.health().is_login_refused);
    bench.open();
    bench.step(ShardInput::TurnGranted);
    bench.ready();
    assert!(!bench.shard.health().is_login_refused);
}

#[test]
fn malformed_events_are_skipped_with_their_sequence_kept() {
    let mut bench = Bench::live();
    assert_eq!(
        bench.hear(json!({"op": 0, "s": 2, "t": "MESSAGE_CREATE", "d": {"id": []}})),
        Did::default()
    );
    assert_eq!(
        bench.hear(json!({"op": 0, "s": 3, "t": "NEVER_HEARD_OF", "d": 5})),
        Did::default()
    );
    assert_eq!(bench.step(ShardInput::Text("{")), Did::default());
    let health = bench.shard.health();
    assert_eq!(
        (health.skipped["MESSAGE_CREATE"], health.skipped["UNREADABLE"]),
        (1, 1)
    );
    assert_eq!(health.unknown["NEVER_HEARD_OF"], 1);
    bench.step(ShardInput::Closed(None));
    assert_eq!(bench.again().sent[0]["d"]["seq"], json!(3));
}

#[test]
fn a_beginning_that_cannot_be_read_is_a_beginning_all_the_same() {
    let mut bench = Bench::new();
    bench.step(ShardInput::Tick);
    bench.open();
    bench.step(ShardInput::TurnGranted);
    bench.hear(json!({"op": 0, "s": 1, "t": "READY", "d": {"user": 5}}));
    assert!(bench.shard.health().is_live);
    assert_eq!(bench.typing(2).events, 1);
    bench.step(ShardInput::Closed(None));
    assert!(bench.again().asked, "there is no session to go on with");
}

#[test]
fn nobody_is_waited_for_for_ever() {
    let mut bench = Bench::new();
    bench.step(ShardInput::Tick);
    assert_eq!(bench.wake().closed, [4000], "never opened");
    bench.wake();
    bench.step(ShardInput::Opened);
    assert_eq!(bench.wake().closed, [4000], "never greeted");
    bench.wake();
    bench.open();
    bench.step(ShardInput::TurnGranted);
    let let_in = bench.now + Span::seconds(30);
    while bench.now < let_in {
        bench.hear(json!({"op": 11}));
        let did = bench.wake();
        assert_eq!(did.closed.is_empty(), bench.now < let_in, "never let in");
    }
}

#[test]
fn much_that_was_missed_is_not_taken_for_silence() {
    let mut bench = Bench::live();
    bench.step(ShardInput::Closed(None));
    bench.again();
    for sequence in 2..20 {
        bench.hear(json!({"op": 11}));
        assert!(bench.later(Span::seconds(20)).closed.is_empty());
        assert_eq!(bench.typing(sequence).events, 1);
    }
}

#[test]
fn commands_wait_for_a_connection_and_for_room_in_the_minute() {
    let mut bench = Bench::new();
    let voice = || GatewayCommand::Voice {
        guild: crate::wire::Snowflake::new(1).expect("an id"),
        channel: None,
        is_muted: false,
        is_deafened: false,
    };
    assert!(bench.step(ShardInput::Command(voice())).sent.is_empty());
    bench.open();
    bench.step(ShardInput::TurnGranted);
    assert_eq!(bench.ready().ops(), [4]);
    let sent: usize = (0..400)
        .map(|_| bench.step(ShardInput::Command(voice())).sent.len())
        .sum();
    assert_eq!(sent, 109);
    assert_eq!(bench.shard.health().refused_commands, 400 - 109 - 200);
    bench.hear(json!({"op": 11}));
    let did = bench.later(Span::seconds(30));
    assert!(
        did.ops().iter().all(|op| *op == 1),
        "heartbeats have room of their own: {did:?}"
    );
    bench.hear(json!({"op": 11}));
    assert_eq!(
        bench
            .later(Span::seconds(30))
            .ops()
            .iter()
            .filter(|op| **op == 4)
            .count(),
        110
    );
}

#[test]
fn a_presence_is_kept_for_sessions_to_come() {
    let mut bench = Bench::live();
    let presence = BotPresence {
        is_idle: true,
        text: Some("reading".to_owned()),
    };
    assert_eq!(
        bench
            .step(ShardInput::Command(GatewayCommand::Presence(presence)))
            .ops(),
        [3]
    );
    bench.step(ShardInput::Closed(Some(4009)));
    bench.again();
    let sent = bench.step(ShardInput::TurnGranted).sent;
    assert_eq!(sent[0]["d"]["presence"]["status"], json!("idle"));
}

#[test]
fn secrets_do_not_print_themselves() {
    let mut bench = Bench::new();
    bench.step(ShardInput::Tick);
    bench.open();
    let told = format!(
        "{:?} {:?}",
        bench.shard.step(bench.now, ShardInput::TurnGranted),
        bench.shard
    );
    assert!(!told.contains("\"token\""), "{told}");
}

#[test]
fn what_comes_is_handed_on_as_it_is() {
    let mut bench = Bench::live();
    let typing = json!({"op": 0, "s": 2, "t": "TYPING_START", "d": {"channel_id": "1", "user_id": "2"}});
    let out = bench.shard.step(bench.now, ShardInput::Text(&typing.to_string()));
    assert!(
        matches!(&out[..], [ShardOutput::Event(event)] if matches!(**event, GatewayEvent::TypingStarted { .. }))
    );
}
