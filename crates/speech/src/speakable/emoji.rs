//! Pictures amid words. A voice leaves them out; where there is nothing else, the usual ones have a name.

use super::token::Token;
use super::tongue::Tongue;

const NAMED: [(char, &str); 24] = [
    ('👍', "thumbs up"),
    ('👎', "thumbs down"),
    ('👏', "applause"),
    ('🙏', "thank you"),
    ('👋', "hello"),
    ('💪', "you can do it"),
    ('🤝', "deal"),
    ('👀', "I'm looking"),
    ('❤', "a heart"),
    ('💔', "a broken heart"),
    ('😂', "haha"),
    ('🤣', "haha"),
    ('😆', "haha"),
    ('😅', "phew"),
    ('😭', "oh no"),
    ('😢', "oh no"),
    ('😱', "oh no"),
    ('🤔', "hmm"),
    ('🤷', "I don't know"),
    ('🎉', "hooray"),
    ('🥳', "hooray"),
    ('🔥', "fire"),
    ('✅', "done"),
    ('❌', "no"),
];

/// Whether a character is a picture, or only there to change one.
pub(super) fn is_picture(character: char) -> bool {
    matches!(u32::from(character),
        0x1F000..=0x1FAFF
        | 0x2600..=0x27BF
        | 0x2B00..=0x2BFF
        | 0x2300..=0x23FF
        | 0x3030 | 0x303D | 0x3297 | 0x3299
        | 0x200D | 0x20E3
        | 0xFE00..=0xFE0F
        | 0xE0020..=0xE007F)
}

/// The names of pictures, for a writing that has nothing else.
pub(super) fn named(characters: &[char], silent: &[bool], tongue: &Tongue) -> Vec<Token> {
    if !tongue.is_english() {
        return Vec::new();
    }
    let mut tokens: Vec<Token> = Vec::new();
    for (place, character) in characters.iter().enumerate() {
        let name = NAMED.iter().find(|(picture, _)| picture == character);
        if let Some((_, name)) = name.filter(|_| !silent[place]) {
            match tokens.last_mut() {
                // Three hearts are said as one.
                Some(last) if last.said == *name => last.end = place + 1,
                _ => tokens.push(Token::settled(*name, place + 1)),
            }
        }
    }
    tokens
}
