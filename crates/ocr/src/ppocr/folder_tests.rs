use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::folder::{Folder, FolderError};

fn folder(names: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in names {
        fs::write(folder.path().join(name), "a\nb").expect("a file");
    }
    folder
}

#[test]
fn the_plain_names_and_those_they_came_with_are_found() {
    let plain = folder(&["det.onnx", "rec.onnx", "keys.txt", "other_det.onnx"]);
    let found = Folder::look_through(plain.path()).expect("all there");
    assert_eq!(found.detection, plain.path().join("det.onnx"));
    let original = folder(&[
        "PP-OCRv6_det_small.onnx",
        "PP-OCRv6_rec_small.onnx",
        "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
        "ppocrv6_dict.txt",
        "README.md",
    ]);
    let found = Folder::look_through(original.path()).expect("all there");
    assert_eq!(found.recognition, original.path().join("PP-OCRv6_rec_small.onnx"));
    assert_eq!(found.keys, original.path().join("ppocrv6_dict.txt"));
}

#[test]
fn what_is_missing_or_there_twice_is_named() {
    let problem = |names: &[&str]| {
        let folder = folder(names);
        Folder::look_through(folder.path())
            .expect_err("something is wrong")
            .to_string()
    };
    assert!(problem(&["rec.onnx", "keys.txt"]).contains("no det.onnx"));
    assert!(problem(&["det.onnx", "keys.txt"]).contains("no rec.onnx"));
    assert!(problem(&["det.onnx", "rec.onnx"]).contains("no keys.txt"));
    let twice = problem(&["v4_det.onnx", "v6_det.onnx", "rec.onnx", "keys.txt"]);
    assert!(
        twice.contains("v4_det.onnx, v6_det.onnx") && twice.contains("Name it det.onnx"),
        "{twice}"
    );
    let nowhere = Folder::look_through(Path::new("/nonexistent/models")).expect_err("it is not there");
    assert!(matches!(nowhere, FolderError::NoFolder { .. }));
    assert!(nowhere.to_string().contains("textReaderPath"), "{nowhere}");
}

#[test]
fn letters_are_read_line_by_line_and_a_blank_is_one() {
    let folder = folder(&["det.onnx", "rec.onnx"]);
    fs::write(folder.path().join("keys.txt"), "a\r\n\u{3000}\nß\n").expect("a file");
    let found = Folder::look_through(folder.path()).expect("all there");
    assert_eq!(found.read_keys().expect("letters"), ["a", "\u{3000}", "ß"]);
    fs::write(folder.path().join("keys.txt"), "").expect("a file");
    assert!(found.read_keys().is_err());
    fs::write(folder.path().join("keys.txt"), [0xff, 0xfe]).expect("a file");
    assert!(found.read_keys().is_err());
}
