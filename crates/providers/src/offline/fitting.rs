//! Which of many texts fits a question best, and how it is quoted.

use super::transcript::Utterance;
use super::words::content_words;

/// Longest quotation.
const QUOTE_CHARS_MAX: usize = 280;
/// Share of a question's weight that a message must have to count as its answer.
const FIT_MIN: f64 = 0.34;

pub(super) fn meanings(lines: &[&Utterance]) -> Vec<Vec<String>> {
    let meaning =
        |line: &&Utterance| content_words(&format!("{} {}", line.who.name().unwrap_or(""), line.text));
    lines.iter().map(meaning).collect()
}

/// The one that has most of the question's rare words, and one more if it is nearly as good; oldest first, with how
/// well each fits.
pub(super) fn best_fits(
    about: &[String],
    meanings: &[Vec<String>],
    favour: impl Fn(usize) -> f64,
) -> Vec<(f64, usize)> {
    let weight = |word: &String| {
        let holders = meanings.iter().filter(|meaning| meaning.contains(word)).count();
        (1.0 + meanings.len() as f64 / (1.0 + holders as f64)).ln()
    };
    let weights: Vec<f64> = about.iter().map(weight).collect();
    let whole: f64 = weights.iter().sum();
    let mut scored: Vec<(f64, usize)> = meanings
        .iter()
        .enumerate()
        .filter_map(|(index, meaning)| {
            let held: f64 = about
                .iter()
                .zip(&weights)
                .filter(|(word, _)| meaning.contains(word))
                .map(|(_, weight)| weight)
                .sum();
            let fit = held / whole;
            (held > 0.0 && fit >= FIT_MIN).then(|| (fit * favour(index), index))
        })
        .collect();
    // Of equals the newer one: people correct themselves.
    scored.sort_by(|left, right| right.0.total_cmp(&left.0).then(right.1.cmp(&left.1)));
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    scored.truncate(2);
    scored.retain(|(score, _)| *score >= best * 0.9);
    scored.sort_unstable_by_key(|(_, index)| *index);
    scored
}

pub(super) fn quote(line: &Utterance) -> String {
    let who = line.who.name().unwrap_or("Somebody");
    let short = short(&line.text);
    if line.at.is_empty() {
        format!("{who} said: “{short}”")
    } else {
        format!("{who} said ({}): “{short}”", line.at)
    }
}

/// On one line, and not longer than a quotation is.
pub(super) fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = text.chars().take(QUOTE_CHARS_MAX).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
