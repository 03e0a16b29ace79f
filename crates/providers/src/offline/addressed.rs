//! A guess at whether the newest message was meant for Denizen.

use serde::Serialize;

use super::transcript::{Scene, Speaker};
use super::words::all_words;

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Judgement {
    addressed: bool,
    confidence: f64,
}

impl Judgement {
    pub fn is_addressed(&self) -> bool {
        self.addressed
    }
}

pub(super) fn judge(scene: &Scene) -> Judgement {
    let newest = scene.newest_lines().last();
    let words = newest.map(|line| all_words(&line.text)).unwrap_or_default();
    let own_name = all_words(&scene.own_name).into_iter().next().unwrap_or_default();
    let to_another = scene.lines.iter().filter_map(|line| line.who.name()).any(|name| {
        Some(name) != scene.asker() && words.first().is_some_and(|first| *first == name.to_lowercase())
    });
    let after_own = scene.before().last().is_some_and(|line| line.who == Speaker::Own);
    let to_you = words.iter().any(|word| word == "you" || word == "your");
    let (addressed, confidence) = if words.first() == Some(&own_name) || words.last() == Some(&own_name) {
        (true, 0.95)
    } else if to_another {
        (false, 0.9)
    } else if words.contains(&own_name) {
        // Talking about somebody is not talking to them, but it often is.
        (true, 0.65)
    } else if after_own && to_you {
        (true, 0.75)
    } else {
        (false, 0.7)
    };
    Judgement {
        addressed,
        confidence,
    }
}
