//! The naive ways to summarise, for comparison: keep the end, or keep whole sentences with rare words.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use gist::summary::FoldedTurn;

use super::words::content_words;

/// The last characters of everything that was said, from the beginning of a word.
pub fn tail(previous: &str, turns: &[FoldedTurn<'_>], limit_chars: usize) -> String {
    let mut text = previous.to_owned();
    for turn in turns {
        text.push_str(&format!(
            " {}: {}",
            turn.speaker,
            turn.text.replace(['\n', '\r'], " ")
        ));
    }
    let text = text.trim_start();
    let excess = text.chars().count().saturating_sub(limit_chars);
    if excess == 0 {
        return text.to_owned();
    }
    let cut: String = text.chars().skip(excess).collect();
    cut.split_once(' ')
        .map_or_else(String::new, |(_, rest)| rest.to_owned())
}

/// Whole sentences under their speakers' names, those with the rarest words for their length first.
pub fn plain(previous: &str, turns: &[FoldedTurn<'_>], limit_chars: usize) -> String {
    let mut sentences: Vec<(String, String)> = Vec::new();
    let mut speaker = String::new();
    for sentence in split(previous) {
        let (name, text) = sentence
            .split_once(": ")
            .filter(|(name, _)| !name.contains(['.', '[', ' ']))
            .unwrap_or(("", sentence));
        if !name.is_empty() {
            speaker = name.to_owned();
        }
        sentences.push((speaker.clone(), text.to_owned()));
    }
    for turn in turns {
        let text = turn.text.replace(['\n', '\r'], " ");
        sentences.extend(split(&text).map(|sentence| (turn.speaker.to_owned(), sentence.to_owned())));
    }
    let words: Vec<BTreeSet<String>> = sentences
        .iter()
        .map(|(_, sentence)| content_words(sentence).into_iter().collect())
        .collect();
    let mut uses: BTreeMap<&String, u32> = BTreeMap::new();
    for word in words.iter().flatten() {
        *uses.entry(word).or_default() += 1;
    }
    let value = |at: usize| {
        let rarity: f64 = words[at].iter().map(|word| 1.0 / f64::from(uses[word])).sum();
        rarity / (sentences[at].1.chars().count() as f64 + 8.0).sqrt()
    };
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    order.sort_by(|one, other| {
        value(*other)
            .total_cmp(&value(*one))
            .then(Reverse(one).cmp(&Reverse(other)))
    });
    let mut kept = BTreeSet::new();
    for at in order {
        kept.insert(at);
        if write(&sentences, &kept).chars().count() > limit_chars {
            kept.remove(&at);
        }
    }
    write(&sentences, &kept)
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let end = rest
            .match_indices(' ')
            .map(|(at, _)| at)
            .find(|at| rest[..*at].ends_with(['.', '!', '?', ']']));
        let (sentence, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        (!sentence.is_empty()).then_some(sentence)
    })
}

fn write(sentences: &[(String, String)], kept: &BTreeSet<usize>) -> String {
    let mut text = String::new();
    let mut last = "";
    for at in kept {
        let (speaker, sentence) = &sentences[*at];
        if !text.is_empty() {
            text.push(' ');
        }
        if speaker != last {
            text.push_str(&format!("{speaker}: "));
            last = speaker;
        }
        text.push_str(sentence);
        if !sentence.ends_with(['.', '!', '?', ']']) {
            text.push('.');
        }
    }
    text
}
