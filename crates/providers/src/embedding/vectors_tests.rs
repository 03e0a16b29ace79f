use super::*;

#[test]
fn vectors_are_brought_to_length_one() {
    let vectors = checked(vec![vec![3.0, 4.0], vec![0.0, -2.0]], None).expect("vectors");
    assert_eq!(vectors, [vec![0.6, 0.8], vec![0.0, -1.0]]);
}

#[test]
fn a_vector_of_another_length_or_without_direction_is_refused() {
    for (vectors, dimensions, expected) in [
        (
            vec![vec![1.0, 0.0], vec![1.0]],
            None,
            "a vector has 1 dimensions and not 2",
        ),
        (
            vec![vec![1.0, 0.0]],
            Some(3),
            "a vector has 2 dimensions and not 3",
        ),
        (vec![vec![0.0, 0.0]], None, "a vector is nothing but zeros"),
        (vec![vec![]], None, "a vector is nothing but zeros"),
        (
            vec![vec![f32::INFINITY, 0.0]],
            None,
            "a vector is nothing but zeros",
        ),
    ] {
        assert_eq!(checked(vectors, dimensions), Err(expected.to_owned()));
    }
}

#[test]
fn texts_that_say_nothing_are_near_to_nothing() {
    let vectors = placed(3, 2, [(1, vec![0.6, 0.8])].into_iter());
    assert_eq!(vectors, [vec![0.0, 0.0], vec![0.6, 0.8], vec![0.0, 0.0]]);
}
