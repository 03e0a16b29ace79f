//! Secrets that are announced: `password: …`, `DB_PASSWORD=…`, "my password is …", `://user:password@host`.

use super::{MARK, Secret};

/// Words that announce a secret, the longest first, and whether what follows must look like one.
const KEYS: [(&str, &str, bool); 20] = [
    ("contraseña", "password", false),
    ("secret access key", "secret", true),
    ("secret_access_key", "secret", true),
    ("client_secret", "secret", true),
    ("mot de passe", "password", false),
    ("private_key", "secret", true),
    ("access_token", "token", true),
    ("access token", "token", true),
    ("passphrase", "password", false),
    ("access_key", "secret", true),
    ("auth token", "token", true),
    ("password", "password", false),
    ("passwort", "password", false),
    ("kennwort", "password", false),
    ("passcode", "password", false),
    ("api_key", "api key", true),
    ("api key", "api key", true),
    ("api-key", "api key", true),
    ("apikey", "api key", true),
    ("passwd", "password", false),
];
const SHORT_KEYS: [(&str, &str, bool); 4] = [
    ("secret", "secret", true),
    ("token", "token", true),
    ("pwd", "password", false),
    ("pin", "password", true),
];
/// One of these is in each of those: many texts are passed over for having none.
const KEY_PARTS: [&str; 8] = [
    "pass", "key", "token", "secret", "pin", "pwd", "kennwort", "contrase",
];
/// Ordinary words that follow `password is` and `password:`.
const ORDINARY: &str = " a about again all almost already also always an and any are as at bad be because been being but by \
    case changed compromised correct default different easy empty encrypted enough expired expiring fine for from gone \
    good hard hashed hidden how i if impossible in incorrect insecure invalid is it kept known leaked like locked long \
    missing must my needed never no none not now obvious of off ok okay old on only optional or our out outdated \
    probably protected public really required reset safe salted same saved secret secure sent set shared short should \
    simple so still stored strong stupid terrible that the their there this to too unchanged unknown unsafe up used \
    valid very weak what when where which with working written wrong your manager reuse policy field ";
const PLACEHOLDERS: [&str; 6] = ["***", "•••", "xxx", "...", "<", "$"];
const SEED_PHRASES: [&str; 4] = ["seed phrase", "recovery phrase", "mnemonic phrase", "mnemonic"];
const SEED_WORDS: std::ops::RangeInclusive<usize> = 12..=24;

pub(super) fn find(text: &str) -> Vec<Secret> {
    // ASCII only, so that places in it are places in the text.
    let lower = text.to_ascii_lowercase();
    let mut found = seed_phrases(text, &lower);
    let mut announced = Vec::new();
    // Mostly nothing is announced, and no word has to be looked at.
    let may_announce = KEY_PARTS.iter().any(|part| lower.contains(part));
    let bytes = if may_announce { lower.as_bytes() } else { b"" };
    let mut before = b' ';
    for (at, pair) in bytes.windows(2).enumerate() {
        // Most words are passed over by how they begin.
        let is_inside = std::mem::replace(&mut before, pair[0]).is_ascii_alphanumeric();
        if is_inside || !is_key_head(pair[0], pair[1]) {
            continue;
        }
        let keys = KEYS.iter().chain(&SHORT_KEYS).enumerate();
        for (place, (key, kind, must_look_random)) in keys {
            if bytes[at..].starts_with(key.as_bytes()) {
                let value = value_at(text, &lower, at, at + key.len(), *must_look_random);
                announced.extend(value.map(|at| (place, Secret { at, kind })));
            }
        }
    }
    // Where two overlap, the longer key has it.
    announced.sort_by_key(|(place, _)| *place);
    found.extend(announced.into_iter().map(|(_, secret)| secret));
    found.extend(addresses(text));
    found
}

/// Whether a word that announces a secret may begin like this.
fn is_key_head(first: u8, second: u8) -> bool {
    match first {
        b'a' => matches!(second, b'c' | b'p' | b'u'),
        b'c' => matches!(second, b'l' | b'o'),
        b'k' | b's' => second == b'e',
        b'm' | b't' => second == b'o',
        b'p' => matches!(second, b'a' | b'i' | b'r' | b'w'),
        _ => false,
    }
}

fn value_at(
    text: &str,
    lower: &str,
    start: usize,
    end: usize,
    must_look_random: bool,
) -> Option<std::ops::Range<usize>> {
    let before = lower[..start].chars().next_back();
    // `DB_PASSWORD` announces one, `compassword` and `pinned` do not.
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let rest = lower[end..].strip_prefix(" code").unwrap_or(&lower[end..]);
    let rest = rest.trim_start_matches(['"', '\'', '`']);
    let spaced = rest.trim_start_matches([' ', '\t']);
    let (after, is_prose) = if let Some(after) = spaced.strip_prefix([':', '=']) {
        (after.strip_prefix(['=', '>']).unwrap_or(after), false)
    } else {
        let verbs = ["is ", "was ", "ist ", "is: ", "is now ", "= "];
        let verb = verbs
            .iter()
            .filter(|verb| spaced.starts_with(**verb))
            .max_by_key(|verb| verb.len())?;
        (
            spaced.strip_prefix(verb).filter(|_| spaced.len() < rest.len())?,
            true,
        )
    };
    let after = after.trim_start_matches([' ', '\t']);
    let from = text.len() - after.len();
    let at = value(&text[from..]).map(|at| from + at.start..from + at.end)?;
    let word = &text[at.clone()];
    let quoted = text[..at.start].ends_with(['"', '\'', '`', '“']);
    let ends_sentence = text[at.end..].trim_start_matches(['.', '!', '"', '\'', '`', '”', ',', ')']);
    let is_last = ends_sentence.trim_start_matches(' ').is_empty() || ends_sentence.starts_with('\n');
    let is_pin = &lower[start..end] == "pin";
    let taken = match (is_pin, must_look_random) {
        (true, _) => (4..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit()),
        (_, true) => looks_random(word),
        _ if looks_chosen(word) || quoted => true,
        _ => !is_ordinary(word) && (!is_prose || is_last),
    };
    (taken && !is_placeholder(word)).then_some(at)
}

/// The value at the beginning of a text: what stands in quotation marks, or the next word.
fn value(text: &str) -> Option<std::ops::Range<usize>> {
    let line = text.lines().next()?;
    let first = line.chars().next()?;
    if let Some(closing) = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”')]
        .iter()
        .find(|pair| pair.0 == first)
        && let Some(end) = line[first.len_utf8()..].find(closing.1)
        && end > 0
    {
        return Some(first.len_utf8()..first.len_utf8() + end);
    }
    let start = line.len() - line.trim_start_matches(['"', '\'', '`', '“']).len();
    let word = line[start..].split_whitespace().next()?;
    let word = word.trim_end_matches(['.', ',', ';', '!', '?', ')', '"', '\'', '`', '”', '}', ']']);
    (word.chars().count() >= 4).then(|| start..start + word.len())
}

fn is_ordinary(word: &str) -> bool {
    ORDINARY.contains(&format!(" {} ", word.to_lowercase()))
}

fn is_placeholder(word: &str) -> bool {
    word.starts_with(MARK.trim_end())
        || PLACEHOLDERS
            .iter()
            .any(|begin| word.to_lowercase().starts_with(begin))
}

/// A digit, a sign, or a capital inside: nobody writes a word like that.
fn looks_chosen(word: &str) -> bool {
    let digit = word.chars().any(|letter| letter.is_ascii_digit());
    let sign = word.chars().any(|letter| "!@#$%^&*_=+?~|/\\".contains(letter));
    let capital = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    digit || sign || capital
}

fn looks_random(word: &str) -> bool {
    let is_key = |letter: char| letter.is_ascii_alphanumeric() || "-_./+=".contains(letter);
    word.len() >= 8
        && word.chars().all(is_key)
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !word.contains("://")
}

/// The password in `scheme://user:password@host`.
fn addresses(text: &str) -> Vec<Secret> {
    if !text.contains("://") {
        return Vec::new();
    }
    let schemes = text.match_indices("://").map(|(at, mark)| at + mark.len());
    schemes
        .filter_map(|start| {
            let end =
                text[start..].find(|letter: char| letter.is_whitespace() || "/?#<>\"'`".contains(letter));
            let authority = &text[start..end.map_or(text.len(), |end| start + end)];
            let (login, _) = authority.rsplit_once('@')?;
            let (user, password) = login.split_once(':')?;
            let from = start + user.len() + 1;
            let shown = password.is_empty() || is_placeholder(password);
            (!shown).then_some(Secret {
                at: from..from + password.len(),
                kind: "password",
            })
        })
        .collect()
}

/// The words after `seed phrase`, where there are as many as such phrases have.
fn seed_phrases(text: &str, lower: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    if !lower.contains("phrase") && !lower.contains("mnemonic") {
        return found;
    }
    for key in SEED_PHRASES {
        for (at, _) in lower.match_indices(key) {
            let rest = lower[at + key.len()..].trim_start_matches([' ', ':', '=', '"', '\n']);
            let rest = rest
                .strip_prefix("is")
                .unwrap_or(rest)
                .trim_start_matches([' ', ':', '"', '\n']);
            let start = lower.len() - rest.len();
            let is_word = |word: &&str| {
                (3..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
            };
            let words: Vec<&str> = text[start..]
                .split_whitespace()
                .map(|word| word.trim_matches([',', '"', '.']))
                .take_while(is_word)
                .take(*SEED_WORDS.end())
                .collect();
            if words.len() >= *SEED_WORDS.start() {
                let end = words.iter().fold(start, |end, word| {
                    end + text[end..].find(word).unwrap_or(0) + word.len()
                });
                found.push(Secret {
                    at: start..end,
                    kind: "seed phrase",
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{KEY_PARTS, KEYS, SHORT_KEYS, is_key_head};

    #[test]
    fn no_word_that_announces_a_secret_is_passed_over_by_its_beginning() {
        for (key, ..) in KEYS.iter().chain(&SHORT_KEYS) {
            assert!(KEY_PARTS.iter().any(|part| key.contains(part)), "{key}");
            assert!(is_key_head(key.as_bytes()[0], key.as_bytes()[1]), "{key}");
        }
    }
}
