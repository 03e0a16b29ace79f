//! Character references of HTML (`&amp;`, `&#39;`), as far as texts use them.

/// The character a reference stands for, by what is between `&` and `;`; none: nobody knows it.
pub fn character_of(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    let found = NAMED.iter().find(|(known, _)| *known == name);
    found.map(|(_, letter)| *letter)
}

const NAMED: [(&str, char); 74] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("ensp", ' '),
    ("emsp", ' '),
    ("thinsp", ' '),
    ("shy", '\u{ad}'),
    ("zwnj", '\u{200c}'),
    ("zwj", '\u{200d}'),
    ("copy", '©'),
    ("reg", '®'),
    ("trade", '™'),
    ("mdash", '—'),
    ("ndash", '–'),
    ("hellip", '…'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("sbquo", '‚'),
    ("bdquo", '„'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("lsaquo", '‹'),
    ("rsaquo", '›'),
    ("bull", '•'),
    ("middot", '·'),
    ("times", '×'),
    ("divide", '÷'),
    ("minus", '−'),
    ("plusmn", '±'),
    ("deg", '°'),
    ("euro", '€'),
    ("pound", '£'),
    ("yen", '¥'),
    ("cent", '¢'),
    ("sect", '§'),
    ("para", '¶'),
    ("micro", 'µ'),
    ("frac12", '½'),
    ("frac14", '¼'),
    ("frac34", '¾'),
    ("larr", '←'),
    ("rarr", '→'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("agrave", 'à'),
    ("aacute", 'á'),
    ("acirc", 'â'),
    ("atilde", 'ã'),
    ("aring", 'å'),
    ("aelig", 'æ'),
    ("ccedil", 'ç'),
    ("egrave", 'è'),
    ("eacute", 'é'),
    ("ecirc", 'ê'),
    ("euml", 'ë'),
    ("iacute", 'í'),
    ("icirc", 'î'),
    ("iuml", 'ï'),
    ("ntilde", 'ñ'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("oslash", 'ø'),
    ("uacute", 'ú'),
    ("ucirc", 'û'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_names_or_numbers_and_nothing_else() {
        assert_eq!(character_of("eacute"), Some('é'));
        assert_eq!(character_of("#39"), Some('\''));
        assert_eq!(character_of("#x27"), Some('\''));
        for unknown in ["", "nope", "#", "#xD800", "#x", "é"] {
            assert_eq!(character_of(unknown), None, "{unknown}");
        }
    }
}
