//! One browser's stay, from its answer to its end: packets in and out, timers, and what the room says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use audio::Frame;
use reach::Doorstep;
use runtime::ports::{DoorRefusal, LineEnd};
use str0m::media::{MediaKind, Mid};
use str0m::net::{Protocol, Receive};
use str0m::{Event, IceConnectionState, Input, Output, Rtc, RtcError};

use super::loudspeaker::Loudspeaker;
use super::microphone::Microphone;
use crate::stay::Stay;

/// No datagram is longer.
const DATAGRAM_BYTES_MAX: usize = 2_000;
/// How long a connection may take to be made.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// A connection that is lost may come back for so long.
const LOST_MAX: Duration = Duration::from_secs(5);
/// How often, at least, the limits are looked at.
const LOOK_AROUND_EVERY: Duration = Duration::from_millis(500);

/// Why a stay is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    /// The browser has said goodbye, or its connection broke.
    Gone,
    /// It was not heard any more.
    Silent,
    /// The room has ended it.
    Ended(LineEnd),
}

struct Session {
    rtc: Rtc,
    doorstep: Doorstep,
    stay: Stay,
    microphone: Microphone,
    loudspeaker: Loudspeaker,
    /// The audio, once it is known.
    mid: Option<Mid>,
    is_connected: bool,
    began: Instant,
    heard: Instant,
    /// Since when the connection is lost.
    lost: Option<Instant>,
    silence_max: Duration,
}

/// What happened.
enum Happened {
    Datagram(std::io::Result<(usize, std::net::SocketAddr)>),
    Sound(Result<Arc<Frame>, LineEnd>),
    Time,
}

/// What a stay needs to be heard and to hear.
pub(super) fn devices() -> Result<(Microphone, Loudspeaker), DoorRefusal> {
    let now = Instant::now();
    let devices = Microphone::new(now).and_then(|microphone| Ok((microphone, Loudspeaker::new(now)?)));
    devices.map_err(|error| DoorRefusal::Unavailable(error.to_string()))
}

/// Runs a stay until it is over.
pub(super) async fn run(
    rtc: Rtc,
    doorstep: Doorstep,
    stay: Stay,
    microphone: Microphone,
    loudspeaker: Loudspeaker,
    silence_max: Duration,
) {
    let now = Instant::now();
    let mut session = Session {
        rtc,
        doorstep,
        stay,
        microphone,
        loudspeaker,
        mid: None,
        is_connected: false,
        began: now,
        heard: now,
        lost: None,
        silence_max,
    };
    let over = session.carry_on().await;
    session.say_goodbye().await;
    tracing::debug!(?over, "a browser has left a voice room");
}

impl Session {
    async fn carry_on(&mut self) -> Over {
        let mut buffer = vec![0; DATAGRAM_BYTES_MAX];
        loop {
            let wake = match self.drain().await {
                Ok(Some(wake)) => wake,
                Ok(None) => return Over::Gone,
                Err(error) => {
                    tracing::debug!(%error, "the connection of a voice broke");
                    return Over::Gone;
                }
            };
            let now = Instant::now();
            if self.is_given_up(now) {
                return Over::Silent;
            }
            let due = self.microphone.due().unwrap_or(wake);
            let wake = wake.min(due).min(now + LOOK_AROUND_EVERY);
            let happened = tokio::select! {
                received = self.doorstep.receive(&mut buffer) => Happened::Datagram(received),
                sound = self.stay.hear() => Happened::Sound(sound),
                () = tokio::time::sleep_until(wake.into()) => Happened::Time,
            };
            let now = Instant::now();
            let taken = match happened {
                Happened::Datagram(Ok((length, source))) => self.take(&buffer[..length], source, now),
                // Such as a port that is not there any more; silence will tell.
                Happened::Datagram(Err(_)) => Ok(()),
                Happened::Sound(Ok(frame)) => {
                    self.play(&frame, now);
                    self.rtc.handle_input(Input::Timeout(now))
                }
                Happened::Sound(Err(end)) => return Over::Ended(end),
                Happened::Time => self.rtc.handle_input(Input::Timeout(now)),
            };
            if let Err(error) = taken {
                tracing::debug!(%error, "the connection of a voice took something amiss");
            }
            self.speak(now);
        }
    }

    /// Lets everything out that there is; when to come back, or none where the connection is over.
    async fn drain(&mut self) -> Result<Option<Instant>, RtcError> {
        loop {
            match self.rtc.poll_output()? {
                Output::Timeout(wake) => return Ok(self.rtc.is_alive().then_some(wake)),
                Output::Transmit(transmit) => {
                    self.doorstep.send(&transmit.contents, transmit.destination).await
                }
                Output::Event(event) => match event {
                    Event::Connected => self.is_connected = true,
                    Event::MediaAdded(media) if media.kind == MediaKind::Audio => {
                        self.mid.get_or_insert(media.mid);
                    }
                    Event::RtpPacket(packet) => {
                        self.microphone.packet(&mut self.rtc, &packet, Instant::now());
                    }
                    Event::IceConnectionStateChange(IceConnectionState::Disconnected) => {
                        self.lost.get_or_insert_with(Instant::now);
                    }
                    Event::IceConnectionStateChange(
                        IceConnectionState::Connected | IceConnectionState::Completed,
                    ) => self.lost = None,
                    Event::Closed => return Ok(None),
                    _ => {}
                },
            }
        }
    }

    fn take(&mut self, bytes: &[u8], source: std::net::SocketAddr, now: Instant) -> Result<(), RtcError> {
        let destination = self.doorstep.address_towards(source);
        // What is no STUN, DTLS, RTP or RTCP is none of our business.
        let Ok(receive) = Receive::new(Protocol::Udp, source, destination, bytes) else {
            return Ok(());
        };
        let input = Input::Receive(now, receive);
        if !self.rtc.accepts(&input) {
            return Ok(());
        }
        self.heard = now;
        self.rtc.handle_input(input)
    }

    /// What the others say goes out, once there is a way.
    fn play(&mut self, frame: &Frame, now: Instant) {
        if let (true, Some(mid)) = (self.is_connected, self.mid) {
            self.loudspeaker.play(&mut self.rtc, mid, frame, now);
        }
    }

    /// What has come in is said in the room, as far as it is due.
    fn speak(&mut self, now: Instant) {
        while let Some(frame) = self.microphone.frame(now) {
            if let Err(fault) = self.stay.say(&frame) {
                tracing::debug!(%fault, "a frame of a browser was not taken");
            }
        }
    }

    fn is_given_up(&self, now: Instant) -> bool {
        let is_late = !self.is_connected && now.duration_since(self.began) >= CONNECT_MAX;
        let is_lost = self.lost.is_some_and(|lost| now.duration_since(lost) >= LOST_MAX);
        is_late || is_lost || now.duration_since(self.heard) >= self.silence_max
    }

    /// Tells the browser, as far as it still listens.
    async fn say_goodbye(&mut self) {
        if self.rtc.close().is_ok() {
            while let Ok(Output::Transmit(transmit)) = self.rtc.poll_output() {
                self.doorstep.send(&transmit.contents, transmit.destination).await;
            }
        }
    }
}
