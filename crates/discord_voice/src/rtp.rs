//! Packets of sound: their header, and what stands between it and the sound.

/// Opus, as Discord numbers it.
const OPUS: u8 = 120;
const FIXED: usize = 12;
/// The kinds that are reports and no sound.
const REPORTS: std::ops::RangeInclusive<u8> = 200..=204;

/// What a packet says of itself, before anything is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RtpHeader {
    pub sequence: u16,
    pub timestamp: u32,
    pub ssrc: u32,
    /// Everything before this is told in the open, and cannot be changed unnoticed.
    pub sealed_from: usize,
    /// So many bytes before the sound are an extension's, sealed with it.
    pub extension: usize,
    pub is_padded: bool,
}

/// A packet, by what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PacketKind {
    Sound(RtpHeader),
    Report,
    Other,
}

pub(crate) fn kind(packet: &[u8]) -> PacketKind {
    if packet.len() >= 2 && packet[0] >> 6 == 2 && REPORTS.contains(&packet[1]) {
        return PacketKind::Report;
    }
    read(packet).map_or(PacketKind::Other, PacketKind::Sound)
}

fn read(packet: &[u8]) -> Option<RtpHeader> {
    let fixed: &[u8; FIXED] = packet.first_chunk()?;
    if fixed[0] >> 6 != 2 || fixed[1] & 0x7f != OPUS {
        return None;
    }
    let sources = usize::from(fixed[0] & 0x0f) * 4;
    let mut sealed_from = FIXED + sources;
    let mut extension = 0;
    if fixed[0] & 0x10 != 0 {
        let told = packet.get(sealed_from..sealed_from + 4)?;
        extension = usize::from(u16::from_be_bytes([told[2], told[3]])) * 4;
        sealed_from += 4;
    }
    (packet.len() > sealed_from).then_some(RtpHeader {
        sequence: u16::from_be_bytes([fixed[2], fixed[3]]),
        timestamp: u32::from_be_bytes([fixed[4], fixed[5], fixed[6], fixed[7]]),
        ssrc: u32::from_be_bytes([fixed[8], fixed[9], fixed[10], fixed[11]]),
        sealed_from,
        extension,
        is_padded: fixed[0] & 0x20 != 0,
    })
}

impl RtpHeader {
    /// The sound out of what was sealed: without the extension before it and the padding after it.
    pub fn sound<'a>(&self, opened: &'a [u8]) -> Option<&'a [u8]> {
        let mut sound = opened.get(self.extension..)?;
        if self.is_padded {
            let padding = usize::from(*sound.last()?);
            sound = sound.get(..sound.len().checked_sub(padding)?)?;
        }
        (!sound.is_empty()).then_some(sound)
    }
}

/// The header of a packet of ours.
pub(crate) fn write(sequence: u16, timestamp: u32, ssrc: u32) -> [u8; FIXED] {
    let mut header = [0; FIXED];
    header[0] = 0x80;
    header[1] = OPUS;
    header[2..4].copy_from_slice(&sequence.to_be_bytes());
    header[4..8].copy_from_slice(&timestamp.to_be_bytes());
    header[8..12].copy_from_slice(&ssrc.to_be_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound(packet: &[u8]) -> RtpHeader {
        match kind(packet) {
            PacketKind::Sound(header) => header,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut packet = write(65_535, 4_000_000_000, 77).to_vec();
        assert_eq!(kind(&packet), PacketKind::Other, "nothing is sealed in it");
        packet.push(1);
        let header = sound(&packet);
        assert_eq!(
            (header.sequence, header.timestamp, header.ssrc, header.sealed_from),
            (65_535, 4_000_000_000, 77, 12)
        );
    }

    #[test]
    fn sources_extensions_and_padding_are_taken_away() {
        let mut packet = write(1, 2, 3).to_vec();
        packet[0] = 0x80 | 0x20 | 0x10 | 2;
        packet[1] |= 0x80;
        packet.extend([0; 8]);
        packet.extend([0xbe, 0xde, 0, 2]);
        packet.push(9);
        let header = sound(&packet);
        assert_eq!((header.sealed_from, header.extension), (24, 8));
        let opened = [1, 1, 1, 1, 2, 2, 2, 2, 7, 7, 7, 0, 2];
        assert_eq!(header.sound(&opened), Some([7, 7, 7].as_slice()));
        assert_eq!(header.sound(&opened[..8]), None);
        assert_eq!(
            header.sound(&[0, 0, 0, 0, 0, 0, 0, 0, 9]),
            None,
            "more padding than there is"
        );
    }

    #[test]
    fn reports_and_strangers_are_no_sound() {
        assert_eq!(kind(&[0x81, 201, 0, 1, 0, 0, 0, 0]), PacketKind::Report);
        for other in [&[][..], &[0x80], &[0x80, 120, 0], &[0x40; 20], &[0x80; 20]] {
            assert_eq!(kind(other), PacketKind::Other, "{other:?}");
        }
        let mut cut = write(1, 2, 3).to_vec();
        cut[0] |= 0x10;
        cut.extend([0, 0]);
        assert_eq!(kind(&cut), PacketKind::Other);
    }
}
