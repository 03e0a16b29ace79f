//! Which lines of a screen are worth a note, and which of them come first.

use runtime::ports::ReadLine;

use super::asked::Asked;
use super::likeness::Gist;

/// A screen full of small print has about a hundred.
const LINES_MAX: usize = 200;
/// Below this, a reader guesses.
const CONFIDENCE_MIN: f32 = 0.4;
/// Fewer letters are a button or a slip.
const LETTERS_MIN: usize = 3;
/// Words that people would want to hear of first.
const TELLING: &[&str] = &[
    "error",
    "failed",
    "failure",
    "exception",
    "warning",
    "denied",
    "panic",
    "crashed",
];
/// A telling line goes before any that is not much larger.
const TELLING_WEIGHT: f32 = 0.8;

/// A line with what is known about it.
#[derive(Debug)]
pub(super) struct Ranked<'a> {
    pub(super) line: &'a ReadLine,
    pub(super) is_fresh: bool,
    pub(super) is_telling: bool,
    weight: f32,
}

/// Leaves out what is no text, and what was guessed.
pub(super) fn worth_reading(lines: Vec<ReadLine>) -> Vec<ReadLine> {
    let mut kept: Vec<ReadLine> = lines.into_iter().filter(is_text).collect();
    kept.truncate(LINES_MAX);
    kept
}

fn is_text(line: &ReadLine) -> bool {
    let signs = line.text.chars().filter(|sign| !sign.is_whitespace()).count();
    let meaningful = line.text.chars().filter(|sign| sign.is_alphanumeric()).count();
    let letters = line.text.chars().filter(|sign| sign.is_alphabetic()).count();
    line.confidence >= CONFIDENCE_MIN && letters >= LETTERS_MIN && meaningful * 2 >= signs
}

/// The most noteworthy first: what is new, then what is large or telling, then from top to bottom.
pub(super) fn ranked<'a>(
    lines: &'a [ReadLine],
    asked: &Asked,
    before: Option<&[ReadLine]>,
) -> Vec<Ranked<'a>> {
    let known = Known::new(asked, before);
    let usual = median_height(lines);
    let mut ranked: Vec<Ranked<'a>> = lines
        .iter()
        .map(|line| {
            let is_telling = is_telling(&line.text);
            let size = if usual > 0.0 {
                (line.height / usual).min(3.0)
            } else {
                1.0
            };
            // Small differences are the reader's, not the screen's.
            let size = (size * 4.0).round() / 4.0;
            Ranked {
                line,
                is_fresh: !known.has(&line.text),
                is_telling,
                weight: size + if is_telling { TELLING_WEIGHT } else { 0.0 },
            }
        })
        .collect();
    // Stable, so that equals stay from top to bottom.
    ranked.sort_by(|left, right| {
        right
            .is_fresh
            .cmp(&left.is_fresh)
            .then(right.weight.total_cmp(&left.weight))
    });
    ranked
}

/// What was on the screen when the newest note was taken, as far as that is known.
struct Known {
    lines: Vec<Gist>,
    notes: Vec<Gist>,
}

impl Known {
    fn new(asked: &Asked, before: Option<&[ReadLine]>) -> Self {
        let notes = |notes: &[String]| notes.iter().map(|note| Gist::of(note)).collect();
        match before {
            Some(lines) => Self {
                lines: lines.iter().map(|line| Gist::of(&line.text)).collect(),
                notes: Vec::new(),
            },
            None => Self {
                lines: Vec::new(),
                notes: notes(&asked.notes),
            },
        }
    }

    fn has(&self, text: &str) -> bool {
        let gist = Gist::of(text);
        self.lines.iter().any(|line| gist.is_like(line)) || self.notes.iter().any(|note| gist.is_in(note))
    }
}

fn is_telling(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split(|sign: char| !sign.is_alphanumeric());
    words.any(|word| TELLING.iter().any(|telling| word.starts_with(telling)))
}

fn median_height(lines: &[ReadLine]) -> f32 {
    let mut heights: Vec<f32> = lines.iter().map(|line| line.height).collect();
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 2).copied().unwrap_or(0.0)
}
