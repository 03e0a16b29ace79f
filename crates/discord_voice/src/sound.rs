//! The line of sound: packets over UDP, sealed for the voice server, and kept open while nobody speaks.

use vocabulary::{Moment, Span};

use crate::rtp::{self, PacketKind};
use crate::speakers::Arrived;
use crate::transport::{KEY, TransportCipher, TransportMode};

/// Routers forget a line that nobody uses.
const KEEPALIVE: Span = Span::seconds(5);

/// Why a packet was of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Useless {
    /// A report, or the answer to a keepalive: nobody minds.
    NoSound,
    Strange,
    Unopened,
}

#[derive(Debug)]
pub(crate) struct Sound {
    pub ssrc: u32,
    pub mode: TransportMode,
    sealing: Option<Sealing>,
    keepalive: Moment,
    kept: u32,
}

struct Sealing {
    mode: TransportMode,
    key: [u8; KEY],
    cipher: TransportCipher,
}

impl std::fmt::Debug for Sealing {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Sealing({:?}, …)", self.mode)
    }
}

impl Sound {
    pub fn new(now: Moment, ssrc: u32, mode: TransportMode) -> Self {
        Self {
            ssrc,
            mode,
            sealing: None,
            keepalive: now + KEEPALIVE,
            kept: 0,
        }
    }

    /// The same key again goes on counting: no number may seal twice.
    pub fn agree(&mut self, mode: TransportMode, key: [u8; KEY]) {
        let is_same = |sealing: &Sealing| sealing.mode == mode && sealing.key == key;
        if !self.sealing.as_ref().is_some_and(is_same) {
            self.sealing = Some(Sealing {
                mode,
                key,
                cipher: TransportCipher::new(mode, &key),
            });
        }
    }

    pub fn is_agreed(&self) -> bool {
        self.sealing.is_some()
    }

    pub fn seal(&mut self, sequence: u16, timestamp: u32, sound: &[u8]) -> Option<Vec<u8>> {
        let header = rtp::write(sequence, timestamp, self.ssrc);
        self.sealing.as_mut()?.cipher.seal(&header, sound)
    }

    pub fn open(&self, packet: &[u8]) -> Result<Arrived, Useless> {
        let header = match rtp::kind(packet) {
            PacketKind::Sound(header) => header,
            PacketKind::Report => return Err(Useless::NoSound),
            // What was sent to keep the line open comes back as it is.
            PacketKind::Other if packet.len() == 8 => return Err(Useless::NoSound),
            PacketKind::Other => return Err(Useless::Strange),
        };
        let sealing = self.sealing.as_ref().ok_or(Useless::Unopened)?;
        let opened = sealing.cipher.open(packet, header.sealed_from);
        let opened = opened.ok_or(Useless::Unopened)?;
        let sound = header.sound(&opened).ok_or(Useless::Strange)?;
        Ok(Arrived {
            ssrc: header.ssrc,
            sequence: header.sequence,
            timestamp: header.timestamp,
            sound: sound.to_vec(),
        })
    }

    pub fn wake(&self) -> Moment {
        self.keepalive
    }

    /// What keeps the line open, when it is time.
    pub fn keep(&mut self, now: Moment) -> Option<Vec<u8>> {
        if now < self.keepalive {
            return None;
        }
        self.keepalive = now + KEEPALIVE;
        self.kept = self.kept.wrapping_add(1);
        Some([self.kept.to_le_bytes(), [0; 4]].concat())
    }
}
