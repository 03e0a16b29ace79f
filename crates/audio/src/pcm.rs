//! Samples as the bytes in which they are carried: 16 bits, the lower byte first.

/// Appends the samples of some bytes; a byte that is left over at the end is not one.
pub fn read(bytes: &[u8], samples: &mut Vec<i16>) {
    let (pairs, _) = bytes.as_chunks::<2>();
    samples.extend(pairs.iter().map(|pair| i16::from_le_bytes(*pair)));
}

/// Appends the bytes of some samples.
pub fn write(samples: &[i16], bytes: &mut Vec<u8>) {
    bytes.reserve(samples.len() * 2);
    bytes.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_half_a_sample_is_none() {
        let sound = [0, 1, -2, i16::MAX, i16::MIN];
        let mut bytes = Vec::new();
        write(&sound, &mut bytes);
        assert_eq!(bytes[2..6], [1, 0, 0xfe, 0xff]);
        bytes.push(7);
        let mut samples = Vec::new();
        read(&bytes, &mut samples);
        assert_eq!(samples, sound);
    }
}
