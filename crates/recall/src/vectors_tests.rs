//! Rows of integers tell the same as floats, closely.

use proptest::prelude::*;

use super::*;

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let dot: f32 = one.iter().zip(other).map(|(one, other)| one * other).sum();
    dot / (length(one) * length(other))
}

fn vector() -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(-1.0_f32..1.0, 37).prop_filter("not all zero", |vector| length(vector) > 0.1)
}

proptest! {
    #[test]
    fn cosines_are_those_of_floats(rows in prop::collection::vec(vector(), 1..6), query in vector()) {
        let mut vectors = Vectors::default();
        rows.iter().for_each(|row| vectors.push(Some(row)));
        let ready = QueryVector::new(&query).expect("it points somewhere");
        for (slot, row) in rows.iter().enumerate() {
            prop_assert!((vectors.compare(slot, &ready) - cosine(row, &query)).abs() < 0.01);
            prop_assert!((vectors.compare_rows(slot, 0) - cosine(row, &rows[0])).abs() < 0.015);
        }
    }
}

#[test]
fn a_slot_without_a_vector_and_a_vector_of_zeros_tell_nothing() {
    let mut vectors = Vectors::default();
    vectors.push(None);
    vectors.push(Some(&[0.0, 0.0, 0.0]));
    vectors.push(Some(&[3.0, 0.0, 4.0]));
    assert!(!vectors.has(0) && !vectors.has(1) && vectors.has(2));
    let query = QueryVector::new(&[3.0, 0.0, 4.0]).expect("it points somewhere");
    assert!((vectors.compare(2, &query) - 1.0).abs() < 1e-3);
    assert!(QueryVector::new(&[0.0; 3]).is_none());
    vectors.wipe(2);
    assert!(!vectors.has(2));
}

#[test]
fn vectors_of_another_length_or_of_no_numbers_are_refused() {
    assert_eq!(check(&[1.0, 0.0], 0), Ok(()));
    assert_eq!(check(&[1.0, 0.0], 2), Ok(()));
    assert_eq!(
        check(&[1.0], 2),
        Err(RecallFault::Dimensions { held: 2, given: 1 })
    );
    assert_eq!(check(&[], 0), Err(RecallFault::NotAVector { given: 0 }));
    assert_eq!(check(&[f32::NAN], 0), Err(RecallFault::NotAVector { given: 1 }));
    assert!(check(&vec![0.5; DIMENSIONS_MAX + 1], 0).is_err());
}

#[test]
fn the_largest_vectors_do_not_overflow() {
    let mut vectors = Vectors::default();
    let ones = vec![1.0; DIMENSIONS_MAX];
    vectors.push(Some(&ones));
    let query = QueryVector::new(&ones).expect("it points somewhere");
    assert!((vectors.compare(0, &query) - 1.0).abs() < 1e-3);
}
