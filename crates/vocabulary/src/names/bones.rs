//! What an eye that only glances sees of a letter: the Latin letters that it can be taken for.

use unicode_normalization::char::is_combining_mark;

/// What one letter can be taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bone {
    /// Any of these Latin letters, one bit each; one more stands for a bare stroke.
    Latin(u32),
    /// Itself and nothing else.
    Other(char),
}

const I: u32 = bit('i');
const L: u32 = bit('l');
/// What `I`, `l` and `1` have in common.
const STROKE: u32 = 1 << 26;
const UPRIGHT: u32 = I | L | STROKE;

const fn bit(letter: char) -> u32 {
    1 << (letter as u32 - 'a' as u32)
}

impl Bone {
    /// What is seen of a letter, digit or sign; nothing of what only separates.
    pub fn of(letter: char) -> Option<Self> {
        if let Some(seen) = seen(letter) {
            return Some(Self::Latin(seen));
        }
        // Of letters that lower case takes apart (`İ`) the first is seen.
        let lower = letter.to_lowercase().next()?;
        match lower {
            'a'..='z' => Some(Self::Latin(bit(lower))),
            _ => match seen(lower) {
                Some(seen) => Some(Self::Latin(seen)),
                None => (lower.is_alphanumeric() || is_combining_mark(lower)).then_some(Self::Other(lower)),
            },
        }
    }

    /// What a digit or a picture of a letter stands for where somebody wants to be taken for a name.
    pub fn disguised(letter: char) -> Option<Self> {
        Some(Self::Latin(bit(match letter {
            '2' | '乙' => 'z',
            '4' | '卂' | 'ム' => 'a',
            '5' | '丂' => 's',
            '6' | '9' => 'g',
            '7' | 'ㄒ' => 't',
            '8' | '乃' => 'b',
            '匚' => 'c',
            '刀' => 'd',
            '乇' => 'e',
            '千' => 'f',
            '卄' => 'h',
            '丨' => 'i',
            'ㄥ' => 'l',
            '爪' => 'm',
            '几' => 'n',
            'ㄖ' => 'o',
            '卩' => 'p',
            '尺' => 'r',
            'ㄩ' => 'u',
            '山' => 'w',
            '乂' => 'x',
            'ㄚ' => 'y',
            _ => return None,
        })))
    }

    /// Whether both can be taken for one letter.
    pub fn fits(self, other: Self) -> bool {
        match (self, other) {
            (Self::Latin(one), Self::Latin(other)) => one & other != 0,
            (one, other) => one == other,
        }
    }

    /// Whether both are the same letter, large or small.
    pub fn is_again(self, other: Self) -> bool {
        match (self, other) {
            (Self::Latin(one), Self::Latin(other)) => one & !STROKE == other & !STROKE,
            (one, other) => one == other,
        }
    }

    /// The same where `i` and `l` are as good as each other.
    pub fn widened(self) -> Self {
        match self {
            Self::Latin(seen) if seen & UPRIGHT != 0 => Self::Latin(seen | UPRIGHT),
            other => other,
        }
    }

    /// Itself, or the two letters that it looks like.
    pub fn spread(self) -> impl Iterator<Item = Self> {
        let pair = match self {
            Self::Latin(seen) if seen == bit('m') => ['r', 'n'].map(|letter| Self::Latin(bit(letter))),
            Self::Latin(seen) if seen == bit('w') => [Self::Latin(bit('v')); 2],
            other => return [other; 2].into_iter().take(1),
        };
        pair.into_iter().take(2)
    }
}

/// Signs that stand for letters within a word, and for nothing beside one: `Al!ce`, but `Alice!` and `@Alice`.
pub(super) fn is_sign(letter: char) -> bool {
    matches!(letter, '@' | '!' | '|' | '¡' | '$' | '€' | '×' | '׀')
}

/// The Latin letters that a letter, digit or sign can be taken for, where they are not itself.
fn seen(letter: char) -> Option<u32> {
    Some(match letter {
        '1' | '|' | '!' | '¡' | 'ǀ' | 'ߊ' | '׀' | 'ӏ' | 'Ӏ' => UPRIGHT,
        'I' | 'І' | 'Ι' | 'Ⲓ' | 'ɪ' | 'ꓲ' => I | STROKE,
        'l' | 'ł' | 'ɭ' => L | STROKE,
        'L' => L,
        'Ꮒ' => bit('h') | bit('n'),
        other => bit(look_alike(cherokee_large(other))?),
    })
}

/// Small letters of Cherokee look as the large ones do.
fn cherokee_large(letter: char) -> char {
    let shifted = match letter {
        '\u{ab70}'..='\u{abbf}' => letter as u32 - 0xab70 + 0x13a0,
        '\u{13f8}'..='\u{13fd}' => letter as u32 - 8,
        _ => return letter,
    };
    char::from_u32(shifted).unwrap_or(letter)
}

fn look_alike(letter: char) -> Option<char> {
    let offset_from =
        |first: char| char::from(b'a' + u8::try_from(letter as u32 - first as u32).unwrap_or(0) % 26);
    Some(match letter {
        '\u{1f150}'..='\u{1f169}' => offset_from('\u{1f150}'),
        '\u{1f170}'..='\u{1f189}' => offset_from('\u{1f170}'),
        '\u{1f1e6}'..='\u{1f1ff}' => offset_from('\u{1f1e6}'),
        'А' | 'а' | 'Α' | 'α' | 'Ꭺ' | 'ɑ' | 'ᴀ' | 'ӕ' | 'Ⲁ' | 'ꓮ' | 'ᗩ' | 'ᐱ' | '@' => 'a',
        'В' | 'в' | 'ь' | 'Β' | 'β' | 'Ᏼ' | 'Ꮟ' | 'ʙ' | 'Ⲃ' | 'ƀ' | 'ꓐ' | 'ᗷ' => 'b',
        'С' | 'с' | 'Ꮯ' | 'Ꮳ' | 'ᴄ' | 'Ϲ' | 'ϲ' | 'Ⲥ' | 'ƈ' | 'ȼ' | 'Ↄ' | 'ↄ' | 'ꓚ' | 'ᑕ' => {
            'c'
        }
        'ԁ' | 'ԃ' | 'Ꭰ' | 'Ꮷ' | 'ᴅ' | 'đ' | 'ð' | 'ɖ' | 'ɗ' | 'ȡ' | 'ꝺ' | 'Ð' | 'ᗪ' | 'ᗞ' | 'ᕲ' | 'ᵭ'
        | 'ᶁ' | 'ↁ' | 'ꓓ' => 'd',
        'Е' | 'е' | 'э' | 'є' | 'Ε' | 'ε' | 'ϵ' | 'Ꭼ' | 'Ꮛ' | 'ᴇ' | 'ɛ' | 'ɇ' | 'ə' | 'ǝ' | 'ɘ' | 'ҽ'
        | 'Ⲉ' | '3' | 'З' | 'з' | 'Σ' | '€' | 'ꓰ' | 'ᕮ' | 'ᶒ' => 'e',
        'ғ' | 'ꜰ' | 'ƒ' | 'Ϝ' | 'ꓝ' | 'ᖴ' => 'f',
        'ɡ' | 'ɢ' | 'ԍ' | 'Ꮐ' | 'Ꮆ' | 'ց' | 'ɠ' | 'ǥ' | 'ꓖ' => 'g',
        'Н' | 'н' | 'һ' | 'Η' | 'Ꮋ' | 'ʜ' | 'հ' | 'ħ' | 'Ⲏ' | 'ꓧ' | 'ᕼ' => 'h',
        'і' | 'ι' | 'ı' | 'ɩ' | 'ɨ' | 'ᴉ' | 'Ꭵ' | 'Ꮖ' => 'i',
        'Ј' | 'ј' | 'ϳ' | 'Ꭻ' | 'ᴊ' | 'ɉ' | 'ꓙ' | 'ᒍ' => 'j',
        'К' | 'к' | 'Κ' | 'κ' | 'Ꮶ' | 'ᴋ' | 'ƙ' | 'Ⲕ' | 'ꓗ' => 'k',
        'ʟ' | 'Ꮮ' | 'ꓡ' | 'ᒪ' => 'l',
        'М' | 'м' | 'Μ' | 'μ' | 'Ꮇ' | 'ᴍ' | 'ɱ' | 'Ⲙ' | 'ꓟ' | 'ᗰ' => 'm',
        'Ν' | 'п' | 'П' | 'и' | 'И' | 'η' | 'ո' | 'ռ' | 'ɴ' | 'ŋ' | 'ɲ' | 'ɳ' | 'ȵ' | 'ƞ' | 'Ⲛ' | 'ղ'
        | 'Ꮑ' | 'ꓠ' | 'ᑎ' | 'ᵰ' | 'ᶇ' => 'n',
        'О' | 'о' | 'Ο' | 'ο' | 'σ' | 'Օ' | 'օ' | 'ᴏ' | 'ø' | 'ɵ' | 'Ⲟ' | '0' | 'ө' | 'Θ' | 'θ' | '๐'
        | '০' | 'Ꭳ' | 'Ꭴ' | 'Ꮎ' | 'ꓳ' => 'o',
        'Р' | 'р' | 'Ρ' | 'ρ' | 'Ꮲ' | 'ᴘ' | 'þ' | 'Ⲣ' | 'ꓑ' | 'ᑭ' => 'p',
        'ԛ' | 'զ' | 'ɋ' | 'ᑫ' => 'q',
        'г' | 'Ꮢ' | 'Ꭱ' | 'ʀ' | 'Я' | 'я' | 'ɾ' | 'ɼ' | 'ꓣ' | 'ᖇ' => 'r',
        'Ѕ' | 'ѕ' | 'Տ' | 'Ꮪ' | 'Ꮥ' | 'ꜱ' | 'ʂ' | '$' | 'ș' | 'ꓢ' | 'ᔕ' => 's',
        'Т' | 'т' | 'Τ' | 'τ' | 'Ꭲ' | 'ᴛ' | 'ŧ' | 'Ⲧ' | 'ƭ' | 'ꓔ' => 't',
        'υ' | 'ս' | 'ᴜ' | 'ц' | 'ʉ' | 'Ꮜ' | 'ꓴ' | 'ᑌ' => 'u',
        'ѵ' | 'ν' | 'Ꮩ' | 'Ꮙ' | 'ᴠ' | 'ʋ' | 'ꓦ' | 'ᐯ' => 'v',
        'ԝ' | 'ω' | 'Ꮃ' | 'Ꮤ' | 'ᴡ' | 'ш' | 'щ' | 'ꓪ' | 'ᗯ' => 'w',
        'Х' | 'х' | 'Χ' | 'χ' | 'Ⲭ' | '×' | 'ꓫ' | '᙭' => 'x',
        'У' | 'у' | 'ү' | 'Υ' | 'γ' | 'ʏ' | 'Ⲩ' | 'ɏ' | 'Ꭹ' | 'Ꮍ' | 'ꓬ' => 'y',
        'Ζ' | 'ζ' | 'Ꮓ' | 'ᴢ' | 'ʐ' | 'ʑ' | 'ƶ' | 'ȥ' | 'ɀ' | 'ⱬ' | 'Ⲍ' | 'ꓜ' | 'ᘔ' | 'ᵶ' | 'ᶎ' => {
            'z'
        }
        _ => return None,
    })
}
