//! Of a page that is too long, the parts that have to do with a question.

use std::collections::BTreeMap;

/// Between parts that do not follow each other.
const GAP: &str = "[…]";
const WORD_CHARS_MIN: usize = 3;
const PART_CHARS_MAX: usize = 700;
/// A part is worth showing when it fits at least so well as the best one, times this.
const WORTH_SHOWING: f64 = 0.2;

/// The parts that fit best, in the order of the page, within so many characters; none where no part has any of the
/// question's words.
pub(super) fn parts(text: &str, question: &str, chars_max: usize) -> Option<String> {
    let parts = split(text);
    let wanted = words(question);
    let mut with_word: BTreeMap<&str, usize> = BTreeMap::new();
    let said: Vec<Vec<String>> = parts.iter().map(|part| words(part)).collect();
    for word in &wanted {
        let count = said.iter().filter(|said| said.contains(word)).count();
        with_word.insert(word, count);
    }
    let score = |said: &[String]| -> f64 {
        let hits = wanted.iter().filter(|word| said.contains(word));
        // A word that is everywhere says little about a part.
        hits.map(|word| 1.0 / with_word[word.as_str()].max(1) as f64 + 0.1)
            .sum()
    };
    let mut best: Vec<(usize, f64)> = said.iter().map(|said| score(said)).enumerate().collect();
    best.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let least = best.first().map_or(0.0, |(_, score)| score * WORTH_SHOWING);
    best.retain(|(_, score)| *score > 0.0 && *score >= least);
    let mut chosen: Vec<usize> = Vec::new();
    let mut room = chars_max;
    for (at, _) in best {
        // With what follows: an answer often stands below the words of its question.
        for part in [at, at + 1] {
            let Some(text) = parts.get(part) else { continue };
            let size = text.chars().count() + GAP.chars().count() + 2;
            if !chosen.contains(&part) && size <= room {
                chosen.push(part);
                room -= size;
            }
        }
    }
    chosen.sort_unstable();
    let mut shown = String::new();
    let mut last = None;
    for at in &chosen {
        let follows = last.map_or(*at == 0, |last: usize| last + 1 == *at);
        if !follows {
            shown.push_str(GAP);
            shown.push('\n');
        }
        shown.push_str(&parts[*at]);
        shown.push('\n');
        last = Some(*at);
    }
    (!chosen.is_empty()).then(|| shown.trim_end().to_owned())
}

/// Lines, long ones in pieces.
fn split(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let letters: Vec<char> = line.chars().collect();
        parts.extend(letters.chunks(PART_CHARS_MAX).map(|piece| piece.iter().collect()));
    }
    parts
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.chars().count() >= WORD_CHARS_MIN)
        .map(str::to_lowercase)
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_that_have_the_rarer_words_are_shown_in_the_order_of_the_page() {
        let mut lines: Vec<String> = (0..200)
            .map(|number| format!("The store sells thing {number}."))
            .collect();
        lines[40] = "Opening hours of the store".to_owned();
        lines[41] = "Monday to Friday, nine to five".to_owned();
        lines[150] = "Returns within fourteen days".to_owned();
        let text = lines.join("\n");
        let shown = parts(&text, "What are the opening hours of the store?", 160).expect("parts");
        assert!(
            shown.starts_with("[…]\nOpening hours of the store\nMonday to Friday, nine to five"),
            "{shown}"
        );
        assert!(shown.chars().count() <= 160, "{shown}");
        assert!(!shown.contains("Returns"), "{shown}");
    }

    #[test]
    fn a_question_about_something_else_has_no_parts() {
        assert_eq!(parts("one\ntwo\nthree", "giraffes?", 100), None);
        assert_eq!(parts("", "anything", 100), None);
    }
}
