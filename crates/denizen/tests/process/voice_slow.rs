//! A model that takes its time in the voice of a room, and ears that are not there: what people get, and what they are told.

use std::time::Duration;

use serde_json::json;
use stand_ins::speech::{SPEECH_KEY, SpeechServices};

use crate::support::{Answer, Home, path};
use crate::voice::{room, say, spoken};

/// The id in brackets at the end of a line that begins so.
fn id_of<'a>(out: &'a str, told: &str) -> &'a str {
    let line = out.lines().find(|line| line.contains(told));
    let line = line.unwrap_or_else(|| panic!("{told} is not in:\n{out}"));
    let id = line.rsplit_once("  [").map(|(_, id)| id.trim_end_matches(']'));
    id.unwrap_or_else(|| panic!("there is no id in {line}"))
}

#[tokio::test]
async fn whoever_talks_with_a_slow_model_alone_hears_its_answer_and_why_knows_both_ids() {
    let (model, _ears, home, _process) = room("what is the capital of France").await;
    // Its first sentence is there after nine seconds.
    let slowly = Answer::in_pieces(["Paris is", " the capital", " of France. ", "It is large."]);
    model.next([slowly.paced(Duration::from_secs(3))]);
    let question = spoken(&home, "question.wav", "What is the capital of France?").await;
    let (code, out, err) = say(
        &home,
        &["say", path(&question), "--as", "Alice", "--silence", "2"],
    )
    .await;
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(
        out.contains("said     Paris is the capital of France. It is large."),
        "{out}{err}"
    );
    let asked = id_of(&out, "heard    Alice: what is the capital of France");
    let why = home.run(&["why", asked]).succeeded();
    assert!(why.contains("Denizen answered it aloud"), "{why}");
    let said = id_of(&out, "said     Paris");
    let why = home.run(&["why", said]).succeeded();
    assert!(why.contains(&format!("in answer to message {asked}")), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hears_or_speaks_and_is_down_is_told_by_the_doctor_with_what_to_do() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        format!("http://{}/v1", listener.local_addr().expect("an address"))
    };
    let home = Home::new();
    home.configure(&json!({
        "llm.provider": "offline",
        "voice.sttPipeline.transcriptionProvider": "compatible",
        "voice.sttPipeline.transcriptionUrl": gone,
        "voice.sttPipeline.ttsProvider": "compatible",
        "voice.sttPipeline.ttsUrl": gone,
    }));
    let doctor = home.run(&["doctor"]);
    let told = |what: &str| {
        let line = doctor.out.lines().find(|line| line.contains(what));
        line.unwrap_or_else(|| panic!("{what} is not in:\n{}", doctor.out))
            .to_owned()
    };
    assert_ne!(doctor.code, Some(0), "{}", doctor.out);
    assert!(!doctor.out.contains("ok  ears"), "{}", doctor.out);
    assert!(told("!!  ears").contains("cannot be reached"), "{}", doctor.out);
    assert!(told("!!  voice").contains("cannot be reached"), "{}", doctor.out);
    for knob in ["transcriptionUrl", "ttsUrl"] {
        assert!(told(knob).contains("Start the server there"), "{}", doctor.out);
    }

    let there = SpeechServices::start("hello").await;
    let home = Home::new()
        .with_env("TRANSCRIPTION_API_KEY", SPEECH_KEY)
        .with_env("SPEECH_API_KEY", "not-this-one");
    let address = format!("{}/v1", there.address);
    home.configure(&json!({
        "llm.provider": "offline",
        "voice.sttPipeline.transcriptionProvider": "compatible",
        "voice.sttPipeline.transcriptionUrl": address,
        "voice.sttPipeline.ttsProvider": "compatible",
        "voice.sttPipeline.ttsUrl": address,
    }));
    let doctor = home.run(&["doctor"]);
    assert!(
        doctor.out.contains("with the key from TRANSCRIPTION_API_KEY"),
        "{}",
        doctor.out
    );
    assert!(doctor.out.contains("did not accept the key"), "{}", doctor.out);
}
