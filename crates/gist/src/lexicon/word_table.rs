//! A fixed list of words with what is known of each. Every word of a talk is looked for in several, so that one is found
//! by a number made of its letters and not by comparing it with a dozen others.

/// More places than words, so that hardly two share one.
const PLACES_A_WORD: usize = 2;

/// Words, each with what is known of it.
#[derive(Debug)]
pub(crate) struct WordTable<V> {
    places: Vec<Vec<(Box<str>, V)>>,
}

impl<V: Copy> WordTable<V> {
    /// Of a word that is there twice, what is said last holds.
    pub(crate) fn of<'a>(words: impl IntoIterator<Item = (&'a str, V)>) -> Self {
        let words: Vec<(&str, V)> = words.into_iter().collect();
        let count = (words.len() * PLACES_A_WORD).next_power_of_two();
        let mut places: Vec<Vec<(Box<str>, V)>> = Vec::new();
        places.resize_with(count, Vec::new);
        for (word, value) in words {
            let place = &mut places[number(word) & (count - 1)];
            match place.iter_mut().find(|(known, _)| **known == *word) {
                Some((_, known)) => *known = value,
                None => place.push((word.into(), value)),
            }
        }
        Self { places }
    }

    pub(crate) fn get(&self, word: &str) -> Option<V> {
        let place = &self.places[number(word) & (self.places.len() - 1)];
        let found = place.iter().find(|(known, _)| **known == *word);
        found.map(|(_, value)| *value)
    }
}

/// A number of the letters of a word (FNV).
fn number(word: &str) -> usize {
    let mixed = word.bytes().fold(0x811c_9dc5_u32, |mixed, byte| {
        (mixed ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (mixed ^ (mixed >> 15)) as usize
}

#[cfg(test)]
mod tests {
    use super::WordTable;

    #[test]
    fn every_word_of_a_table_is_found_and_no_other() {
        let words: Vec<String> = (0..500).map(|number| format!("word{number}")).collect();
        let table = WordTable::of(words.iter().map(String::as_str).zip(0..));
        for (place, word) in words.iter().enumerate() {
            assert_eq!(table.get(word), Some(place), "{word}");
        }
        for other in ["", "word", "word500", "Word1", "wörd1"] {
            assert_eq!(table.get(other), None, "{other}");
        }
        assert_eq!(WordTable::<u8>::of([]).get("word"), None);
    }

    #[test]
    fn of_a_word_that_is_there_twice_the_last_holds() {
        let table = WordTable::of([("one", 1), ("two", 2), ("one", 3)]);
        assert_eq!(table.get("one"), Some(3));
    }
}
