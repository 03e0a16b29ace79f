//! Secrets that give themselves away by their shape: keys with a maker's prefix, signed tokens, key files.

use super::Secret;

/// A maker's prefix, the fewest characters that follow it, and what it is.
const PREFIXES: [(&str, usize, &str); 27] = [
    ("sk-", 20, "api key"),
    ("sk_live_", 16, "api key"),
    ("sk_test_", 16, "api key"),
    ("rk_live_", 16, "api key"),
    ("whsec_", 20, "api key"),
    ("ghp_", 30, "api key"),
    ("gho_", 30, "api key"),
    ("ghu_", 30, "api key"),
    ("ghs_", 30, "api key"),
    ("ghr_", 30, "api key"),
    ("github_pat_", 30, "api key"),
    ("glpat-", 20, "api key"),
    ("AKIA", 16, "api key"),
    ("ASIA", 16, "api key"),
    ("xoxb-", 10, "api key"),
    ("xoxp-", 10, "api key"),
    ("xoxa-", 10, "api key"),
    ("xoxr-", 10, "api key"),
    ("xoxs-", 10, "api key"),
    ("xapp-", 10, "api key"),
    ("AIza", 30, "api key"),
    ("ya29.", 20, "api key"),
    ("hf_", 30, "api key"),
    ("npm_", 30, "api key"),
    ("gsk_", 30, "api key"),
    ("SG.", 40, "api key"),
    ("AGE-SECRET-KEY-", 20, "private key"),
];
/// How the parts of a web token begin: JSON in base 64.
const WEB_TOKEN: &str = "eyJ";
/// What is shorter is no web token, whose first two parts alone are as long, and no chat bot's.
const SIGNED_CHARS_MIN: usize = 24;
/// What is shorter has no maker's prefix with enough behind it.
const PREFIXED_CHARS_MIN: usize = 15;
const BEARER_CHARS_MIN: usize = 16;
const PEM_BEGIN: &str = "-----BEGIN ";
const PEM_KEY: &str = "PRIVATE KEY-----";
const PEM_END: &str = "-----END ";
/// How long the middle part of a chat bot's token is, and its parts around it at least.
const BOT_TOKEN_PARTS: [(usize, usize); 3] = [(23, 28), (6, 7), (27, 60)];

pub(super) fn find(text: &str) -> Vec<Secret> {
    let mut found = key_files(text);
    // Keys and tokens hold a digit, or begin like a web token.
    if !has_digit(text) && !text.contains(WEB_TOKEN) {
        return found;
    }
    let mut after_bearer = false;
    for (at, run) in runs(text) {
        let kind = prefixed(run).or_else(|| signed(run)).or_else(|| {
            let is_token = run.len() >= BEARER_CHARS_MIN && has_digit(run);
            (after_bearer && is_token).then_some("token")
        });
        if let Some(kind) = kind {
            let at = at..at + run.len();
            found.push(Secret { at, kind });
        }
        after_bearer = run.eq_ignore_ascii_case("bearer");
    }
    found
}

/// Which bytes keys are made of: asked of every byte of what is said.
const IS_PART: [bool; 256] = {
    let mut is_part = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        is_part[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        byte += 1;
    }
    is_part
};

/// Runs of the characters that keys are made of, without what ends a sentence.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |byte: &u8| IS_PART[usize::from(*byte)];
    let bytes = text.as_bytes();
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + bytes[rest..].iter().position(is_part)?;
        let end = bytes[start..].iter().position(|byte| !is_part(byte));
        rest = end.map_or(text.len(), |end| start + end);
        Some((start, text[start..rest].trim_end_matches(['.', '-'])))
    })
    .filter(|(_, run)| !run.is_empty())
}

fn prefixed(run: &str) -> Option<&'static str> {
    if run.len() < PREFIXED_CHARS_MIN {
        return None;
    }
    let (prefix, least, kind) = PREFIXES.iter().find(|(prefix, ..)| run.starts_with(prefix))?;
    let key = &run[prefix.len()..];
    // `sk-learn-compatible-estimator` is a name; keys have digits and letters in them.
    let is_random =
        key.len() >= *least && has_digit(key) && key.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_amazon = *prefix == "AKIA" || *prefix == "ASIA";
    let fits_amazon = key.len() == 16
        && key
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    (is_random && (!is_amazon || fits_amazon)).then_some(*kind)
}

/// A JSON web token, or a chat bot's: three parts with dots between them.
fn signed(run: &str) -> Option<&'static str> {
    if run.len() < SIGNED_CHARS_MIN {
        return None;
    }
    let parts: Vec<&str> = run.split('.').collect();
    let [header, payload, signature] = parts[..] else {
        return None;
    };
    let is_web_token = header.starts_with(WEB_TOKEN)
        && payload.starts_with(WEB_TOKEN)
        && header.len() > 10
        && payload.len() > 10;
    let is_bot_token = parts
        .iter()
        .zip(BOT_TOKEN_PARTS)
        .all(|(part, (least, most))| (least..=most).contains(&part.len()));
    let mixed = has_digit(run) && run.bytes().any(|byte| byte.is_ascii_uppercase());
    (is_web_token || (is_bot_token && mixed && has_digit(signature))).then_some("token")
}

/// Private keys between their marks, or to the end where the last mark is missing. Certificates are public.
fn key_files(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(start) = text[rest..].find(PEM_BEGIN).map(|at| rest + at) {
        let label_end = text[start + PEM_BEGIN.len()..].find("-----");
        let label_end = label_end.map_or(text.len(), |end| start + PEM_BEGIN.len() + end + 5);
        rest = label_end;
        if !text[start..label_end].ends_with(PEM_KEY) {
            continue;
        }
        let end = text[label_end..].find(PEM_END).and_then(|at| {
            let after = label_end + at + PEM_END.len();
            text[after..].find("-----").map(|end| after + end + 5)
        });
        rest = end.unwrap_or(text.len());
        found.push(Secret {
            at: start..rest,
            kind: "private key",
        });
    }
    found
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{PREFIXED_CHARS_MIN, PREFIXES};

    #[test]
    fn no_prefix_with_what_follows_it_is_shorter_than_what_is_looked_at() {
        let shortest = PREFIXES
            .iter()
            .map(|(prefix, least, _)| prefix.len() + least)
            .min();
        assert_eq!(shortest, Some(PREFIXED_CHARS_MIN));
    }
}
