//! The fields of a gem as a model wrote them.

use serde_json::Value;
use vocabulary::{Author, CapturedTurn, GemTag};

use super::folding::{fold, words};
use super::rejection::RejectReason;
use crate::lexicon::is_function_word;

/// What a model that goes through every turn tags those with that give no gem.
pub const NO_TAG: &str = "none";
/// Words that alone are no news.
const SMALL_TALK: &str = " hi hello hey hiya morning evening afternoon night good all everyone everybody guys folks thanks thank thx \
    welcome bye lol haha hehe ok okay nice great cool noted sure yes yeah no nope well says said try greets see you today ";

/// Whether nothing but courtesies and names is said.
pub(super) fn is_small_talk(content: &str, batch: &[CapturedTurn]) -> bool {
    let names: Vec<String> = batch.iter().flat_map(|turn| words(&turn.speaker.name)).collect();
    words(content).iter().all(|word| {
        SMALL_TALK.contains(&format!(" {word} ")) || names.contains(word) || is_function_word(word)
    })
}

pub(super) fn text<'a>(element: &'a Value, key: &str) -> Result<&'a str, (RejectReason, String)> {
    match element.get(key) {
        Some(Value::String(text)) => Ok(text.trim()),
        None | Some(Value::Null) if element.is_object() => Ok(""),
        _ => Err((RejectReason::Malformed, format!("`{key}` is no text"))),
    }
}

pub(super) fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        other => other.as_f64(),
    }
}

pub(super) fn strings(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    items
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// The turns it cites, oldest first, each once.
pub(super) fn cited<'a>(element: &Value, batch: &'a [CapturedTurn]) -> Vec<&'a CapturedTurn> {
    let place = |value: &Value| match value {
        Value::String(text) => text.trim_matches(['[', ']', ' ', '#']).parse().ok(),
        other => other.as_u64(),
    };
    let turns = element.get("turns").or_else(|| element.get("turn"));
    let items = match turns {
        Some(Value::Array(items)) => &items[..],
        Some(single) => std::slice::from_ref(single),
        None => &[],
    };
    let mut places: Vec<u64> = items.iter().filter_map(place).collect();
    places.sort_unstable();
    places.dedup();
    places
        .into_iter()
        .filter_map(|place| batch.get(usize::try_from(place).ok()?.checked_sub(1)?))
        .collect()
}

pub(super) fn tags(element: &Value) -> Result<Vec<GemTag>, (RejectReason, String)> {
    let names = match element.get("tags") {
        Some(Value::String(name)) => vec![name.clone()],
        other => strings(other),
    };
    if !names.is_empty() && names.iter().all(|name| name.trim().eq_ignore_ascii_case(NO_TAG)) {
        return Err((RejectReason::SmallTalk, String::new()));
    }
    let names = names
        .iter()
        .filter(|name| !name.trim().eq_ignore_ascii_case(NO_TAG));
    let tag = |name: &String| {
        GemTag::named(name.trim().to_lowercase().as_str())
            .ok_or_else(|| (RejectReason::UnknownTag, name.clone()))
    };
    match names.map(tag).collect::<Result<Vec<_>, _>>()? {
        tags if tags.is_empty() => Err((RejectReason::UnknownTag, "none is given".to_owned())),
        tags => Ok(tags),
    }
}

/// Who said it: the one it names, if a turn that it cites is theirs; the only one, if it names nobody.
pub(super) fn speaker<'a>(
    element: &Value,
    turns: &[&'a CapturedTurn],
    batch: &[CapturedTurn],
) -> Result<&'a Author, (RejectReason, String)> {
    let named = text(element, "speaker")?;
    let mut authors = turns.iter().rev().map(|turn| &turn.speaker);
    let first = turns[0].speaker.id.clone();
    let found = if named.is_empty() {
        let only_one = turns.iter().all(|turn| turn.speaker.id == first);
        authors.next().filter(|_| only_one)
    } else {
        let meant = called(named, batch).map(|author| author.id.clone());
        authors.find(|author| meant.as_ref() == Some(&author.id) || is_called(author, named))
    };
    found.ok_or_else(|| (RejectReason::UnknownSpeaker, named.to_owned()))
}

/// Whom it is about: somebody who spoke in the batch, else the speaker.
pub(super) fn about<'a>(element: &Value, speaker: &'a Author, batch: &'a [CapturedTurn]) -> &'a Author {
    let named = text(element, "about").unwrap_or_default();
    match called(named, batch) {
        Some(other) if !is_called(speaker, named) => other,
        _ => speaker,
    }
}

/// The one speaker whom a name can mean: by all of their name, else by a part of it that nobody else has.
fn called<'a>(name: &str, batch: &'a [CapturedTurn]) -> Option<&'a Author> {
    let authors = || batch.iter().map(|turn| &turn.speaker);
    let only = |fits: &dyn Fn(&Author) -> bool| {
        let mut fitting = authors().filter(|author| fits(author));
        let first = fitting.next()?;
        fitting.all(|other| other.id == first.id).then_some(first)
    };
    if authors().any(|author| is_called(author, name)) {
        return only(&|author| is_called(author, name));
    }
    let wanted = name_words(name);
    only(&|author| {
        let given = name_words(&author.name);
        !wanted.is_empty() && wanted.iter().all(|word| given.contains(word))
    })
}

fn is_called(author: &Author, name: &str) -> bool {
    let (wanted, given) = (name_words(name), name_words(&author.name));
    wanted == given && !given.is_empty()
}

/// Names are compared as they stand in the prompt, which leaves out some signs.
fn name_words(name: &str) -> Vec<String> {
    fold(name)
        .split(|letter: char| letter.is_whitespace() || ":[]".contains(letter))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

pub(super) fn id(element: &Value, key: &str) -> Option<String> {
    let id = text(element, key)
        .ok()?
        .trim_matches(['[', ']', ' ', '#'])
        .to_lowercase();
    let is_id =
        id.len() >= 4 && id.len() <= 36 && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    is_id.then_some(id)
}
