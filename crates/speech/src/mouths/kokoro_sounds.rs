//! What espeak-ng makes of a text, as the numbers that Kokoro takes.

/// Kokoro says no more sounds at a time.
pub(crate) const SOUNDS_MAX: usize = 510;

/// The numbers of sounds and marks: runs, each from a number on.
const RUNS: [(i64, &str); 31] = [
    (1, ";:,.!?"),
    (9, "—…\"()“” \u{303}ʣʥʦʨᵝꭧA"),
    (25, "I"),
    (31, "O"),
    (33, "Q"),
    (35, "ST"),
    (39, "W"),
    (41, "Yᵊabcdef"),
    (50, "hijklmnopqrstuvwxyzɑɐɒæ"),
    (75, "βɔɕç"),
    (80, "ɖðʤə"),
    (85, "ɚɛɜ"),
    (90, "ɟ"),
    (92, "ɡ"),
    (99, "ɥ"),
    (101, "ɨɪʝ"),
    (110, "ɯɰŋɳɲɴø"),
    (118, "ɸθœ"),
    (123, "ɹ"),
    (125, "ɾɻ"),
    (128, "ʁɽʂʃʈʧ"),
    (135, "ʊʋ"),
    (138, "ʌɣɤ"),
    (142, "χʎ"),
    (147, "ʒʔ"),
    (156, "ˈˌː"),
    (162, "ʰ"),
    (164, "ʲ"),
    (169, "↓"),
    (171, "→↗↘"),
    (177, "ᵻ"),
];

/// Sounds of espeak-ng that Kokoro learnt under another sign, in this order.
const EVERYWHERE: [(&str, &str); 6] = [
    ("dʒ", "ʤ"),
    ("tʃ", "ʧ"),
    ("dz", "ʣ"),
    ("ts", "ʦ"),
    ("ʲ", "j"),
    ("ɬ", "l"),
];
const ENGLISH: [(&str, &str); 11] = [
    ("dʒ", "ʤ"),
    ("tʃ", "ʧ"),
    ("aɪ", "I"),
    ("aʊ", "W"),
    ("eɪ", "A"),
    ("ɔɪ", "Y"),
    ("əl", "ᵊl"),
    ("r", "ɹ"),
    ("x", "k"),
    ("ɐ", "ə"),
    ("ɬ", "l"),
];
const AMERICAN: [(&str, &str); 7] = [
    ("oʊ", "O"),
    ("ɚɹ", "əɹ"),
    ("ɚ", "əɹ"),
    ("ɜːɹ", "ɜɹ"),
    ("ɜː", "ɜɹ"),
    ("ɪə", "iə"),
    ("ː", ""),
];
const BRITISH: [(&str, &str); 3] = [("eə", "ɛː"), ("iə", "ɪə"), ("əʊ", "Q")];

/// The sounds as Kokoro learnt them, in a language as espeak-ng names it.
pub(crate) fn adapted(sounds: &str, language: &str) -> String {
    let tables: &[&[(&str, &str)]] = match language {
        "en-us" => &[&ENGLISH, &AMERICAN],
        "en-gb" => &[&ENGLISH, &BRITISH],
        _ => &[&EVERYWHERE],
    };
    let pairs = tables.iter().flat_map(|table| table.iter());
    pairs.fold(sounds.to_owned(), |sounds, (theirs, own)| {
        sounds.replace(theirs, own)
    })
}

/// The numbers of sounds; what it does not know is left out.
pub(crate) fn numbers(sounds: &str) -> Vec<i64> {
    sounds.chars().filter_map(number).collect()
}

fn number(sound: char) -> Option<i64> {
    RUNS.iter().find_map(|(first, run)| {
        let place = run.chars().position(|known| known == sound)?;
        Some(first + place as i64)
    })
}

/// What is said at a time: as long as can be, cut behind a mark, else between words.
pub(crate) fn pieces(numbers: &[i64]) -> Vec<&[i64]> {
    const MARKS: std::ops::RangeInclusive<i64> = 1..=10;
    const SPACE: i64 = 16;
    let mut rest = numbers;
    let mut pieces = Vec::new();
    while rest.len() > SOUNDS_MAX {
        let most = &rest[..SOUNDS_MAX];
        let behind = |wanted: &dyn Fn(&i64) -> bool| most.iter().rposition(wanted).map(|place| place + 1);
        let cut = behind(&|number| MARKS.contains(number))
            .or_else(|| behind(&|number| *number == SPACE))
            .unwrap_or(SOUNDS_MAX);
        pieces.push(&rest[..cut]);
        rest = &rest[cut..];
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

#[cfg(test)]
#[path = "kokoro_sounds_tests.rs"]
mod tests;
