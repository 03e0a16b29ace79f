//! Orders that are written so that a reader overlooks them: spaced out, with digits or foreign letters for letters.

use super::super::folding::fold;

/// Orders without the spaces between their words.
const BLUNT: &str = "ignorepreviousinstruction ignoreallpreviousinstruction ignoreyourinstruction ignoreyourprevious \
    ignoretheaboveinstruction ignorepriorinstruction disregardpreviousinstruction disregardallpreviousinstruction \
    disregardyourinstruction forgetyourinstruction forgetpreviousinstruction forgetallpreviousinstruction \
    overrideyourinstruction revealyoursystemprompt";

/// Whether one of the blunt orders is in it, once nothing but letters is left.
pub(super) fn hides_orders(text: &str) -> bool {
    let letters: String = fold(text).chars().filter_map(letter).collect();
    BLUNT.split_whitespace().any(|order| letters.contains(order))
}

/// The Latin letter that a reader takes a character for; none for what is no letter.
fn letter(character: char) -> Option<char> {
    Some(match character {
        '0' | 'о' | 'ο' => 'o',
        '1' | '!' | '|' | 'і' | 'ι' => 'i',
        '3' | 'е' | 'ε' => 'e',
        '4' | '@' | 'а' | 'α' => 'a',
        '5' | '$' | 'ѕ' => 's',
        '7' | 'т' | 'τ' => 't',
        'р' | 'ρ' => 'p',
        'с' => 'c',
        'у' | 'υ' => 'u',
        'г' => 'r',
        'ѵ' | 'ν' => 'v',
        'ո' | 'п' => 'n',
        letter if letter.is_alphabetic() => letter,
        _ => return None,
    })
}
