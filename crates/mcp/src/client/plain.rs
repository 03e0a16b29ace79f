//! Text of a third party, made plain: no control characters, nothing that a person would not see, and cut to a length.

/// How strict to be with what cannot be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joiners {
    /// Some scripts and emoji need them.
    Kept,
    Stripped,
}

/// Lines stay lines; everything else that cannot be seen goes.
pub(crate) fn lines(text: &str, joiners: Joiners) -> String {
    text.chars()
        .filter(|character| matches!(character, '\n' | '\t') || is_seen(*character, joiners))
        .collect()
}

/// One paragraph: runs of white space are one space.
pub(crate) fn paragraph(text: &str, characters_max: usize) -> String {
    // White space first, for a line break is a control character and must leave a gap.
    let spaced: String = text
        .chars()
        .map(|character| if character.is_whitespace() { ' ' } else { character })
        .filter(|character| is_seen(*character, Joiners::Stripped))
        .collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    cut(&words.join(" "), characters_max)
}

/// At most so many characters, with a mark where something is missing.
pub(crate) fn cut(text: &str, characters_max: usize) -> String {
    match text.char_indices().nth(characters_max) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(characters_max.saturating_sub(1)).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

fn is_seen(character: char, joiners: Joiners) -> bool {
    match character {
        '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}' => joiners == Joiners::Kept,
        _ if character.is_control() => false,
        // Soft hyphen, fillers, direction marks, zero widths, other variation selectors, tags and annotations.
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' => false,
        '\u{180B}'..='\u{180F}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' => false,
        '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0D}' | '\u{FEFF}' | '\u{FFA0}' => false,
        '\u{FFF0}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}' => false,
        _ => true,
    }
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
