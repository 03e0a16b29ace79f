//! The other side of a stream, as a browser would be: a WebRTC peer that encodes pictures and sends them over loopback.

mod film;
mod recorder;

pub use film::Film;
pub use recorder::Recorder;

use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use str0m::change::{SdpAnswer, SdpPendingOffer};
use str0m::format::Codec;
use str0m::media::{Direction, MediaKind, MediaTime, Mid};
use str0m::net::{Protocol, Receive};
use str0m::{Candidate, Event, Input, Output, Rtc, RtcConfig};

const FRAME_EVERY: Duration = Duration::from_millis(40);
const VP8_KEY: &[u8] = include_bytes!("../../../media/src/vp8/data/key.vp8");
const VP8_INTER: &[u8] = include_bytes!("../../../media/src/vp8/data/inter.vp8");

/// How a peer sends.
#[derive(Clone, Copy, Debug)]
pub struct Sender {
    pub codec: Codec,
    /// Whether it sends packets again that were lost.
    pub resends: bool,
    pub with_audio: bool,
}

pub const H264: Sender = Sender {
    codec: Codec::H264,
    resends: true,
    with_audio: false,
};

/// What a test says to a peer, and what it wants to know.
#[derive(Debug, Default)]
pub struct Controls {
    pub brightness: AtomicU8,
    /// Packets of video that get lost on the way, from now on.
    pub losing: AtomicUsize,
    pub key_frames_wanted: AtomicUsize,
    pub is_connected: AtomicBool,
    pub is_closed: AtomicBool,
    /// Says goodbye and stops.
    pub close: AtomicBool,
    /// Stops without a word.
    pub vanish: AtomicBool,
}

/// A peer that has made an offer.
pub struct Offering {
    pub offer: String,
    rtc: Rtc,
    pending: SdpPendingOffer,
    mid: Mid,
    socket: UdpSocket,
    sender: Sender,
}

/// A peer that sends.
pub struct Peer {
    pub controls: Arc<Controls>,
    thread: Option<JoinHandle<()>>,
}

pub fn offering(sender: Sender) -> Offering {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let mut config = RtcConfig::new().clear_codecs();
    let codecs = config.codec_config();
    let resent = |payload: u8| sender.resends.then(|| payload.into());
    match sender.codec {
        Codec::H264 => codecs.add_h264(96.into(), resent(97), true, 0x42_e0_1f),
        Codec::Vp8 => codecs.enable_vp8(true),
        Codec::Vp9 => codecs.enable_vp9(true),
        other => panic!("{other:?} is not sent here"),
    }
    codecs.enable_opus(true, false);
    let mut rtc = config.build(Instant::now());
    let own = Candidate::host(socket.local_addr().expect("bound"), "udp").expect("a candidate");
    rtc.add_local_candidate(own);
    let mut api = rtc.sdp_api();
    if sender.with_audio {
        api.add_media(MediaKind::Audio, Direction::SendOnly, None, None, None);
    }
    let mid = api.add_media(MediaKind::Video, Direction::SendOnly, None, None, None);
    let (offer, pending) = api.apply().expect("an offer");
    Offering {
        offer: offer.to_sdp_string(),
        rtc,
        pending,
        mid,
        socket,
        sender,
    }
}

impl Offering {
    /// Takes the answer and begins to send.
    pub fn begin(mut self, answer: &str) -> Peer {
        let answer = SdpAnswer::from_sdp_string(answer).expect("an answer");
        self.rtc
            .sdp_api()
            .accept_answer(self.pending, answer)
            .expect("accepted");
        let controls = Arc::new(Controls::default());
        controls.brightness.store(60, Ordering::Relaxed);
        let sending = Sending {
            rtc: self.rtc,
            mid: self.mid,
            socket: self.socket,
            sender: self.sender,
            film: Film::new(320, 240),
            controls: controls.clone(),
            frame: 0,
            wants_key_frame: true,
        };
        let thread = std::thread::spawn(move || sending.run());
        Peer {
            controls,
            thread: Some(thread),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.controls.vanish.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Sending {
    rtc: Rtc,
    mid: Mid,
    socket: UdpSocket,
    sender: Sender,
    film: Film,
    controls: Arc<Controls>,
    frame: u64,
    wants_key_frame: bool,
}

impl Sending {
    fn run(mut self) {
        let mut next_frame = Instant::now();
        let mut buffer = vec![0; 2000];
        while !self.controls.vanish.load(Ordering::Relaxed) {
            let Some(wake) = self.drain() else { return };
            if self.controls.close.load(Ordering::Relaxed) {
                let _ = self.rtc.close();
                self.drain();
                return;
            }
            let now = Instant::now();
            if now >= next_frame {
                next_frame = now + FRAME_EVERY;
                self.send_frame(now);
                continue;
            }
            let wait = wake
                .min(next_frame)
                .saturating_duration_since(now)
                .max(Duration::from_millis(1));
            self.socket.set_read_timeout(Some(wait)).expect("a timeout");
            let input = match self.socket.recv_from(&mut buffer) {
                Ok((length, source)) => {
                    let own = self.socket.local_addr().expect("bound");
                    let Ok(receive) = Receive::new(Protocol::Udp, source, own, &buffer[..length]) else {
                        continue;
                    };
                    Input::Receive(Instant::now(), receive)
                }
                Err(_) => Input::Timeout(Instant::now()),
            };
            let _ = self.rtc.handle_input(input);
        }
    }

    fn drain(&mut self) -> Option<Instant> {
        loop {
            match self.rtc.poll_output().ok()? {
                Output::Timeout(wake) => return self.rtc.is_alive().then_some(wake),
                Output::Transmit(transmit) => {
                    if !self.loses(&transmit.contents) {
                        let _ = self.socket.send_to(&transmit.contents, transmit.destination);
                    }
                }
                Output::Event(Event::Connected) => self.controls.is_connected.store(true, Ordering::Relaxed),
                Output::Event(Event::Closed) => {
                    self.controls.is_closed.store(true, Ordering::Relaxed);
                }
                Output::Event(Event::KeyframeRequest(_)) => {
                    self.controls.key_frames_wanted.fetch_add(1, Ordering::Relaxed);
                    self.wants_key_frame = true;
                }
                Output::Event(_) => {}
            }
        }
    }

    /// Whether a datagram is video, and is lost.
    fn loses(&self, datagram: &[u8]) -> bool {
        let is_rtp = (128..192).contains(&datagram[0]) && !(64..96).contains(&(datagram[1] & 0x7f));
        let losing = &self.controls.losing;
        is_rtp
            && losing
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                .is_ok()
    }

    fn send_frame(&mut self, now: Instant) {
        if !self.controls.is_connected.load(Ordering::Relaxed) {
            let _ = self.rtc.handle_input(Input::Timeout(now));
            return;
        }
        let brightness = self.controls.brightness.load(Ordering::Relaxed);
        let wants_key_frame = std::mem::take(&mut self.wants_key_frame);
        let data = match (self.sender.codec, wants_key_frame) {
            (Codec::Vp8, true) => VP8_KEY.to_vec(),
            (Codec::Vp8, false) => VP8_INTER.to_vec(),
            (_, wanted) => self.film.frame(brightness, wanted),
        };
        self.frame += 1;
        let time = MediaTime::from_90khz(self.frame * 3600);
        let Some(writer) = self.rtc.writer(self.mid) else {
            return;
        };
        let params = writer
            .payload_params()
            .find(|params| params.spec().codec == self.sender.codec);
        let payload = params.expect("it was negotiated").pt();
        writer.write(payload, now, time, data).expect("written");
        let _ = self.rtc.handle_input(Input::Timeout(now));
    }
}
