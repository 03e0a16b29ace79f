use super::*;

#[test]
fn a_file_that_is_not_there_is_named_and_no_library_is_looked_for() {
    let error = Graph::load(Path::new("/nonexistent/encoder.onnx"), None, "hearing").expect_err("no file");
    assert!(error.to_string().contains("/nonexistent/encoder.onnx"), "{error}");
}
