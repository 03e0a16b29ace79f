//! How a reply goes out: threaded or not, in how many pieces, and without waking people by accident.

use vocabulary::Message;

/// How a message enters the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Threaded to the message it answers.
    Reply,
    /// On its own.
    ChannelMessage,
}

/// What decides the route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routing {
    pub addressed: bool,
    pub initiative_channel: bool,
}

/// The route where no chance is involved; `None` where the dice decide between threaded and not.
pub fn route(routing: Routing) -> Option<Route> {
    match routing {
        Routing { addressed: false, .. } => Some(Route::ChannelMessage),
        Routing {
            addressed: true,
            initiative_channel: false,
        } => Some(Route::Reply),
        Routing {
            addressed: true,
            initiative_channel: true,
        } => None,
    }
}

/// A reply in more pieces than this is cut short.
pub const PARTS_MAX: usize = 8;
/// An invisible character that keeps a platform from reading a mention.
const ZERO_WIDTH_SPACE: char = '\u{200b}';
const FENCE: &str = "```";

/// Splits a text into pieces of at most `limit` characters at the best place there is: a blank line, a line end,
/// a sentence end, a space. A code block that is cut is closed and opened again.
pub fn split(text: &str, limit: usize) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = text.trim().to_owned();
    while !rest.is_empty() {
        if rest.chars().count() <= limit {
            parts.push(rest);
            break;
        }
        if parts.len() + 1 == PARTS_MAX {
            let end = byte_index(&rest, limit - 2);
            parts.push(format!("{} …", rest[..end].trim_end()));
            break;
        }
        // Room for a closing fence is kept back, in case the cut falls into a code block.
        let end = cut_place(&rest[..byte_index(&rest, limit - FENCE.len() - 1)]);
        let mut part = rest[..end].trim_end().to_owned();
        let mut left = rest[end..].trim_start_matches([' ', '\n']).to_owned();
        if part.matches(FENCE).count() % 2 == 1 {
            part.push_str("\n```");
            left = format!("```\n{left}");
        }
        parts.push(part);
        rest = left;
    }
    parts
}

/// Makes mentions inert, except of the person who is being answered: an answer may call them, nobody else.
pub fn inert_mentions(text: &str, answered: Option<&Message>) -> String {
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
        let intended = answered.is_some_and(|message| names(rest, &message.author.name));
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
pub(crate) fn settled_mentions<'a>(text: &'a str, answered: Option<&Message>) -> &'a str {
    let open = |at: &usize| {
        let written = &text[at + 1..];
        let name = answered.map_or("", |message| message.author.name.as_str());
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

fn byte_index(text: &str, characters: usize) -> usize {
    text.char_indices()
        .nth(characters)
        .map_or(text.len(), |(index, _)| index)
}

/// Where to cut: the last good place in the second half, else as late as possible.
fn cut_place(head: &str) -> usize {
    let late_enough = head.len() / 2;
    let after = |mark: &str| {
        head.rfind(mark)
            .map(|at| at + mark.len())
            .filter(|&at| at > late_enough)
    };
    let sentence = [". ", "! ", "? ", "… ", "。"]
        .iter()
        .filter_map(|mark| after(mark))
        .max();
    after("\n\n")
        .or_else(|| after("\n"))
        .or(sentence)
        .or_else(|| after(" "))
        .unwrap_or(head.len())
}
