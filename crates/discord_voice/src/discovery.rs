//! Finding out under which address a voice server sees us: one packet there, one back.

use std::net::IpAddr;

const LENGTH: usize = 74;
const REQUEST: u16 = 1;
const RESPONSE: u16 = 2;
/// What follows the first four bytes.
const REST: u16 = 70;

pub(crate) fn request(ssrc: u32) -> Vec<u8> {
    let mut packet = vec![0; LENGTH];
    packet[0..2].copy_from_slice(&REQUEST.to_be_bytes());
    packet[2..4].copy_from_slice(&REST.to_be_bytes());
    packet[4..8].copy_from_slice(&ssrc.to_be_bytes());
    packet
}

/// Our address and port, where this is the answer.
pub(crate) fn read(packet: &[u8]) -> Option<(IpAddr, u16)> {
    let packet: &[u8; LENGTH] = packet.try_into().ok()?;
    if packet[0..2] != RESPONSE.to_be_bytes() {
        return None;
    }
    let text = packet[8..72].split(|byte| *byte == 0).next()?;
    let address = std::str::from_utf8(text).ok()?.parse().ok()?;
    Some((address, u16::from_be_bytes([packet[72], packet[73]])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_has_its_kind_its_length_and_who_asks() {
        let packet = request(0x0102_0304);
        assert_eq!(packet.len(), 74);
        assert_eq!(packet[..8], [0, 1, 0, 70, 1, 2, 3, 4]);
        assert!(packet[8..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn an_answer_is_read_and_anything_else_is_none() {
        let mut packet = request(7);
        packet[1] = 2;
        packet[8..8 + 9].copy_from_slice(b"192.0.2.7");
        packet[72..].copy_from_slice(&50_004_u16.to_be_bytes());
        assert_eq!(
            read(&packet),
            Some(("192.0.2.7".parse().expect("an address"), 50_004))
        );
        assert_eq!(read(&packet[..73]), None);
        assert_eq!(read(&request(7)), None);
        packet[8..8 + 9].copy_from_slice(b"localhost");
        assert_eq!(read(&packet), None);
        packet[8] = 0xff;
        assert_eq!(read(&packet), None);
    }
}
