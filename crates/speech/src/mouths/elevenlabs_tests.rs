use serde_json::json;

use super::*;

fn line(samples: usize, characters: &[&str], from: f64) -> String {
    let starts: Vec<f64> = (0..characters.len())
        .map(|place| from + place as f64 * 0.1)
        .collect();
    let ends: Vec<f64> = starts.iter().map(|start| start + 0.1).collect();
    json!({
        "audio_base64": STANDARD.encode(vec![0; samples * 2]),
        "alignment": {
            "characters": characters,
            "character_start_times_seconds": starts,
            "character_end_times_seconds": ends,
        },
        "normalized_alignment": null,
    })
    .to_string()
}

fn marks(lines: &str, size: usize) -> Vec<(f64, usize)> {
    let mut reading = Reading::new("the server");
    let mut marks = Vec::new();
    for piece in lines.as_bytes().chunks(size) {
        for sound in reading.push(piece, false).unwrap().unwrap() {
            marks.extend(sound.marks);
        }
    }
    for sound in reading.push(&[], true).unwrap().unwrap() {
        marks.extend(sound.marks);
    }
    marks
        .iter()
        .map(|(time, characters)| ((time * 10.0).round() / 10.0, *characters))
        .collect()
}

#[test]
fn times_are_of_the_sentence_whether_a_line_counts_on_or_anew() {
    let wanted = [(0.1, 1), (0.2, 2), (0.3, 3), (0.4, 4)];
    let on = format!(
        "{}\n\n{}\n",
        line(4_800, &["H", "i"], 0.0),
        line(4_800, &["!", " "], 0.2)
    );
    let anew = format!(
        "{}\n{}",
        line(4_800, &["H", "i"], 0.0),
        line(4_800, &["!", " "], 0.0)
    );
    for size in [1, 50, 10_000] {
        assert_eq!(marks(&on, size), wanted);
        assert_eq!(marks(&anew, size), wanted);
    }
}

#[test]
fn what_is_no_such_line_is_noticed() {
    let mut reading = Reading::new("the server");
    assert!(reading.push(b"<html>\n", false).unwrap().is_none());
    let mut reading = Reading::new("the server");
    assert!(
        reading
            .push(b"{\"audio_base64\": \"%%%\"}\n", false)
            .unwrap()
            .is_none()
    );
    let mut reading = Reading::new("the server");
    assert!(
        reading
            .push(&vec![b'x'; LINE_BYTES_MAX + 1], false)
            .unwrap()
            .is_none()
    );
}

mod hostile_lines {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(hostile::cases(256))]

        #[test]
        fn damaged_lines_are_read_or_refused(
            bytes in hostile::wounded(vec![format!("{}\n{}\n", line(480, &["H", "i"], 0.0), line(480, &["!"], 0.2)).into_bytes()]),
        ) {
            let mut reading = Reading::new("the server");
            if let Ok(Some(sounds)) = reading.push(&bytes, true) {
                prop_assert!(sounds.iter().map(|sound| sound.samples.len()).sum::<usize>() <= bytes.len());
            }
        }
    }
}
