//! Words that were understood otherwise than they were said.

/// Errors among words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordErrors {
    /// Words put in, left out or changed.
    pub wrong: usize,
    /// Words that were said.
    pub said: usize,
}

impl WordErrors {
    /// Of one line.
    pub fn of(said: &str, heard: &str) -> Self {
        let (said, heard) = (words(said), words(heard));
        let mut row: Vec<usize> = (0..=heard.len()).collect();
        for (place, word) in said.iter().enumerate() {
            let mut next = vec![place + 1];
            for (other, heard) in heard.iter().enumerate() {
                let changed = row[other] + usize::from(word != heard);
                next.push(changed.min(row[other + 1] + 1).min(next[other] + 1));
            }
            row = next;
        }
        Self {
            wrong: row[heard.len()],
            said: said.len(),
        }
    }

    pub fn add(&mut self, other: Self) {
        self.wrong += other.wrong;
        self.said += other.said;
    }

    /// Wrong words for a hundred that were said.
    pub fn percent(self) -> f64 {
        100.0 * self.wrong as f64 / self.said.max(1) as f64
    }
}

/// The words of a line, as they are compared: without marks, in lower case.
pub fn words(text: &str) -> Vec<String> {
    let plain: String = text
        .to_lowercase()
        .replace('-', " ")
        .chars()
        .filter(|letter| letter.is_alphanumeric() || letter.is_whitespace())
        .collect();
    plain.split_whitespace().map(str::to_owned).collect()
}
