//! Links, addresses and pieces of code, as somebody would mention them.

/// Longest piece of code that is read out.
const CODE_CHARACTERS_MAX: usize = 32;

/// The host of a link, as it is said.
pub(super) fn host(link: &str) -> String {
    let rest = link.split_once("://").map_or(link, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let rest = rest.rsplit('@').next().unwrap_or_default();
    let host = match rest.rsplit_once(':') {
        Some((host, port)) if port.chars().all(|digit| digit.is_ascii_digit()) => host,
        _ => rest,
    };
    let host = host.to_lowercase();
    host.strip_prefix("www.").unwrap_or(&host).to_owned()
}

/// Whether a link begins here, and where it ends.
pub(super) fn link_end(characters: &[char], at: usize, end: usize) -> Option<usize> {
    let begins = |text: &str| super::chatter::begins(characters, at, text);
    if !(begins("http://") || begins("https://") || begins("www.")) {
        return None;
    }
    let mut until = at;
    while until < end
        && !characters[until].is_whitespace()
        && !matches!(characters[until], '<' | '>' | '"' | '`')
    {
        until += 1;
    }
    // A full stop behind a link ends the sentence; a bracket ends the link only where it began before it.
    while until > at {
        let opened = characters[at..until].contains(&'(');
        match characters[until - 1] {
            '.' | ',' | '!' | '?' | ':' | ';' | '\'' | '*' | '_' | '~' | '|' | ']' | '}' => until -= 1,
            ')' if !opened => until -= 1,
            _ => break,
        }
    }
    let host: String = characters[at..until].iter().collect();
    (!self::host(&host).is_empty()).then_some(until)
}

/// Name and host of a mail address.
pub(super) fn mail(word: &str) -> Option<(&str, &str)> {
    let (name, host) = word.split_once('@')?;
    let (before, after) = host.rsplit_once('.')?;
    let is_plain = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|character| character.is_alphanumeric() || matches!(character, '.' | '-' | '_' | '+'))
    };
    let is_mail =
        is_plain(name) && is_plain(before) && after.len() >= 2 && after.chars().all(char::is_alphabetic);
    is_mail.then_some((name, host))
}

/// A short piece of code as words; none where it is not short.
pub(super) fn code(code: &str) -> Option<String> {
    let code = code.trim();
    if code.chars().count() > CODE_CHARACTERS_MAX || code.contains('\n') {
        return None;
    }
    let mut words = String::new();
    let mut before = ' ';
    let characters: Vec<char> = code.chars().collect();
    for (place, character) in characters.iter().copied().enumerate() {
        let next = characters.get(place + 1).copied().unwrap_or(' ');
        let name = match character {
            '.' if next.is_alphanumeric() => "dot",
            '/' | '\\' => "slash",
            '-' if before == ' ' && next.is_alphanumeric() => "dash",
            '-' if before == '-' && next.is_alphanumeric() => "dash",
            '=' if before != '=' && next != '=' => "equals",
            '+' => "plus",
            '@' => "at",
            '#' => "hash",
            '$' => "dollar",
            '%' => "percent",
            '&' if next != '&' && before != '&' => "and",
            '*' => "star",
            '<' if next != '/' => "less than",
            '>' if before.is_whitespace() => "greater than",
            _ => "",
        };
        if !name.is_empty() {
            words.push(' ');
            words.push_str(name);
            words.push(' ');
        } else if character.is_alphanumeric() || character == '\'' {
            // `camelCase` is two words.
            if character.is_uppercase() && before.is_lowercase() {
                words.push(' ');
            }
            words.push(character);
        } else {
            words.push(' ');
        }
        before = character;
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}
