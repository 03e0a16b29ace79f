//! What is said of a shared screen in the voice of a room, and what is written where there is no voice.

use std::process::{Child, Stdio};

use serde_json::{Value, json};
use stand_ins::speech::{SPEECH_KEY, SpeechServices};

use crate::support::{Answer, Home, ModelServer, Process, Sharer, eventually, jpeg, path, quick};

/// Alice is in the voice of the room for so many seconds, and says nothing that anybody understands.
fn stays(home: &Home, seconds: &str) -> Child {
    let silence = home.file("silence.wav");
    std::fs::write(&silence, audio::wav::write(&vec![0; 48_000], audio::RATE)).expect("written");
    let mut command = home.command(&["say", path(&silence), "--as", "Alice", "--silence", seconds]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    child.expect("the program starts")
}

async fn started(model: &ModelServer, home: &Home, voice: Value) -> Process {
    let mut settings = quick(model);
    let voice = voice.as_object().expect("an object").clone();
    settings.as_object_mut().expect("an object").extend(voice);
    home.configure(&settings);
    home.start().await
}

async fn is_in(process: &Process) {
    eventually("it is in", async || {
        let view = process.get("/api/rooms/lounge/voice").await;
        (view["inRoom"] == true).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_comment_on_a_shared_screen_is_said_aloud_and_stands_in_the_room() {
    let model = ModelServer::reading(|_, asked| match asked.body.contains("said aloud") {
        true => Answer::says("What a fine kettle that is!"),
        false => Answer::says("A red kettle steams on a stove."),
    })
    .await;
    let home = Home::new();
    let voice = json!({
        "voice.joinGreetingSeconds": 0,
        "voice.sttPipeline.ttsProvider": "builtin",
        "voice.streamWatch.autonomousCommentaryEnabled": true,
    });
    let process = started(&model, &home, voice).await;
    let mut alice = stays(&home, "14");
    is_in(&process).await;
    let sharer = Sharer::of(&process, "Alice").await;
    sharer.shows(&process, &jpeg(60, 1)).await;
    let said = eventually("the comment was said", async || {
        let messages = process.messages().await;
        messages.into_iter().find(|message| message["spoken"] == true)
    })
    .await;
    assert_eq!(said["text"], "What a fine kettle that is!");
    assert_eq!(said["author"]["kind"], "denizen");
    let names: Vec<Value> = process
        .journal()
        .await
        .iter()
        .map(|line| line["name"].clone())
        .collect();
    for name in ["stt_pipeline_reply_spoken", "stream_watch_commentary_spoken"] {
        assert!(names.contains(&json!(name)), "{name}: {names:?}");
    }
    let _ = alice.kill();
    let _ = alice.wait();
}

#[tokio::test]
async fn without_a_voice_the_sign_says_so_and_what_was_asked_aloud_is_answered_in_text() {
    let model = ModelServer::start().await;
    let ears = SpeechServices::start("Denizen, what is the capital of France?").await;
    let home = Home::new().with_env("TRANSCRIPTION_API_KEY", SPEECH_KEY);
    let voice = json!({
        "voice.joinGreetingSeconds": 0,
        "voice.sttPipeline.transcriptionProvider": "compatible",
        "voice.sttPipeline.transcriptionUrl": format!("{}/v1", ears.address),
        "voice.sttPipeline.ttsProvider": "off",
    });
    let process = started(&model, &home, voice).await;
    model.next([Answer::says("Paris is the capital of France.")]);
    let question =
        crate::voice::spoken(&home, "question.wav", "Denizen, what is the capital of France?").await;
    let asks = home
        .command(&["say", path(&question), "--as", "Alice", "--silence", "4"])
        .spawn();
    let mut asks = asks.expect("the program starts");
    let answer = eventually("it is answered in text", async || {
        let messages = process.messages().await;
        messages
            .into_iter()
            .find(|message| message["text"] == "Paris is the capital of France.")
    })
    .await;
    assert_ne!(answer["spoken"], true, "{answer}");
    let messages = process.messages().await;
    let sign = messages.iter().filter_map(|message| message["text"].as_str());
    let sign: Vec<&str> = sign
        .filter(|text| text.contains("I have no voice here"))
        .collect();
    assert_eq!(sign.len(), 1, "{messages:#?}");
    let _ = asks.wait();
}
