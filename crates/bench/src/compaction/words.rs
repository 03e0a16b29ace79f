//! What counts as the same word when a summary is questioned; the same for answers, evidence and summaries.

/// Words that carry no answer.
const STOP_WORDS: &str = "a about above after again all also am an and any are as at be because been before being \
    below between both but by can could did do does doing down during each either else etc for from further had has \
    have having he her here hers herself him himself his how i if in into is it its itself just let like likely may \
    me might more most much must my myself no nor not of off on only or other our ours ourselves out over own per \
    same she should since so some such than that the their theirs them themselves then there these they this those \
    though through to too under until up upon us very via was we were what when where which while who whom whose why \
    will with within would yes yet you your yours yourself";

const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
    sixteen seventeen eighteen nineteen twenty";
const OTHER_NUMBERS: [(&str, &str); 11] = [
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("hundred", "100"),
    ("once", "1"),
    ("twice", "2"),
    ("first", "1"),
    ("second", "2"),
    ("third", "3"),
    ("fourth", "4"),
    ("fifth", "5"),
];

/// The content words of a text, each reduced to a stem, in order.
pub fn content_words(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['’', '‘'], "'");
    let words =
        text.split(|character: char| !(character.is_alphanumeric() || matches!(character, '\'' | ',' | '.')));
    words
        .flat_map(|word| without_punctuation(without_contraction(word)))
        .filter(|word| !is_stop_word(word))
        .map(|word| stem(&word))
        .collect()
}

fn without_contraction(word: &str) -> &str {
    let word = word.trim_matches(|character: char| !character.is_alphanumeric());
    ["'s", "'re", "'ve", "'ll", "'d", "'m"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word)
}

/// `1,200` and `don't` are one word, `this,that` and `end.Start` are two.
fn without_punctuation(word: &str) -> Vec<String> {
    let word = word.replace('\'', "");
    if word
        .chars()
        .all(|character| character.is_ascii_digit() || character == ',')
    {
        return Vec::from_iter(Some(word.replace(',', "")).filter(|word| !word.is_empty()));
    }
    word.split([',', '.'])
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.split_whitespace().any(|stop| stop == word)
}

fn stem(word: &str) -> String {
    if let Some(number) = number(word) {
        return number;
    }
    let mut stem = word.to_owned();
    let ends = |stem: &str, longer_than: usize, endings: &[&str]| {
        stem.chars().count() > longer_than && endings.iter().any(|ending| stem.ends_with(ending))
    };
    if ends(&stem, 4, &["ies"]) {
        stem.truncate(stem.len() - 3);
        stem.push('y');
    } else if ends(&stem, 4, &["sses", "shes", "ches", "xes", "zes"]) {
        stem.truncate(stem.len() - 2);
    } else if ends(&stem, 3, &["s"]) && !ends(&stem, 3, &["ss", "us", "is"]) {
        stem.pop();
    }
    if ends(&stem, 5, &["ing"]) {
        stem.truncate(stem.len() - 3);
        undouble(&mut stem);
    } else if ends(&stem, 4, &["ed"]) {
        stem.truncate(stem.len() - 2);
        undouble(&mut stem);
    }
    if ends(&stem, 3, &["e"]) {
        stem.pop();
    }
    if ends(&stem, 3, &["y"]) {
        stem.pop();
        stem.push('i');
    }
    stem
}

fn number(word: &str) -> Option<String> {
    let digits = word.trim_end_matches(['s', 't', 'n', 'd', 'r', 'h']);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(digits.to_owned());
    }
    let counted = NUMBERS
        .split_whitespace()
        .position(|number| number == word)
        .map(|number| number.to_string());
    counted.or_else(|| {
        OTHER_NUMBERS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, digits)| (*digits).to_owned())
    })
}

fn undouble(stem: &mut String) {
    let mut letters = stem.chars().rev();
    let (last, before) = (letters.next(), letters.next());
    if stem.chars().count() > 3 && last == before && !matches!(last, Some('l' | 's')) {
        stem.pop();
    }
}
