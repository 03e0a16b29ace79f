use super::*;

#[test]
fn a_named_library_is_the_only_one_looked_for() {
    let named = candidates(Some(Path::new("/opt/ort.so")), &[Path::new("/models")]);
    assert_eq!(named, [PathBuf::from("/opt/ort.so")]);
}

#[test]
fn a_library_beside_the_model_comes_before_the_systems() {
    let folder = tempfile::tempdir().expect("a folder");
    let beside = folder.path().join(library_name());
    assert_eq!(
        candidates(None, &[folder.path()]),
        [
            PathBuf::from(library_name()),
            PathBuf::from(format!("{}.1", library_name()))
        ]
    );
    std::fs::write(&beside, "").expect("a file");
    assert_eq!(candidates(None, &[folder.path()])[0], beside);
}

#[test]
fn a_library_that_is_missing_or_none_is_named_with_the_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing.so");
    let fake = folder.path().join("fake.so");
    std::fs::write(&fake, "not a library").expect("a file");
    for path in [missing, fake] {
        let text = load(Some(&path), &[]).expect_err("no library").to_string();
        assert!(text.starts_with("ONNX Runtime was not found"), "{text}");
        assert!(text.contains(&path.display().to_string()), "{text}");
        assert!(text.contains("set ORT_DYLIB_PATH"), "{text}");
    }
}

/// The program that runs is an ELF file as libraries are.
#[cfg(target_os = "linux")]
#[test]
fn a_library_that_ends_too_soon_is_refused_before_it_is_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = std::env::current_exe().expect("a path");
    assert_eq!(whole(&program), Ok(()));
    let length = std::fs::metadata(&program).expect("a file").len();
    let library = folder.path().join(library_name());
    for kept in [20, 100, length / 2, length - 1] {
        let mut whole_file = File::open(&program).expect("a file").take(kept);
        let mut cut = File::create(&library).expect("a file");
        io::copy(&mut whole_file, &mut cut).expect("a copy");
        let text = load(Some(&library), &[]).expect_err("half a library").to_string();
        assert!(
            text.contains(&format!("is not whole: it has {kept} bytes")),
            "{text}"
        );
        assert!(text.contains("denizen models install onnxruntime"), "{text}");
    }
}
