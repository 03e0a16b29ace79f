use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use serde_json::json;
use settings::{Document, Settings};
use vocabulary::PictureKind;

use crate::choice::{Readers, Wanted};

fn settings(reader: &str, folder: &str) -> Settings {
    let keys = json!({"voice": {"streamWatch": {"textReader": reader, "textReaderPath": folder}}});
    Settings::read(&Document::from_value(keys).expect("an object")).expect("valid")
}

/// A folder with a program named `tesseract`, and a `PATH` that ends with it.
fn with_program() -> (tempfile::TempDir, OsString) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder
        .path()
        .join(format!("tesseract{}", std::env::consts::EXE_SUFFIX));
    fs::write(&file, "#!/bin/sh\n").expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it may be run");
    }
    let path = std::env::join_paths([Path::new("/nonexistent"), folder.path()]).expect("a path");
    (folder, path)
}

#[test]
fn auto_takes_models_before_the_program_and_the_program_before_nobody() {
    let (folder, path) = with_program();
    let readers = Readers::with(Some(path), None);
    let program = folder
        .path()
        .join(format!("tesseract{}", std::env::consts::EXE_SUFFIX));
    let models = Wanted::PpOcr(PathBuf::from("/models"));
    assert_eq!(readers.wanted(&settings("auto", "/models")), models);
    assert_eq!(
        readers.wanted(&settings("auto", "  ")),
        Wanted::Tesseract(program.clone())
    );
    assert_eq!(
        readers.wanted(&settings("tesseract", "/models")),
        Wanted::Tesseract(program)
    );
    assert_eq!(readers.wanted(&settings("onnx", "/models")), models);
    assert_eq!(readers.wanted(&settings("off", "/models")), Wanted::Nobody);
    let bare = Readers::with(Some("/nonexistent".into()), None);
    assert_eq!(bare.wanted(&settings("auto", "")), Wanted::Nobody);
    assert!(bare.choose(&settings("auto", "")).is_none());
    assert!(Readers::default().choose(&settings("auto", "")).is_none());
}

#[tokio::test]
async fn a_reader_that_was_asked_for_and_is_not_there_says_so() {
    let bare = Readers::with(Some("/nonexistent".into()), None);
    for (reader, word) in [
        ("tesseract", "no tesseract on the PATH"),
        ("onnx", "denizen models install screen"),
    ] {
        let reader = bare.choose(&settings(reader, "")).expect("somebody who says it");
        let problem = reader
            .read(PictureKind::Jpeg, Bytes::new())
            .await
            .expect_err("it cannot read");
        assert!(problem.0.contains(word), "{problem}");
    }
}

#[test]
fn a_change_of_other_settings_keeps_the_reader() {
    let (_folder, path) = with_program();
    let readers = Readers::with(Some(path), None);
    let chosen = |reader, folder| readers.choose(&settings(reader, folder)).expect("a reader");
    let first = chosen("auto", "/models");
    assert!(Arc::ptr_eq(&first, &chosen("onnx", "/models")));
    assert!(!Arc::ptr_eq(&first, &chosen("onnx", "/others")));
    assert!(chosen("tesseract", "").name().starts_with("tesseract"));
}

#[test]
fn the_report_says_who_reads_and_what_to_do() {
    let (_folder, path) = with_program();
    let readers = Readers::with(Some(path), None);
    let report = readers.report(&settings("auto", ""));
    assert!(report.ok && report.detail.contains("tesseract"), "{report:?}");
    assert!(
        report
            .remedy
            .is_some_and(|remedy| remedy.contains("textReaderPath"))
    );
    let report = readers.report(&settings("auto", "/nonexistent/models"));
    assert!(
        !report.ok
            && report
                .remedy
                .is_some_and(|remedy| remedy.contains("/nonexistent/models"))
    );
    let off = readers.report(&settings("off", ""));
    assert!(off.ok && off.detail.contains("is off") && off.remedy.is_none());
    let bare = Readers::with(Some("/nonexistent".into()), None);
    let report = bare.report(&settings("auto", ""));
    assert!(
        report.ok
            && report
                .remedy
                .is_some_and(|remedy| remedy.contains("Install tesseract"))
    );
    assert!(!bare.report(&settings("tesseract", "")).ok);
}
