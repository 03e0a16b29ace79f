//! One stream from its answer to its end: packets in and out, timers, the share's wishes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use str0m::net::{Protocol, Receive};
use str0m::{Event, IceConnectionState, Input, Output, Rtc, RtcError};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use vocabulary::ShareEnd;

use super::decoding::Decoding;
use super::giving::{self, Given};
use super::key_frames::KeyFrames;
use super::knobs::SettingsNow;
use super::outlet::{Exposure, Outlet};
use super::slots::Slot;
use super::video::Video;
use super::viewer::Codec;
use reach::Doorstep;

/// How often, at least, what depends on time is looked at.
const LOOK_AROUND_EVERY: Duration = Duration::from_millis(250);
/// How often a share hears that its stream is still there.
const TOUCH_EVERY: Duration = Duration::from_secs(5);
/// No datagram is longer.
const DATAGRAM_BYTES_MAX: usize = 2_000;

/// What holds for every stream.
#[derive(Clone)]
pub(super) struct Terms {
    pub(super) settings: SettingsNow,
    /// A peer that is not heard for so long is gone.
    pub(super) silence_max: Duration,
}

/// Why a stream is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    /// The peer is gone, or has said goodbye.
    Gone,
    /// The share is over, was not let begin, or has another stream now.
    NotWanted,
}

enum Giving {
    /// Until there is a connection.
    NotYet(mpsc::Receiver<Exposure>),
    Begun(JoinHandle<Given>),
    Over,
}

struct Session {
    rtc: Rtc,
    doorstep: Doorstep,
    outlet: Arc<dyn Outlet>,
    settings: SettingsNow,
    video: Video,
    key_frames: KeyFrames,
    decoding: Decoding,
    giving: Giving,
    was_watched: bool,
    silence_max: Duration,
    heard: Instant,
    touched: Instant,
}

/// Runs a stream until it is over; then its slot is free.
pub(super) async fn run(terms: Terms, rtc: Rtc, doorstep: Doorstep, outlet: Arc<dyn Outlet>, slot: Slot) {
    let Terms {
        settings,
        silence_max,
    } = terms;
    let (decoding, exposures) = Decoding::start(settings.clone());
    let now = Instant::now();
    let mut session = Session {
        rtc,
        doorstep,
        outlet: outlet.clone(),
        settings,
        video: Video::new(now),
        key_frames: KeyFrames::default(),
        decoding,
        giving: Giving::NotYet(exposures),
        was_watched: false,
        silence_max,
        heard: now,
        touched: now,
    };
    let over = tokio::select! {
        over = session.carry_on() => over,
        () = outlet.ended() => Over::NotWanted,
        () = slot.superseded() => Over::NotWanted,
    };
    session.say_goodbye().await;
    if over == Over::Gone {
        outlet.end(ShareEnd::Lost).await;
    }
    tracing::debug!(?over, "a stream is over");
}

impl Session {
    async fn carry_on(&mut self) -> Over {
        let mut buffer = vec![0; DATAGRAM_BYTES_MAX];
        loop {
            let wake = match self.drain().await {
                Ok(Some(wake)) => wake,
                Ok(None) => return Over::Gone,
                Err(error) => {
                    tracing::debug!(%error, "a stream broke");
                    return Over::Gone;
                }
            };
            let now = Instant::now();
            if now.duration_since(self.heard) >= self.silence_max {
                return Over::Gone;
            }
            if let Some(over) = self.given_up().await {
                return over;
            }
            self.look_around(now);
            let wake = wake.min(now + LOOK_AROUND_EVERY);
            let input = tokio::select! {
                received = self.doorstep.receive(&mut buffer) => match received {
                    Ok((length, source)) => self.take(&buffer[..length], source),
                    // Such as a port that is not there any more; silence will tell.
                    Err(_) => Ok(()),
                },
                () = tokio::time::sleep_until(wake.into()) => self.rtc.handle_input(Input::Timeout(Instant::now())),
            };
            if let Err(error) = input {
                tracing::debug!(%error, "a stream took something amiss");
            }
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
                    Event::Connected => self.connected(),
                    Event::RtpPacket(packet) => {
                        let now = Instant::now();
                        self.video.packet(&mut self.rtc, packet, now);
                        self.pass_on();
                    }
                    Event::IceConnectionStateChange(IceConnectionState::Disconnected) | Event::Closed => {
                        return Ok(None);
                    }
                    _ => {}
                },
            }
        }
    }

    fn take(&mut self, bytes: &[u8], source: std::net::SocketAddr) -> Result<(), RtcError> {
        let destination = self.doorstep.address_towards(source);
        // What is no STUN, DTLS, RTP or RTCP is none of our business.
        let Ok(receive) = Receive::new(Protocol::Udp, source, destination, bytes) else {
            return Ok(());
        };
        let now = Instant::now();
        let input = Input::Receive(now, receive);
        if !self.rtc.accepts(&input) {
            return Ok(());
        }
        self.heard = now;
        self.rtc.handle_input(input)
    }

    fn connected(&mut self) {
        self.giving = match std::mem::replace(&mut self.giving, Giving::Over) {
            Giving::NotYet(exposures) => {
                Giving::Begun(tokio::spawn(giving::run(self.outlet.clone(), exposures)))
            }
            other => other,
        };
    }

    /// Why no frame can be given any more, if that is so.
    async fn given_up(&mut self) -> Option<Over> {
        let giving = match &mut self.giving {
            Giving::Begun(giving) if giving.is_finished() => giving,
            _ => return None,
        };
        match giving.await {
            Ok(Given::Nothing) => Some(Over::NotWanted),
            Ok(Given::All) | Err(_) => Some(Over::Gone),
        }
    }

    /// What depends on time: waiting for packets, the watch, key frames, signs of life.
    fn look_around(&mut self, now: Instant) {
        self.video.advance(now);
        self.pass_on();
        if !matches!(self.giving, Giving::Begun(_)) {
            return;
        }
        if now.duration_since(self.touched) >= TOUCH_EVERY {
            self.touched = now;
            self.outlet.touch();
        }
        let is_watched = self.outlet.is_watched();
        if is_watched && !self.was_watched {
            self.decoding.begin_watch();
        }
        self.was_watched = is_watched;
        let steadily =
            (self.video.codec() == Some(Codec::Vp8)).then(|| self.settings.knobs().key_frame_interval);
        if is_watched
            && self
                .key_frames
                .ask(now, self.decoding.needs_key_frame(), steadily)
        {
            self.video.ask_for_key_frame(&mut self.rtc);
        }
    }

    /// Frames go to be decoded, while somebody watches.
    fn pass_on(&mut self) {
        while let Some((codec, arrived)) = self.video.next() {
            if self.was_watched {
                self.decoding.look(codec, arrived);
            }
        }
    }

    /// Tells the peer, as far as it still listens.
    async fn say_goodbye(&mut self) {
        if self.rtc.close().is_ok() {
            while let Ok(Output::Transmit(transmit)) = self.rtc.poll_output() {
                self.doorstep.send(&transmit.contents, transmit.destination).await;
            }
        }
    }
}
