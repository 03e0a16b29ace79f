//! `denizen models install --from FOLDER`: what lies in a folder is taken, and a folder without anything is refused.

use std::fs::File;

use crate::support::{Home, path};

#[test]
fn without_a_name_what_lies_in_the_folder_is_meant_and_an_empty_one_is_refused() {
    let home = Home::new();
    let folder = home.file("fetched");
    std::fs::create_dir(&folder).expect("made");
    let refusal = home.run(&["models", "install", "--from", path(&folder)]).failed();
    assert!(
        refusal.contains("no model that is known lies in") && refusal.contains(path(&folder)),
        "{refusal}"
    );
    // Called like a voice of Kokoro and as long, and nothing of it: what it should be is read through.
    let voice = File::create(folder.join("af_heart.bin")).expect("made");
    voice.set_len(522_240).expect("long");
    let tried = home.run(&["models", "install", "--from", path(&folder)]);
    assert!(tried.out.contains("fetched: kokoro"), "{tried:#?}");
    assert_eq!(tried.code, Some(1), "{tried:#?}");
    for told in ["its sha256 is", "kokoro is not installed", "model_quantized.onnx"] {
        assert!(tried.err.contains(told), "{told} is not in {tried:#?}");
    }
}
