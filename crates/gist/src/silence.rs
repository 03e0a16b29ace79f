//! The silence token: tolerated in band from models that do not speak in typed answers, and never let through.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The token the prompt names for models without structured output.
pub const SILENCE_TOKEN: &str = "[SKIP]";

/// The word the prompt names for small models, which know words better than tokens. A whole answer of it, or one that
/// begins with it, is silence: see `after_plain`.
pub const PLAIN_SILENCE: &str = "SKIP";

/// Spellings of the token that are cut out wherever they stand.
const TOKENS: &[&str] = &["[skip]", "[no_reply]", "[no reply]", "[silence]", "<skip>"];
/// How they begin.
const OPENINGS: [u8; 2] = *b"[<";
/// The longest of them.
const TOKEN_CHARS_MAX: usize = 10;
/// Whole answers that mean silence and nothing else. All of these lists are of folded words: see `plain`.
const BARE: &[&str] = &["skip", "no reply", "noreply", "silence", "no response", "null"];
/// Whole answers that mean silence where nothing was asked, and are answers where something was.
const BARE_UNASKED: &[&str] = &["no", "none", "n a"];
/// Whole answers that only a model says which was told that it may stay silent: never words for a room, whoever asked.
const NEVER_SAID: &[&str] = &[
    "stay silent",
    "stays silent",
    "staying silent",
    "remain silent",
    "remains silent",
    "remaining silent",
    "keep silent",
    "keeps silent",
    "keep quiet",
    "keeps quiet",
    "stay quiet",
    "stays quiet",
    "staying quiet",
    "silence chosen",
    "choose silence",
    "choosing silence",
    "says nothing",
    "not reply",
    "not replying",
    "not respond",
    "not responding",
    "does not reply",
    "does not respond",
    "no answer needed",
    "no reply needed",
    "no reply is needed",
    "no reply required",
    "no reply is required",
    "no reply necessary",
    "no reply is necessary",
    "no response needed",
    "no response is needed",
    "no response required",
    "no response is required",
    "no response necessary",
    "no response is necessary",
    "no need to reply",
    "no need to respond",
    "not addressed to me",
];
/// Who is said to be silent, in front of the phrases above: "I will stay silent."
const WHO: &[&str] = &[
    "i",
    "i am",
    "i m",
    "i ll",
    "i will",
    "i shall",
    "i should",
    "i would rather",
    "i d rather",
    "i choose to",
    "i chose to",
    "i decide to",
    "i ll just",
    "i will just",
    "i am going to",
    "i m going to",
    "i have to",
];
/// Until when, behind them: "I will stay silent for now."
const UNTIL: &[&str] = &[
    "here",
    "now",
    "for now",
    "this time",
    "today",
    "on this",
    "on this one",
];
/// Whole answers that mean silence in brackets, and without them where nothing was asked.
const SPELLED_OUT: &[&str] = &[
    "skipped",
    "skipping",
    "silent",
    "no answer",
    "no action needed",
    "nothing to add",
    "nothing to say",
];
/// Whole answers that mean silence in brackets only.
const IN_BRACKETS: &[&str] = &[
    "pass",
    "ignore",
    "ignored",
    "empty",
    "blank",
    "nothing",
    "no message",
    "no output",
    "no comment",
    "no action",
    "schweigen",
    "keine antwort",
    "silencio",
    "sin respuesta",
    "pas de reponse",
    "silenzio",
];
/// The longest of these phrases have so many words.
const WORDS_MAX: usize = 8;
/// What models put around an answer.
const WRAPPING: &str = "\"'`*_.!-";

/// Takes every token out; whether there was one.
pub fn without_tokens(text: &str) -> (String, bool) {
    // ASCII lower-casing keeps byte positions, so what is found below can be cut above.
    let lower = text.to_ascii_lowercase();
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    while let Some((at, length)) = next_token(&lower, from) {
        kept.push_str(&text[from..at]);
        from = at + length;
    }
    kept.push_str(&text[from..]);
    (kept, from > 0)
}

/// Whether an answer begins with the word for small models, which like to go on and say why; and what follows it.
pub fn after_plain(text: &str) -> Option<&str> {
    let bare = text
        .trim_start()
        .trim_start_matches(['"', '\'', '`', '*', '_', '[', '(']);
    let rest = bare.strip_prefix(PLAIN_SILENCE)?;
    let ends = rest
        .chars()
        .next()
        .is_none_or(|letter| !letter.is_alphanumeric() && letter != '-' && letter != '_');
    ends.then(|| {
        rest.trim_start_matches(|letter: char| letter.is_whitespace() || ":;,.!-–—\"'`*_])".contains(letter))
    })
}

/// Whether a whole answer is one of the ways models say that they have nothing to say.
pub fn is_bare(text: &str, owed: bool) -> bool {
    let plain = plain(text);
    let among = |words: &[&str]| words.contains(&plain.as_str());
    !text.contains('?') && (among(BARE) || (!owed && among(BARE_UNASKED))) || is_spelled_out(text, owed)
}

/// Whether a whole answer says in words of its own that there is nothing to say, or is made of dots.
pub fn is_spelled_out(text: &str, owed: bool) -> bool {
    if text.contains('?') {
        return false;
    }
    let inner = text.trim_matches(|letter: char| letter.is_whitespace() || WRAPPING.contains(letter));
    let in_brackets = [('[', ']'), ('(', ')'), ('<', '>'), ('{', '}')]
        .iter()
        .any(|(open, close)| inner.starts_with(*open) && inner.ends_with(*close));
    let plain = plain(text);
    let among = |words: &[&str]| words.contains(&plain.as_str());
    let is_dots = |letter: char| letter.is_whitespace() || ".…-–—_*\"'`()[]".contains(letter);
    let only_dots = text.contains(['.', '…', '-', '–', '—']) && text.chars().all(is_dots);
    only_dots
        || is_never_said(&plain)
        || ((in_brackets || !owed) && among(SPELLED_OUT))
        || (in_brackets && (among(IN_BRACKETS) || among(BARE)))
}

/// Whether folded words are one of the phrases that are never said, by whomever and for however long.
fn is_never_said(plain: &str) -> bool {
    let without_time = UNTIL
        .iter()
        .filter_map(|until| plain.strip_suffix(until)?.strip_suffix(' '));
    without_time.chain([plain]).any(|core| {
        let mut whats = WHO
            .iter()
            .filter_map(|who| core.strip_prefix(who)?.strip_prefix(' '));
        NEVER_SAID.contains(&core) || whats.any(|what| NEVER_SAID.contains(&what))
    })
}

/// Whether folded words may still become one of those phrases.
fn may_become_never_said(head: &str) -> bool {
    let begins = |phrases: &[&str], words: &str| phrases.iter().any(|phrase| phrase.starts_with(words));
    let goes_on = |words: &str| {
        begins(NEVER_SAID, words)
            || NEVER_SAID.iter().any(|phrase| {
                words.strip_prefix(phrase).is_some_and(|rest| {
                    rest.is_empty() || rest.strip_prefix(' ').is_some_and(|rest| begins(UNTIL, rest))
                })
            })
    };
    begins(WHO, head)
        || goes_on(head)
        || WHO
            .iter()
            .filter_map(|who| head.strip_prefix(who)?.strip_prefix(' '))
            .any(goes_on)
}

/// The words of an answer, folded, with single spaces and nothing else between them.
fn plain(text: &str) -> String {
    // Of ASCII a word is folded like the whole text, and those that are too many are not folded at all.
    if text.is_ascii() {
        let is_word = |word: &&str| !word.is_empty();
        let mut words = text
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .filter(is_word);
        let few: Vec<&str> = words.by_ref().take(WORDS_MAX).collect();
        return match words.next() {
            Some(_) => String::new(),
            None => few.join(" ").to_ascii_lowercase(),
        };
    }
    let folded = vocabulary::names::folded(text);
    let mut words = folded
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    // Longer ones are none of these, and need not be looked at whole.
    let few: Vec<&str> = words.by_ref().take(WORDS_MAX).collect();
    if words.next().is_some() {
        return String::new();
    }
    few.join(" ")
}

/// How much of `text` can be shown while more may come: nothing that a token or a bare word may still grow from.
pub fn safe_to_show(text: &str) -> &str {
    // Asked of all of an answer whenever more of it comes.
    let may_hold_token = text.bytes().any(|byte| OPENINGS.contains(&byte));
    if may_hold_token && next_token(&text.to_ascii_lowercase(), 0).is_some() {
        return "";
    }
    let head = plain(text);
    let lists = [BARE, BARE_UNASKED, SPELLED_OUT, IN_BRACKETS];
    let may_grow = |word: &&str| word.starts_with(head.as_str());
    // Brackets only where there are some; plain words of that list are answers.
    let opens = text
        .trim_start()
        .starts_with(['[', '(', '<', '{', '*', '_', '"', '`']);
    let lists = if opens { &lists[..] } else { &lists[..3] };
    let is_short = !head.is_empty() || text.chars().nth(12).is_none();
    if is_short
        && may_begin(&head)
        && (lists.iter().copied().flatten().any(may_grow) || may_become_never_said(&head))
    {
        return "";
    }
    before_unfinished(text)
}

/// Whether any phrase of silence begins with the first of these folded words, or with what there is of it.
fn may_begin(head: &str) -> bool {
    let first = head.split(' ').next().unwrap_or_default();
    // In order, the next one is the first that it may become.
    let place = FIRST_WORDS.partition_point(|word| *word < first);
    FIRST_WORDS.get(place).is_some_and(|word| word.starts_with(first))
}

static FIRST_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lists = [BARE, BARE_UNASKED, SPELLED_OUT, IN_BRACKETS, NEVER_SAID, WHO];
    let phrases = lists.into_iter().flatten();
    let words: BTreeSet<&str> = phrases.filter_map(|phrase| phrase.split(' ').next()).collect();
    words.into_iter().collect()
});

/// A text without the beginning of a token at its end.
pub fn before_unfinished(text: &str) -> &str {
    // One that began further back is whole, or none.
    let near = text.len().saturating_sub(TOKEN_CHARS_MAX);
    let opens = text.as_bytes()[near..]
        .iter()
        .rposition(|byte| matches!(byte, b'[' | b'<'))
        .map(|at| near + at);
    let begins = |at: &usize| {
        let tail = &text[*at..];
        let mut heads = TOKENS.iter().filter_map(|token| token.get(..tail.len()));
        heads.any(|head| head.eq_ignore_ascii_case(tail))
    };
    &text[..opens.filter(begins).unwrap_or(text.len())]
}

fn next_token(lower: &str, from: usize) -> Option<(usize, usize)> {
    let found = TOKENS
        .iter()
        .filter_map(|token| lower[from..].find(token).map(|at| (from + at, token.len())));
    found.min()
}
