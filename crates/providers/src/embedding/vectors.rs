//! Checks on vectors that came from elsewhere, and bringing them to length one.

/// Brings a vector to length one; one without a direction, or with a number that is none, is not a vector.
pub(super) fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let squares = vector.iter().map(|value| f64::from(*value).powi(2));
    let length = squares.sum::<f64>().sqrt();
    if !length.is_finite() || length < 1e-12 {
        return None;
    }
    for value in &mut vector {
        *value = (f64::from(*value) / length) as f32;
    }
    Some(vector)
}

/// Vectors as they may be stored, or what is wrong with them. Without `dimensions` the first one tells how long all
/// must be.
pub(super) fn checked(vectors: Vec<Vec<f32>>, dimensions: Option<usize>) -> Result<Vec<Vec<f32>>, String> {
    let dimensions = dimensions.or_else(|| vectors.first().map(Vec::len)).unwrap_or(0);
    vectors
        .into_iter()
        .map(|vector| {
            if vector.len() != dimensions {
                return Err(format!(
                    "a vector has {} dimensions and not {dimensions}",
                    vector.len()
                ));
            }
            unit(vector).ok_or_else(|| "a vector is nothing but zeros".to_owned())
        })
        .collect()
}

/// Puts vectors at the places they belong to; everywhere else there is nothing to mean, which is near to nothing.
pub(super) fn placed(
    count: usize,
    dimensions: usize,
    found: impl Iterator<Item = (usize, Vec<f32>)>,
) -> Vec<Vec<f32>> {
    let mut vectors = vec![vec![0.0; dimensions]; count];
    for (place, vector) in found {
        vectors[place] = vector;
    }
    vectors
}

#[cfg(test)]
#[path = "vectors_tests.rs"]
mod tests;
