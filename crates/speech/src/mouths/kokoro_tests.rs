use super::*;

fn folder(files: &[(&str, usize)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, vec![0; *bytes]).expect("written");
    }
    folder
}

const VOICE: usize = VOICE_BYTES as usize;

#[test]
fn the_network_and_its_voices_are_found_where_the_export_has_them_and_side_by_side() {
    for (model, voice) in [
        ("onnx/model_quantized.onnx", "voices/bm_george.bin"),
        ("model_quantized.onnx", "bm_george.bin"),
    ] {
        let folder = folder(&[
            (model, 1),
            (voice, VOICE),
            ("voices/zf_xiaoyi.bin", VOICE),
            ("notes.bin", 12),
        ]);
        let files = KokoroFiles::find(folder.path()).expect("all is there");
        assert_eq!(files.model, folder.path().join(model));
        assert_eq!(files.voices.keys().collect::<Vec<_>>(), ["bm_george"]);
        assert_eq!(files.voice("", &Tongue::of("en")), Ok("bm_george"));
    }
}

#[test]
fn what_is_missing_is_named_with_how_to_get_it() {
    let empty = KokoroFiles::find(folder(&[("bm_george.bin", VOICE)]).path()).expect_err("no network");
    assert!(
        empty.starts_with("there is no model_quantized.onnx in "),
        "{empty}"
    );
    let mute = KokoroFiles::find(folder(&[("model.onnx", 1), ("af_sky.bin", 7)]).path());
    let mute = mute.expect_err("no voice");
    assert!(
        mute.starts_with("there is no voice in ") && mute.contains("denizen models install kokoro"),
        "{mute}"
    );
}

#[test]
fn a_voice_is_had_by_its_name_and_else_the_usual_one_of_the_language() {
    let files = [
        ("model.onnx", 1),
        ("ff_siwis.bin", VOICE),
        ("af_alloy.bin", VOICE),
        ("af_heart.bin", VOICE),
    ];
    let folder = folder(&files);
    let files = KokoroFiles::find(folder.path()).expect("all is there");
    let english = Tongue::of("");
    assert_eq!(files.voice("", &english), Ok("af_heart"));
    assert_eq!(files.voice(" af_alloy ", &english), Ok("af_alloy"));
    assert_eq!(files.voice("", &Tongue::of("fr")), Ok("ff_siwis"));
    let nobody = files.voice("joe", &english).expect_err("no such voice");
    assert!(
        nobody.contains("ttsVoice is \"joe\"") && nobody.contains("af_heart"),
        "{nobody}"
    );
    let mute = files.voice("", &Tongue::of("de")).expect_err("no German");
    assert!(mute.contains("speaks de"), "{mute}");
}
