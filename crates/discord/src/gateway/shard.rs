//! One shard as a state machine without a socket and without a clock: what comes in and when, and what is wanted then.

use std::collections::VecDeque;

use secrecy::ExposeSecret;
use serde_json::Value;
use vocabulary::{Moment, SeededChance, Span};

use super::closing::{AfterClose, after_close};
use super::commands::{self, GatewayCommand, Outgoing};
use super::health::{self, ShardHealth};
use super::heart::{Beat, Heart};
use super::pace::{MinuteWindow, ReconnectWaits};
use super::session::SessionMemory;
use super::shard_io::{ShardInput, ShardLogin, ShardOutput};
use crate::wire::{Fields, GatewayEvent, Op, Payload};

/// How long a connection may take to open, to be greeted, and to be let in.
const PATIENCE: Span = Span::seconds(30);
/// Closing with anything but 1000 or 1001 keeps the session.
const KEEP: u16 = 4000;
const END: u16 = 1000;
/// Commands that wait for a connection.
const QUEUE_MAX: usize = 200;
/// A refused session is begun anew after one to five seconds, as Discord asks.
const REFUSED_WAIT: (u64, u64) = (1_000, 4_000);
const UNREADABLE: &str = "UNREADABLE";

#[derive(Debug)]
enum State {
    Waiting {
        until: Moment,
    },
    Opening {
        until: Moment,
    },
    /// Open, and not greeted yet.
    Silent {
        until: Moment,
    },
    Greeted {
        heart: Heart,
        login: Login,
    },
    Stopped,
}

#[derive(Debug, PartialEq, Eq)]
enum Login {
    WaitsForTurn,
    Identifying { until: Moment },
    Resuming { until: Moment },
    Live,
}

/// The machine.
#[derive(Debug)]
pub struct Shard {
    login: ShardLogin,
    session: SessionMemory,
    state: State,
    waits: ReconnectWaits,
    chance: SeededChance,
    window: MinuteWindow,
    queue: VecDeque<GatewayCommand>,
    health: ShardHealth,
}

impl Shard {
    /// `url`: where the gateway is. It connects at the first step.
    pub fn new(login: ShardLogin, url: &str, seed: u64) -> Self {
        Self {
            login,
            session: SessionMemory::new(url),
            state: State::Waiting {
                until: Moment::default(),
            },
            waits: ReconnectWaits::default(),
            chance: SeededChance::new(seed),
            window: MinuteWindow::default(),
            queue: VecDeque::new(),
            health: ShardHealth::default(),
        }
    }

    /// Which one it is.
    pub fn number(&self) -> u32 {
        self.login.shard.0
    }

    pub fn health(&self) -> &ShardHealth {
        &self.health
    }

    /// When it wants to be stepped next, whatever happens before. None: never again.
    pub fn wake(&self) -> Option<Moment> {
        match &self.state {
            State::Waiting { until } | State::Opening { until } | State::Silent { until } => Some(*until),
            State::Stopped => None,
            State::Greeted { heart, login } => {
                let login = match login {
                    Login::Identifying { until } | Login::Resuming { until } => Some(*until),
                    Login::Live if !self.queue.is_empty() => Some(self.window.free_at()),
                    Login::WaitsForTurn | Login::Live => None,
                };
                Some(login.map_or(heart.next(), |login| login.min(heart.next())))
            }
        }
    }

    pub fn step(&mut self, now: Moment, input: ShardInput<'_>) -> Vec<ShardOutput> {
        let mut out = Vec::new();
        if matches!(self.state, State::Stopped) {
            return out;
        }
        match input {
            ShardInput::Opened => {
                if matches!(self.state, State::Opening { .. }) {
                    self.state = State::Silent {
                        until: now + PATIENCE,
                    };
                }
            }
            ShardInput::Text(text) => self.hear(now, text, &mut out),
            ShardInput::Closed(code) => self.closed(now, code, &mut out),
            ShardInput::TurnGranted => self.begin_session(now, &mut out),
            ShardInput::Command(command) => self.wish(command),
            ShardInput::Tick => {}
        }
        self.look_at_the_clock(now, &mut out);
        self.say_what_waits(now, &mut out);
        out
    }

    fn look_at_the_clock(&mut self, now: Moment, out: &mut Vec<ShardOutput>) {
        match &mut self.state {
            State::Waiting { until } if now >= *until => {
                self.state = State::Opening {
                    until: now + PATIENCE,
                };
                out.push(ShardOutput::Connect(self.session.url(self.waits.failures())));
            }
            State::Opening { until } | State::Silent { until } if now >= *until => {
                self.give_up(now, KEEP, out)
            }
            State::Greeted { heart, login } => {
                let is_late = match login {
                    Login::Identifying { until } | Login::Resuming { until } => now >= *until,
                    Login::WaitsForTurn | Login::Live => false,
                };
                match heart.beat(now) {
                    Some(Beat::Due) => send(&commands::heartbeat(self.session.sequence()), out),
                    Some(Beat::Dead) => {
                        self.health.zombies += 1;
                        self.give_up(now, KEEP, out);
                    }
                    None if is_late => self.give_up(now, KEEP, out),
                    None => {}
                }
            }
            State::Waiting { .. } | State::Opening { .. } | State::Silent { .. } | State::Stopped => {}
        }
    }

    fn hear(&mut self, now: Moment, text: &str, out: &mut Vec<ShardOutput>) {
        if !matches!(self.state, State::Silent { .. } | State::Greeted { .. }) {
            return;
        }
        let Some(payload) = Payload::read(text) else {
            return self.skip(UNREADABLE, out);
        };
        match payload.op {
            Op::Hello => self.greeted(now, &payload.data, out),
            Op::HeartbeatAck => {
                if let State::Greeted { heart, .. } = &mut self.state {
                    self.health.latency = heart.answered(now).or(self.health.latency);
                }
            }
            Op::Heartbeat => send(&commands::heartbeat(self.session.sequence()), out),
            Op::Reconnect => self.give_up(now, KEEP, out),
            Op::InvalidSession => self.refused(now, payload.data == Value::Bool(true), out),
            Op::Dispatch => self.dispatched(now, &payload, out),
            Op::Other(_) => {}
        }
    }

    fn greeted(&mut self, now: Moment, data: &Value, out: &mut Vec<ShardOutput>) {
        if !matches!(self.state, State::Silent { .. }) {
            return;
        }
        let interval = Fields::of(data).and_then(|data| data.number("heartbeat_interval"));
        let heart = Heart::new(now, interval, self.chance.part());
        self.window = MinuteWindow::default();
        let login = match self.session.resumable() {
            Some((session, sequence)) => {
                send(
                    &commands::resume(self.login.token.expose_secret(), session, sequence),
                    out,
                );
                Login::Resuming {
                    until: now + PATIENCE,
                }
            }
            None => {
                self.session.forget();
                out.push(ShardOutput::AskTurn);
                Login::WaitsForTurn
            }
        };
        self.state = State::Greeted { heart, login };
    }

    fn begin_session(&mut self, now: Moment, out: &mut Vec<ShardOutput>) {
        let State::Greeted { login, .. } = &mut self.state else {
            return;
        };
        if *login != Login::WaitsForTurn {
            return;
        }
        *login = Login::Identifying {
            until: now + PATIENCE,
        };
        self.session.forget();
        self.health.sessions += 1;
        let own = &self.login;
        send(
            &commands::identify(own.token.expose_secret(), own.intents, own.shard, &own.presence),
            out,
        );
    }

    fn dispatched(&mut self, now: Moment, payload: &Payload, out: &mut Vec<ShardOutput>) {
        if !self.session.take(payload.sequence) {
            self.health.repeated += 1;
            return;
        }
        // What was missed may be much, and comes before the word that it was all.
        if let State::Greeted { login, .. } = &mut self.state
            && let Login::Identifying { until } | Login::Resuming { until } = login
        {
            *until = now + PATIENCE;
        }
        match payload.name.as_str() {
            "READY" => {
                self.session.begun(&payload.data);
                self.live(now);
            }
            "RESUMED" => {
                self.health.resumes += 1;
                self.live(now);
            }
            _ => {}
        }
        self.health.events += 1;
        match GatewayEvent::read(&payload.name, &payload.data) {
            Some(GatewayEvent::Unknown { name }) => {
                health::count(&mut self.health.unknown, &name);
            }
            Some(event) => out.push(ShardOutput::Event(Box::new(event))),
            None => self.skip(&payload.name, out),
        }
    }

    /// The first of a name is told, and then ever fewer: a server that does it once does it often.
    fn skip(&mut self, name: &str, out: &mut Vec<ShardOutput>) {
        if health::count(&mut self.health.skipped, name).is_power_of_two() {
            out.push(ShardOutput::Skipped(name.to_owned()));
        }
    }

    fn live(&mut self, now: Moment) {
        if let State::Greeted { login, .. } = &mut self.state {
            *login = Login::Live;
            self.waits.live(now);
            self.health.is_live = true;
            self.health.is_login_refused = false;
        }
    }

    /// The server does not want the session, now or for ever.
    fn refused(&mut self, now: Moment, may_resume: bool, out: &mut Vec<ShardOutput>) {
        if !may_resume {
            self.session.forget();
        }
        self.note_refused_login();
        self.give_up(now, if may_resume { KEEP } else { END }, out);
        let (least, more) = REFUSED_WAIT;
        let wait = Span(least + (more as f64 * self.chance.part()) as u64);
        if let State::Waiting { until } = &mut self.state {
            *until = (*until).max(now + wait);
        }
    }

    fn closed(&mut self, now: Moment, code: Option<u16>, out: &mut Vec<ShardOutput>) {
        if matches!(self.state, State::Waiting { .. }) {
            return;
        }
        self.health.last_close = code.or(self.health.last_close);
        match after_close(code, self.login.intents) {
            AfterClose::Stop(refusal) => {
                self.state = State::Stopped;
                self.health.is_live = false;
                self.health.refusal = Some(refusal);
                out.push(ShardOutput::Stopped(refusal));
                return;
            }
            AfterClose::Identify => self.session.forget(),
            AfterClose::Resume => {}
        }
        if code.is_some() {
            self.note_refused_login();
        }
        self.lost(now, out);
    }

    fn note_refused_login(&mut self) {
        let State::Greeted { login, .. } = &self.state else {
            return;
        };
        if matches!(login, Login::Identifying { .. }) {
            self.waits.refused();
            self.health.is_login_refused = self.waits.is_refused();
        }
    }

    fn give_up(&mut self, now: Moment, code: u16, out: &mut Vec<ShardOutput>) {
        out.push(ShardOutput::Close(code));
        self.lost(now, out);
    }

    fn lost(&mut self, now: Moment, out: &mut Vec<ShardOutput>) {
        if matches!(
            &self.state,
            State::Greeted {
                login: Login::WaitsForTurn,
                ..
            }
        ) {
            out.push(ShardOutput::WithdrawTurn);
        }
        self.health.is_live = false;
        self.health.reconnects += 1;
        let wait = self.waits.lost(now, self.chance.part());
        self.state = State::Waiting { until: now + wait };
    }

    fn wish(&mut self, command: GatewayCommand) {
        if let GatewayCommand::Presence(presence) = &command {
            self.login.presence = presence.clone();
            self.queue
                .retain(|waiting| !matches!(waiting, GatewayCommand::Presence(_)));
        }
        if self.queue.len() < QUEUE_MAX {
            self.queue.push_back(command);
        } else {
            self.health.refused_commands += 1;
        }
    }

    fn say_what_waits(&mut self, now: Moment, out: &mut Vec<ShardOutput>) {
        if !matches!(
            &self.state,
            State::Greeted {
                login: Login::Live,
                ..
            }
        ) {
            return;
        }
        while !self.queue.is_empty() && self.window.take(now) {
            if let Some(command) = self.queue.pop_front() {
                send(&command.payload(), out);
            }
        }
    }
}

fn send(payload: &Value, out: &mut Vec<ShardOutput>) {
    out.push(ShardOutput::Send(Outgoing(payload.to_string())));
}
