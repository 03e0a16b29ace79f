//! The double against OpenAI's own client, where one is named: `DENIZEN_SDK_PYTHON` is a Python that has it.

use std::collections::BTreeSet;
use std::process::Command;

use speech::{Ears, EarsChoice, EarsEngine, Mouth, MouthChoice, MouthEngine};
use stand_ins::speech::{AskedAboutSpeech, SPEECH_KEY, SpeechServices};

use crate::bench::{ears, keys, listen, mouth, say};

fn names(asked: &AskedAboutSpeech) -> BTreeSet<String> {
    let of_form = asked.form.fields.iter().map(|(name, _)| name.clone());
    let of_body = asked
        .body
        .as_object()
        .into_iter()
        .flat_map(|body| body.keys().cloned());
    of_form.chain(of_body).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn openais_own_client_takes_the_double_for_real_and_asks_as_we_do() {
    let Some(python) = std::env::var_os("DENIZEN_SDK_PYTHON") else {
        println!("DENIZEN_SDK_PYTHON names no Python: nothing was tried");
        return;
    };
    let server = SpeechServices::start("Hello there.").await;
    let address = format!("{}/v1", server.address);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/speech_services/sdk.py");
    let ran = tokio::task::spawn_blocking(move || {
        Command::new(python).args([script, &address, SPEECH_KEY]).output()
    });
    let ran = ran.await.expect("no panic").expect("the Python runs");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    println!("{said}");
    let theirs = server.asked();

    // And what Denizen asks has no field that the client would not send.
    let hearing = EarsChoice {
        model: "whisper-1".to_owned(),
        language: "en".to_owned(),
        hints: vec!["Denizen".to_owned()],
        ..ears(&server, EarsEngine::Compatible, "/v1")
    };
    listen(&Ears::new(&hearing, &keys())).await;
    let speaking = MouthChoice {
        pace: 1.25,
        ..mouth(&server, MouthEngine::Compatible)
    };
    let (spoken, _) = say(&Mouth::new(&speaking, &keys()), "", &["Hi there."]).await;
    assert_eq!(spoken.fault, None);
    let ours = server.asked().split_off(theirs.len());
    let their = |path: &str| theirs.iter().find(|asked| asked.path == path).map(names);
    for asked in &ours {
        assert_eq!(Some(names(asked)), their(&asked.path), "{}", asked.path);
    }
    assert_eq!(ours.len(), 2);
}
