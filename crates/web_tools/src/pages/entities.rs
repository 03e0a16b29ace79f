//! Texts with their character references resolved.

use fetching::character_of;

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
        match end.and_then(|end| Some((character_of(&inside[..end])?, end))) {
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
