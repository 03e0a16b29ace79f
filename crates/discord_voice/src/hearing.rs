//! What messages and packets mean for a call.

use vocabulary::Moment;

use crate::call::{ASK_AGAIN, Login, PATIENCE, State, VoiceCall, send};
use crate::closing::CallEnd;
use crate::discovery;
use crate::io::{CallEvent, CallOutput, HeardPacket};
use crate::pace::VoiceHeart;
use crate::payload::{self, Heard};
use crate::privacy::{GroupStep, Unread};
use crate::sound::{Sound, Useless};
use crate::speakers::Arrived;

impl VoiceCall {
    pub(crate) fn hear(&mut self, now: Moment, text: &str, out: &mut Vec<CallOutput>) {
        if !matches!(self.state, State::Silent { .. } | State::Greeted { .. }) {
            return;
        }
        let Some((heard, sequence)) = payload::read(text) else {
            self.health.skipped += 1;
            return;
        };
        self.sequence = sequence.or(self.sequence);
        match heard {
            Heard::Hello { interval } => self.greeted(now, interval, out),
            Heard::HeartbeatAnswered => {
                if let State::Greeted { heart, .. } = &mut self.state {
                    self.health.latency = heart.answered(now).or(self.health.latency);
                }
            }
            Heard::Ready { ssrc, address, mode } => match mode {
                Some(mode) => self.admitted(now, Sound::new(now, ssrc, mode), address, out),
                None => {
                    out.push(CallOutput::Close(1000));
                    self.end(CallEnd::NoMode, out);
                }
            },
            Heard::Session { mode, key, version } => {
                let is_first = matches!(self.login(), Some(Login::Selecting { .. }));
                let Some(sound) = self.sound.as_mut().filter(|_| is_first || self.health.is_live) else {
                    return;
                };
                sound.agree(mode, key);
                self.health.mode = Some(mode);
                if is_first {
                    let steps = self.group.begin(version);
                    self.live(now, out);
                    tell(steps, out);
                }
            }
            Heard::Resumed => {
                if matches!(self.login(), Some(Login::Resuming { .. })) {
                    self.health.resumes += 1;
                    self.live(now, out);
                }
            }
            Heard::Speaking {
                user,
                ssrc,
                is_speaking,
            } => self.named(now, user, ssrc, is_speaking, out),
            Heard::Joined(users) => {
                let own = self.place.user;
                for user in users.into_iter().filter(|user| *user != own) {
                    if self.speakers.joined(user) {
                        out.push(CallOutput::Event(CallEvent::Joined { user }));
                    }
                }
            }
            Heard::Left(user) => {
                if self.speakers.left(user) {
                    out.push(CallOutput::Event(CallEvent::Left { user }));
                }
            }
            Heard::PrepareTransition { transition, version } => {
                tell(self.group.prepare(now, transition, version), out);
            }
            Heard::ExecuteTransition(transition) => self.group.execute(now, transition),
            Heard::PrepareEpoch { epoch, version } => tell(self.group.epoch(epoch, version), out),
            Heard::Other => {}
        }
    }

    fn login(&self) -> Option<Login> {
        match &self.state {
            State::Greeted { login, .. } => Some(*login),
            _ => None,
        }
    }

    fn greeted(&mut self, now: Moment, interval: Option<u64>, out: &mut Vec<CallOutput>) {
        if !matches!(self.state, State::Silent { .. }) {
            return;
        }
        let heart = VoiceHeart::new(now, interval, self.chance.part());
        let until = now + PATIENCE;
        let login = if self.is_resumable {
            send(&payload::resume(&self.place, self.sequence), out);
            Login::Resuming { until }
        } else {
            self.forget(out);
            self.health.sessions += 1;
            send(&payload::identify(&self.place), out);
            Login::Identifying { until }
        };
        self.state = State::Greeted { heart, login };
    }

    fn admitted(
        &mut self,
        now: Moment,
        sound: Sound,
        address: std::net::SocketAddr,
        out: &mut Vec<CallOutput>,
    ) {
        let State::Greeted { login, .. } = &mut self.state else {
            return;
        };
        if !matches!(login, Login::Identifying { .. }) {
            return;
        }
        *login = Login::Discovering {
            until: now + PATIENCE,
            again: now + ASK_AGAIN,
        };
        out.push(CallOutput::OpenLine(address));
        out.push(CallOutput::Datagram(discovery::request(sound.ssrc)));
        self.sound = Some(sound);
    }

    fn named(
        &mut self,
        now: Moment,
        user: u64,
        ssrc: u32,
        is_speaking: Option<bool>,
        out: &mut Vec<CallOutput>,
    ) {
        if user == self.place.user {
            return;
        }
        // Some servers say nothing else of who is there.
        if self.speakers.joined(user) {
            out.push(CallOutput::Event(CallEvent::Joined { user }));
        }
        let waited = self.speakers.named(ssrc, user);
        if let Some(is_speaking) = is_speaking {
            out.push(CallOutput::Event(CallEvent::Speaking { user, is_speaking }));
        }
        for packet in waited {
            self.heard(now, user, packet, out);
        }
    }

    pub(crate) fn hear_binary(&mut self, now: Moment, bytes: &[u8], out: &mut Vec<CallOutput>) {
        if !matches!(self.state, State::Greeted { .. }) {
            return;
        }
        let Some((message, sequence)) = payload::read_binary(bytes) else {
            self.health.skipped += 1;
            return;
        };
        self.sequence = Some(sequence);
        if let Some(message) = message {
            let mut here: Vec<u64> = self.speakers.here().collect();
            here.push(self.place.user);
            tell(self.group.hear(now, message, &here), out);
        }
    }

    pub(crate) fn datagram(&mut self, now: Moment, packet: &[u8], out: &mut Vec<CallOutput>) {
        let Some(sound) = &self.sound else {
            return;
        };
        if let State::Greeted { login, .. } = &mut self.state
            && matches!(login, Login::Discovering { .. })
            && let Some((address, port)) = discovery::read(packet)
        {
            *login = Login::Selecting {
                until: now + PATIENCE,
            };
            return send(&payload::select(address, port, sound.mode), out);
        }
        match sound.open(packet) {
            Ok(arrived) => match self.speakers.whose(arrived.ssrc) {
                Some(user) => self.heard(now, user, arrived, out),
                None => self.health.nameless += u64::from(self.speakers.wait(arrived)),
            },
            Err(Useless::NoSound) => {}
            // The answer to a question that was asked again.
            Err(Useless::Strange) if discovery::read(packet).is_some() => {}
            Err(Useless::Strange) => self.health.strange += 1,
            Err(Useless::Unopened) => self.health.unopened += 1,
        }
    }

    fn heard(&mut self, now: Moment, user: u64, packet: Arrived, out: &mut Vec<CallOutput>) {
        match self.group.open(now, user, &packet.sound) {
            Ok(opus) => {
                self.health.heard += 1;
                out.push(CallOutput::Event(CallEvent::Packet(HeardPacket {
                    user,
                    ssrc: packet.ssrc,
                    sequence: packet.sequence,
                    timestamp: packet.timestamp,
                    opus,
                })));
            }
            Err(Unread::BeforeKeys) => self.health.before_keys += 1,
            Err(Unread::Repeated) => self.health.repeated += 1,
            Err(Unread::Undecryptable) => {
                self.health.undecryptable(user);
                tell(self.group.recover(now), out);
            }
        }
    }
}

fn tell(steps: Vec<GroupStep>, out: &mut Vec<CallOutput>) {
    for step in steps {
        match step {
            GroupStep::KeyPackage(bytes) => out.push(CallOutput::SendBinary(payload::binary(
                payload::KEY_PACKAGE,
                &bytes,
            ))),
            GroupStep::CommitWelcome(bytes) => out.push(CallOutput::SendBinary(payload::binary(
                payload::COMMIT_WELCOME,
                &bytes,
            ))),
            GroupStep::Ready(transition) => send(&payload::ready_for(transition), out),
            GroupStep::Invalid(transition) => send(&payload::invalid(transition), out),
        }
    }
}
