use std::path::Path;

use tempfile::TempDir;

use super::*;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::Builder::new()
        .prefix("small model")
        .tempdir()
        .expect("a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, content).expect("a file");
    }
    folder
}

fn look(files: &[(&str, &str)]) -> Folder {
    Folder::look_through(folder(files).path()).expect("a model folder")
}

const BARE: [(&str, &str); 2] = [("model.onnx", "weights"), ("tokenizer.json", "{}")];

#[test]
fn a_missing_file_is_named_with_its_folder() {
    let empty = folder(&[]);
    let error = Folder::look_through(empty.path()).expect_err("nothing is there");
    let text = error.to_string();
    assert!(text.starts_with("there is no model.onnx in "), "{text}");
    assert!(text.contains(&empty.path().display().to_string()), "{text}");

    let half = folder(&[("onnx/model.onnx", "weights")]);
    let error = Folder::look_through(half.path()).expect_err("half is there");
    assert!(
        error.to_string().starts_with("there is no tokenizer.json in "),
        "{error}"
    );

    let error = Folder::look_through(Path::new("/nonexistent/model")).expect_err("no folder");
    assert!(error.to_string().contains("/nonexistent/model"), "{error}");
}

#[test]
fn the_name_is_the_folders_and_changes_with_the_weights() {
    let first = folder(&BARE);
    let name = Folder::look_through(first.path()).expect("a folder").name;
    let (plain, digits) = name.rsplit_once('-').expect("a fingerprint");
    assert!(plain.starts_with("small-model"), "no blanks: {plain}");
    // The first digits of SHA-256 of `weights`.
    assert_eq!(digits, "9a129038");

    std::fs::write(first.path().join("model.onnx_data"), "more weights").expect("a file");
    let with_data = Folder::look_through(first.path()).expect("a folder").name;
    assert_ne!(name, with_data);
    std::fs::write(first.path().join("model.onnx"), "other weights").expect("a file");
    let other = Folder::look_through(first.path()).expect("a folder").name;
    assert_ne!(with_data, other);
}

#[test]
fn a_bare_folder_tells_nothing_more() {
    let found = look(&BARE);
    assert_eq!(
        (found.pooling, found.prompts, found.tokens_max),
        (None, None, None)
    );
    assert!(found.lineage.starts_with("small-model"));
}

#[test]
fn what_the_makers_wrote_is_read() {
    let found = look(&[
        ("onnx/model.onnx", "weights"),
        ("tokenizer.json", "{}"),
        (
            "config.json",
            r#"{"_name_or_path": "intfloat/e5-small-v2", "max_position_embeddings": 512}"#,
        ),
        ("tokenizer_config.json", r#"{"model_max_length": 8192}"#),
        ("1_Pooling/config.json", r#"{"pooling_mode_cls_token": true}"#),
        (
            "config_sentence_transformers.json",
            r#"{"prompts": {"query": "query: ", "document": "passage: "}}"#,
        ),
    ]);
    assert!(found.model.ends_with("onnx/model.onnx"));
    assert!(
        found.lineage.ends_with(" intfloat/e5-small-v2"),
        "{}",
        found.lineage
    );
    assert_eq!(found.pooling, Some(Pooling::First));
    let prompts = found.prompts.expect("prompts");
    assert_eq!(
        (prompts.query.as_str(), prompts.passage.as_str()),
        ("query: ", "passage: ")
    );
    assert_eq!(
        found.tokens_max,
        Some(512),
        "positions bound what the tokenizer says"
    );
}

#[test]
fn the_length_for_sentences_wins_and_a_boundless_one_is_none() {
    let mut files = BARE.to_vec();
    files.push((
        "tokenizer_config.json",
        r#"{"model_max_length": 1000000000000000019884624838656}"#,
    ));
    assert_eq!(look(&files).tokens_max, None);
    files.push(("sentence_bert_config.json", r#"{"max_seq_length": 256}"#));
    assert_eq!(look(&files).tokens_max, Some(256));
    assert_eq!(
        [
            bounded_tokens(None),
            bounded_tokens(Some(256)),
            bounded_tokens(Some(8192))
        ],
        [512, 256, 512]
    );
}

#[test]
fn a_broken_configuration_is_as_good_as_none() {
    let mut files = BARE.to_vec();
    files.push(("config.json", "{not json"));
    files.push(("1_Pooling/config.json", "[]"));
    assert_eq!(look(&files).pooling, None);
}
