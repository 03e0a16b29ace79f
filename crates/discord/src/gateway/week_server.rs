//! A server for the simulated week, on the other side of one shard: sessions, what they can replay, and a line that breaks.

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value, json};
use vocabulary::{Moment, SeededChance, Span};

const DELAY: Span = Span(80);

/// What comes to the client over the line.
#[derive(Debug)]
pub enum Arrival {
    Opened,
    Text(String),
    Closed(Option<u16>),
}

#[derive(Debug, Default)]
struct ServerSession {
    number: u64,
    /// Everything it said, by sequence from 1 on.
    log: Vec<String>,
    /// Those of them that are messages and can be read.
    messages: Vec<u64>,
    /// The client has heard of it.
    is_known: bool,
    is_dead: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Down,
    Open {
        logged_in: bool,
    },
    /// The client does not know that nobody is there.
    Zombie,
}

#[derive(Debug)]
pub struct WeekServer {
    line: Line,
    session: Option<ServerSession>,
    arrivals: VecDeque<(Moment, Arrival)>,
    /// Nobody can connect before; and whether they are refused or left waiting.
    outage: Option<(Moment, bool)>,
    refuses_resumes: bool,
    sessions: u64,
    next_message: u64,
    pub dispatched: BTreeSet<u64>,
    pub identifies: Vec<Moment>,
}

impl WeekServer {
    pub fn new(refuses_resumes: bool, first_message: u64) -> Self {
        Self {
            line: Line::Down,
            session: None,
            arrivals: VecDeque::new(),
            outage: None,
            refuses_resumes,
            sessions: 0,
            next_message: first_message,
            dispatched: BTreeSet::new(),
            identifies: Vec::new(),
        }
    }

    pub fn next_arrival(&self) -> Option<Moment> {
        self.arrivals.front().map(|(at, _)| *at)
    }

    pub fn arrive(&mut self, now: Moment) -> Option<Arrival> {
        self.arrivals.front().filter(|(at, _)| *at <= now)?;
        let (_, arrival) = self.arrivals.pop_front()?;
        if let (Arrival::Text(text), Some(session)) = (&arrival, &mut self.session) {
            session.is_known |= text.contains("\"READY\"");
        }
        Some(arrival)
    }

    pub fn connect(&mut self, now: Moment) {
        self.arrivals.clear();
        match self.outage.filter(|(until, _)| *until > now) {
            Some((_, true)) => self.arrivals.push_back((now + DELAY, Arrival::Closed(None))),
            Some((_, false)) => {}
            None => {
                self.line = Line::Open { logged_in: false };
                self.arrivals.push_back((now + DELAY, Arrival::Opened));
                self.tell(now, &json!({"op": 10, "d": {"heartbeat_interval": 150_000}}));
            }
        }
    }

    /// The client closed the line.
    pub fn hang_up(&mut self, code: u16) {
        self.line = Line::Down;
        self.arrivals.clear();
        if matches!(code, 1000 | 1001) {
            self.end_session();
        }
    }

    pub fn hear(&mut self, now: Moment, payload: &Value) {
        if !matches!(self.line, Line::Open { .. }) {
            return;
        }
        match payload["op"].as_u64() {
            Some(1) => self.tell(now, &json!({"op": 11})),
            Some(2) => self.identify(now),
            Some(6) => self.resume(now, &payload["d"]),
            other => panic!("the client says {other:?}"),
        }
    }

    fn identify(&mut self, now: Moment) {
        let goes_on = |session: &ServerSession| session.is_known && !session.is_dead;
        let needless = self.session.as_ref().is_some_and(goes_on);
        assert!(!needless, "a session that could have gone on was given up");
        self.identifies.push(now);
        self.sessions += 1;
        self.session = Some(ServerSession {
            number: self.sessions,
            ..ServerSession::default()
        });
        self.line = Line::Open { logged_in: true };
        let ready = json!({"session_id": self.sessions.to_string(), "user": {"id": "7"}});
        self.dispatch(now, "READY", &ready, None);
    }

    fn resume(&mut self, now: Moment, data: &Value) {
        let refuses = self.refuses_resumes;
        let asked = data["session_id"].as_str().unwrap_or_default().to_owned();
        let last = data["seq"].as_u64().expect("a sequence");
        let Some(session) = self.session.as_mut() else {
            panic!("there never was a session");
        };
        if refuses || session.is_dead || session.number.to_string() != asked {
            session.is_dead = true;
            self.line = Line::Open { logged_in: false };
            return self.tell(now, &json!({"op": 9, "d": false}));
        }
        // One more than was asked for: servers do that.
        let from = usize::try_from(last).expect("a small number").saturating_sub(1);
        let missed = session.log[from.min(session.log.len())..].to_vec();
        self.line = Line::Open { logged_in: true };
        for text in missed {
            self.arrivals.push_back((now + DELAY, Arrival::Text(text)));
        }
        self.dispatch(now, "RESUMED", &json!({}), None);
    }

    /// Somebody writes something; the session has it, whether or not the line is up.
    pub fn message(&mut self, now: Moment) {
        let id = self.next_message;
        self.next_message += 1;
        let message =
            json!({"id": id.to_string(), "channel_id": "20", "author": {"id": "5"}, "content": "hello"});
        self.dispatch(now, "MESSAGE_CREATE", &message, Some(id));
    }

    pub fn malformed(&mut self, now: Moment) {
        self.dispatch(now, "MESSAGE_CREATE", &json!({"id": {}, "author": 5}), None);
    }

    fn dispatch(&mut self, now: Moment, name: &str, data: &Value, message: Option<u64>) {
        let Some(session) = self.session.as_mut().filter(|session| !session.is_dead) else {
            return;
        };
        let text = json!({"op": 0, "s": session.log.len() + 1, "t": name, "d": data}).to_string();
        session.log.push(text.clone());
        session.messages.extend(message);
        if self.line == (Line::Open { logged_in: true }) {
            self.arrivals.push_back((now + DELAY, Arrival::Text(text)));
        }
    }

    fn tell(&mut self, now: Moment, payload: &Value) {
        self.arrivals
            .push_back((now + DELAY, Arrival::Text(payload.to_string())));
    }

    fn end_session(&mut self) {
        if let Some(session) = self.session.as_mut() {
            session.is_dead = true;
        }
    }

    /// Something goes wrong.
    pub fn fault(&mut self, now: Moment, chance: &mut SeededChance) {
        match chance.number() % 12 {
            0 | 1 => self.break_off(now, None, chance),
            2 | 3 => self.silence(),
            4 => self.tell_if_open(now, &json!({"op": 7, "d": null})),
            5 => self.tell_if_open(now, &json!({"op": 9, "d": true})),
            6 => {
                self.end_session();
                self.tell_if_open(now, &json!({"op": 9, "d": false}));
            }
            7 => {
                let codes = [1000, 1001, 4000, 4001, 4002, 4005, 4008];
                let code = codes[(chance.number() % 7) as usize];
                self.break_off(now, Some(code), chance);
            }
            8 => {
                self.end_session();
                let code = [4003, 4007, 4009][(chance.number() % 3) as usize];
                self.break_off(now, Some(code), chance);
            }
            9 => {
                self.break_off(now, None, chance);
                let long = 10_000 + chance.number() % 7_200_000;
                self.outage = Some((now + Span(long), chance.number().is_multiple_of(2)));
                if long > 600_000 && chance.number().is_multiple_of(2) {
                    self.end_session();
                }
            }
            10 => self.tell_if_open(now, &json!({"op": 1, "d": null})),
            _ => self
                .arrivals
                .push_back((now + DELAY, Arrival::Text("{\"op\":0,\"s\":".to_owned()))),
        }
    }

    fn tell_if_open(&mut self, now: Moment, payload: &Value) {
        if matches!(self.line, Line::Open { .. }) {
            self.tell(now, payload);
        }
    }

    /// The line breaks, and what was on its way arrives in part.
    fn break_off(&mut self, now: Moment, code: Option<u16>, chance: &mut SeededChance) {
        if !matches!(self.line, Line::Open { .. }) {
            return;
        }
        self.line = Line::Down;
        let arrive = chance.number() as usize % (self.arrivals.len() + 1);
        self.arrivals.truncate(arrive);
        self.arrivals.push_back((now + DELAY, Arrival::Closed(code)));
    }

    fn silence(&mut self) {
        if matches!(self.line, Line::Open { .. }) {
            self.line = Line::Zombie;
            self.arrivals.clear();
        }
    }

    /// Messages of the session that goes on which the client has not got; those of sessions that the server ended
    /// could not be sent again.
    pub fn missing(&self) -> Vec<u64> {
        let session = self.session.as_ref().filter(|session| !session.is_dead);
        let messages = session.into_iter().flat_map(|session| &session.messages);
        messages
            .copied()
            .filter(|message| !self.dispatched.contains(message))
            .collect()
    }

    /// Whether a message of the session came without the one before it.
    pub fn has_hole_before(&self, message: u64) -> bool {
        let Some(session) = &self.session else {
            return false;
        };
        let place = session.messages.partition_point(|before| *before < message);
        let before = place.checked_sub(1).map(|place| session.messages[place]);
        before.is_some_and(|before| !self.dispatched.contains(&before))
    }
}
