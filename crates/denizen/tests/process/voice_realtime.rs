//! A realtime service hears and speaks: what is asked aloud is answered by the service's voice with Denizen's own words, who
//! speaks over it silences it, and without the service the voice of the house goes on.

use realtime_double::{Mischief, ServiceDouble, Vendor};
use serde_json::json;
use stand_ins::speech::{SPEECH_KEY, SpeechServices};

use crate::support::{Answer, Home, ModelServer, Process, eventually, quick};
use crate::voice::{ask_aloud, line, say, spoken};

const QUESTION: &str = "Denizen, what is the capital of France?";

/// A room in which OpenAI's double hears and speaks, and other ears and the built-in voice stand behind it.
async fn room(home: &Home, double: &ServiceDouble) -> (ModelServer, SpeechServices, Process) {
    let model = ModelServer::start().await;
    let ears = SpeechServices::start(QUESTION).await;
    let mut settings = quick(&model);
    let voice = json!({
        "voice.mode": "realtime",
        "voice.realtimeProvider": "openai",
        "voice.openaiRealtime.baseUrl": double.url("/v1"),
        "voice.joinGreetingSeconds": 0,
        "voice.sttPipeline.transcriptionProvider": "compatible",
        "voice.sttPipeline.transcriptionUrl": format!("{}/v1", ears.address),
        "voice.sttPipeline.ttsProvider": "builtin",
    });
    let voice = voice.as_object().expect("an object").clone();
    settings.as_object_mut().expect("an object").extend(voice);
    home.configure(&settings);
    let process = home.start().await;
    (model, ears, process)
}

fn home() -> Home {
    Home::new().with_env("TRANSCRIPTION_API_KEY", SPEECH_KEY)
}

/// The texts that the service was asked to say.
fn uttered(double: &ServiceDouble) -> Vec<String> {
    double
        .received()
        .iter()
        .filter(|received| received.frame["type"] == "response.create")
        .filter_map(|received| {
            received.frame["response"]["input"][0]["content"][0]["text"]
                .as_str()
                .map(str::to_owned)
        })
        .collect()
}

#[tokio::test]
async fn a_question_is_heard_and_answered_by_the_service_in_denizens_own_words() {
    let (home, double) = (home(), ServiceDouble::start(Vendor::OpenAi).await);
    double.hears_always(QUESTION);
    let (model, ears, process) = room(&home, &double).await;
    model.next([Answer::says("Paris is the capital of France.")]);
    let question = spoken(&home, "question.wav", QUESTION).await;
    let kept = home.file("answer.wav");
    let (code, out, err) = ask_aloud(&home, &question, &kept, "3").await;
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(
        out.contains("said     Paris is the capital of France."),
        "{out}{err}"
    );
    assert_eq!(uttered(&double), ["Paris is the capital of France."]);
    assert_eq!(ears.asked().len(), 0, "the service has heard it");
    let answer = std::fs::read(&kept).expect("it was kept");
    let answer = audio::wav::Recording::read(&answer).expect("a WAV file");
    assert!(answer.milliseconds() > 1_000, "{} ms", answer.milliseconds());

    let stands = line(&process, "voice_session_service_changed").await;
    assert_eq!(stands["data"]["mode"], "realtime");
    let requested = line(&process, "realtime_reply_requested").await;
    assert_eq!(requested["data"]["event"], "response.create");
    assert_eq!(requested["data"]["service"], "openai:gpt-realtime-1.5");
    line(&process, "stt_pipeline_reply_spoken").await;
    eventually("nothing is kept there", async || {
        (double.kept() == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn whoever_speaks_over_it_stops_the_service_and_its_late_sound_is_not_heard() {
    let (home, double) = (home(), ServiceDouble::start(Vendor::OpenAi).await);
    double.hears(QUESTION);
    double.hears_always("Stop, please, I have something else to say to all of you now.");
    double.fault(Mischief::GoOnAfterCancel);
    let (model, _ears, process) = room(&home, &double).await;
    let long = "France has had several capitals over the centuries and ".repeat(14) + "now it is Paris.";
    model.next([
        Answer::says(&long),
        Answer::says("[SKIP]"),
        Answer::says("[SKIP]"),
    ]);
    let question = spoken(&home, "question.wav", QUESTION).await;
    let over = spoken(
        &home,
        "over.wav",
        "Stop, please, I have something else to say to all of you now.",
    )
    .await;
    let kept = home.file("answer.wav");
    let speaking_over = async {
        line(&process, "voice_answer_heard").await;
        let over = over.to_str().expect("a plain path");
        say(&home, &["say", over, "--as", "Bob", "--silence", "2"]).await
    };
    let ((code, out, err), _) = tokio::join!(ask_aloud(&home, &question, &kept, "4"), speaking_over);
    assert_eq!(code, Some(0), "{out}{err}");
    let spoken = line(&process, "stt_pipeline_reply_spoken").await;
    assert_eq!(spoken["data"]["cut"], true, "{spoken}");
    let cancelled = double
        .until(|received| received.frame["type"] == "response.cancel")
        .await;
    assert!(cancelled.frame["response_id"].is_string());
}

#[tokio::test]
async fn without_the_service_the_houses_own_ears_and_voice_go_on_and_it_says_so() {
    let (home, double) = (home(), ServiceDouble::start(Vendor::OpenAi).await);
    double.hears_always(QUESTION);
    let (model, ears, process) = room(&home, &double).await;
    model.next([Answer::says("Paris."), Answer::says("It is still Paris.")]);
    let question = spoken(&home, "question.wav", QUESTION).await;
    let kept = home.file("answer.wav");
    let (code, out, err) = ask_aloud(&home, &question, &kept, "3").await;
    assert_eq!(code, Some(0), "{out}{err}");
    assert_eq!(uttered(&double), ["Paris."]);
    // The service is gone, and does not come back.
    drop(double);
    let (code, out, err) = ask_aloud(&home, &question, &kept, "3").await;
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("said     It is still Paris."), "{out}{err}");
    assert!(!ears.asked().is_empty(), "the ears behind it have heard");
    let answer = std::fs::read(&kept).expect("it was kept");
    let answer = audio::wav::Recording::read(&answer).expect("a WAV file");
    assert!(answer.milliseconds() > 300, "{} ms", answer.milliseconds());
    let fell_back = eventually("it says so", async || {
        let mut journal = process.journal().await.into_iter();
        journal.find(|line| line["name"] == "voice_session_service_changed" && line["data"]["works"] == false)
    })
    .await;
    assert_eq!(fell_back["data"]["mode"], "stt_pipeline");
    let said = process.said().await;
    assert!(
        said.iter()
            .any(|text| text.contains("I go on with my own ears and voice")),
        "{said:?}"
    );
}

#[tokio::test]
async fn without_a_key_it_hears_and_speaks_as_before_and_says_what_is_missing() {
    let (home, double) = (home(), ServiceDouble::start(Vendor::OpenAi).await);
    let (model, _ears, process) = room(&home, &double).await;
    process
        .change_settings(json!({"voice.realtimeProvider": "xai"}))
        .await;
    model.next([Answer::says("Paris.")]);
    let question = spoken(&home, "question.wav", QUESTION).await;
    let kept = home.file("answer.wav");
    let (code, out, err) = ask_aloud(&home, &question, &kept, "3").await;
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("said     Paris."), "{out}{err}");
    assert_eq!(uttered(&double), [""; 0]);
    let status = process.get("/api/rooms/lounge/voice").await.to_string();
    assert!(status.contains("XAI_API_KEY"), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_tries_the_service_and_says_what_is_wrong_with_it_and_what_to_do() {
    let (home, double) = (Home::new(), ServiceDouble::start(Vendor::OpenAi).await);
    home.configure(&json!({
        "llm.provider": "offline",
        "voice.mode": "realtime",
        "voice.realtimeProvider": "openai",
        "voice.openaiRealtime.baseUrl": double.url("/v1"),
        "voice.openaiRealtime.model": "one-that-was-named",
    }));
    let works = home.run(&["doctor", "--json"]).out;
    assert!(works.contains("it lets in and sets a session up"), "{works}");
    // Whoever is chosen is warmed up, too: it meets with the same before it is tried.
    for _ in 0..6 {
        double.fault(Mischief::UnknownModel);
    }
    let unknown = home.run(&["doctor", "--json"]).out;
    assert!(unknown.contains("voice.openaiRealtime.model"), "{unknown}");
    drop(double);
    let gone = home.run(&["doctor", "--json"]).out;
    assert!(
        gone.contains("cannot be reached") && gone.contains("voice.openaiRealtime.baseUrl"),
        "{gone}"
    );
}
