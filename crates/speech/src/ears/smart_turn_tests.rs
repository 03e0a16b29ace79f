use super::*;

/// Three seconds of a rising tone, in whole numbers so that it is the same everywhere.
fn sweep() -> Vec<i16> {
    let triangle = |phase: i64| match phase % 4_000 {
        rising @ 0..2_000 => rising - 1_000,
        falling => 3_000 - falling,
    };
    let sample = |place: i64| triangle(place * (place / 40 + 400) / 16) * (1 + (place / 2_000) % 9);
    (0..48_000).map(|place| sample(place) as i16).collect()
}

#[test]
fn a_folder_without_the_model_says_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let why = SmartTurn::load(folder.path(), None).expect_err("nothing is there");
    assert!(why.starts_with("there is no model (NAME.onnx) in "), "{why}");
    let why = SmartTurn::load(&folder.path().join("gone"), None).expect_err("no such folder");
    assert!(why.contains("gone"), "{why}");
}

/// `DENIZEN_TURN_MODEL` is the model, and `ORT_DYLIB_PATH` the library of ONNX Runtime.
#[test]
fn the_real_model_thinks_here_what_it_thinks_elsewhere() {
    let [model, library] = ["DENIZEN_TURN_MODEL", "ORT_DYLIB_PATH"].map(std::env::var_os);
    let (Some(model), Some(library)) = (model, library) else {
        println!("DENIZEN_TURN_MODEL and ORT_DYLIB_PATH name no model: nothing was tried");
        return;
    };
    let model = SmartTurn::load(Path::new(&model), Some(Path::new(&library))).expect("it loads");
    // What onnxruntime and transformers make of the same sound in Python.
    for (sound, wanted) in [(sweep(), 0.597), (sweep()[16_000..].to_vec(), 0.441)] {
        let chance = model.parts.chance_over(&sound).expect("it runs");
        assert!((chance - wanted).abs() < 0.02, "{chance} instead of {wanted}");
    }
}
