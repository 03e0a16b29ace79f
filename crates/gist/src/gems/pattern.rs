//! Small patterns over folded words, so that lists of phrases can be read as phrases.
//!
//! `ignore|disregard ..2 instructions|rules`: one of the first two words, then up to two others, then one of the last
//! two. `?please` may be missing, `^` and `$` stand for the beginning and the end of the sentence, `*` for any one word,
//! `-i|we` for a place that does not come right after such a word, and `!time|saver` for one that does not come right
//! before one.

/// A pattern, read once.
#[derive(Clone, Debug)]
pub struct Pattern(Vec<Slot>);

#[derive(Clone, Debug)]
enum Slot {
    Start,
    End,
    Any,
    Gap(usize),
    NotAfter(Vec<String>),
    NotBefore(Vec<String>),
    One(Vec<String>),
    Maybe(Vec<String>),
}

impl Pattern {
    /// Reads one pattern.
    pub fn read(text: &str) -> Self {
        let choices = |text: &str| text.split('|').map(str::to_owned).collect();
        let slot = |word: &str| match word {
            "^" => Slot::Start,
            "$" => Slot::End,
            "*" => Slot::Any,
            _ => match word.split_at(1) {
                (".", most) => Slot::Gap(most.trim_start_matches('.').parse().unwrap_or(0)),
                ("?", words) => Slot::Maybe(choices(words)),
                ("-", words) => Slot::NotAfter(choices(words)),
                ("!", words) => Slot::NotBefore(choices(words)),
                _ => Slot::One(choices(word)),
            },
        };
        Self(text.split_whitespace().map(slot).collect())
    }

    /// One pattern a line.
    pub fn read_all(lines: &str) -> Vec<Self> {
        let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(Self::read).collect()
    }

    /// Where it ends in the words, wherever it begins.
    pub fn find(&self, words: &[impl AsRef<str>]) -> Option<usize> {
        (0..words.len()).find_map(|start| end(&self.0, words, start))
    }

    /// Where it ends, beginning with the first word.
    pub fn at_start(&self, words: &[impl AsRef<str>]) -> Option<usize> {
        end(&self.0, words, 0)
    }
}

fn end(slots: &[Slot], words: &[impl AsRef<str>], at: usize) -> Option<usize> {
    let Some((slot, rest)) = slots.split_first() else {
        return Some(at);
    };
    let is_one = |choices: &[String]| {
        words
            .get(at)
            .is_some_and(|word| choices.iter().any(|choice| choice == word.as_ref()))
    };
    match slot {
        Slot::Start => (at == 0).then(|| end(rest, words, at))?,
        Slot::End => (at == words.len()).then(|| end(rest, words, at))?,
        Slot::NotBefore(choices) => (!is_one(choices)).then(|| end(rest, words, at))?,
        Slot::Any => words.get(at).and_then(|_| end(rest, words, at + 1)),
        Slot::Gap(most) => (at..=(at + most).min(words.len())).find_map(|at| end(rest, words, at)),
        Slot::NotAfter(choices) => {
            let before = at.checked_sub(1).map(|at| words[at].as_ref());
            let is_after = before.is_some_and(|before| choices.iter().any(|choice| choice == before));
            if is_after { None } else { end(rest, words, at) }
        }
        Slot::One(choices) => is_one(choices).then(|| end(rest, words, at + 1))?,
        Slot::Maybe(choices) => {
            let with = is_one(choices).then(|| end(rest, words, at + 1));
            with.flatten().or_else(|| end(rest, words, at))
        }
    }
}
