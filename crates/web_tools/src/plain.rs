//! Text as a person would see it: nothing that steers a terminal, and nothing that only a machine reads.

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
            _ if letter.is_control() || is_invisible(letter) => {}
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

/// The same on one line, with single spaces, and no longer than so many characters.
pub(crate) fn line(raw: &str, chars_max: usize) -> String {
    let seen: String = raw
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| !letter.is_control() && !is_invisible(*letter))
        .collect();
    let line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= chars_max {
        return line;
    }
    let short: String = line.chars().take(chars_max.saturating_sub(1)).collect();
    format!("{}…", short.trim_end())
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

/// Characters that nobody sees: soft hyphens, zero-width ones, direction marks and overrides, fillers, variation
/// selectors, annotations, tags, and what is for private use.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
