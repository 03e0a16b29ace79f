//! Vectors as bytes: little-endian single floats, as exact as they came.

/// As it is kept.
pub(crate) fn written(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// As it was given; bytes that are left over are no number.
pub(crate) fn read(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()
}
