//! The one emoji that a model would put under a message.

/// Names of a server's own emoji have so many letters.
const NAME_LETTERS: std::ops::RangeInclusive<usize> = 2..=32;
/// Code points of one emoji: a family of four with skin and joiners has eleven, a flag of a region fourteen.
const CODE_POINTS_MAX: usize = 16;
const JOINER: char = '\u{200d}';

/// The emoji that a text begins with: a character with all that belongs to it, or a name between colons.
pub(crate) fn first_emoji(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix(':') {
        let (name, _) = rest.split_once(':')?;
        let is_name = NAME_LETTERS.contains(&name.len())
            && (name.chars()).all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        return is_name.then(|| format!(":{name}:"));
    }
    let mut letters = text.chars().peekable();
    let first = letters.next()?;
    let mut emoji = String::from(first);
    if matches!(first, '0'..='9' | '#' | '*') {
        emoji.extend(letters.next_if_eq(&'\u{fe0f}'));
        emoji.push(letters.next_if_eq(&'\u{20e3}')?);
        return Some(emoji);
    }
    if is_flag_letter(first) {
        emoji.push(letters.next().filter(|second| is_flag_letter(*second))?);
        return Some(emoji);
    }
    if !is_picture(first) {
        return None;
    }
    while let Some(next) = letters.next_if(|next| belongs_to_the_one_before(*next)) {
        emoji.push(next);
        if next == JOINER {
            emoji.push(letters.next_if(|joined| is_picture(*joined))?);
        }
    }
    (emoji.chars().count() <= CODE_POINTS_MAX).then_some(emoji)
}

fn is_flag_letter(letter: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&letter)
}

fn belongs_to_the_one_before(letter: char) -> bool {
    let is_skin = ('\u{1f3fb}'..='\u{1f3ff}').contains(&letter);
    let is_region = ('\u{e0020}'..='\u{e007f}').contains(&letter);
    is_skin || is_region || letter == '\u{fe0f}' || letter == JOINER
}

fn is_picture(letter: char) -> bool {
    matches!(
        letter,
        '\u{1f000}'..='\u{1faff}'
            | '\u{2600}'..='\u{27bf}'
            | '\u{2300}'..='\u{23ff}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{25aa}'..='\u{25fe}'
            | '\u{2190}'..='\u{21ff}'
            | '\u{2934}' | '\u{2935}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{24c2}'
            | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{a9}' | '\u{ae}'
    )
}

#[cfg(test)]
mod tests {
    use super::first_emoji;

    #[test]
    fn the_first_emoji_is_taken_whole_and_words_are_none() {
        for (text, emoji) in [
            ("👍", Some("👍")),
            (" 👍🏽 nice", Some("👍🏽")),
            ("🎉🎉🎉", Some("🎉")),
            ("❤️", Some("❤️")),
            ("👩‍👩‍👧‍👦!", Some("👩‍👩‍👧‍👦")),
            ("🇩🇪🇫🇷", Some("🇩🇪")),
            ("1️⃣", Some("1️⃣")),
            (":blob_cat: yes", Some(":blob_cat:")),
            ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", Some("🏴󠁧󠁢󠁳󠁣󠁴󠁿")),
            ("thumbs up", None),
            ("1", None),
            ("🇩", None),
            (":no name:", None),
            (":x", None),
            ("", None),
            ("\u{200d}👍", None),
        ] {
            assert_eq!(first_emoji(text).as_deref(), emoji, "{text:?}");
        }
    }
}
