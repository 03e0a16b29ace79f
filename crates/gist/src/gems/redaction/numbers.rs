//! Card and account numbers, told from other long numbers by their checksums.

use super::Secret;

const CARD_DIGITS_MIN: usize = 13;
const ACCOUNT_CHARS: std::ops::RangeInclusive<usize> = 15..=34;

pub(super) fn find(text: &str) -> Vec<Secret> {
    let (may_hold_card, may_hold_account) = may_hold(text.as_bytes());
    let mut found = Vec::new();
    if may_hold_card {
        let cards = groups(text, |byte| byte.is_ascii_digit(), " -").into_iter();
        found.extend(cards.filter(|at| is_card(text, at)).map(|at| Secret {
            at,
            kind: "card number",
        }));
    }
    if may_hold_account {
        let account = groups(text, |byte| byte.is_ascii_alphanumeric(), " ");
        found.extend(account.into_iter().filter_map(|at| accounts(text, at)));
    }
    found
}

/// Whether there are digits enough for a card, and whether anything begins like an account number. Most texts hold neither.
fn may_hold(text: &[u8]) -> (bool, bool) {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let begins = |four: &[u8]| {
        four[2].is_ascii_digit()
            && four[3].is_ascii_digit()
            && four[0].is_ascii_uppercase()
            && four[1].is_ascii_uppercase()
    };
    let may_hold_account = digits >= 2 && text.windows(4).any(begins);
    (digits >= CARD_DIGITS_MIN, may_hold_account)
}

/// Stretches of such characters, with single separators between them.
fn groups(text: &str, is_part: fn(&u8) -> bool, separators: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !is_part(&bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let mut end = at;
        while let Some(byte) = bytes.get(at) {
            let joins = separators.as_bytes().contains(byte) && bytes.get(at + 1).is_some_and(is_part);
            if !is_part(byte) && !joins {
                break;
            }
            at += 1;
            end = at;
        }
        found.push(start..end);
    }
    found
}

fn is_card(text: &str, at: &std::ops::Range<usize>) -> bool {
    let touches = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || "+_./".contains(letter))
    };
    let after = text[at.end..].chars().next();
    if touches(text[..at.start].chars().next_back())
        || after.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    {
        return false;
    }
    let written = &text[at.clone()];
    let digits: Vec<u32> = written.chars().filter_map(|letter| letter.to_digit(10)).collect();
    let first_two = digits.iter().take(2).fold(0, |number, digit| number * 10 + digit);
    let grouped = written.len() > digits.len();
    let fits = match (digits.len(), first_two) {
        (15, 34 | 37) | (14, 36 | 38) => true,
        (16, 22..=27 | 35 | 40..=49 | 51..=55 | 60 | 62 | 64 | 65) => true,
        // As long as ids of messages and people: only when written in groups.
        (13 | 19, 40..=49 | 60 | 62 | 64 | 65) => grouped,
        _ => false,
    };
    fits && luhn(&digits) && digits.iter().any(|digit| *digit != digits[0])
}

fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match digit * (1 + place as u32 % 2) {
            doubled @ 10.. => doubled - 9,
            single => single,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// The account number that begins a stretch of words, if one does at any of them.
fn accounts(text: &str, at: std::ops::Range<usize>) -> Option<Secret> {
    let begins_word = |start: &usize| *start == at.start || text.as_bytes()[start - 1] == b' ';
    at.clone().filter(begins_word).find_map(|start| {
        let length = account_length(&text[start..at.end])?;
        Some(Secret {
            at: start..start + length,
            kind: "account number",
        })
    })
}

/// How much of the text, from its beginning, is an account number with a right checksum.
fn account_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let head = bytes.get(..4)?;
    if !(head[..2].iter().all(u8::is_ascii_uppercase) && head[2..].iter().all(u8::is_ascii_digit)) {
        return None;
    }
    let mut number = String::new();
    let mut longest = None;
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b' ' {
            number.push(char::from(*byte));
        }
        let ends_word = bytes.get(at + 1).is_none_or(|next| *next == b' ');
        if ends_word && ACCOUNT_CHARS.contains(&number.len()) && checksum(&number) == 1 {
            longest = Some(at + 1);
        }
        if number.len() > *ACCOUNT_CHARS.end() {
            break;
        }
    }
    longest
}

/// The number with its head moved to its end, letters as 10 to 35, modulo 97.
fn checksum(number: &str) -> u32 {
    let moved = number[4..].chars().chain(number[..4].chars());
    moved
        .filter_map(|letter| letter.to_digit(36))
        .fold(0, |sum, digit| {
            let shift = if digit > 9 { 100 } else { 10 };
            (sum * shift + digit) % 97
        })
}
