use serde_json::json;

use super::*;

const TOKENS: [f32; 6] = [1.0, 2.0, 3.0, 0.0, 100.0, 100.0];

#[test]
fn the_mean_leaves_out_what_is_not_text() {
    let pooled = Pooling::Mean.pool(&TOKENS, &[1, 1, 0], 2);
    let (mean, expected) = (unit(pooled).expect("a direction"), unit(vec![2.0, 1.0]));
    assert_eq!(Some(mean), expected);
}

#[test]
fn first_and_last_are_tokens_of_the_text() {
    assert_eq!(Pooling::First.pool(&TOKENS, &[0, 1, 1], 2), [3.0, 0.0]);
    assert_eq!(Pooling::Last.pool(&TOKENS, &[1, 1, 0], 2), [3.0, 0.0]);
    assert_eq!(Pooling::Last.pool(&TOKENS, &[0, 0, 0], 2), [0.0, 0.0]);
}

#[test]
fn a_unit_vector_keeps_its_direction() {
    assert_eq!(unit(vec![3.0, 4.0]), Some(vec![0.6, 0.8]));
    assert_eq!(unit(vec![-2.0]), Some(vec![-1.0]));
    // Large enough to overflow were the squares summed as they are.
    let large = unit(vec![3.0e38, 0.0]).expect("finite");
    assert_eq!(large, [1.0, 0.0]);
}

#[test]
fn nothing_and_no_number_have_no_direction() {
    for vector in [
        vec![],
        vec![0.0, 0.0],
        vec![f32::NAN, 1.0],
        vec![f32::INFINITY, 1.0],
    ] {
        assert_eq!(unit(vector), None);
    }
}

#[test]
fn the_folder_says_how_to_pool_or_the_family_does() {
    let read = |key: &str| Pooling::from_configuration(&json!({key: true, "word_embedding_dimension": 384}));
    assert_eq!(read("pooling_mode_mean_tokens"), Some(Pooling::Mean));
    assert_eq!(read("pooling_mode_cls_token"), Some(Pooling::First));
    assert_eq!(read("pooling_mode_lasttoken"), Some(Pooling::Last));
    assert_eq!(read("pooling_mode_max_tokens"), None);
    for (lineage, expected) in [
        ("all-MiniLM-L6-v2-int8", Pooling::Mean),
        ("e5-small-v2", Pooling::Mean),
        ("weights BAAI/bge-small-en-v1.5", Pooling::First),
        ("Qwen3-Embedding-0.6B-ONNX", Pooling::Last),
    ] {
        assert_eq!(Pooling::of_lineage(lineage), expected, "{lineage}");
    }
}
