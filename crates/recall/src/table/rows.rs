//! Reads a table where it lies: keys in order, a row of small integers for each. The format is told in `data/README.md`.

use std::cmp::Ordering;
use std::fmt;
use std::sync::OnceLock;

const MAGIC: &[u8; 8] = b"DZTABLE1";
const HEADER_BYTES: usize = 24;
const LETTERS: usize = 256;

/// So many tell how long rows usually are.
const SAMPLED_ROWS: usize = 256;

/// What a piece begins with that stands within a word.
const WITHIN: &[u8] = b"##";

/// The parts of a table.
pub struct Rows<'a> {
    dimensions: usize,
    scales: &'a [[u8; 4]],
    offsets: &'a [[u8; 4]],
    rows: &'a [u8],
    keys: &'a [u8],
    /// Of the pieces that begin with each letter, first those that begin a word.
    stretches: Vec<Stretch>,
    /// Worked out for the first word that needs it: what it looks at is spread over all of the table, which would be in
    /// memory from then on.
    usual_length: OnceLock<f32>,
}

/// Rows in which all pieces of one kind are that begin with one letter.
#[derive(Clone, Copy, Default)]
struct Stretch {
    first: u32,
    /// The row after the last.
    end: u32,
    /// Of the longest of these pieces.
    letters_max: u32,
}

/// What is wrong with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFault {
    NotATable,
    Cut { wanted: usize, given: usize },
    KeysOutOfOrder { row: usize },
}

impl<'a> Rows<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Rows<'a>, TableFault> {
        let number = |place: usize| {
            let bytes = bytes
                .get(place..place + 4)
                .and_then(|bytes| bytes.try_into().ok());
            bytes
                .map(|bytes| u32::from_le_bytes(bytes) as usize)
                .ok_or(TableFault::NotATable)
        };
        if !bytes.starts_with(MAGIC) {
            return Err(TableFault::NotATable);
        }
        let (dimensions, count, key_bytes) = (number(8)?, number(12)?, number(16)?);
        let cut = |wanted: usize| TableFault::Cut {
            wanted,
            given: bytes.len(),
        };
        let parts = [
            4 * count,
            4 * (count + 1),
            count.saturating_mul(dimensions),
            key_bytes,
        ];
        let wanted = parts
            .iter()
            .fold(HEADER_BYTES, |sum, part| sum.saturating_add(*part));
        if bytes.len() != wanted || dimensions == 0 || count == 0 {
            return Err(cut(wanted));
        }
        let (scales, rest) = bytes[HEADER_BYTES..].split_at(parts[0]);
        let (offsets, rest) = rest.split_at(parts[1]);
        let (rows, keys) = rest.split_at(parts[2]);
        let mut read = Rows {
            dimensions,
            scales: scales.as_chunks().0,
            offsets: offsets.as_chunks().0,
            rows,
            keys,
            stretches: vec![Stretch::default(); 2 * LETTERS],
            usual_length: OnceLock::new(),
        };
        read.check_keys(count)?;
        Ok(read)
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How long rows are on average.
    pub fn usual_length(&self) -> f32 {
        *self.usual_length.get_or_init(|| {
            let count = self.scales.len();
            let some = (0..count).step_by(count.div_ceil(SAMPLED_ROWS));
            some.clone().map(|row| self.length(row)).sum::<f32>() / some.len() as f32
        })
    }

    /// The row of a piece that begins a word, or stands within one.
    pub fn find(&self, within: bool, piece: &str) -> Option<usize> {
        let stretch = self.stretch(within, piece)?;
        let mark = if within { WITHIN.len() } else { 0 };
        let (mut low, mut high) = (stretch.first as usize, stretch.end as usize);
        while low < high {
            let middle = low.midpoint(high);
            let found = self.key(middle)?.get(mark..)?;
            match found.cmp(piece.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// The longest piece at the beginning of a word or its rest, and its row.
    pub fn longest(&self, within: bool, rest: &str) -> Option<(usize, usize)> {
        let longest = self.stretch(within, rest)?.letters_max as usize;
        let ends = (1..=rest.len().min(longest)).rev();
        let mut ends = ends.filter(|end| rest.is_char_boundary(*end));
        ends.find_map(|end| Some((self.find(within, &rest[..end])?, end)))
    }

    fn stretch(&self, within: bool, piece: &str) -> Option<Stretch> {
        let letter = usize::from(*piece.as_bytes().first()?);
        self.stretches
            .get(usize::from(within) * LETTERS + letter)
            .copied()
    }

    /// Adds what a row means.
    pub fn add(&self, row: usize, sum: &mut [f32]) {
        let scale = f32::from_le_bytes(self.scales[row]);
        let steps = self.steps(row).iter();
        sum.iter_mut()
            .zip(steps)
            .for_each(|(sum, step)| *sum += scale * f32::from(*step as i8));
    }

    fn length(&self, row: usize) -> f32 {
        let squares = self.steps(row).iter().map(|step| f32::from(*step as i8).powi(2));
        f32::from_le_bytes(self.scales[row]) * squares.sum::<f32>().sqrt()
    }

    fn steps(&self, row: usize) -> &'a [u8] {
        &self.rows[row * self.dimensions..(row + 1) * self.dimensions]
    }

    /// The piece of a row, with its mark where it stands within a word.
    pub fn key(&self, row: usize) -> Option<&'a [u8]> {
        let offset = |place: usize| Some(u32::from_le_bytes(*self.offsets.get(place)?) as usize);
        self.keys.get(offset(row)?..offset(row + 1)?)
    }

    /// Keys that are not in order, or not there, would never be found. Notes where those of each letter are.
    fn check_keys(&mut self, count: usize) -> Result<(), TableFault> {
        let mut before: &[u8] = &[];
        for row in 0..count {
            let key = self.key(row).filter(|key| *key > before);
            before = key.ok_or(TableFault::KeysOutOfOrder { row })?;
            let (within, piece) = parted(before);
            let Some(letter) = piece.first() else {
                continue;
            };
            let stretch = &mut self.stretches[usize::from(within) * LETTERS + usize::from(*letter)];
            if stretch.end == 0 {
                stretch.first = row as u32;
            }
            stretch.end = row as u32 + 1;
            stretch.letters_max = stretch.letters_max.max(piece.len() as u32);
        }
        Ok(())
    }
}

/// Whether a key stands within a word, and the piece itself.
fn parted(key: &[u8]) -> (bool, &[u8]) {
    match key.strip_prefix(WITHIN) {
        Some(piece) if !piece.is_empty() => (true, piece),
        _ => (false, key),
    }
}

impl fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rows({} of {})", self.scales.len(), self.dimensions)
    }
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::NotATable => {
                f.write_str("this is no table of word meanings: it does not begin as one")
            }
            TableFault::Cut { wanted, given } => {
                write!(
                    f,
                    "the table of word meanings has {given} bytes where it names {wanted}: make it anew"
                )
            }
            TableFault::KeysOutOfOrder { row } => {
                write!(
                    f,
                    "key {row} of the table of word meanings is out of order: make it anew"
                )
            }
        }
    }
}

impl std::error::Error for TableFault {}
