//! Blocks of LZ4 that refer to a dictionary. The table that finds it is filled once, and put back as it was after each block,
//! so that a short text costs as little as it is long.

use std::cell::RefCell;

/// What our texts say again and again: keys, events, the fixed parts of prompts. Never changed: what was packed with it is
/// unpacked with it. Another one gets another number.
pub(super) const DICTIONARY: &[u8] = include_bytes!("dictionary_1.txt");

const SLOT_BITS: u32 = 14;
/// Shorter ones cost more than they save.
const MATCH_MIN: usize = 4;
/// The format wants the last bytes as they are, and no match that begins near the end.
const PLAIN_AT_THE_END: usize = 5;
const NO_MATCH_AT_THE_END: usize = 12;
/// After so many places without a match they are looked at further apart.
const MISSES_BEFORE_STRIDES: u32 = 6;
/// More changes of the table than this are taken back by copying all of it.
const CHANGES_MAX: usize = 4_096;

thread_local! {
    static ENCODER: RefCell<Encoder> = RefCell::new(Encoder::new());
}

/// The texts one after the other as one block, after its first bytes.
pub(super) fn encode(first: &[u8], texts: &[&str]) -> Vec<u8> {
    ENCODER.with_borrow_mut(|encoder| encoder.encode(first, texts))
}

/// What a block was made of.
pub(super) fn decode(block: &[u8], size: usize) -> Result<Vec<u8>, String> {
    lz4_flex::block::decompress_with_dict(block, size, DICTIONARY).map_err(|error| error.to_string())
}

struct Encoder {
    /// The dictionary, and after it what is packed.
    text: Vec<u8>,
    /// Where four bytes stood last, by the lower half of the place: further back nothing can be referred to.
    places: Vec<u16>,
    /// The same for the dictionary alone.
    of_dictionary: Vec<u16>,
    changed: Vec<u16>,
}

impl Encoder {
    fn new() -> Self {
        let mut places = vec![0; 1 << SLOT_BITS];
        for place in 0..DICTIONARY.len() - MATCH_MIN {
            places[slot(word_at(DICTIONARY, place))] = place as u16;
        }
        Self {
            text: DICTIONARY.to_vec(),
            of_dictionary: places.clone(),
            places,
            changed: Vec::new(),
        }
    }

    fn encode(&mut self, first: &[u8], texts: &[&str]) -> Vec<u8> {
        self.text.truncate(DICTIONARY.len());
        for text in texts {
            self.text.extend_from_slice(text.as_bytes());
        }
        let mut block = Vec::with_capacity(first.len() + 64 + (self.text.len() - DICTIONARY.len()) / 2);
        block.extend_from_slice(first);
        let plain = self.encode_matches(&mut block);
        push_plain(&mut block, &self.text[plain..], 0);
        self.put_back();
        block
    }

    /// All up to the last match; where it ends.
    fn encode_matches(&mut self, block: &mut Vec<u8>) -> usize {
        let end = self.text.len();
        let (mut plain, mut at) = (DICTIONARY.len(), DICTIONARY.len());
        let mut misses = 0_usize;
        while at + NO_MATCH_AT_THE_END <= end {
            let word = word_at(&self.text, at);
            let back = self.move_place(slot(word), at);
            if back == 0 || back > at || word_at(&self.text, at - back) != word {
                at += 1 + (misses >> MISSES_BEFORE_STRIDES);
                misses += 1;
                continue;
            }
            misses = 0;
            let mut from = at;
            while from > plain && from > back && self.text[from - 1] == self.text[from - 1 - back] {
                from -= 1;
            }
            let length = common(
                &self.text[from - back..],
                &self.text[from..end - PLAIN_AT_THE_END],
            );
            push_plain(block, &self.text[plain..from], length - MATCH_MIN);
            block.extend_from_slice(&(back as u16).to_le_bytes());
            push_rest(block, length - MATCH_MIN);
            at = from + length;
            plain = at;
            let inside = at - 2;
            self.move_place(slot(word_at(&self.text, inside)), inside);
        }
        plain
    }

    /// Notes where four bytes stand now; how far back they, or others of the same slot, stood before.
    fn move_place(&mut self, slot: usize, at: usize) -> usize {
        if self.changed.len() < CHANGES_MAX {
            self.changed.push(slot as u16);
        }
        let before = std::mem::replace(&mut self.places[slot], at as u16);
        usize::from((at as u16).wrapping_sub(before))
    }

    fn put_back(&mut self) {
        if self.changed.len() == CHANGES_MAX {
            self.places.copy_from_slice(&self.of_dictionary);
        }
        for slot in self.changed.drain(..) {
            self.places[usize::from(slot)] = self.of_dictionary[usize::from(slot)];
        }
    }
}

fn word_at(text: &[u8], at: usize) -> u32 {
    let mut word = [0; MATCH_MIN];
    word.copy_from_slice(&text[at..at + MATCH_MIN]);
    u32::from_le_bytes(word)
}

fn slot(word: u32) -> usize {
    (word.wrapping_mul(0x9e37_79b1) >> (u32::BITS - SLOT_BITS)) as usize
}

/// How many bytes both begin with.
fn common(left: &[u8], right: &[u8]) -> usize {
    const STEP: usize = 8;
    let mut same = 0;
    for (ours, theirs) in left.chunks_exact(STEP).zip(right.chunks_exact(STEP)) {
        if ours != theirs {
            break;
        }
        same += STEP;
    }
    let rest = left[same..].iter().zip(&right[same..]);
    same + rest.take_while(|(ours, theirs)| ours == theirs).count()
}

/// The head of a sequence, and its bytes that are as they were.
fn push_plain(block: &mut Vec<u8>, plain: &[u8], more_than_least: usize) {
    let head = (plain.len().min(15) << 4) | more_than_least.min(15);
    block.push(head as u8);
    push_rest(block, plain.len());
    block.extend_from_slice(plain);
}

/// What of a length does not fit into the head.
fn push_rest(block: &mut Vec<u8>, length: usize) {
    let Some(mut rest) = length.checked_sub(15) else {
        return;
    };
    while rest >= 255 {
        block.push(255);
        rest -= 255;
    }
    block.push(rest as u8);
}
