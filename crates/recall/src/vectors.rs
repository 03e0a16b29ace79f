//! What texts mean, as rows of small integers: a quarter of the memory of floats, and quicker to compare.

use crate::RecallFault;
use crate::growth::{make_room, push};

/// The query is taken to so many steps: fine enough to lose nothing, small enough that sums of 8,192 products fit.
const QUERY_STEPS: f32 = 2_047.0;
const ROW_STEPS: f32 = 127.0;
/// The longest vectors that are taken.
pub const DIMENSIONS_MAX: usize = 8_192;

/// One row a slot; a slot without a vector has a scale of zero.
#[derive(Debug, Clone, Default)]
pub struct Vectors {
    dimensions: usize,
    rows: Vec<i8>,
    /// What a step of each row is worth, such that the row has length one.
    scales: Vec<f32>,
}

/// A query made ready for comparing.
#[derive(Debug, Clone)]
pub struct QueryVector {
    steps: Vec<i16>,
    scale: f32,
}

impl Vectors {
    /// How long vectors are; 0 before the first.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The vector of the next slot; one that was not checked or tells nothing counts as none.
    pub fn push(&mut self, vector: Option<&[f32]>) {
        if self.dimensions == 0 {
            self.dimensions = vector.map_or(0, <[f32]>::len);
            self.rows = vec![0; self.scales.len() * self.dimensions];
        }
        let (row, scale) = match vector.filter(|vector| vector.len() == self.dimensions) {
            Some(vector) => quantised(vector),
            None => (vec![0; self.dimensions], 0.0),
        };
        make_room(&mut self.rows, row.len());
        self.rows.extend(row);
        push(&mut self.scales, scale);
    }

    pub fn has(&self, slot: usize) -> bool {
        self.scales[slot] > 0.0
    }

    /// The cosine of a row and the query.
    pub fn compare(&self, slot: usize, query: &QueryVector) -> f32 {
        dot_query(self.row(slot), &query.steps) as f32 * self.scales[slot] * query.scale
    }

    /// The cosine of two rows.
    pub fn compare_rows(&self, one: usize, other: usize) -> f32 {
        let products = self.row(one).iter().zip(self.row(other));
        let sum: i32 = products
            .map(|(one, other)| i32::from(*one) * i32::from(*other))
            .sum();
        sum as f32 * self.scales[one] * self.scales[other]
    }

    fn row(&self, slot: usize) -> &[i8] {
        &self.rows[slot * self.dimensions..(slot + 1) * self.dimensions]
    }

    /// Forgets one row.
    pub fn wipe(&mut self, slot: usize) {
        self.rows[slot * self.dimensions..(slot + 1) * self.dimensions].fill(0);
        self.scales[slot] = 0.0;
    }

    /// Keeps the rows of these slots, in this order.
    pub fn keep(&mut self, slots: &[u32]) {
        let mut kept = Vectors {
            dimensions: self.dimensions,
            rows: Vec::with_capacity(slots.len() * self.dimensions),
            scales: Vec::with_capacity(slots.len()),
        };
        for slot in slots {
            kept.rows.extend_from_slice(self.row(*slot as usize));
            kept.scales.push(self.scales[*slot as usize]);
        }
        *self = kept;
    }

    /// Forgets all vectors; vectors of another length may come then.
    pub fn clear(&mut self) {
        self.dimensions = 0;
        self.rows = Vec::new();
        self.scales.iter_mut().for_each(|scale| *scale = 0.0);
    }

    pub fn bytes(&self) -> usize {
        self.rows.capacity() + self.scales.capacity() * size_of::<f32>()
    }
}

impl QueryVector {
    /// Makes a query ready; none if it points nowhere.
    pub fn new(vector: &[f32]) -> Option<QueryVector> {
        let largest = largest(vector);
        let length = length(vector);
        (largest > 0.0).then(|| QueryVector {
            steps: vector
                .iter()
                .map(|value| (value / largest * QUERY_STEPS).round() as i16)
                .collect(),
            scale: largest / QUERY_STEPS / length,
        })
    }
}

/// Refuses vectors that cannot be compared with those of this length, 0 for any.
pub fn check(vector: &[f32], dimensions: usize) -> Result<(), RecallFault> {
    if dimensions != 0 && vector.len() != dimensions {
        return Err(RecallFault::Dimensions {
            held: dimensions,
            given: vector.len(),
        });
    }
    if vector.is_empty() || vector.len() > DIMENSIONS_MAX || !vector.iter().all(|value| value.is_finite()) {
        return Err(RecallFault::NotAVector { given: vector.len() });
    }
    Ok(())
}

fn quantised(vector: &[f32]) -> (Vec<i8>, f32) {
    let largest = largest(vector);
    if largest <= 0.0 {
        return (vec![0; vector.len()], 0.0);
    }
    let row: Vec<i8> = vector
        .iter()
        .map(|value| (value / largest * ROW_STEPS).round() as i8)
        .collect();
    // The length after rounding, so that equal texts compare as exactly one.
    let squares: i64 = row.iter().map(|step| i64::from(*step) * i64::from(*step)).sum();
    (row, 1.0 / (squares as f32).sqrt())
}

fn largest(vector: &[f32]) -> f32 {
    vector.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|value| value * value).sum::<f32>().sqrt()
}

/// Written so that the compiler makes wide instructions of it: 16-bit factors, 32-bit sums, no branches.
fn dot_query(row: &[i8], query: &[i16]) -> i32 {
    let (row_chunks, row_rest) = row.as_chunks::<16>();
    let (query_chunks, query_rest) = query.as_chunks::<16>();
    let mut sums = [0_i32; 16];
    for (row, query) in row_chunks.iter().zip(query_chunks) {
        for ((sum, row), query) in sums.iter_mut().zip(row).zip(query) {
            *sum += i32::from(i16::from(*row)) * i32::from(*query);
        }
    }
    let rest = row_rest.iter().zip(query_rest);
    let rest: i32 = rest.map(|(row, query)| i32::from(*row) * i32::from(*query)).sum();
    sums.iter().sum::<i32>() + rest
}

#[cfg(test)]
#[path = "vectors_tests.rs"]
mod tests;
