//! One call as a state machine without a socket and without a clock: what comes in and when, and what is wanted then.
//! What messages and packets mean stands in `hearing`.

use serde_json::Value;
use tracing::{Dispatch, dispatcher};
use vocabulary::{Moment, SeededChance, Span};

use crate::closing::{AfterVoiceClose, CallEnd, after_voice_close};
use crate::discovery;
use crate::health::CallHealth;
use crate::io::{CallCommand, CallEvent, CallInput, CallOutput, CallPayload, CallPlace};
use crate::pace::{VoiceBeat, VoiceHeart, VoiceWaits};
use crate::payload;
use crate::privacy::PrivateGroup;
use crate::sound::Sound;
use crate::speakers::Speakers;
use crate::speech::{Speech, SpeechStep};

/// How long each step of joining may take.
pub(crate) const PATIENCE: Span = Span::seconds(10);
/// A packet may get lost: the address is asked for again.
pub(crate) const ASK_AGAIN: Span = Span::seconds(1);
/// How long the main gateway may take to say where the call goes on.
const ADRIFT: Span = Span::seconds(30);
/// Closing with this keeps the session.
const KEEP: u16 = 4000;
const END: u16 = 1000;
/// After so many connections that came to nothing the session is not tried any more,
const RESUMES_MAX: u32 = 3;
/// and after so many the server is not, either.
const FAILURES_MAX: u32 = 6;

#[derive(Debug)]
pub(crate) enum State {
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
        heart: VoiceHeart,
        login: Login,
    },
    /// There is no server to connect to until the main gateway names one.
    Adrift {
        until: Moment,
    },
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Login {
    Identifying { until: Moment },
    Discovering { until: Moment, again: Moment },
    Selecting { until: Moment },
    Resuming { until: Moment },
    Live,
}

impl Login {
    fn until(self) -> Option<Moment> {
        match self {
            Self::Identifying { until } | Self::Selecting { until } | Self::Resuming { until } => Some(until),
            Self::Discovering { until, again } => Some(until.min(again)),
            Self::Live => None,
        }
    }
}

/// The machine.
#[derive(Debug)]
pub struct VoiceCall {
    pub(crate) place: CallPlace,
    pub(crate) state: State,
    waits: VoiceWaits,
    pub(crate) chance: SeededChance,
    /// Of the last message that had one; none before any of a session.
    pub(crate) sequence: Option<u16>,
    /// A session was agreed upon, and can go on.
    pub(crate) is_resumable: bool,
    pub(crate) sound: Option<Sound>,
    pub(crate) group: PrivateGroup,
    pub(crate) code: Option<String>,
    pub(crate) speakers: Speakers,
    pub(crate) speech: Speech,
    pub(crate) health: CallHealth,
}

impl VoiceCall {
    /// It connects at the first step.
    pub fn new(place: CallPlace, seed: u64) -> Self {
        let mut chance = SeededChance::new(seed);
        Self {
            group: PrivateGroup::new(place.user, place.channel),
            place,
            state: State::Waiting {
                until: Moment::default(),
            },
            waits: VoiceWaits::default(),
            sequence: None,
            is_resumable: false,
            sound: None,
            code: None,
            speakers: Speakers::default(),
            speech: Speech::new(chance.number()),
            chance,
            health: CallHealth::default(),
        }
    }

    pub fn health(&self) -> &CallHealth {
        &self.health
    }

    /// How many frames still wait for their time.
    pub fn waiting_frames(&self) -> usize {
        self.speech.waiting()
    }

    /// When it wants to be stepped next, whatever happens before. None: never again.
    pub fn wake(&self) -> Option<Moment> {
        let gateway = match &self.state {
            State::Waiting { until }
            | State::Opening { until }
            | State::Silent { until }
            | State::Adrift { until } => *until,
            State::Ended => return None,
            State::Greeted { heart, login } => login
                .until()
                .map_or(heart.next(), |until| until.min(heart.next())),
        };
        let line = self.sound.as_ref().map(Sound::wake);
        let others = [line, self.speech.wake()];
        Some(others.into_iter().flatten().fold(gateway, Moment::min))
    }

    pub fn step(&mut self, now: Moment, input: CallInput<'_>) -> Vec<CallOutput> {
        // davey writes keys into the log, at TRACE, and a warning for every frame that it cannot read. Neither is written
        // anywhere, whatever the filter says: what there is to say about a call is in its health.
        dispatcher::with_default(&Dispatch::none(), || self.go_on(now, input))
    }

    fn go_on(&mut self, now: Moment, input: CallInput<'_>) -> Vec<CallOutput> {
        let mut out = Vec::new();
        if matches!(self.state, State::Ended) {
            return out;
        }
        match input {
            CallInput::Opened => {
                if matches!(self.state, State::Opening { .. }) {
                    self.state = State::Silent {
                        until: now + PATIENCE,
                    };
                }
            }
            CallInput::Text(text) => self.hear(now, text, &mut out),
            CallInput::Binary(bytes) => self.hear_binary(now, bytes, &mut out),
            CallInput::Closed(code) => self.closed(now, code, &mut out),
            CallInput::Datagram(packet) => self.datagram(now, packet, &mut out),
            CallInput::LineFailed => {
                self.is_resumable = false;
                self.give_up(now, END, &mut out);
            }
            CallInput::Command(command) => self.wish(now, command, &mut out),
            CallInput::Tick => {}
        }
        self.look_at_the_clock(now, &mut out);
        self.speak(now, &mut out);
        self.note_group(&mut out);
        out
    }

    fn wish(&mut self, now: Moment, command: CallCommand, out: &mut Vec<CallOutput>) {
        match command {
            CallCommand::Play(frame) => {
                if !self.speech.say(frame) {
                    self.health.refused_frames += 1;
                }
            }
            CallCommand::Stop => self.speech.stop(),
            CallCommand::Move(place) => {
                self.hang_up(out);
                self.forget(out);
                self.group = PrivateGroup::new(place.user, place.channel);
                self.place = place;
                self.waits.forget();
                self.state = State::Waiting { until: now };
            }
            CallCommand::Leave => {
                self.hang_up(out);
                self.end(CallEnd::Left, out);
            }
        }
    }

    /// Ends the connection, where there is one, and its session with it.
    fn hang_up(&mut self, out: &mut Vec<CallOutput>) {
        let is_connected = matches!(
            self.state,
            State::Opening { .. } | State::Silent { .. } | State::Greeted { .. }
        );
        if is_connected {
            out.push(CallOutput::Close(END));
        }
        self.interrupted(out);
    }

    fn look_at_the_clock(&mut self, now: Moment, out: &mut Vec<CallOutput>) {
        match &mut self.state {
            State::Waiting { until } if now >= *until => {
                self.state = State::Opening {
                    until: now + PATIENCE,
                };
                out.push(CallOutput::Connect(self.place.endpoint.clone()));
            }
            State::Opening { until } | State::Silent { until } if now >= *until => {
                self.give_up(now, KEEP, out);
            }
            State::Adrift { until } if now >= *until => self.end(CallEnd::NoServer, out),
            State::Greeted { heart, login } => {
                if let Login::Discovering { until, again } = login
                    && now >= *again
                    && now < *until
                {
                    *again = now + ASK_AGAIN;
                    let asked = self.sound.as_ref().map(|sound| discovery::request(sound.ssrc));
                    out.extend(asked.map(CallOutput::Datagram));
                }
                let is_late = login.until().is_some_and(|until| now >= until);
                match heart.beat(now) {
                    Some(VoiceBeat::Due) => send(&payload::heartbeat(now.0, self.sequence), out),
                    Some(VoiceBeat::Dead) => {
                        self.health.zombies += 1;
                        self.give_up(now, KEEP, out);
                    }
                    None if is_late => self.give_up(now, KEEP, out),
                    None => {}
                }
            }
            State::Waiting { .. }
            | State::Opening { .. }
            | State::Silent { .. }
            | State::Adrift { .. }
            | State::Ended => {}
        }
        let kept = self.sound.as_mut().and_then(|sound| sound.keep(now));
        out.extend(kept.map(CallOutput::Datagram));
    }

    fn closed(&mut self, now: Moment, code: Option<u16>, out: &mut Vec<CallOutput>) {
        if matches!(self.state, State::Waiting { .. } | State::Adrift { .. }) {
            return;
        }
        self.health.last_close = code.or(self.health.last_close);
        match after_voice_close(code) {
            AfterVoiceClose::Resume => self.lost(now, out),
            AfterVoiceClose::Identify => {
                self.is_resumable = false;
                self.lost(now, out);
            }
            AfterVoiceClose::AskAnew => self.adrift(now, true, out),
            AfterVoiceClose::AwaitWord => self.adrift(now, false, out),
            AfterVoiceClose::End(end) => self.end(end, out),
        }
    }

    fn give_up(&mut self, now: Moment, code: u16, out: &mut Vec<CallOutput>) {
        out.push(CallOutput::Close(code));
        self.lost(now, out);
    }

    fn lost(&mut self, now: Moment, out: &mut Vec<CallOutput>) {
        self.interrupted(out);
        self.health.reconnects += 1;
        let wait = self.waits.lost(now, self.chance.part());
        if self.waits.failures() >= FAILURES_MAX {
            return self.adrift(now, true, out);
        }
        self.is_resumable &= self.waits.failures() < RESUMES_MAX;
        self.state = State::Waiting { until: now + wait };
    }

    fn adrift(&mut self, now: Moment, is_asked: bool, out: &mut Vec<CallOutput>) {
        self.interrupted(out);
        self.forget(out);
        self.waits.forget();
        self.state = State::Adrift { until: now + ADRIFT };
        out.push(CallOutput::Event(CallEvent::PlaceWanted { is_asked }));
    }

    pub(crate) fn end(&mut self, end: CallEnd, out: &mut Vec<CallOutput>) {
        self.interrupted(out);
        self.forget(out);
        self.state = State::Ended;
        self.health.end = Some(end);
        out.push(CallOutput::Event(CallEvent::Ended(end)));
        out.push(CallOutput::Ended(end));
    }

    /// Nothing of the session is kept: neither who is there, nor any key.
    pub(crate) fn forget(&mut self, out: &mut Vec<CallOutput>) {
        self.sequence = None;
        self.is_resumable = false;
        self.sound = None;
        self.group.begin(0);
        let gone = self.speakers.forget().into_iter();
        out.extend(gone.map(|user| CallOutput::Event(CallEvent::Left { user })));
    }

    fn interrupted(&mut self, out: &mut Vec<CallOutput>) {
        if std::mem::take(&mut self.health.is_live) {
            out.push(CallOutput::Event(CallEvent::Interrupted));
        }
    }

    pub(crate) fn live(&mut self, now: Moment, out: &mut Vec<CallOutput>) {
        if let State::Greeted { login, .. } = &mut self.state {
            *login = Login::Live;
        }
        self.waits.live(now);
        self.is_resumable = true;
        if !std::mem::replace(&mut self.health.is_live, true) {
            out.push(CallOutput::Event(CallEvent::Live));
        }
        // Also where nothing is said: a server sends no sound to anybody whose number it does not know.
        if let Some(sound) = &self.sound {
            send(&payload::speaking(self.speech.is_speaking(), sound.ssrc), out);
        }
    }

    /// What is due goes out; where it cannot, its time passes all the same.
    fn speak(&mut self, now: Moment, out: &mut Vec<CallOutput>) {
        for step in self.speech.advance(now) {
            match step {
                SpeechStep::Announce(is_speaking) => {
                    if let Some(sound) = self.sound.as_ref().filter(|_| self.health.is_live) {
                        send(&payload::speaking(is_speaking, sound.ssrc), out);
                    }
                }
                SpeechStep::Frame {
                    sequence,
                    timestamp,
                    opus,
                } => {
                    let line = self.sound.as_mut().filter(|sound| sound.is_agreed());
                    let packet = line.and_then(|line| {
                        let frame = self.group.seal(&opus)?;
                        line.seal(sequence, timestamp, &frame)
                    });
                    match packet {
                        Some(packet) => {
                            self.health.sent += 1;
                            out.push(CallOutput::Datagram(packet));
                        }
                        None => self.health.unsent_frames += 1,
                    }
                }
            }
        }
    }

    /// The group's figures, and its code where that is another one.
    fn note_group(&mut self, out: &mut Vec<CallOutput>) {
        self.health.is_private = self.group.is_private();
        self.health.group_faults = self.group.faults;
        self.health.recoveries = self.group.recoveries;
        self.health.rekeys = self.group.rekeys;
        if self.group.code() != self.code.as_deref() {
            self.code = self.group.code().map(str::to_owned);
            out.push(CallOutput::Event(CallEvent::PrivacyCode(self.code.clone())));
        }
    }
}

pub(crate) fn send(payload: &Value, out: &mut Vec<CallOutput>) {
    out.push(CallOutput::Send(CallPayload(payload.to_string())));
}
