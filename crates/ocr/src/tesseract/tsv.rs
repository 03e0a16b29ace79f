//! The program's table: one row for each page, block, paragraph, line and word, with its box and how sure it is.

use runtime::ports::ReadLine;

use crate::rows::in_reading_order;

/// The level of rows that are words.
const WORD: &str = "5";
/// Lines that are kept; a screen full of small print has about a hundred.
const LINES_MAX: usize = 500;

/// A line while its words are gathered.
struct Gathered {
    /// Page, block, paragraph and line.
    number: [u32; 4],
    words: Vec<String>,
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
    sureness: f32,
}

/// The lines of a page of this size. Rows that cannot be understood are passed over.
pub(super) fn lines(table: &str, width: usize, height: usize) -> Vec<ReadLine> {
    let mut gathered: Vec<Gathered> = Vec::new();
    for row in table.lines() {
        let Some(word) = Gathered::of_word(row) else {
            continue;
        };
        let is_full = gathered.len() >= LINES_MAX;
        match gathered.last_mut() {
            Some(line) if line.number == word.number => line.take(word),
            _ if is_full => break,
            _ => gathered.push(word),
        }
    }
    let (width, height) = (width.max(1) as f32, height.max(1) as f32);
    let lines = gathered.into_iter().map(|line| ReadLine {
        confidence: (line.sureness / line.words.len() as f32 / 100.0).clamp(0.0, 1.0),
        text: line.words.join(" "),
        left: line.left / width,
        top: line.top / height,
        width: (line.right - line.left) / width,
        height: (line.bottom - line.top) / height,
    });
    in_reading_order(lines.collect())
}

impl Gathered {
    fn of_word(row: &str) -> Option<Self> {
        let mut columns = row.splitn(12, '\t');
        if columns.next()? != WORD {
            return None;
        }
        let mut number = [0; 4];
        for part in &mut number {
            *part = columns.next()?.parse().ok()?;
        }
        // Which word of the line it is, the order of the rows says.
        columns.next()?;
        let mut measure = || {
            columns
                .next()?
                .parse::<f32>()
                .ok()
                .filter(|size| size.is_finite())
        };
        let (left, top, width, height) = (measure()?, measure()?, measure()?, measure()?);
        let sureness = measure()?;
        let text = columns.next()?.trim();
        if text.is_empty() || sureness < 0.0 {
            return None;
        }
        Some(Self {
            number,
            words: vec![text.to_owned()],
            left,
            top,
            right: left + width,
            bottom: top + height,
            sureness,
        })
    }

    fn take(&mut self, mut word: Gathered) {
        self.left = self.left.min(word.left);
        self.top = self.top.min(word.top);
        self.right = self.right.max(word.right);
        self.bottom = self.bottom.max(word.bottom);
        self.sureness += word.sureness;
        self.words.append(&mut word.words);
    }
}
