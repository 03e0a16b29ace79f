//! The silence token: tolerated in band from models that do not speak in typed answers, and never let through.

/// The token the prompt names for models without structured output.
pub(crate) const SILENCE_TOKEN: &str = "[SKIP]";

/// Spellings of the token that are cut out wherever they stand.
const TOKENS: &[&str] = &["[skip]", "[no_reply]", "[no reply]", "[silence]", "<skip>"];
/// Whole answers that mean silence and nothing else.
const BARE: &[&str] = &[
    "skip",
    "no reply",
    "no_reply",
    "noreply",
    "silence",
    "(silence)",
    "no response",
    "null",
];
/// Whole answers that mean silence where nothing was asked, and are answers where something was.
const BARE_UNASKED: &[&str] = &["no", "none", "n/a"];

/// Takes every token out; whether there was one.
pub(crate) fn without_tokens(text: &str) -> (String, bool) {
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

/// Whether a whole answer is one of the ways models say that they have nothing to say.
pub(crate) fn is_bare(text: &str, owed: bool) -> bool {
    let bare = text.trim_matches(|letter: char| letter.is_whitespace() || "\"'`*_.!-".contains(letter));
    let among = |words: &[&str]| words.iter().any(|word| bare.eq_ignore_ascii_case(word));
    among(BARE) || (!owed && among(BARE_UNASKED))
}

/// How much of `text` can be shown while more may come: nothing that a token or a bare word may still grow from.
pub(super) fn safe_to_show(text: &str) -> &str {
    let (lower, start) = (text.to_ascii_lowercase(), text.len() - text.trim_start().len());
    if next_token(&lower, 0).is_some() {
        return "";
    }
    let head = lower[start..].trim_matches(|letter: char| "\"'`*_.!- ".contains(letter));
    if BARE.iter().chain(BARE_UNASKED).any(|word| word.starts_with(head)) {
        return "";
    }
    let unsure = lower
        .rfind(['[', '<'])
        .filter(|&at| TOKENS.iter().any(|token| token.starts_with(&lower[at..])));
    &text[..unsure.unwrap_or(text.len())]
}

fn next_token(lower: &str, from: usize) -> Option<(usize, usize)> {
    let found = TOKENS
        .iter()
        .filter_map(|token| lower[from..].find(token).map(|at| (from + at, token.len())));
    found.min()
}
