use std::path::{Path, PathBuf};

use ::settings::{Document, Settings};
use speech::{Engines, InstalledSpeech, SpeechKeys};

use super::chooses;

/// A voice of Kokoro is known by its length.
const KOKORO_VOICE_BYTES: usize = 522_240;

fn settings(document: serde_json::Value) -> Settings {
    let document = Document::from_value(document).expect("settings");
    Settings::read(&document).expect("valid settings")
}

/// Two Piper voices and Kokoro, as far as their files are looked at before they are loaded.
fn shelf(folder: &Path) -> [PathBuf; 3] {
    let write = |path: PathBuf, text: &str| {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    let piper = r#"{"audio": {"sample_rate": 22050}, "espeak": {"voice": "en-us"}, "inference": {"noise_scale": 0.6, "length_scale": 1, "noise_w": 0.8}, "phoneme_id_map": {}, "num_speakers": 1}"#;
    for name in ["joe", "siwis"] {
        write(folder.join(name).join(format!("{name}.onnx")), "");
        write(folder.join(name).join(format!("{name}.onnx.json")), piper);
    }
    write(folder.join("kokoro/model_quantized.onnx"), "");
    write(
        folder.join("kokoro/af_heart.bin"),
        &"\0".repeat(KOKORO_VOICE_BYTES),
    );
    ["joe", "siwis", "kokoro"].map(|name| folder.join(name))
}

#[test]
fn what_is_told_to_choose_a_voice_chooses_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [joe, siwis, kokoro] = shelf(folder.path());
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
