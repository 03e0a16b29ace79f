//! Reads a table where it lies: keys in order, a row of small integers for each. The format is told in `data/README.md`.

use std::cmp::Ordering;
use std::fmt;

const MAGIC: &[u8; 8] = b"DZTABLE1";
const HEADER_BYTES: usize = 24;

/// So many tell how long rows usually are.
const SAMPLED_ROWS: usize = 256;

/// The parts of a table.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    dimensions: usize,
    scales: &'a [[u8; 4]],
    offsets: &'a [[u8; 4]],
    rows: &'a [u8],
    keys: &'a [u8],
    usual_length: f32,
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
            usual_length: 0.0,
        };
        read.check_keys(count)?;
        let some = (0..count).step_by(count.div_ceil(SAMPLED_ROWS));
        read.usual_length = some.clone().map(|row| read.length(row)).sum::<f32>() / some.len() as f32;
        Ok(read)
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How long rows are on average.
    pub fn usual_length(&self) -> f32 {
        self.usual_length
    }

    /// The row of a key, given in two parts.
    pub fn find(&self, before: &str, rest: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.scales.len());
        while low < high {
            let middle = low.midpoint(high);
            let key = self.key(middle)?;
            let (start, end) = key.split_at(before.len().min(key.len()));
            match start
                .cmp(before.as_bytes())
                .then_with(|| end.cmp(rest.as_bytes()))
            {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle),
            }
        }
        None
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

    fn key(&self, row: usize) -> Option<&'a [u8]> {
        let offset = |place: usize| u32::from_le_bytes(self.offsets[place]) as usize;
        self.keys.get(offset(row)..offset(row + 1))
    }

    /// Keys that are not in order, or not there, would never be found.
    fn check_keys(&self, count: usize) -> Result<(), TableFault> {
        let mut before: &[u8] = &[];
        for row in 0..count {
            let key = self.key(row).filter(|key| *key > before);
            before = key.ok_or(TableFault::KeysOutOfOrder { row })?;
        }
        Ok(())
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
