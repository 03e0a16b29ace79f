//! Denizen's own line in what a small model wrote: such a model repeats the script it was shown, and goes on with it.

/// How models call those who talk, where they make up a script of their own.
const ROLES: &[&str] = &["user", "assistant", "human", "system", "bot", "ai"];
/// What may stand around a name at the beginning of a line.
const MARKS: &str = "*_-> \t[]";

/// The people of a script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cast<'a> {
    pub own_name: &'a str,
    /// Everybody else who has a line in it.
    pub others: &'a [String],
    /// Who is answered.
    pub answered: Option<&'a str>,
}

/// Whose line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    Own,
    Answered,
    Other,
    /// It has no name in front.
    Nobody,
}

impl Cast<'_> {
    /// Whose line this is, and what is said in it.
    fn reads<'t>(&self, line: &'t str) -> (Speaker, &'t str) {
        let bare = line.trim_start_matches(|letter: char| MARKS.contains(letter));
        let named = |name: &str| {
            let head = bare.get(..name.len())?;
            let rest = bare.get(name.len()..)?.trim_start_matches(['*', '_', ']']);
            let said = rest.strip_prefix(':')?;
            let begins = head.eq_ignore_ascii_case(name) && !name.is_empty();
            begins.then(|| said.trim_start_matches(['*', '_', ' ', '\t']))
        };
        if let Some(said) = named(self.own_name) {
            return (Speaker::Own, said);
        }
        if let Some(said) = self.answered.and_then(named) {
            return (Speaker::Answered, said);
        }
        let others = self.others.iter().map(String::as_str);
        match others.chain(ROLES.iter().copied()).find_map(named) {
            Some(said) => (Speaker::Other, said),
            None => (Speaker::Nobody, line),
        }
    }

    /// Where somebody else begins to speak in the middle of a line: `Yes. Alice: thanks`.
    fn interrupted_at(&self, line: &str) -> Option<usize> {
        let ends = line.match_indices(['.', '!', '?', '"']);
        ends.map(|(at, mark)| at + mark.len()).find(|at| {
            let rest = &line[*at..];
            rest.starts_with(' ') && self.reads(rest.trim_start()).0 != Speaker::Nobody
        })
    }

    /// Whether an unfinished line may still turn out to begin with a name.
    fn may_name_somebody(&self, line: &str) -> bool {
        let bare = line.trim_start_matches(|letter: char| MARKS.contains(letter));
        let mut names = [self.own_name].into_iter().chain(self.answered);
        let others = self
            .others
            .iter()
            .map(String::as_str)
            .chain(ROLES.iter().copied());
        let begins = |name: &str| {
            let length = bare.len().min(name.len());
            match (bare.get(..length), name.get(..length)) {
                (Some(a), Some(b)) => a.eq_ignore_ascii_case(b) && bare.len() <= name.len() + 3,
                _ => false,
            }
        };
        bare.is_empty() || names.any(begins) || others.into_iter().any(begins)
    }
}

/// Denizen's own line of an answer: without its name in front, without lines of others before and after it. Empty where
/// there is none. `question` is what is answered: to repeat it is no answer.
pub(crate) fn own_line<'t>(answer: &'t str, cast: Cast<'_>, question: &str) -> &'t str {
    let lines: Vec<&str> = answer.trim().lines().collect();
    let own = lines.iter().position(|line| cast.reads(line).0 == Speaker::Own);
    let first = lines.iter().position(|line| !line.trim().is_empty());
    let begin = match (first, own) {
        (None, _) => return "",
        (Some(first), own) => match cast.reads(lines[first]).0 {
            // Somebody whom nobody knows, in a script that it has made up.
            Speaker::Nobody if is_named(lines[first]) => own.unwrap_or(first),
            Speaker::Own | Speaker::Nobody => first,
            // Their lines come first: what it says itself stands below, if anywhere.
            Speaker::Answered | Speaker::Other => match own {
                Some(own) => own,
                None if cast.reads(lines[first]).0 == Speaker::Answered => first,
                None => return "",
            },
        },
    };
    let mut end = begin + 1;
    while end < lines.len() && cast.reads(lines[end]).0 == Speaker::Nobody {
        end += 1;
    }
    let said = cast.reads(lines[begin]).1;
    let whole = between(answer, said, lines[end - 1]);
    let whole = cast.interrupted_at(whole).map_or(whole, |at| &whole[..at]);
    let line = without_vocative(unquoted(whole.trim()), cast.own_name);
    if is_same(line, question) || is_same(line, without_vocative(question, cast.own_name)) {
        return "";
    }
    line
}

/// What can be shown of it while more may come.
pub(crate) fn own_line_so_far<'t>(answer: &'t str, cast: Cast<'_>) -> &'t str {
    let start = answer.rfind('\n').map_or(0, |at| at + 1);
    let settled = match cast.may_name_somebody(&answer[start..]) {
        true => &answer[..start],
        false => answer,
    };
    // Whoever it begins with, somebody else's words are not shown before its own have come.
    let begins_with = settled.trim_start().lines().next();
    let others_first = begins_with.is_some_and(|line| match cast.reads(line).0 {
        Speaker::Answered | Speaker::Other => true,
        // A name of somebody unknown may be a script's; or it is a word, and what follows it is shown when it is whole.
        Speaker::Nobody => is_named(line) || is_one_word(line.trim()),
        Speaker::Own => false,
    });
    let has_own = settled.lines().any(|line| cast.reads(line).0 == Speaker::Own);
    match others_first && !has_own {
        true => "",
        false => own_line(settled, cast, ""),
    }
}

/// Whether a line is a single word so far, of which nobody can tell that it is not a name.
fn is_one_word(line: &str) -> bool {
    !line.contains(char::is_whitespace) && !line.ends_with(['.', '!', '?'])
}

/// Whether a line begins like one of a script, with a name and a colon, whoever that is: `Bob: hi`, `Dr. Ann Lee: hi`.
fn is_named(line: &str) -> bool {
    const WORDS_MAX: usize = 3;
    const CHARS_MAX: usize = 32;
    let bare = line.trim_start_matches(|letter: char| MARKS.contains(letter));
    let Some((head, said)) = bare.split_once(':') else {
        return false;
    };
    let head = head.trim_end_matches(|letter: char| MARKS.contains(letter));
    let words = head.split_whitespace();
    let is_name = |word: &str| {
        word.chars()
            .next()
            .is_some_and(|first| first.is_alphabetic() && !first.is_lowercase())
    };
    (1..=WORDS_MAX).contains(&words.clone().count())
        && head.chars().count() <= CHARS_MAX
        && words.clone().all(is_name)
        && said
            .chars()
            .next()
            .is_none_or(|next| next.is_whitespace() || next == '*')
}

/// From the first of these pieces of a text to the end of the last.
fn between<'t>(text: &'t str, first: &'t str, last: &'t str) -> &'t str {
    let offset = |piece: &str| piece.as_ptr() as usize - text.as_ptr() as usize;
    let (from, to) = (offset(first), offset(last) + last.len());
    text.get(from..to).unwrap_or(first)
}

/// Without quotation marks around the whole of it.
fn unquoted(text: &str) -> &str {
    let pairs = [('"', '"'), ('“', '”'), ('\'', '\'')];
    let inner = pairs
        .iter()
        .find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    inner
        .filter(|inner| !inner.contains(['"', '“', '”']))
        .unwrap_or(text)
}

/// Without its own name in front, as if it spoke to itself.
fn without_vocative<'t>(text: &'t str, own_name: &str) -> &'t str {
    let rest = match text.get(..own_name.len()) {
        Some(head) if head.eq_ignore_ascii_case(own_name) => &text[own_name.len()..],
        _ => return text,
    };
    let said = rest.strip_prefix([',', ':']).map(str::trim_start);
    said.filter(|said| !said.is_empty()).unwrap_or(text)
}

fn is_same(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let one = words(one);
    !one.is_empty() && one == words(other)
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
