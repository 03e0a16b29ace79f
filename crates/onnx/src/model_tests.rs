use tempfile::TempDir;

use super::*;

/// Everything but weights.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.onnx"), "weights").expect("a file");
    let tokenizer = r#"{"version": "1.0", "added_tokens": [], "truncation": null, "padding": null,
        "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "room": 1}}}"#;
    std::fs::write(folder.path().join("tokenizer.json"), tokenizer).expect("a file");
    folder
}

#[test]
fn without_the_library_the_error_says_how_to_get_it() {
    let folder = folder();
    let named = folder.path().join("libonnxruntime.so");
    let error = Model::load(folder.path(), Some(&named)).expect_err("there is no library");
    assert!(matches!(error, OnnxError::NoLibrary { .. }), "{error}");
    assert!(
        error.to_string().contains(&named.display().to_string()),
        "{error}"
    );
}

#[test]
fn a_file_that_is_missing_is_noticed_before_the_library() {
    let folder = folder();
    std::fs::remove_file(folder.path().join("tokenizer.json")).expect("it was there");
    let error =
        Model::load(folder.path(), Some(Path::new("/nonexistent"))).expect_err("there is no tokenizer");
    assert!(
        matches!(
            error,
            OnnxError::MissingFile {
                file: "tokenizer.json",
                ..
            }
        ),
        "{error}"
    );
}
