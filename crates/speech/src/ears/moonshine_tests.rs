use super::*;

#[test]
fn the_best_token_is_that_of_the_last_place() {
    assert_eq!(best(&[9.0, 0.0, 0.0, 0.1, 0.3, 0.2], 3), Some(1));
    assert_eq!(best(&[1.0], 3), None);
    assert_eq!(best(&[], 0), None);
}

#[test]
fn a_folder_without_the_model_says_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let why = Moonshine::load(folder.path(), None).expect_err("nothing is there");
    assert!(why.starts_with("there is no encoder_model.onnx in "), "{why}");
    std::fs::write(folder.path().join("encoder_model.onnx"), "x").expect("a file");
    std::fs::write(folder.path().join("decoder_model_merged.onnx"), "x").expect("a file");
    let why = Moonshine::load(folder.path(), None).expect_err("half is there");
    assert!(why.starts_with("there is no tokenizer.json in "), "{why}");
}
