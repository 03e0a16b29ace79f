//! Both ciphers against packets that were sealed elsewhere, and what happens to packets that were changed.

use super::*;

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16);
    digits
        .chunks(2)
        .map(|it| pair(it).expect("hexadecimal"))
        .collect()
}

fn key() -> [u8; KEY] {
    std::array::from_fn(|at| at as u8)
}

/// Number 7 of a session with the key 0, 1, 2, …; sealed by PyNaCl (libsodium) and by Node's crypto (OpenSSL).
const HEADER: &str = "80 78 00 01 00 00 03 c0 00 00 00 2a";
const SOUND: &[u8] = b"a frame of sound";
const BY_LIBSODIUM: &str = "d7973b4519afcc6bb825652cad6c20b87bd8d991f25e9c5190d39e07435ae080";
const BY_OPENSSL: &str = "3ec7b2f31b4546ab80b4b4b66ebfe7aa90ed819b0615bf46015bf77896c6dd3b";

#[test]
fn packets_that_others_sealed_are_opened() {
    for (mode, sealed) in [
        (TransportMode::XChaCha20Poly1305, BY_LIBSODIUM),
        (TransportMode::Aes256Gcm, BY_OPENSSL),
    ] {
        let packet = [bytes(HEADER), bytes(sealed), 7_u32.to_be_bytes().to_vec()].concat();
        let opened = TransportCipher::new(mode, &key()).open(&packet, 12);
        assert_eq!(opened.as_deref(), Some(SOUND), "{mode:?}");
        let mut ours = TransportCipher::new(mode, &key());
        ours.next = Some(7);
        assert_eq!(ours.seal(&bytes(HEADER), SOUND), Some(packet), "{mode:?}");
    }
}

#[test]
fn a_packet_that_was_changed_anywhere_is_not_opened() {
    for mode in TransportMode::ALL {
        let mut cipher = TransportCipher::new(mode, &key());
        let packet = cipher.seal(&bytes(HEADER), SOUND).expect("sealed");
        assert_eq!(cipher.open(&packet, 12).as_deref(), Some(SOUND));
        for at in 0..packet.len() {
            let mut changed = packet.clone();
            changed[at] ^= 1;
            assert_eq!(cipher.open(&changed, 12), None, "{mode:?}, byte {at}");
        }
        for length in 0..packet.len() {
            assert_eq!(
                cipher.open(&packet[..length], 12),
                None,
                "{mode:?}, {length} bytes"
            );
        }
        let other = TransportCipher::new(mode, &[9; KEY]);
        assert_eq!(other.open(&packet, 12), None);
    }
}

#[test]
fn no_number_is_used_twice() {
    let mut cipher = TransportCipher::new(TransportMode::Aes256Gcm, &key());
    let first = cipher.seal(&[], SOUND).expect("sealed");
    let second = cipher.seal(&[], SOUND).expect("sealed");
    assert_ne!(first, second);
    cipher.next = Some(u32::MAX);
    assert!(cipher.seal(&[], SOUND).is_some());
    assert_eq!(cipher.seal(&[], SOUND), None);
}

#[test]
fn the_best_mode_that_is_offered_is_taken() {
    let choose = |offered: &[&str]| TransportMode::choose(offered.iter().copied());
    let both = [
        "xsalsa20_poly1305",
        "aead_xchacha20_poly1305_rtpsize",
        "aead_aes256_gcm_rtpsize",
    ];
    assert_eq!(choose(&both), Some(TransportMode::Aes256Gcm));
    assert_eq!(choose(&both[..2]), Some(TransportMode::XChaCha20Poly1305));
    assert_eq!(choose(&both[..1]), None);
}
