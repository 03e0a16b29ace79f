//! What makes two words the same word to the summariser: case, endings and spelled-out numbers set aside.

/// Numbers that people spell out, and the digits that they stand for.
const SPELLED_NUMBERS: [(&str, &str); 26] = [
    ("zero", "0"),
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("thirteen", "13"),
    ("fourteen", "14"),
    ("fifteen", "15"),
    ("sixteen", "16"),
    ("seventeen", "17"),
    ("eighteen", "18"),
    ("nineteen", "19"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("hundred", "100"),
    ("twice", "2"),
];

/// How many letters they have.
const SPELLED_LETTERS: std::ops::RangeInclusive<usize> = 3..=9;

/// The digits a spelled-out number stands for.
pub fn spelled_number(lower: &str) -> Option<&'static str> {
    let first = lower.as_bytes().first()?;
    let may_be = SPELLED_LETTERS.contains(&lower.len());
    if !may_be || !matches!(first, b'e' | b'f' | b'h' | b'n' | b'o' | b's' | b't' | b'z') {
        return None;
    }
    SPELLED_NUMBERS
        .iter()
        .find_map(|(word, digits)| (*word == lower).then_some(*digits))
}

/// The lower-case form without apostrophes: `I'm` and `im` are one word, `Rex's` is `rex`.
pub fn plain(word: &str) -> String {
    let lower = word.to_lowercase();
    if !lower.contains('\'') {
        return lower;
    }
    let kept = ["'s", "'re", "'ve", "'ll", "'d", "'m"]
        .iter()
        .find_map(|ending| lower.strip_suffix(ending))
        .unwrap_or(&lower);
    kept.replace('\'', "")
}

/// The stem of a plain word: plural, `-ing`, `-ed` and a last `e` or `y` are set aside, where enough remains.
pub fn stem(plain: &str) -> String {
    if let Some(digits) = spelled_number(plain) {
        return digits.to_owned();
    }
    if !plain.is_ascii() || plain.bytes().any(|byte| byte.is_ascii_digit()) {
        return plain.to_owned();
    }
    let mut stem = without_plural(plain);
    let verb_ending = match stem.as_bytes() {
        [.., b'i', b'n', b'g'] if stem.len() > 5 => 3,
        [.., b'e', b'd'] if stem.len() > 4 => 2,
        _ => 0,
    };
    if verb_ending > 0 {
        stem.truncate(stem.len() - verb_ending);
        undouble(&mut stem);
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
}

fn without_plural(word: &str) -> String {
    let length = word.len();
    // Most words are no plural, and this is asked of every word of a talk.
    if !word.ends_with('s') {
        return word.to_owned();
    }
    if length > 4 && word.ends_with("ies") {
        return format!("{}y", &word[..length - 3]);
    }
    if length > 4
        && ["sses", "shes", "ches", "xes", "zes"]
            .iter()
            .any(|ending| word.ends_with(ending))
    {
        return word[..length - 2].to_owned();
    }
    if length > 3 && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) {
        return word[..length - 1].to_owned();
    }
    word.to_owned()
}

/// `planned` and `planning` become `plan`; `selling` and `passing` keep both letters.
fn undouble(stem: &mut String) {
    let bytes = stem.as_bytes();
    if let [.., before, last] = bytes
        && bytes.len() > 3
        && before == last
        && !matches!(last, b'l' | b's')
    {
        stem.pop();
    }
}
