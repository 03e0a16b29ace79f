//! How sound is sealed between a client and this server. Written from Discord's documentation, and on purpose not the
//! code that Denizen has for it: two that understand each other are a check, one that understands itself is none.

use std::fmt;

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::XChaCha20Poly1305;

pub const MODES: [&str; 2] = ["aead_aes256_gcm_rtpsize", "aead_xchacha20_poly1305_rtpsize"];

/// One client's key, and the number of the next packet to it.
pub struct Seal {
    pub mode: &'static str,
    pub key: [u8; 32],
    count: u32,
}

impl fmt::Debug for Seal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Seal({})", self.mode)
    }
}

/// The length of a packet's header: what is told in the open.
pub fn header_length(packet: &[u8]) -> Option<usize> {
    let first = *packet.first()?;
    let extension = if first & 0x10 == 0 { 0 } else { 4 };
    let length = 12 + usize::from(first & 0x0f) * 4 + extension;
    (first >> 6 == 2 && packet.len() >= length).then_some(length)
}

impl Seal {
    pub fn new(mode: &'static str) -> Self {
        let mut key = [0; 32];
        // A machine without randomness has other troubles than a predictable test.
        let _ = getrandom::fill(&mut key);
        Self { mode, key, count: 0 }
    }

    /// What a client has sealed.
    pub fn open(&self, packet: &[u8]) -> Option<Vec<u8>> {
        let at = header_length(packet)?;
        let end = packet.len().checked_sub(4).filter(|end| *end >= at)?;
        let payload = Payload {
            msg: &packet[at..end],
            aad: &packet[..at],
        };
        self.run(&packet[end..], payload, false)
    }

    pub fn close(&mut self, header: &[u8], sound: &[u8]) -> Option<Vec<u8>> {
        let number = self.count.to_be_bytes();
        self.count += 1;
        let payload = Payload {
            msg: sound,
            aad: header,
        };
        let sealed = self.run(&number, payload, true)?;
        Some([header, &sealed, &number].concat())
    }

    fn run(&self, number: &[u8], payload: Payload<'_, '_>, closes: bool) -> Option<Vec<u8>> {
        let mut nonce = [0; 24];
        nonce[..4].copy_from_slice(number);
        if self.mode == MODES[0] {
            let cipher = Aes256Gcm::new(&self.key.into());
            let nonce = nonce[..12].into();
            if closes {
                cipher.encrypt(nonce, payload).ok()
            } else {
                cipher.decrypt(nonce, payload).ok()
            }
        } else {
            let cipher = XChaCha20Poly1305::new(&self.key.into());
            let nonce = (&nonce).into();
            if closes {
                cipher.encrypt(nonce, payload).ok()
            } else {
                cipher.decrypt(nonce, payload).ok()
            }
        }
    }
}
