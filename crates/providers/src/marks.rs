//! Marks of a model's chat template that its server left in an answer, such as `<|im_end|>`: where one ends a turn the
//! answer ends too, and no mark is ever said.

/// A mark says that the turn is over, or that another one begins; text that has come before is the whole answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// The turn is over.
    End,
    /// A turn begins, and whose it is follows.
    Begin,
    /// Anything else between words.
    Other,
}

/// Marks with a form of their own.
const BARE: &[(&str, Mark)] = &[
    ("<end_of_turn>", Mark::End),
    ("<start_of_turn>", Mark::Begin),
    ("<eos>", Mark::End),
    ("<bos>", Mark::Other),
    ("[INST]", Mark::Begin),
    ("[/INST]", Mark::Begin),
    (STRIKE_END, Mark::End),
];
/// It also ends words that are struck out.
const STRIKE_END: &str = "</s>";
const STRIKE_START: &str = "<s>";
/// Names between `<|` and `|>` that end a turn.
const ENDS: &[&str] = &[
    "im_end",
    "eot_id",
    "eom_id",
    "eot",
    "eos",
    "eod",
    "end",
    "return",
    "endoftext",
    "end_of_text",
    "end_of_turn",
    "end_of_turn_token",
    "end_of_sentence",
    "endofturn",
    "user",
    "human",
    "system",
];
/// The same that begin one.
const BEGINS: &[&str] = &[
    "im_start",
    "start_header_id",
    "start_of_turn_token",
    "start",
    "assistant",
    "bot",
];
/// Whose turn a mark says it is.
const ROLES: &[&str] = &["assistant", "model", "user", "system", "ai", "bot"];
/// Longest name of a mark that is looked at, and of a role.
const NAME_CHARS_MAX: usize = 40;
const ROLE_CHARS_MAX: usize = 12;

/// Passes text through in pieces, without marks and without what follows the end of a turn.
#[derive(Debug, Default)]
pub(crate) struct MarkFilter {
    /// Marks are looked for at all.
    is_on: bool,
    /// The end of what came, while it could still be the start of a mark.
    held: String,
    said: String,
    /// The name of a role is left out next.
    role_follows: bool,
    is_over: bool,
}

impl MarkFilter {
    /// For the answers of a server that may leave marks in them.
    pub(crate) fn of_server() -> Self {
        Self {
            is_on: true,
            ..Self::default()
        }
    }

    /// Takes the next piece in and gives what of it is text.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        if !self.is_on {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        self.settle(false)
    }

    /// The answer is over: what looked like the start of a mark was text after all.
    pub(crate) fn finish(&mut self) -> String {
        if !self.is_on {
            return String::new();
        }
        let mut text = self.settle(true);
        if !self.is_over {
            text.push_str(&std::mem::take(&mut self.held));
        }
        text
    }

    /// A mark has ended the answer, whatever the server says of it.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    fn settle(&mut self, is_last: bool) -> String {
        let mut text = String::new();
        while !self.is_over {
            if self.role_follows && !self.drop_role(is_last) {
                break;
            }
            let Some((start, length, mark)) = self.first_mark() else {
                let settled = possible_start(&self.held);
                self.pass(settled, &mut text);
                break;
            };
            self.pass(start, &mut text);
            self.held.drain(..length);
            let has_spoken = !self.said.trim().is_empty();
            match mark {
                Mark::Begin if !has_spoken => self.role_follows = true,
                Mark::End | Mark::Begin if !is_open_json(&self.said) => self.is_over = true,
                Mark::End | Mark::Begin | Mark::Other => {}
            }
        }
        if self.is_over {
            self.held.clear();
        }
        text
    }

    fn pass(&mut self, until: usize, text: &mut String) {
        let settled: String = self.held.drain(..until).collect();
        self.said.push_str(&settled);
        text.push_str(&settled);
    }

    /// Leaves out whose turn it is; not yet, where more of the word may come.
    fn drop_role(&mut self, is_last: bool) -> bool {
        let letters = self
            .held
            .bytes()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        if letters == self.held.len() && letters <= ROLE_CHARS_MAX && !is_last {
            return false;
        }
        if ROLES.contains(&self.held[..letters].to_lowercase().as_str()) {
            self.held.drain(..letters);
        }
        self.role_follows = false;
        true
    }

    /// The first whole mark: where it begins, how long it is, and what it says.
    fn first_mark(&self) -> Option<(usize, usize, Mark)> {
        let places = self.held.match_indices(['<', '[']).map(|(at, _)| at);
        places.into_iter().find_map(|at| {
            let rest = &self.held[at..];
            let bare = BARE.iter().find(|(mark, _)| rest.starts_with(mark));
            match bare {
                Some((mark, _)) if *mark == STRIKE_END && self.is_struck(at) => None,
                Some((mark, says)) => Some((at, mark.len(), *says)),
                None => barred(rest).map(|(length, says)| (at, length, says)),
            }
        })
    }

    /// Words before this place are being struck out.
    fn is_struck(&self, at: usize) -> bool {
        let before = format!("{}{}", self.said, &self.held[..at]);
        before.matches(STRIKE_START).count() > before.matches(STRIKE_END).count()
    }
}

/// A mark such as `<|im_end|>` at the beginning of a text, and its length.
fn barred(text: &str) -> Option<(usize, Mark)> {
    let (name, rest) = name_of(text)?;
    let rest = rest.strip_prefix(['|', '｜'])?.strip_prefix('>')?;
    let name = name.to_lowercase().replace('▁', "_");
    let says = match name.as_str() {
        "" => return None,
        name if ENDS.contains(&name) => Mark::End,
        name if BEGINS.contains(&name) => Mark::Begin,
        _ => Mark::Other,
    };
    Some((text.len() - rest.len(), says))
}

/// The name after `<|`, and what comes after it.
fn name_of(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix('<')?.strip_prefix(['|', '｜'])?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '▁' | '-');
    let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
    (rest[..end].chars().count() <= NAME_CHARS_MAX).then_some(rest.split_at(end))
}

/// Where the longest ending that a mark could begin with starts.
fn possible_start(text: &str) -> usize {
    let mut places = text.match_indices(['<', '[']).map(|(at, _)| at);
    let may_begin = |rest: &str| {
        let is_bare = BARE.iter().any(|(mark, _)| mark.starts_with(rest));
        let is_barred = name_of(rest).is_some_and(|(_, after)| matches!(after, "" | "|" | "｜"));
        is_bare || is_barred || rest == "<"
    };
    places.find(|at| may_begin(&text[*at..])).unwrap_or(text.len())
}

/// A typed answer that is not whole yet: its end is where its last brace closes, and not where a mark stands.
fn is_open_json(said: &str) -> bool {
    let said = said.trim();
    said.starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(said).is_err()
}

#[cfg(test)]
#[path = "marks_tests.rs"]
mod tests;
