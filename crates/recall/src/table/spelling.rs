//! Words that the table does not have still mean something: names, jargon and other languages are alike when they are
//! spelt alike.

use crate::terms::hash;

/// Adds the direction of a word's spelling, so long: the sum of fixed random directions of its letter triples.
pub fn add(word: &str, wanted: f32, sum: &mut [f32]) {
    let letters: Vec<char> = std::iter::once('<').chain(word.chars()).chain(['>']).collect();
    let mut direction = vec![0.0_f32; sum.len()];
    for triple in letters.windows(3.min(letters.len())) {
        let mut state = hash(&String::from_iter(triple));
        for values in direction.chunks_mut(64) {
            state = mixed(state);
            for (bit, value) in values.iter_mut().enumerate() {
                *value += if state >> bit & 1 == 1 { 1.0 } else { -1.0 };
            }
        }
    }
    let length = direction.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        sum.iter_mut()
            .zip(direction)
            .for_each(|(sum, value)| *sum += wanted * value / length);
    }
}

/// The next of a fixed sequence of well-mixed numbers.
fn mixed(state: u64) -> u64 {
    let mut value = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
