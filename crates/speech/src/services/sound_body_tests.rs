use super::*;

fn taken(bytes: &[u8], size: usize) -> Result<(u32, Vec<i16>), Trouble> {
    let mut body = SoundBody::new(24_000);
    let mut samples = Vec::new();
    for piece in bytes.chunks(size) {
        samples.extend(body.push(piece, "the server")?);
    }
    Ok((body.rate(), samples))
}

fn stream_of(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

#[test]
fn bare_samples_are_taken_however_they_are_cut() {
    let samples: Vec<i16> = (0..50).map(|number| number * 100 - 2_500).collect();
    for size in [1, 3, 13, 1_000] {
        assert_eq!(taken(&stream_of(&samples), size), Ok((24_000, samples.clone())));
    }
}

#[test]
fn a_file_says_its_rate_and_where_it_ends() {
    let samples: Vec<i16> = (0..40).collect();
    let mut file = audio::wav::write(&samples, 22_050);
    file.extend_from_slice(b"LIST\x04\0\0\0more");
    for size in [1, 5, 44, 1_000] {
        assert_eq!(taken(&file, size), Ok((22_050, samples.clone())));
    }
}

#[test]
fn a_file_that_is_written_while_it_is_sent_has_no_length() {
    for unknown in [0_u32, 0x7FFF_F000, u32::MAX] {
        let mut file = audio::wav::write(&[1, 2, 3], 22_050);
        file[40..44].copy_from_slice(&unknown.to_le_bytes());
        assert_eq!(taken(&file, 7), Ok((22_050, vec![1, 2, 3])));
    }
}

#[test]
fn two_channels_become_one() {
    let mut file = audio::wav::write(&[100, 200, -50, 50], 16_000);
    file[22] = 2;
    assert_eq!(taken(&file, 9), Ok((16_000, vec![150, 0])));
}

#[test]
fn what_is_no_plain_sound_is_told() {
    let told = |bytes: &[u8]| taken(bytes, 1_000).expect_err("not sound").detail;
    assert!(told(b"ID3\x04\0\0\0\0\0\0\0\0\0\0").contains("MP3"));
    assert!(told(&[0xFF, 0xFB, 0x90, 0, 0, 0, 0, 0, 0, 0, 0, 0]).contains("MP3"));
    assert!(told(b"OggS\0\0\0\0\0\0\0\0").contains("Ogg"));
    assert!(told(b"{\"error\": \"x\"}").contains("text"));
    for words in [
        "{ \"error\": 7 }",
        "[{\"a\": 1}, 2]",
        "Internal error",
        "<?xml version=",
    ] {
        assert!(told(words.as_bytes()).contains("text"), "{words}");
    }
    assert!(told(&[0xFF, 0xF1, 0x50, 0, 0, 0, 0, 0, 0, 0, 0, 0]).contains("AAC"));
    assert!(told(&[0x1A, 0x45, 0xDF, 0xA3, 0, 0, 0, 0, 0, 0, 0, 0]).contains("WebM"));
    assert!(told(b"\0\0\0\x20ftypM4A ").contains("MP4"));
    let mut wide = audio::wav::write(&[1], 16_000);
    wide[34] = 24;
    assert!(told(&wide).contains("16-bit"));
}

mod hostile_sound {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(hostile::cases(256))]

        #[test]
        fn damaged_sound_is_taken_or_refused(
            bytes in hostile::wounded(vec![audio::wav::write(&[5; 300], 22_050), stream_of(&[7; 300])]),
            size in 1..200_usize,
        ) {
            if let Ok((rate, samples)) = taken(&bytes, size) {
                prop_assert!(RATES.contains(&rate));
                prop_assert!(samples.len() * 2 <= bytes.len());
            }
        }
    }
}

#[test]
fn of_somebody_elses_server_nothing_but_a_file_is_sound() {
    let bare = stream_of(&[100, -200, 300, -400, 500, -600, 700]);
    let why = SoundBody::of_files()
        .push(&bare, "the server")
        .expect_err("no head");
    assert!(why.detail.contains("WAV"), "{}", why.detail);
    let file = audio::wav::write(&[1, 2, 3], 22_050);
    assert_eq!(SoundBody::of_files().push(&file, "the server"), Ok(vec![1, 2, 3]));
    let expected = |body: SoundBody, named| body.expect(named, "the server").is_ok();
    for text in [
        "text/html; charset=utf-8",
        "application/json",
        "application/problem+json",
    ] {
        assert!(!expected(SoundBody::of_files(), text), "{text}");
    }
    assert!(!expected(SoundBody::new(24_000), "audio/mpeg"));
    for sound in [
        "audio/wav",
        "",
        "application/octet-stream",
        "audio/pcm;rate=24000",
    ] {
        assert!(expected(SoundBody::new(24_000), sound), "{sound}");
    }
}
