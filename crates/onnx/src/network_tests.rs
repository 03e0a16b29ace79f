use super::*;

#[test]
fn a_file_that_is_not_there_is_named_before_the_library_is_looked_for() {
    let error = Network::load(Path::new("/nonexistent/det.onnx"), None, "finding text").expect_err("no file");
    assert!(matches!(error, OnnxError::BadFile { .. }), "{error}");
    assert!(error.to_string().contains("/nonexistent/det.onnx"), "{error}");
}

#[test]
fn without_the_library_the_error_says_how_to_get_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("det.onnx");
    std::fs::write(&file, "weights").expect("a file");
    let library = folder.path().join("libonnxruntime.so");
    let error = Network::load(&file, Some(&library), "finding text").expect_err("there is no library");
    assert!(matches!(error, OnnxError::NoLibrary { .. }), "{error}");
}
