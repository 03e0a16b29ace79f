//! Files of every kind that can be read, and errors that say what is wrong with the others.

use proptest::prelude::*;

use super::*;

/// A file of one format chunk and one data chunk.
fn file(code: u16, channels: u16, rate: u32, bits: u16, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0".to_vec();
    bytes.extend(code.to_le_bytes());
    bytes.extend(channels.to_le_bytes());
    bytes.extend(rate.to_le_bytes());
    bytes.extend((rate * u32::from(channels * bits / 8)).to_le_bytes());
    bytes.extend((channels * bits / 8).to_le_bytes());
    bytes.extend(bits.to_le_bytes());
    bytes.extend(b"data");
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(data);
    bytes
}

fn samples(bytes: &[u8]) -> Vec<i16> {
    Recording::read(bytes).expect("a recording").samples
}

fn refused(bytes: &[u8]) -> String {
    Recording::read(bytes).expect_err("no recording").to_string()
}

#[test]
fn what_is_written_is_read_again() {
    let sound = [0, 1, -1, i16::MAX, i16::MIN, 1_234];
    for rate in [8_000, 22_050, 48_000] {
        let recording = Recording::read(&write(&sound, rate)).expect("our own");
        assert_eq!(recording.samples, sound);
        assert_eq!((recording.rate, recording.channels), (rate, 1));
    }
    assert!(samples(&write(&[], 16_000)).is_empty());
}

#[test]
fn every_width_says_the_same_sample() {
    assert_eq!(
        samples(&file(1, 1, 8_000, 8, &[128, 0, 192])),
        [0, -32_768, 16_384]
    );
    assert_eq!(samples(&file(1, 1, 8_000, 16, &[0, 0x40])), [16_384]);
    assert_eq!(
        samples(&file(1, 1, 8_000, 24, &[9, 0, 0x40, 0, 0, 0x80])),
        [16_384, -32_768]
    );
    assert_eq!(samples(&file(1, 1, 8_000, 32, &[9, 9, 0, 0x40])), [16_384]);
    assert_eq!(samples(&file(3, 1, 8_000, 32, &0.5_f32.to_le_bytes())), [16_384]);
    assert_eq!(
        samples(&file(3, 1, 8_000, 64, &(-0.5_f64).to_le_bytes())),
        [-16_384]
    );
}

#[test]
fn floats_beyond_full_scale_are_cut_off_and_no_number_is_silence() {
    let data: Vec<u8> = [2.0, -7.0, f32::NAN, f32::INFINITY]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    assert_eq!(samples(&file(3, 1, 8_000, 32, &data)), [32_767, -32_768, 0, 0]);
}

#[test]
fn channels_are_mixed_to_one_and_never_wrap() {
    let loud: Vec<u8> = [i16::MAX, i16::MAX, 1_000, -1_000]
        .into_iter()
        .flat_map(i16::to_le_bytes)
        .collect();
    let recording = Recording::read(&file(1, 2, 44_100, 16, &loud)).expect("stereo");
    assert_eq!(recording.samples, [i16::MAX, 0]);
    assert_eq!(recording.channels, 2);
}

#[test]
fn any_rate_becomes_ours() {
    let second = vec![500_i16; 22_050];
    let sound = read(&write(&second, 22_050)).expect("a common rate");
    assert_eq!(sound.len(), 48_000);
    assert!(
        sound[1_000..47_000]
            .iter()
            .all(|sample| (499..=501).contains(sample))
    );
}

#[test]
fn an_extensible_head_and_other_chunks_are_read_over() {
    let mut bytes = b"RIFF\0\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x28\0\0\0".to_vec();
    bytes.extend([
        0xfe, 0xff, 1, 0, 0x80, 0xbb, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0, 22, 0, 16, 0, 4, 0, 0, 0,
    ]);
    bytes.extend([1, 0, 0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113]);
    bytes.extend(b"data\x02\0\0\0\x05\0id3 \x01\0\0\0x");
    let recording = Recording::read(&bytes).expect("extensible");
    assert_eq!((recording.rate, recording.samples), (48_000, vec![5]));
}

#[test]
fn a_file_that_was_streamed_before_its_length_was_known_is_read_to_its_end() {
    // Programs write different lengths: of all ones, or of the largest number with a sign less a page.
    for says in [u32::MAX, 0x7fff_f000] {
        let mut bytes = write(&[1, 2, 3], 22_050);
        bytes[40..44].copy_from_slice(&says.to_le_bytes());
        bytes.push(9);
        assert_eq!(samples(&bytes), [1, 2, 3]);
    }
}

#[test]
fn errors_name_what_is_wrong() {
    assert_eq!(
        refused(b"<html>no such page"),
        "not a WAV file: it begins with \"<html>no suc\" and not with RIFF and WAVE"
    );
    assert_eq!(
        refused(b"RIFF"),
        "the WAV file ends after 4 bytes, in the middle of its head"
    );
    assert_eq!(
        refused(b""),
        "the WAV file ends after 0 bytes, in the middle of its head"
    );
    assert_eq!(
        refused(&file(1, 1, 8_000, 16, &[1, 2, 3, 4])[..46]),
        "the chunk \"data\" says 4 bytes, and the file has 2 more"
    );
    assert_eq!(
        refused(&file(7, 1, 8_000, 8, &[0])),
        "samples are µ-law (format 0x0007); PCM and float can be read"
    );
    assert_eq!(
        refused(&file(1, 1, 8_000, 12, &[])),
        "12 bits a sample (PCM); PCM of 8, 16, 24 and 32 bits and float of 32 and 64 can be read"
    );
    assert_eq!(
        refused(&file(1, 0, 8_000, 16, &[])),
        "0 channels; 1 to 8 can be read"
    );
    assert_eq!(
        refused(&file(1, 1, 100, 16, &[])),
        "100 samples a second: between 4000 and 384000 can be converted"
    );
    assert_eq!(
        refused(&file(1, 1, 8_000, 16, &[1, 2, 3])),
        "the samples end in the middle of one: 3 bytes are not a multiple of 2"
    );
    let mut frame = file(1, 1, 8_000, 16, &[0, 0]);
    frame[32] = 5;
    assert_eq!(
        refused(&frame),
        "5 bytes a frame, and 1 channels of 16 bits are 2"
    );
    let whole = file(1, 1, 8_000, 16, &[0, 0]);
    assert_eq!(
        refused(&whole[..36]),
        "the WAV file has no chunk \"data\", so there are no samples"
    );
    assert_eq!(
        refused(&whole[..12]),
        "the WAV file has no chunk \"fmt \", which would say what its samples are"
    );
    assert_eq!(
        refused(b"RIFF\0\0\0\0WAVEdata\0\0\0\0"),
        "the chunk \"data\" comes before the chunk \"fmt \" that would say what it is"
    );
    assert_eq!(
        refused(b"RIFF\0\0\0\0WAVEfmt \x02\0\0\0\x01\0"),
        "the chunk \"fmt \" has 2 bytes; at least 16 are needed"
    );
}

mod hostile_files {
    use super::*;

    fn files() -> Vec<Vec<u8>> {
        vec![
            write(&[1, -2, 300, -400], 48_000),
            file(1, 2, 44_100, 24, &[7; 24]),
            file(3, 1, 22_050, 32, &[63; 16]),
            file(3, 8, 8_000, 64, &[63; 128]),
        ]
    }

    proptest! {
        #![proptest_config(hostile::cases(512))]

        #[test]
        fn damaged_files_are_read_or_refused(bytes in hostile::wounded(files())) {
            if let Ok(recording) = Recording::read(&bytes) {
                prop_assert!(recording.samples.len() <= bytes.len());
                prop_assert!(crate::resample::RATES.contains(&recording.rate));
            }
        }
    }
}

#[test]
fn a_recording_whose_program_was_ended_before_it_knew_its_length_is_played() {
    let mut file = write(&[1, -2, 3], 48_000);
    file[40..44].copy_from_slice(&0_u32.to_le_bytes());
    assert_eq!(Recording::read(&file).expect("sound").samples, [1, -2, 3]);
    let mut empty = write(&[], 48_000);
    empty.extend_from_slice(b"LIST\x04\0\0\0more");
    assert!(Recording::read(&empty).expect("no sound").samples.is_empty());
}
