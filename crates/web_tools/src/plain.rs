//! Text as a person would see it: nothing that steers a terminal, and nothing that only a machine reads.

use vocabulary::text::is_plain;

pub(crate) use vocabulary::text::plain_line as line;

/// Leaves out control and invisible characters; line ends stay, and no more than one empty line in a row.
pub(crate) fn text(raw: &str) -> String {
    let mut plain = String::with_capacity(raw.len());
    let mut line_ends = 2;
    let mut blanks = String::new();
    for letter in raw.chars() {
        match letter {
            '\n' => {
                // Blanks before a line end show nothing.
                blanks.clear();
                if line_ends < 2 {
                    plain.push('\n');
                }
                line_ends += 1;
            }
            '\t' | '\u{a0}' => blanks.push(' '),
            _ if !is_plain(letter) => {}
            _ if letter.is_whitespace() => blanks.push(' '),
            _ => {
                plain.push_str(&blanks);
                blanks.clear();
                plain.push(letter);
                line_ends = 0;
            }
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// Text of a snippet that some services send with HTML in it.
pub(crate) fn snippet(raw: &str, chars_max: usize) -> String {
    let mut bare = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(start) = rest.find('<') {
        bare.push_str(&rest[..start]);
        let tag = &rest[start..];
        let opens = tag[1..].starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '/');
        match tag.find('>') {
            Some(end) if opens => rest = &tag[end + 1..],
            _ => {
                bare.push('<');
                rest = &tag[1..];
            }
        }
    }
    bare.push_str(rest);
    let marks = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&nbsp;", " "),
        // Last, so that nothing is resolved twice.
        ("&amp;", "&"),
    ];
    let resolved = marks
        .iter()
        .fold(bare, |text, (mark, letter)| text.replace(mark, letter));
    line(&resolved, chars_max)
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
