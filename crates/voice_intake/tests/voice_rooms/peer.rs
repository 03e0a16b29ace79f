//! A browser, as far as voice goes: a WebRTC peer with a microphone that hums and an ear that keeps what it hears.

use std::net::UdpSocket;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use audio::codec::{Encoded, VoiceCoding, VoiceDecoder, VoiceEncoder};
use audio::{FRAME, Frame};
use str0m::change::{SdpAnswer, SdpPendingOffer};
use str0m::format::Codec;
use str0m::media::{Direction, Frequency, MediaKind, MediaTime, Mid};
use str0m::net::{Protocol, Receive};
use str0m::{Candidate, Event, Input, Output, Rtc, RtcConfig};

const FRAME_EVERY: Duration = Duration::from_millis(20);

/// What a test says to a peer, and what it wants to know.
#[derive(Debug, Default)]
pub struct Controls {
    pub is_connected: AtomicBool,
    pub is_closed: AtomicBool,
    pub hums: AtomicBool,
    /// Sends packets that hold no Opus.
    pub talks_rubbish: AtomicBool,
    /// Says goodbye and stops.
    pub close: AtomicBool,
    /// Stops without a word.
    pub vanish: AtomicBool,
    pub heard: Mutex<Vec<i16>>,
}

/// A peer that has made an offer.
pub struct Offering {
    pub offer: String,
    rtc: Rtc,
    pending: SdpPendingOffer,
    mid: Mid,
    socket: UdpSocket,
}

/// A peer that is connected, or about to be.
pub struct Peer {
    pub controls: Arc<Controls>,
    thread: Option<JoinHandle<()>>,
}

/// A hum of so many hertz that swells and fades like syllables do: a steady one is taken for noise, and is not sent.
pub fn hum(hertz: f32, number: usize) -> Frame {
    std::array::from_fn(|at| {
        let time = (number * FRAME + at) as f32 / 48_000.0;
        let loudness = 1.0 - (time * 4.0 * std::f32::consts::TAU).cos();
        ((time * hertz * std::f32::consts::TAU).sin() * loudness * 4_000.0) as i16
    })
}

/// How much of a sound is a hum of so many hertz, taken frame by frame: 0 to 1. A frame that came late changes nothing.
pub fn share_of(hertz: f32, sound: &[i16]) -> f32 {
    let (mut found, mut all) = (0.0, 0.0);
    for frame in sound.as_chunks::<FRAME>().0 {
        let (mut sine, mut cosine) = (0.0_f64, 0.0_f64);
        for (at, sample) in frame.iter().enumerate() {
            let angle = f64::from(hertz) * at as f64 / 48_000.0 * std::f64::consts::TAU;
            let sample = f64::from(*sample);
            sine += sample * angle.sin();
            cosine += sample * angle.cos();
            all += sample * sample;
        }
        found += 2.0 * (sine * sine + cosine * cosine) / FRAME as f64;
    }
    (found / all.max(1.0)) as f32
}

pub fn offering() -> Offering {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let mut config = RtcConfig::new().clear_codecs();
    config.codec_config().enable_opus(true, false);
    let mut rtc = config.build(Instant::now());
    let own = Candidate::host(socket.local_addr().expect("bound"), "udp").expect("a candidate");
    rtc.add_local_candidate(own);
    let mut api = rtc.sdp_api();
    let mid = api.add_media(MediaKind::Audio, Direction::SendRecv, None, None, None);
    let (offer, pending) = api.apply().expect("an offer");
    Offering {
        offer: offer.to_sdp_string(),
        rtc,
        pending,
        mid,
        socket,
    }
}

impl Offering {
    /// Takes the answer and connects.
    pub fn begin(mut self, answer: &str) -> Peer {
        let answer = SdpAnswer::from_sdp_string(answer).expect("an answer");
        let accepted = self.rtc.sdp_api().accept_answer(self.pending, answer);
        accepted.expect("accepted");
        let controls = Arc::new(Controls::default());
        let talking = Talking {
            rtc: self.rtc,
            mid: self.mid,
            socket: self.socket,
            controls: controls.clone(),
            encoder: VoiceEncoder::new(VoiceCoding::default()).expect("Opus"),
            decoder: VoiceDecoder::new().expect("Opus"),
            frame: 0,
        };
        let thread = std::thread::spawn(move || talking.run());
        Peer {
            controls,
            thread: Some(thread),
        }
    }
}

impl Peer {
    /// Waits until something is so.
    pub async fn until(&self, what: &str, is_so: impl Fn(&Controls) -> bool) {
        for _ in 0..1_500 {
            if is_so(&self.controls) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{what} did not come about");
    }

    pub async fn until_connected(&self) {
        let connected = |controls: &Controls| controls.is_connected.load(Ordering::Relaxed);
        self.until("a connection", connected).await;
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

struct Talking {
    rtc: Rtc,
    mid: Mid,
    socket: UdpSocket,
    controls: Arc<Controls>,
    encoder: VoiceEncoder,
    decoder: VoiceDecoder,
    frame: usize,
}

impl Talking {
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
                next_frame += FRAME_EVERY;
                self.talk(now);
                let _ = self.rtc.handle_input(Input::Timeout(now));
                continue;
            }
            let wait = wake.min(next_frame).saturating_duration_since(now);
            let wait = wait.max(Duration::from_millis(1));
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
                    let _ = self.socket.send_to(&transmit.contents, transmit.destination);
                }
                Output::Event(Event::Connected) => self.controls.is_connected.store(true, Ordering::Relaxed),
                Output::Event(Event::Closed) => self.controls.is_closed.store(true, Ordering::Relaxed),
                Output::Event(Event::MediaData(data)) => {
                    let mut heard = self.controls.heard.lock().expect("nobody panics");
                    let _ = self.decoder.decode(&data.data, &mut heard);
                }
                Output::Event(_) => {}
            }
        }
    }

    fn talk(&mut self, now: Instant) {
        self.frame += 1;
        let is = |what: &AtomicBool| what.load(Ordering::Relaxed);
        if !is(&self.controls.is_connected) {
            return;
        }
        let mut packet = Vec::new();
        if is(&self.controls.talks_rubbish) {
            packet = vec![0xff; 1 + self.frame % 900];
        } else if is(&self.controls.hums) {
            let encoded = self.encoder.encode(&hum(440.0, self.frame), &mut packet);
            if encoded != Ok(Encoded::Sound) {
                return;
            }
        } else {
            return;
        }
        let Some(writer) = self.rtc.writer(self.mid) else {
            return;
        };
        let params = writer
            .payload_params()
            .find(|params| params.spec().codec == Codec::Opus);
        let payload = params.expect("it was negotiated").pt();
        let time = MediaTime::new((self.frame * FRAME) as u64, Frequency::FORTY_EIGHT_KHZ);
        let _ = writer.write(payload, now, time, packet);
    }
}
