//! Text as a person sees it: which characters nobody sees, lines without them, and counted nouns.
//!
//! The only definition of invisible characters in the workspace. Words of strangers, names, links and memories all go by it.

/// Whether nobody sees this character: soft hyphens, zero-width ones, joiners, direction marks and overrides, fillers,
/// variation selectors, annotations, tags, and what is for private use. Control characters are not among them.
pub fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
}

/// Whether a character joins or shapes its neighbours: nobody sees it, and some scripts and emoji need it.
pub fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// Whether a character may stand in text that a person is to see whole: no control, nothing invisible.
pub fn is_plain(letter: char) -> bool {
    !letter.is_control() && !is_invisible(letter)
}

/// What model servers read as marks of their own after a `<` and a `[`: who speaks, what is a call, what is a result.
const MARKS_AFTER_ANGLE: [&str; 21] = [
    "tool",
    "/tool",
    "function",
    "/function",
    "start_of_turn",
    "end_of_turn",
    "s>",
    "/s>",
    "<sys",
    "</sys",
    "bos>",
    "eos>",
    "pad>",
    "unk>",
    "eot>",
    "begin_of",
    "end_of",
    "extra_id_",
    "unused",
    "seed:",
    "/seed:",
];
const MARKS_AFTER_BRACKET: [&str; 10] = [
    "inst]",
    "/inst]",
    "think]",
    "/think]",
    "tool_",
    "/tool_",
    "available_tools",
    "/available_tools",
    "system_prompt",
    "/system_prompt",
];

/// Elements in which models think aloud, in whole words: what follows would be hidden, or be taken for their own thought.
const THOUGHTS: [&str; 8] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
    "analysis",
];

/// What these begin with in ASCII, and a space, which may stand before a thought.
const HEADS_AFTER_ANGLE: &str = "tfse<bpu/| ra";
const HEADS_AFTER_BRACKET: &str = "itas/";
/// The first byte of `◁` and of other letters.
const WIDE_BRACKET: u8 = 0xe2;

/// Takes the meaning out of what a model server might read as a mark of its own, such as `<|im_start|>`, `[INST]` or
/// `<think>`: its bracket becomes a lookalike, and nothing else changes. Every letter stays one letter.
pub fn without_marks(text: &str) -> String {
    let mut text = text.to_owned();
    take_marks_out(&mut text);
    text
}

/// As [`without_marks`], in place: of a long text without any, as most are, nothing is written anew.
pub fn take_marks_out(text: &mut String) {
    let marks = marks(text);
    if marks.is_empty() {
        return;
    }
    let mut inert = String::with_capacity(text.len() + marks.len() * 2);
    let mut from = 0;
    for (at, letter) in marks {
        inert.push_str(&text[from..at]);
        inert.push(if letter == '[' { '(' } else { '‹' });
        from = at + letter.len_utf8();
    }
    inert.push_str(&text[from..]);
    *text = inert;
}

/// Where the brackets of marks stand, and which they are.
fn marks(text: &str) -> Vec<(usize, char)> {
    let bracket = |at: &usize| text.as_bytes()[*at] != WIDE_BRACKET || text[*at..].starts_with('◁');
    let places = memchr::memchr3_iter(b'<', b'[', WIDE_BRACKET, text.as_bytes());
    let places = places
        .filter(|at| may_begin_mark(&text.as_bytes()[*at..]))
        .filter(bracket);
    let marks = places.filter_map(|at| {
        let letter = text[at..].chars().next()?;
        let rest = &text[at + letter.len_utf8()..];
        let is_mark = match letter {
            '◁' => begins_thought(&start_of(rest)),
            _ => begins_mark(rest, letter == '<'),
        };
        is_mark.then_some((at, letter))
    });
    marks.collect()
}

/// Whether the byte behind a bracket leaves it open whether a mark begins there: no mark begins like `[12:03]`, and every
/// line of a transcript begins so.
fn may_begin_mark(text: &[u8]) -> bool {
    let heads = match text[0] {
        b'<' => HEADS_AFTER_ANGLE,
        b'[' => HEADS_AFTER_BRACKET,
        _ => return true,
    };
    let is_seen = |next: &u8| matches!(next, b' '..=b'~');
    text.get(1)
        .is_none_or(|next| !is_seen(next) || heads.as_bytes().contains(&next.to_ascii_lowercase()))
}

/// Whether a mark goes on like this after its bracket; what nobody sees in the middle of it does not count.
fn begins_mark(text: &str, angle: bool) -> bool {
    let mut letters = text.chars().filter(|letter| is_plain(*letter)).peekable();
    let heads = if angle {
        HEADS_AFTER_ANGLE
    } else {
        HEADS_AFTER_BRACKET
    };
    if letters
        .peek()
        .is_none_or(|letter| letter.is_ascii() && !heads.contains(letter.to_ascii_lowercase()))
    {
        return false;
    }
    if angle && matches!(letters.peek(), Some('|' | '｜')) {
        // `f <| x` is code.
        return letters
            .nth(1)
            .is_some_and(|letter| letter.is_alphanumeric() || letter == '/' || letter == '_');
    }
    let start = start_of(text);
    let marks: &[&str] = if angle {
        &MARKS_AFTER_ANGLE
    } else {
        &MARKS_AFTER_BRACKET
    };
    angle && begins_thought(&start) || marks.iter().any(|mark| start.starts_with(mark))
}

fn start_of(text: &str) -> String {
    let letters = text.chars().filter(|letter| is_plain(*letter));
    letters.take(20).flat_map(char::to_lowercase).collect()
}

/// Whether an element begins or ends here in which models think: `<Thinkpad>` and `<T>` are none.
fn begins_thought(start: &str) -> bool {
    let name = start.trim_start().trim_start_matches('/').trim_start();
    let word = name
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .next();
    word.is_some_and(|word| THOUGHTS.contains(&word))
}

/// One line of plain characters with single spaces, cut to so many characters with a mark where something is missing.
pub fn plain_line(text: &str, chars_max: usize) -> String {
    // White space first, for a line break is a control character and must leave a gap.
    let spaced: String = text
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| is_plain(*letter))
        .collect();
    shortened(&one_line(&spaced), chars_max)
}

/// A text on one line, with single spaces between its words.
pub fn one_line(text: &str) -> String {
    if is_one_line(text) {
        return text.to_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text is such a line already, as most are.
fn is_one_line(text: &str) -> bool {
    let mut after_space = true;
    for letter in text.chars() {
        match letter {
            '!'..='~' => after_space = false,
            ' ' if !after_space => after_space = true,
            letter if letter.is_whitespace() => return false,
            _ => after_space = false,
        }
    }
    !after_space || text.is_empty()
}

/// The first characters of a text, up to so many.
pub fn head(text: &str, chars_max: usize) -> &str {
    // Of so few bytes there are no more characters.
    if text.len() <= chars_max {
        return text;
    }
    let end = text.char_indices().nth(chars_max);
    end.map_or(text, |(end, _)| &text[..end])
}

/// At most so many characters of a text, with a mark where something is missing.
pub fn shortened(text: &str, chars_max: usize) -> String {
    if head(text, chars_max).len() == text.len() {
        return text.to_owned();
    }
    let kept = head(text, chars_max.saturating_sub(1));
    format!("{}…", kept.trim_end())
}

/// How much a model has to read of a text, in quarters of a token: a letter of English is one. A word of other letters is cut
/// into more pieces, and a character of Chinese, Japanese or Korean is one of its own, as is a picture sign.
pub fn token_quarters(text: &str) -> usize {
    let of = |letter: char| match letter {
        '\u{0}'..='\u{7f}' => 1,
        '\u{80}'..='\u{10ff}' | '\u{1200}'..='\u{2e7f}' => 2,
        _ => 4,
    };
    text.chars().map(of).sum()
}

/// As [`plain_line`], and cut between two words, where it has some.
pub fn plain_words(text: &str, chars_max: usize) -> String {
    let whole = plain_line(text, usize::MAX);
    if whole.char_indices().nth(chars_max).is_none() {
        return whole;
    }
    let room = whole.char_indices().nth(chars_max.saturating_sub(1));
    let (head, rest) = whole.split_at(room.map_or(0, |(at, _)| at));
    let words = match rest.starts_with(' ') {
        true => head,
        false => head
            .rfind(' ')
            .filter(|space| *space > head.len() / 2)
            .map_or(head, |space| &head[..space]),
    };
    format!("{}…", words.trim_end_matches([' ', ',', ';', ':']))
}

/// So many of something: `1 message`, `3 messages`.
pub fn counted(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
