//! How packets are sealed between us and a voice server: the header stays readable, the sound does not, and neither can
//! be changed. The last four bytes of a packet are its number.

use std::fmt;

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::generic_array::GenericArray;
use aes_gcm::aead::{AeadInPlace, KeyInit};
use chacha20poly1305::XChaCha20Poly1305;

const TAG: usize = 16;
const NUMBER: usize = 4;
pub(crate) const KEY: usize = 32;

/// One of the two ways that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportMode {
    Aes256Gcm,
    XChaCha20Poly1305,
}

impl TransportMode {
    /// The one that costs least comes first; every server has the other.
    const ALL: [Self; 2] = [Self::Aes256Gcm, Self::XChaCha20Poly1305];

    pub fn name(self) -> &'static str {
        match self {
            Self::Aes256Gcm => "aead_aes256_gcm_rtpsize",
            Self::XChaCha20Poly1305 => "aead_xchacha20_poly1305_rtpsize",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// The best of those that a server offers.
    pub fn choose<'a>(offered: impl Iterator<Item = &'a str>) -> Option<Self> {
        let offered: Vec<Self> = offered.filter_map(Self::named).collect();
        Self::ALL.into_iter().find(|mode| offered.contains(mode))
    }
}

enum Cipher {
    Aes(Box<Aes256Gcm>),
    XChaCha(Box<XChaCha20Poly1305>),
}

/// One session's key, and the number of the next packet.
pub(crate) struct TransportCipher {
    cipher: Cipher,
    /// None: every number was used, and none may be used twice.
    next: Option<u32>,
}

impl fmt::Debug for TransportCipher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TransportCipher").finish_non_exhaustive()
    }
}

/// The number as the cipher wants it: first, and zeros after it.
fn nonce<const LENGTH: usize>(number: [u8; NUMBER]) -> [u8; LENGTH] {
    let mut nonce = [0; LENGTH];
    nonce[..NUMBER].copy_from_slice(&number);
    nonce
}

impl TransportCipher {
    pub fn new(mode: TransportMode, key: &[u8; KEY]) -> Self {
        let key = GenericArray::from_slice(key);
        let cipher = match mode {
            TransportMode::Aes256Gcm => Cipher::Aes(Box::new(Aes256Gcm::new(key))),
            TransportMode::XChaCha20Poly1305 => Cipher::XChaCha(Box::new(XChaCha20Poly1305::new(key))),
        };
        Self {
            cipher,
            next: Some(0),
        }
    }

    /// A whole packet. None once the numbers are used up, after years.
    pub fn seal(&mut self, header: &[u8], sound: &[u8]) -> Option<Vec<u8>> {
        let number = self.next?.to_be_bytes();
        let mut packet = Vec::with_capacity(header.len() + sound.len() + TAG + NUMBER);
        packet.extend_from_slice(header);
        packet.extend_from_slice(sound);
        let body = &mut packet[header.len()..];
        let tag = match &self.cipher {
            Cipher::Aes(cipher) => {
                cipher.encrypt_in_place_detached(&nonce::<12>(number).into(), header, body)
            }
            Cipher::XChaCha(cipher) => {
                cipher.encrypt_in_place_detached(&nonce::<24>(number).into(), header, body)
            }
        };
        packet.extend_from_slice(&tag.ok()?);
        packet.extend_from_slice(&number);
        self.next = self.next.and_then(|next| next.checked_add(1));
        Some(packet)
    }

    /// What was sealed in a packet. None where it was changed, or is somebody else's.
    pub fn open(&self, packet: &[u8], sealed_from: usize) -> Option<Vec<u8>> {
        let (header, sealed) = packet.split_at_checked(sealed_from)?;
        let (sealed, number) = sealed.split_last_chunk::<NUMBER>()?;
        let (body, tag) = sealed.split_last_chunk::<TAG>()?;
        let mut body = body.to_vec();
        let tag = GenericArray::from_slice(tag);
        let opened = match &self.cipher {
            Cipher::Aes(cipher) => {
                cipher.decrypt_in_place_detached(&nonce::<12>(*number).into(), header, &mut body, tag)
            }
            Cipher::XChaCha(cipher) => {
                cipher.decrypt_in_place_detached(&nonce::<24>(*number).into(), header, &mut body, tag)
            }
        };
        opened.ok().map(|()| body)
    }
}

#[cfg(test)]
#[path = "transport_tests.rs"]
mod tests;
