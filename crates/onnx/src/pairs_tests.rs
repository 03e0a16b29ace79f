use super::*;

#[test]
fn a_folder_without_a_model_is_named_before_the_library_is_looked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = CrossEncoder::load(folder.path(), Some(Path::new("/nonexistent"))).expect_err("no model");
    assert!(
        matches!(
            error,
            OnnxError::MissingFile {
                file: "model.onnx",
                ..
            }
        ),
        "{error}"
    );
}
