//! Words that were understood otherwise than they were said.

/// So many words may stand for a name that was not understood.
const FOR_A_NAME: usize = 3;

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
        Self::compared(said, heard, |_| false)
    }

    /// Of one line, where anything of up to three words may stand for a name, and the name itself is not counted.
    pub fn besides(name: &str, said: &str, heard: &str) -> Self {
        let name = name.to_lowercase();
        Self::compared(said, heard, |word| word == name)
    }

    fn compared(said: &str, heard: &str, is_free: impl Fn(&str) -> bool) -> Self {
        let (said, heard) = (words(said), words(heard));
        let mut row: Vec<usize> = (0..=heard.len()).collect();
        for word in &said {
            let mut next = Vec::with_capacity(row.len());
            for place in 0..row.len() {
                let best = match is_free(word) {
                    true => row[place.saturating_sub(FOR_A_NAME)..=place]
                        .iter()
                        .min()
                        .copied(),
                    false => place.checked_sub(1).map(|before| {
                        let changed = row[before] + usize::from(*word != heard[before]);
                        changed.min(row[place] + 1)
                    }),
                };
                let left_out = row[place] + usize::from(!is_free(word));
                let put_in = next.last().map(|before| before + 1);
                let all = [best, Some(left_out), put_in];
                next.push(all.into_iter().flatten().min().unwrap_or_default());
            }
            row = next;
        }
        Self {
            wrong: row[heard.len()],
            said: said.iter().filter(|word| !is_free(word)).count(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_not_understood_is_told_from_words_that_were_not() {
        let said = "Denizen, how far away is the moon? Denizen, can you cook?";
        let cases = [
            (said, 0, 0),
            (
                "Then isn't how far away is the moon. Denizan, can you cook?",
                3,
                0,
            ),
            ("Then he is an how far away is the moon can you cook", 5, 1),
            ("Denizen how far a way is the moon Denizen can you look", 3, 3),
            ("", 11, 9),
        ];
        for (heard, all, besides) in cases {
            assert_eq!(
                WordErrors::of(said, heard),
                WordErrors { wrong: all, said: 11 },
                "{heard}"
            );
            let expected = WordErrors {
                wrong: besides,
                said: 9,
            };
            assert_eq!(WordErrors::besides("Denizen", said, heard), expected, "{heard}");
        }
    }
}
