//! Commands that somebody types into a room: to begin anew, to be forgotten, to come into the voice of the room,
//! and to learn of these.

use serde::{Deserialize, Serialize};
use vocabulary::{QuietWish, Span};

use super::triggers::SessionEnding;

/// A command, as it was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// `/new`: a new conversation; what was said is remembered.
    New,
    /// `/reset`: the same, by its other name.
    Reset,
    /// `/help`: what can be typed here.
    Help,
    /// `/forget me`: everything the author said, and all that is known of them. It is asked back.
    ForgetMe,
    /// `/forget me yes`: the answer to that.
    ForgetMeYes,
    /// `/forget that`: what the author said last.
    ForgetThat,
    /// `/join`: come into the voice of the room.
    Join,
    /// `/leave`: leave it.
    Leave,
    /// `/listen on`, or off: what the author says in the voice of the room is written down, or is not.
    Listen(bool),
    /// `/watch`: how a screen is shown to Denizen.
    Watch,
    /// `/quiet 15m`: say nothing here for so long; none where it was not said for how long in words that are known.
    Quiet(Option<QuietWish>),
}

impl Command {
    pub fn name(&self) -> &'static str {
        match self {
            Command::New => "/new",
            Command::Reset => "/reset",
            Command::Help => "/help",
            Command::ForgetMe => "/forget me",
            Command::ForgetMeYes => "/forget me yes",
            Command::ForgetThat => "/forget that",
            Command::Join => "/join",
            Command::Leave => "/leave",
            Command::Listen(true) => "/listen on",
            Command::Listen(false) => "/listen off",
            Command::Watch => "/watch",
            Command::Quiet(_) => "/quiet",
        }
    }

    /// How it ends the conversation, if it does.
    pub fn ending(&self) -> Option<SessionEnding> {
        match self {
            Command::New => Some(SessionEnding::New),
            Command::Reset => Some(SessionEnding::Reset),
            Command::Help
            | Command::ForgetMe
            | Command::ForgetMeYes
            | Command::ForgetThat
            | Command::Join
            | Command::Leave
            | Command::Listen(_)
            | Command::Watch
            | Command::Quiet(_) => None,
        }
    }

    /// Whether something is gone for good once it is carried out.
    pub fn forgets(&self) -> bool {
        matches!(
            self,
            Command::ForgetMe | Command::ForgetMeYes | Command::ForgetThat
        )
    }
}

/// Reads a command: the whole message, whatever its case and spacing, with a full stop at most.
pub fn read(text: &str) -> Option<Command> {
    let folded = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    let words: Vec<&str> = folded.split_whitespace().collect();
    match words.as_slice() {
        ["/new"] => Some(Command::New),
        ["/reset"] => Some(Command::Reset),
        ["/help"] => Some(Command::Help),
        ["/join"] => Some(Command::Join),
        ["/leave"] => Some(Command::Leave),
        ["/listen", "on"] => Some(Command::Listen(true)),
        ["/listen", "off"] => Some(Command::Listen(false)),
        ["/watch"] => Some(Command::Watch),
        ["/quiet", how_long @ ..] => Some(Command::Quiet(read_quiet(how_long))),
        ["/forget", "me"] => Some(Command::ForgetMe),
        ["/forget", "me", "yes"] => Some(Command::ForgetMeYes),
        ["/forget", "that"] => Some(Command::ForgetThat),
        _ => None,
    }
}

/// Without a word it is an hour; until tomorrow is a night.
const QUIET_FOR: Span = Span::hours(1);
const UNTIL_TOMORROW: Span = Span::hours(8);

/// Reads for how long a room is to be quiet: `15m`, `2 hours`, `for good`, `off`.
fn read_quiet(words: &[&str]) -> Option<QuietWish> {
    let words = match words {
        ["for" | "until", rest @ ..] if rest != ["good"] => rest,
        words => words,
    };
    let spelled: String = words.concat();
    match spelled.as_str() {
        "" | "on" => return Some(QuietWish::For(QUIET_FOR)),
        "off" | "over" => return Some(QuietWish::Over),
        "forgood" | "always" | "ever" => return Some(QuietWish::ForGood),
        "tomorrow" => return Some(QuietWish::For(UNTIL_TOMORROW)),
        _ => {}
    }
    let unit_at = spelled.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, unit) = spelled.split_at(unit_at);
    let number: u64 = number
        .parse()
        .ok()
        .filter(|number| (1..=10_000).contains(number))?;
    let span = match unit {
        "m" | "min" | "mins" | "minute" | "minutes" => Span::minutes(number),
        "h" | "hour" | "hours" => Span::hours(number),
        "d" | "day" | "days" => Span::hours(24 * number),
        _ => return None,
    };
    Some(QuietWish::For(span))
}

/// What is said beside a wish without being part of it.
const BESIDE: &[&str] = &[
    "hey",
    "hi",
    "hello",
    "ok",
    "okay",
    "please",
    "now",
    "anymore",
    "any",
    "more",
    "you",
    "can",
    "may",
    "hallo",
    "bitte",
    "mehr",
    "du",
    "kannst",
    "darfst",
    "jetzt",
    "s",
    "il",
    "te",
    "plaît",
    "maintenant",
    "por",
    "favor",
    "ahora",
];
/// "Don't listen to me", and its like.
const LISTEN_OFF: &[&str] = &[
    "dont listen to me",
    "do not listen to me",
    "stop listening to me",
    "hör mir nicht zu",
    "hör nicht zu was ich sage",
    "ne mécoute pas",
    "ne mécoute plus",
    "no me escuches",
];
/// "Listen to me again", and its like.
const LISTEN_ON: &[&str] = &[
    "listen to me again",
    "start listening to me",
    "hör mir wieder zu",
    "écoute moi de nouveau",
    "écoute moi à nouveau",
    "escúchame de nuevo",
    "escúchame otra vez",
    "vuelve a escucharme",
];

/// Reads the wish to be listened to, or not, from words that say nothing else and call one of these names; they need not
/// where nobody else can be meant.
pub fn read_wish<'a>(text: &str, names: impl Iterator<Item = &'a str>, is_alone: bool) -> Option<Command> {
    let folded = |text: &str| text.to_lowercase().replace(['\'', '’'], "");
    let words_of = |text: &str| -> Vec<String> {
        let folded = folded(text);
        let words = folded.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let names: Vec<String> = names.flat_map(words_of).collect();
    let words = words_of(text);
    let is_called = words.iter().any(|word| names.contains(word));
    if !is_called && !is_alone {
        return None;
    }
    let said = |without_beside: bool| -> String {
        let said = words
            .iter()
            .filter(|word| !(names.contains(word) || without_beside && BESIDE.contains(&word.as_str())));
        said.map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    let is_one_of = |phrases: &[&str]| {
        let fits = |said: String| phrases.contains(&said.as_str());
        fits(said(false)) || fits(said(true))
    };
    match () {
        () if is_one_of(LISTEN_OFF) => Some(Command::Listen(false)),
        () if is_one_of(LISTEN_ON) => Some(Command::Listen(true)),
        () => None,
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
