//! A week of dropped connections, dead ones, refused sessions, moves and lost answers: the call always comes back, never
//! resumes what is gone, never seals two packets with one number, and forgets nobody who is there.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use vocabulary::{Moment, SeededChance, Span};

use crate::bench::{Came, OWN, place};
use crate::{CallCommand, CallEvent, CallInput, VoiceCall};

const WEEK: Moment = Moment(7 * 24 * 3_600_000);
/// Without faults, at its end.
const CALM: Span = Span::hours(1);
const HEARTBEAT: u64 = 20_000;

/// A voice server in small: one session, and who is in its call.
struct Server {
    chance: SeededChance,
    is_open: bool,
    /// Nothing is answered any more, though the connection stands.
    is_dead: bool,
    /// Until when it lets nobody in.
    down_until: Moment,
    session: Option<Session>,
    people: BTreeSet<u64>,
    counts: BTreeMap<&'static str, u64>,
    /// Numbers that sealed a packet, by key.
    numbers: BTreeSet<(u32, [u8; 4])>,
    keys: u32,
}

#[derive(Clone)]
struct Session {
    is_described: bool,
    sequence: u16,
    /// What the client has not heard of, since its connection was lost.
    missed: Vec<String>,
}

impl Server {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn numbered(&mut self, op: u64, data: Value) -> Option<String> {
        let session = self.session.as_mut()?;
        session.sequence = session.sequence.wrapping_add(1);
        Some(json!({"op": op, "seq": session.sequence, "d": data}).to_string())
    }

    /// Somebody comes or goes; gives what is told to a client that hears.
    fn news(&mut self) -> Option<String> {
        let user = 2 + self.chance.number() % 8;
        let text = if self.people.remove(&user) {
            self.numbered(13, json!({"user_id": user.to_string()}))
        } else {
            self.people.insert(user);
            self.numbered(11, json!({"user_ids": [user.to_string()]}))
        }?;
        let session = self.session.as_mut().filter(|it| it.is_described)?;
        if self.is_open && !self.is_dead {
            return Some(text);
        }
        session.missed.push(text);
        None
    }

    /// What it answers, and whether it closes.
    fn hear(&mut self, payload: &Value) -> (Vec<String>, Option<u16>) {
        if self.is_dead || !self.is_open {
            return (vec![], None);
        }
        let answer = match payload["op"].as_u64().expect("an op") {
            0 => {
                assert_eq!(payload["d"]["user_id"], OWN.to_string());
                self.count("sessions");
                self.session = Some(Session {
                    is_described: false,
                    sequence: 0,
                    missed: vec![],
                });
                let ready = json!({"ssrc": 7, "ip": "127.0.0.1", "port": 9, "modes": ["aead_xchacha20_poly1305_rtpsize"]});
                self.numbered(2, ready).into_iter().collect()
            }
            1 => {
                self.keys += 1;
                let key = self.keys.to_be_bytes().repeat(8);
                let told = json!({"mode": "aead_xchacha20_poly1305_rtpsize", "secret_key": key, "dave_protocol_version": 0});
                let mut answer: Vec<String> = self.numbered(4, told).into_iter().collect();
                let people: Vec<String> = self.people.iter().map(u64::to_string).collect();
                answer.extend(self.numbered(11, json!({"user_ids": people})));
                self.session.iter_mut().for_each(|it| it.is_described = true);
                answer
            }
            3 => vec![json!({"op": 6, "d": {"t": payload["d"]["t"]}}).to_string()],
            7 => {
                let Some(session) = self.session.as_mut().filter(|it| it.is_described) else {
                    self.count("refused resumes");
                    return (vec![], Some(4006));
                };
                let heard = payload["d"]["seq_ack"].as_i64().expect("a number");
                assert!(heard <= i64::from(session.sequence));
                let missed = std::mem::take(&mut session.missed);
                self.count("resumes");
                [vec![json!({"op": 9, "d": null}).to_string()], missed].concat()
            }
            _ => vec![],
        };
        (answer, None)
    }
}

struct Week {
    call: VoiceCall,
    server: Server,
    now: Moment,
    here: BTreeSet<u64>,
    is_live: bool,
    /// A move that the main gateway is about to tell.
    moving: Option<Moment>,
}

impl Week {
    fn step(&mut self, input: CallInput<'_>) {
        let came = Came::from(self.call.step(self.now, input));
        self.perform(came);
    }

    fn perform(&mut self, came: Came) {
        assert!(!came.is_ended, "{:?}", self.call.health());
        for event in came.events {
            match event {
                CallEvent::Joined { user } => assert!(self.here.insert(user), "{user} came twice"),
                CallEvent::Left { user } => assert!(self.here.remove(&user), "{user} was not there"),
                CallEvent::Live => self.is_live = true,
                CallEvent::Interrupted => self.is_live = false,
                CallEvent::PlaceWanted { .. } => self.moving = Some(self.now + Span(500)),
                _ => {}
            }
        }
        if !came.closes.is_empty() {
            self.server.is_open = false;
        }
        for payload in &came.sent {
            let (answers, closes) = self.server.hear(payload);
            for answer in answers {
                self.step(CallInput::Text(&answer));
            }
            if let Some(code) = closes {
                self.server.is_open = false;
                self.step(CallInput::Closed(Some(code)));
            }
        }
        for packet in &came.datagrams {
            if packet.len() == 74 && !self.server.chance.number().is_multiple_of(4) {
                let mut answer = packet.clone();
                answer[1] = 2;
                answer[8..8 + 9].copy_from_slice(b"192.0.2.7");
                self.step(CallInput::Datagram(&answer));
            } else if packet.len() > 12 && packet[0] == 0x80 {
                let number = packet[packet.len() - 4..].try_into().expect("four bytes");
                let is_new = self.server.numbers.insert((self.server.keys, number));
                assert!(is_new, "two packets with one number");
            }
        }
        for _ in came.connects {
            if self.now < self.server.down_until {
                self.step(CallInput::Closed(None));
                continue;
            }
            (self.server.is_open, self.server.is_dead) = (true, false);
            self.step(CallInput::Opened);
            let hello = json!({"op": 8, "d": {"heartbeat_interval": HEARTBEAT}}).to_string();
            self.step(CallInput::Text(&hello));
        }
    }

    fn fault(&mut self) {
        let kind = self.server.chance.number() % 8;
        match kind {
            0 => self.server.is_dead = true,
            1 => {
                self.server.down_until = self.now + Span(self.server.chance.number() % 600_000);
                self.cut(None);
            }
            2 => {
                self.server.session = None;
                self.cut(None);
            }
            3 => {
                // Another region: the main gateway says so by itself.
                self.server.session = None;
                self.server.is_open = false;
                self.step(CallInput::Command(CallCommand::Move(place("another.example"))));
            }
            4 => {
                self.server.session = None;
                self.cut(Some(4014));
            }
            5 => self.cut(Some(4015)),
            6 => self.step(CallInput::LineFailed),
            _ => self.cut(None),
        }
        self.server.count("faults");
    }

    fn cut(&mut self, code: Option<u16>) {
        if std::mem::take(&mut self.server.is_open) {
            self.step(CallInput::Closed(code));
        }
    }
}

fn live_through(seed: u64) -> BTreeMap<&'static str, u64> {
    let server = Server {
        chance: SeededChance::new(seed),
        is_open: false,
        is_dead: false,
        down_until: Moment(0),
        session: None,
        people: BTreeSet::new(),
        counts: BTreeMap::new(),
        numbers: BTreeSet::new(),
        keys: 0,
    };
    let mut week = Week {
        call: VoiceCall::new(place("voice.example"), seed),
        server,
        now: Moment(0),
        here: BTreeSet::new(),
        is_live: false,
        moving: None,
    };
    let (mut fault, mut news, mut speech) = (Moment(60_000), Moment(10_000), Moment(5_000));
    while week.now < WEEK {
        let wake = week.call.wake().expect("it goes on");
        let next = [wake, fault, news, speech, week.moving.unwrap_or(WEEK)];
        week.now = next.into_iter().fold(WEEK, Moment::min).max(week.now);
        week.step(CallInput::Tick);
        if week.moving.is_some_and(|at| week.now >= at) {
            week.moving = None;
            week.step(CallInput::Command(CallCommand::Move(place("next.example"))));
        }
        if week.now >= news {
            if let Some(text) = week.server.news() {
                week.step(CallInput::Text(&text));
            }
            news = week.now + Span(1 + week.server.chance.number() % 600_000);
        }
        if week.now >= speech {
            for _ in 0..week.server.chance.number() % 6 {
                week.step(CallInput::Command(CallCommand::Play(vec![1; 40])));
            }
            speech = week.now + Span(1 + week.server.chance.number() % 1_200_000);
        }
        if week.now >= fault {
            let is_calm = week.now + CALM >= WEEK;
            if !is_calm {
                week.fault();
            }
            fault = if is_calm {
                WEEK
            } else {
                week.now + Span(1 + week.server.chance.number() % 3_600_000)
            };
        }
    }
    assert!(
        week.is_live && week.call.health().is_live,
        "seed {seed}: it is back at the end"
    );
    assert_eq!(
        week.here, week.server.people,
        "seed {seed}: everybody who is there is known"
    );
    week.server.counts
}

#[test]
fn a_week_of_troubles_ends_in_a_call_that_lives() {
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..3 {
        for (what, count) in live_through(seed) {
            *all.entry(what).or_default() += count;
        }
    }
    for (what, least) in [
        ("faults", 500),
        ("resumes", 125),
        ("sessions", 125),
        ("refused resumes", 25),
    ] {
        assert!(
            all.get(what).is_some_and(|count| *count >= least),
            "{what}: {all:?}"
        );
    }
}
