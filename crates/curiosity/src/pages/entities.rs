//! Character references of HTML, as far as texts use them.

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
/// Longer than any that is known.
const REFERENCE_BYTES_MAX: usize = 10;

/// The text with its references resolved; those that are not known stay as they are.
pub(super) fn resolved(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        let inside = &rest[at + 1..];
        let end = inside
            .bytes()
            .take(REFERENCE_BYTES_MAX)
            .position(|byte| byte == b';');
        match end.and_then(|end| Some((letter(&inside[..end])?, end))) {
            Some((letter, end)) => {
                plain.push(letter);
                rest = &inside[end + 1..];
            }
            None => {
                plain.push('&');
                rest = inside;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn letter(name: &str) -> Option<char> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_once_and_unknown_ones_stay() {
        assert_eq!(
            resolved("a &amp; b &lt;c&gt; &#39;&#x27;&eacute;"),
            "a & b <c> ''é"
        );
        assert_eq!(
            resolved("&amp;lt; &nope; &; & &é; &#xD800; &#; &"),
            "&lt; &nope; &; & &é; &#xD800; &#; &"
        );
    }
}
