//! Mentions in what a model wrote: nobody is woken by accident.

/// An invisible character that keeps a platform from reading a mention.
const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// Makes mentions inert, except of the person who is being answered, by name: an answer may call them, nobody else.
pub fn inert_mentions(text: &str, answered: Option<&str>) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, from) = rest.split_at(at);
        safe.push_str(before);
        safe.push('@');
        rest = &from[1..];
        let follows = rest.chars().next();
        let in_word = before.chars().next_back().is_some_and(char::is_alphanumeric);
        let mentions =
            follows.is_some_and(|next| next.is_alphanumeric() || matches!(next, '!' | '&' | '_')) && !in_word;
        let intended = answered.is_some_and(|name| names(rest, name));
        let addressed = &text[..text.len() - rest.len() - 1];
        let in_link = is_in_link(addressed) && !["everyone", "here"].iter().any(|all| names(rest, all));
        if mentions && !intended && !in_link {
            safe.push(ZERO_WIDTH_SPACE);
        }
    }
    safe.push_str(rest);
    safe
}

/// Whether a text ends inside the path of a web address, as in `https://video.example/@somebody`: a link with an
/// invisible character in it leads nowhere.
fn is_in_link(before: &str) -> bool {
    let ends = |letter: char| letter.is_whitespace() || "<>()[]\"`".contains(letter);
    let run = before.rsplit(ends).next().unwrap_or_default();
    let schemes = ["https://", "http://"];
    let path = schemes.iter().find_map(|scheme| run.split_once(scheme));
    path.is_some_and(|(_, rest)| rest.contains('/'))
}

/// How much of a text in the making stays as it is once its mentions are inert: not a mention that is still being
/// written, which may turn out to be of the person who is being answered.
pub(crate) fn settled_mentions<'a>(text: &'a str, answered: Option<&str>) -> &'a str {
    let open = |at: &usize| {
        let written = &text[at + 1..];
        let name = answered.unwrap_or_default();
        let head = name.get(..written.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(written))
    };
    let open = text.match_indices('@').map(|(at, _)| at).find(open);
    &text[..open.unwrap_or(text.len())]
}

fn names(after_at: &str, name: &str) -> bool {
    match after_at.get(..name.len()) {
        Some(head) => {
            head.eq_ignore_ascii_case(name)
                && !after_at[name.len()..]
                    .chars()
                    .next()
                    .is_some_and(char::is_alphanumeric)
        }
        None => false,
    }
}

#[cfg(test)]
#[path = "mentions_tests.rs"]
mod mentions_tests;
