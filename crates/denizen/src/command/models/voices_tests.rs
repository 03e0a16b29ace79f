use std::path::{Path, PathBuf};

use ::settings::{Document, Settings};
use speech::{Engines, InstalledSpeech, SpeechKeys};

use weights::{Catalogue, Model, Shelf};

use super::{chooses, in_use};

/// A voice of Kokoro is known by its length.
const KOKORO_VOICE_BYTES: usize = 522_240;

fn settings(document: serde_json::Value) -> Settings {
    let document = Document::from_value(document).expect("settings");
    Settings::read(&document).expect("valid settings")
}

/// Two Piper voices and Kokoro, as far as their files are looked at before they are loaded.
fn shelf_with(folder: &Path, names: [&str; 3]) -> [PathBuf; 3] {
    let write = |path: PathBuf, text: &str| {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    let piper = r#"{"audio": {"sample_rate": 22050}, "espeak": {"voice": "en-us"}, "inference": {"noise_scale": 0.6, "length_scale": 1, "noise_w": 0.8}, "phoneme_id_map": {}, "num_speakers": 1}"#;
    for name in &names[..2] {
        write(folder.join(name).join(format!("{name}.onnx")), "");
        write(folder.join(name).join(format!("{name}.onnx.json")), piper);
    }
    write(folder.join("kokoro/model_quantized.onnx"), "");
    write(
        folder.join("kokoro/af_heart.bin"),
        &"\0".repeat(KOKORO_VOICE_BYTES),
    );
    names.map(|name| folder.join(name))
}

#[test]
fn what_is_told_to_choose_a_voice_chooses_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [joe, siwis, kokoro] = shelf_with(folder.path(), ["joe", "siwis", "kokoro"]);
    let voices = vec![joe.clone(), siwis.clone(), kokoro.clone()];
    let engines = Engines::new(SpeechKeys::default(), move || InstalledSpeech {
        voices: voices.clone(),
        ..InstalledSpeech::default()
    });
    let plain = Settings::default();
    assert_eq!(
        engines.voice_folder(&plain).as_ref(),
        Some(&joe),
        "Piper stays chosen beside Kokoro"
    );
    let set = |key: &str, value: &str| format!("denizen settings set voice.sttPipeline.{key} {value}");
    let at = |folder: &Path| set("ttsPath", &format!("'{}'", folder.display()));
    assert_eq!(chooses(&engines, &plain, &kokoro), [set("ttsProvider", "kokoro")]);
    assert_eq!(chooses(&engines, &plain, &siwis), [at(&siwis)]);
    let built_in = settings(serde_json::json!({"voice.sttPipeline.ttsProvider": "builtin"}));
    assert_eq!(engines.voice_folder(&built_in), None);
    assert_eq!(chooses(&engines, &built_in, &joe), [set("ttsProvider", "piper")]);
    assert_eq!(
        chooses(&engines, &built_in, &siwis),
        [set("ttsProvider", "auto"), at(&siwis)]
    );
    let named = settings(serde_json::json!({"voice.sttPipeline.ttsPath": joe}));
    assert_eq!(chooses(&engines, &named, &kokoro), [at(&kokoro)]);
}

#[tokio::test]
async fn which_of_several_voices_speaks_is_said_and_how_to_have_another() {
    let data = tempfile::tempdir().expect("a folder");
    let shelf = Shelf::of(data.path());
    let [joe, _, kokoro] = shelf_with(
        &data.path().join("models"),
        ["piper-joe", "piper-siwis", "kokoro"],
    );
    let voices = vec![joe, kokoro];
    let engines = Engines::new(SpeechKeys::default(), move || InstalledSpeech {
        voices: voices.clone(),
        ..InstalledSpeech::default()
    });
    let of = |name: &str| Catalogue::built_in().model(name).expect("a model");
    let told = |names: &[&str]| {
        let installed: Vec<&Model> = names.iter().map(|name| of(name)).collect();
        let (engines, shelf) = (&engines, &shelf);
        async move {
            in_use(engines, shelf, &installed, &Settings::default())
                .await
                .join("\n")
        }
    };
    let kokoro = told(&["onnxruntime", "kokoro"]).await;
    assert!(
        kokoro.contains("kokoro is here and not used")
            && kokoro.contains("`denizen settings set voice.sttPipeline.ttsProvider kokoro`"),
        "{kokoro}"
    );
    let piper = told(&["piper-joe"]).await;
    assert!(
        piper.starts_with("Voice: ") && !piper.contains("not used"),
        "{piper}"
    );
    assert_eq!(told(&["moonshine-tiny"]).await, "");
}
