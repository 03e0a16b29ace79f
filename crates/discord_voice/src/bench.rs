//! A call on the bench: a machine, a time, and a server's words for it.

use serde_json::{Value, json};
use vocabulary::{Moment, Span};

use crate::transport::{KEY, TransportCipher, TransportMode};
use crate::{CallEvent, CallInput, CallOutput, CallPlace, VoiceCall, rtp};

pub const OWN: u64 = 1;
pub const SSRC: u32 = 77;
pub const SESSION_KEY: [u8; KEY] = [5; KEY];

pub fn place(endpoint: &str) -> CallPlace {
    CallPlace {
        endpoint: endpoint.to_owned(),
        token: "token".into(),
        session: "session".into(),
        guild: 10,
        channel: 20,
        user: OWN,
    }
}

/// What a step came to, by kind.
#[derive(Debug, Default)]
pub struct Came {
    pub connects: Vec<String>,
    pub sent: Vec<Value>,
    pub binary: Vec<Vec<u8>>,
    pub closes: Vec<u16>,
    pub lines: usize,
    pub datagrams: Vec<Vec<u8>>,
    pub events: Vec<CallEvent>,
    pub is_ended: bool,
}

impl From<Vec<CallOutput>> for Came {
    fn from(outputs: Vec<CallOutput>) -> Self {
        let mut came = Self::default();
        for output in outputs {
            match output {
                CallOutput::Connect(endpoint) => came.connects.push(endpoint),
                CallOutput::Send(payload) => {
                    came.sent.push(serde_json::from_str(&payload.0).expect("JSON"));
                }
                CallOutput::SendBinary(bytes) => came.binary.push(bytes),
                CallOutput::Close(code) => came.closes.push(code),
                CallOutput::OpenLine(_) => came.lines += 1,
                CallOutput::Datagram(packet) => came.datagrams.push(packet),
                CallOutput::Event(event) => came.events.push(event),
                CallOutput::Ended(_) => came.is_ended = true,
            }
        }
        came
    }
}

impl Came {
    pub fn ops(&self) -> Vec<u64> {
        self.sent
            .iter()
            .map(|payload| payload["op"].as_u64().expect("an op"))
            .collect()
    }
}

pub struct Bench {
    pub call: VoiceCall,
    pub now: Moment,
}

impl Bench {
    pub fn new() -> Self {
        Self {
            call: VoiceCall::new(place("voice.example"), 3),
            now: Moment(1_000),
        }
    }

    pub fn step(&mut self, input: CallInput<'_>) -> Came {
        self.call.step(self.now, input).into()
    }

    pub fn say(&mut self, payload: Value) -> Came {
        self.step(CallInput::Text(&payload.to_string()))
    }

    pub fn pass(&mut self, span: Span) -> Came {
        self.now = self.now + span;
        self.step(CallInput::Tick)
    }

    /// Until it wants to connect, and has.
    pub fn open(&mut self) {
        for _ in 0..100 {
            if !self.step(CallInput::Tick).connects.is_empty() {
                self.step(CallInput::Opened);
                return;
            }
            self.now = self.call.wake().expect("it goes on").max(self.now);
        }
        panic!("it does not connect");
    }

    pub fn hello(&mut self) -> Came {
        self.say(json!({"op": 8, "d": {"heartbeat_interval": 20_000}}))
    }

    pub fn ready(&mut self) -> Came {
        self.say(
            json!({"op": 2, "seq": 1, "d": {"ssrc": SSRC, "ip": "127.0.0.1", "port": 5000,
            "modes": ["aead_aes256_gcm_rtpsize"]}}),
        )
    }

    pub fn discovered(&mut self) -> Came {
        let mut answer = crate::discovery::request(SSRC);
        answer[1] = 2;
        answer[8..8 + 9].copy_from_slice(b"192.0.2.7");
        answer[72..].copy_from_slice(&4_000_u16.to_be_bytes());
        self.step(CallInput::Datagram(&answer))
    }

    pub fn described(&mut self, version: u16) -> Came {
        self.say(
            json!({"op": 4, "seq": 2, "d": {"mode": "aead_aes256_gcm_rtpsize", "secret_key": SESSION_KEY,
            "dave_protocol_version": version}}),
        )
    }

    /// In a call that is not private, so that frames are as they are.
    pub fn live() -> Self {
        let mut bench = Self::new();
        bench.open();
        bench.hello();
        bench.ready();
        bench.discovered();
        let came = bench.described(0);
        assert!(came.events.contains(&CallEvent::Live), "{came:?}");
        bench
    }

    /// A packet of somebody else's.
    pub fn packet(&mut self, ssrc: u32, sequence: u16, sound: &[u8]) -> Vec<u8> {
        let mut cipher = TransportCipher::new(TransportMode::Aes256Gcm, &SESSION_KEY);
        let header = rtp::write(sequence, u32::from(sequence) * 960, ssrc);
        cipher.seal(&header, sound).expect("sealed")
    }

    pub fn opened(packet: &[u8]) -> Vec<u8> {
        let cipher = TransportCipher::new(TransportMode::Aes256Gcm, &SESSION_KEY);
        cipher.open(packet, 12).expect("opened")
    }
}
