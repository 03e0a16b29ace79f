//! Blocks of LZ4 that refer to a dictionary. What finds it there is filled once, and what finds the text itself is emptied after
//! each block where it was filled, so that a short text costs as little as it is long.

use std::cell::RefCell;

/// What our texts say again and again: keys, events, the fixed parts of prompts. Never changed: what was packed with it is
/// unpacked with it. Another one gets another number.
pub(super) const DICTIONARY: &[u8] = include_bytes!("dictionary_1.txt");

const SLOT_BITS: u32 = 14;
/// Shorter ones cost more than they save.
const MATCH_MIN: usize = 4;
const EIGHT: usize = 8;
/// Nothing further back can be referred to.
const BACK_MAX: usize = u16::MAX as usize;
/// For more than this nobody looks.
const GOOD: usize = 16;
/// The format wants the last bytes as they are, and no match that begins near the end.
const PLAIN_AT_THE_END: usize = 5;
const NO_MATCH_AT_THE_END: usize = 12;
/// After so many places without a match they are looked at further apart.
const MISSES_BEFORE_STRIDES: u32 = 6;
/// So much memory is kept for the next text.
const KEPT_MAX: usize = 256 << 10;
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
    /// Where four bytes stand in the dictionary, and where eight do: who goes on for longer says more.
    of_four: Vec<u16>,
    of_eight: Vec<u16>,
    /// Where four bytes stood last in what is packed, by the lower half of the place: further back nothing can be referred to.
    places: Vec<u16>,
    changed: Vec<u16>,
}

/// Bytes that stood so far back, too.
#[derive(Clone, Copy)]
struct Match {
    from: usize,
    back: usize,
    length: usize,
}

impl Encoder {
    fn new() -> Self {
        let nowhere = || vec![0; 1 << SLOT_BITS];
        let (mut of_four, mut of_eight) = (nowhere(), nowhere());
        for place in 0..DICTIONARY.len() - EIGHT {
            of_four[slot_of_four(word_at(DICTIONARY, place))] = place as u16;
            of_eight[slot_of_eight(DICTIONARY, place)] = place as u16;
        }
        Self {
            text: DICTIONARY.to_vec(),
            of_four,
            of_eight,
            places: nowhere(),
            changed: Vec::new(),
        }
    }

    fn encode(&mut self, first: &[u8], texts: &[&str]) -> Vec<u8> {
        for text in texts {
            self.text.extend_from_slice(text.as_bytes());
        }
        let mut block = Vec::with_capacity(first.len() + 64 + (self.text.len() - DICTIONARY.len()) / 2);
        block.extend_from_slice(first);
        let plain = self.encode_matches(&mut block);
        push_plain(&mut block, &self.text[plain..], 0);
        self.put_back();
        // A request with pictures in it may have megabytes, and comes rarely.
        self.text.truncate(DICTIONARY.len());
        self.text.shrink_to(KEPT_MAX);
        block
    }

    /// All up to the last match; where it ends.
    fn encode_matches(&mut self, block: &mut Vec<u8>) -> usize {
        let Some(last) = self.text.len().checked_sub(NO_MATCH_AT_THE_END) else {
            return DICTIONARY.len();
        };
        let (mut plain, mut at) = (DICTIONARY.len(), DICTIONARY.len());
        let mut misses = 0_usize;
        while at <= last {
            let Some(found) = self.find(plain, at) else {
                at += 1 + (misses >> MISSES_BEFORE_STRIDES);
                misses += 1;
                continue;
            };
            misses = 0;
            // One that begins a byte later may be longer.
            let later = match at < last && found.length < GOOD {
                true => self.find(plain, at + 1),
                false => None,
            };
            let found = later.filter(|later| later.length > found.length).unwrap_or(found);
            push_plain(block, &self.text[plain..found.from], found.length - MATCH_MIN);
            block.extend_from_slice(&(found.back as u16).to_le_bytes());
            push_rest(block, found.length - MATCH_MIN);
            at = found.from + found.length;
            plain = at;
        }
        plain
    }

    /// The longest of what stood before and goes on as it does here.
    fn find(&mut self, plain: usize, at: usize) -> Option<Match> {
        let word = word_at(&self.text, at);
        let slot = slot_of_four(word);
        let backs = [
            self.move_place(slot, at),
            at - usize::from(self.of_eight[slot_of_eight(&self.text, at)]),
            at - usize::from(self.of_four[slot]),
        ];
        let end = self.text.len() - PLAIN_AT_THE_END;
        let mut best: Option<Match> = None;
        for back in backs {
            if back == 0 || back > at.min(BACK_MAX) || word_at(&self.text, at - back) != word {
                continue;
            }
            let mut from = at;
            while from > plain && from > back && self.text[from - 1] == self.text[from - 1 - back] {
                from -= 1;
            }
            let length = common(&self.text[from - back..], &self.text[from..end]);
            if best.is_none_or(|best| length > best.length) {
                best = Some(Match { from, back, length });
            }
            if length >= GOOD {
                break;
            }
        }
        best
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
            self.places.fill(0);
        }
        for slot in self.changed.drain(..) {
            self.places[usize::from(slot)] = 0;
        }
    }
}

fn word_at(text: &[u8], at: usize) -> u32 {
    let mut word = [0; MATCH_MIN];
    word.copy_from_slice(&text[at..at + MATCH_MIN]);
    u32::from_le_bytes(word)
}

fn slot_of_four(word: u32) -> usize {
    (word.wrapping_mul(0x9e37_79b1) >> (u32::BITS - SLOT_BITS)) as usize
}

fn slot_of_eight(text: &[u8], at: usize) -> usize {
    let mut word = [0; EIGHT];
    word.copy_from_slice(&text[at..at + EIGHT]);
    (u64::from_le_bytes(word).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOT_BITS)) as usize
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
