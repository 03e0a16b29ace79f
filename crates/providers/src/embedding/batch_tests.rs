use super::*;

fn texts(lengths: &[usize]) -> Vec<String> {
    lengths.iter().map(|length| "x".repeat(*length)).collect()
}

#[test]
fn a_request_holds_so_many_texts_and_characters() {
    let found = batches(&texts(&[1; 5]), 2, 8_000);
    assert_eq!(found, [vec![0, 1], vec![2, 3], vec![4]]);
    let found = batches(&texts(&[200_000, 100_000, 1, 300_000]), 128, 1_000_000);
    assert_eq!(found, [vec![0, 1], vec![2], vec![3]]);
    // What is cut off does not count.
    let found = batches(&texts(&[200_000, 200_000, 200_000]), 128, 8_000);
    assert_eq!(found, [vec![0, 1, 2]]);
    let found = batches(&texts(&[400_000, 1]), 128, 1_000_000);
    assert_eq!(found, [vec![0], vec![1]], "one that is too large goes alone");
}

#[test]
fn blank_texts_are_not_sent() {
    let texts = ["a", " \n\t", "", "b"].map(str::to_owned);
    assert_eq!(batches(&texts, 128, 8_000), [vec![0, 3]]);
    assert!(batches(&[], 128, 8_000).is_empty());
}

#[test]
fn a_long_text_is_cut_between_words_and_never_inside_a_character() {
    assert_eq!(clipped("the boat is here", 100), "the boat is here");
    assert_eq!(clipped("the boat is here", 14), "the boat is");
    assert_eq!(
        clipped("the boaaaaaaaaaaaaaaaat", 20),
        "the boaaaaaaaaaaaaaa",
        "no gap near the end"
    );
    assert_eq!(clipped("⛵⛵⛵⛵", 3), "⛵⛵⛵");
    assert_eq!(clipped("", 3), "");
}
