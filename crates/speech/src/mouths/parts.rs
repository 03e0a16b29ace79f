//! A long sentence is made in parts, so that its beginning is heard while the rest is made.

/// A part has at least so many sounds, which take some three seconds to say. Each further one may take twice as long to
/// make as the one before, which is heard meanwhile.
const LEAST: usize = 40;

/// The sounds of a sentence, cut behind marks where there are pauses anyway.
pub(crate) fn parts(sounds: &str) -> Vec<&str> {
    let (mut rest, mut least) = (sounds.trim(), LEAST);
    let mut parts = Vec::new();
    while let Some(cut) = cut(rest, least) {
        let (part, behind) = rest.split_at(cut);
        parts.push(part);
        rest = behind.trim_start();
        least *= 2;
    }
    parts.push(rest);
    parts
}

/// The first pause behind so many sounds, where what is behind it is worth a part.
fn cut(sounds: &str, least: usize) -> Option<usize> {
    let count = sounds.chars().count();
    let mut places = sounds.char_indices().enumerate();
    let (_, (at, mark)) = places.find(|(place, (at, character))| {
        let behind = &sounds[at + character.len_utf8()..];
        let is_mark = matches!(character, '.' | ',' | ';' | ':' | '!' | '?');
        is_mark && behind.starts_with(' ') && *place >= least && count - place > LEAST
    })?;
    Some(at + mark.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(sounds: usize) -> String {
        "a".repeat(sounds) + ", "
    }

    #[test]
    fn what_is_short_is_said_in_one_breath() {
        for sounds in ["", "paris.", "yˈɛs, hˈiː dˈʌz, ænd ðˈɛn, nˈoʊ."] {
            assert_eq!(parts(sounds), [sounds]);
        }
        let tail = clause(90) + "nˈoʊ.";
        assert_eq!(parts(&tail), [tail.as_str()], "a word behind a pause is no part");
    }

    #[test]
    fn the_first_part_is_short_and_each_other_longer_and_nothing_is_lost() {
        let sounds = clause(30).repeat(13) + "end.";
        let parts = parts(&sounds);
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        assert_eq!(lengths, [63, 95, 191, 68]);
        assert_eq!(parts.join(" "), sounds);
    }

    #[test]
    fn a_sentence_without_a_pause_is_one_part() {
        let sounds = "ˈaɪ ".repeat(200);
        assert_eq!(parts(&sounds), [sounds.trim()]);
        let number = "a".repeat(60) + "3.14" + &"a".repeat(60);
        assert_eq!(parts(&number), [number.as_str()]);
    }
}
