//! Whether too little was said to mean anything: scraps, nods, noises. In any script.

/// Words that begin a question, in the languages of most rooms, as they are spoken.
const QUESTION_WORDS: &[&str] = &[
    // English
    "what",
    "who",
    "whom",
    "whose",
    "when",
    "where",
    "why",
    "how",
    "which",
    "can",
    "could",
    "would",
    "should",
    "do",
    "does",
    "did",
    "is",
    "are",
    "will", // German
    "was",
    "wer",
    "wen",
    "wem",
    "wann",
    "wo",
    "warum",
    "wieso",
    "wie",
    "welche",
    "welcher",
    "welches",
    "wohin",
    "kannst", // French
    "quoi",
    "qui",
    "quand",
    "où",
    "pourquoi",
    "comment",
    "quel",
    "quelle",
    "combien",
    "que", // Spanish, Portuguese
    "qué",
    "quién",
    "cuándo",
    "cuando",
    "dónde",
    "cómo",
    "cuál",
    "cuánto",
    "quem",
    "onde",
    "porquê",
    "qual",
    // Italian
    "che",
    "chi",
    "dove",
    "perché",
    "come",
    "quanto",
    "quale", // Russian, Ukrainian
    "что",
    "кто",
    "когда",
    "где",
    "почему",
    "зачем",
    "как",
    "какой",
    "сколько",
    "що",
    "хто",
    "чому",
    // Turkish
    "ne",
    "kim",
    "nerede",
];
/// Marks that ask, in every script that has one.
const QUESTION_MARKS: [char; 8] = ['?', '？', '؟', '⁇', '՞', '፧', '¿', '꘏'];
/// What of an unspaced script makes up about a word.
const UNSPACED_LETTERS_A_WORD: usize = 2;

/// Whether it is a scrap: no question, and fewer than three words of six letters, or two of ten.
pub fn is_low_signal(text: &str) -> bool {
    if text.contains(QUESTION_MARKS) {
        return false;
    }
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '’')
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .map(str::to_lowercase)
        .collect();
    if words.len() > 1 && QUESTION_WORDS.contains(&words[0].as_str()) {
        return false;
    }
    let (mut count, mut letters) = (0, 0);
    for word in &words {
        let all = word.chars().filter(|letter| letter.is_alphanumeric()).count();
        let unspaced = word.chars().filter(|letter| is_unspaced(*letter)).count();
        // Such a letter says about as much as three of an alphabet.
        letters += all + 2 * unspaced;
        count += match unspaced {
            0 => 1,
            unspaced => (unspaced / UNSPACED_LETTERS_A_WORD).max(1),
        };
    }
    let says_something = (count >= 3 && letters >= 6) || (count >= 2 && letters >= 10);
    !says_something
}

/// Whether words of this letter's script stand without a space between them.
fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}
