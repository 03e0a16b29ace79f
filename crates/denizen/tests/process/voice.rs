//! The voice of a room: recordings are played into it by `denizen say`, a server understands them, and the built-in voice
//! answers.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use runtime::ports::{HeardSpeech, Hearing as _, SoundFrame, Speech as _};
use serde_json::{Value, json};
use speech::{Ears, EarsChoice, EarsEngine, Mouth, MouthChoice, MouthEngine, SpeechKeys};
use stand_ins::speech::{SPEECH_KEY, SpeechServices};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, Span};

use crate::support::{Answer, Home, ModelServer, Process, eventually, holds, path, quick};

/// Somebody says this, in the voice that is in the program.
pub(crate) async fn spoken(home: &Home, name: &str, text: &str) -> PathBuf {
    let choice = MouthChoice {
        engine: MouthEngine::BuiltIn,
        ..MouthChoice::default()
    };
    let mouth = Mouth::new(&choice, &SpeechKeys::default());
    let (sentences, waiting) = mpsc::channel(1);
    sentences.send(text.to_owned()).await.expect("room for it");
    drop(sentences);
    let (sound, mut sounds) = mpsc::channel(10_000);
    let said = mouth.speak("", waiting, sound, CancellationToken::new()).await;
    assert_eq!(said.fault, None);
    let mut samples = Vec::new();
    while let Some(piece) = sounds.recv().await {
        let pieces = piece.frame.samples.chunks_exact(2);
        samples.extend(pieces.map(|sample| i16::from_le_bytes([sample[0], sample[1]])));
    }
    let file = home.file(name);
    std::fs::write(&file, audio::wav::write(&samples, audio::RATE)).expect("written");
    file
}

/// A room with ears that understand these words in everything.
pub(crate) async fn room(words: &str) -> (ModelServer, SpeechServices, Home, Process) {
    let home = Home::new().with_env("TRANSCRIPTION_API_KEY", SPEECH_KEY);
    let (model, ears, process) = room_in(&home, words, "").await;
    (model, ears, home, process)
}

/// The same where a folder of short sounds is named.
async fn room_in(home: &Home, words: &str, sounds: &str) -> (ModelServer, SpeechServices, Process) {
    let model = ModelServer::start().await;
    let ears = SpeechServices::start(words).await;
    let mut settings = quick(&model);
    let voice = json!({
        "voice.joinGreetingSeconds": 0,
        "voice.soundsPath": sounds,
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

/// Runs the command to its end, beside the process.
pub(crate) async fn say(home: &Home, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = home.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    let output = tokio::task::spawn_blocking(move || child.wait_with_output());
    let output = output.await.expect("it is waited for").expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Alice asks it; what it answers is kept.
pub(crate) async fn ask_aloud(
    home: &Home,
    question: &Path,
    kept: &Path,
    silence: &str,
) -> (Option<i32>, String, String) {
    let (question, kept) = (path(question), path(kept));
    let arguments = [
        "say",
        question,
        "--as",
        "Alice",
        "--save",
        kept,
        "--silence",
        silence,
    ];
    say(home, &arguments).await
}

/// A few milliseconds of a recording in which somebody speaks, as they stand in its file.
fn loud_moment(file: &[u8]) -> &[u8] {
    let moment = file.len() / 2;
    let moment = &file[moment - moment % 2..][..400];
    let differing: std::collections::BTreeSet<&[u8]> = moment.chunks(2).collect();
    assert!(differing.len() > 50, "silence would be found everywhere");
    moment
}

/// What was said aloud; the sign that it listens is typed.
fn aloud(messages: Vec<Value>) -> Vec<Value> {
    let messages = messages.into_iter();
    messages.filter(|message| message["spoken"] == true).collect()
}

#[tokio::test]
async fn a_question_is_heard_answered_aloud_and_replays_byte_for_byte() {
    let (model, ears, home, process) = room("Denizen, what is the capital of France?").await;
    model.next([Answer::says("Paris is the capital of France.")]);
    let question = spoken(&home, "question.wav", "Denizen, what is the capital of France?").await;
    let kept = home.file("answer.wav");
    let (code, out, err) = ask_aloud(&home, &question, &kept, "3").await;
    assert_eq!(code, Some(0), "{out}{err}");
    for told in [
        "heard    Alice: Denizen, what is the capital of France?",
        "said     Paris is the capital of France.",
        "decided  ",
        "of its voice in",
    ] {
        assert!(out.contains(told), "{told} is not in:\n{out}\n{err}");
    }
    let answer = std::fs::read(&kept).expect("it was kept");
    let answer = audio::wav::Recording::read(&answer).expect("a WAV file");
    let loudest = answer.samples.iter().map(|sample| sample.unsigned_abs()).max();
    assert!(
        answer.milliseconds() > 500 && loudest > Some(1_000),
        "{} ms",
        answer.milliseconds()
    );
    assert!(!ears.asked().is_empty());

    let both = eventually("both stand in the room", async || {
        let messages = aloud(process.messages().await);
        (messages.len() == 2).then_some(messages)
    })
    .await;
    assert_eq!(both[0]["author"]["name"], "Alice");
    assert_eq!(both[1]["text"], "Paris is the capital of France.");
    let sign = process.messages().await;
    let sign = sign.iter().find(|message| message["spoken"] != true);
    let sign = sign.and_then(|message| message["text"].as_str());
    assert!(sign.is_some_and(|text| text.contains("listen")), "{sign:?}");

    eventually("the session is over with the last who leaves", async || {
        let journal = process.journal().await;
        journal
            .iter()
            .any(|line| line["name"] == "voice_session_ended")
            .then_some(())
    })
    .await;
    // Its words are on disk, and its sound is not: neither as it came in nor as the ears were sent it.
    assert!(holds(&home.data(), "what is the capital of France?"));
    let asked = ears.asked().into_iter().map(|asked| asked.form.file);
    let sent = asked.max_by_key(|file| file.len()).expect("the ears were asked");
    let came = std::fs::read(&question).expect("it is there");
    for sound in [&came[..], &sent[..]] {
        assert!(!holds(&home.data(), loud_moment(sound)));
    }

    let mut printed = Vec::new();
    for recording in home.recordings() {
        let replayed = home.run(&["replay", path(&recording)]);
        assert!(replayed.err.contains("are the recorded ones"), "{replayed:#?}");
        printed.extend(replayed.succeeded().lines().map(str::to_owned));
    }
    assert_eq!(printed, process.journal_lines().await);
}

#[tokio::test]
async fn what_was_said_before_a_kill_is_in_the_room_after_it() {
    let (model, _ears, home, mut process) = room("we meet at noon, do we not?").await;
    model.next([Answer::says("We do.")]);
    let words = spoken(&home, "words.wav", "We meet at noon, do we not?").await;
    let arguments = ["say", path(&words), "--as", "Alice", "--silence", "60"];
    let mut saying = home.command(&arguments);
    let mut saying = saying
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    eventually("it was heard", async || {
        let journal = process.journal().await;
        journal
            .iter()
            .any(|line| line["name"] == "voice_utterance_heard")
            .then_some(())
    })
    .await;
    process.kill();
    saying.kill().expect("it is there");
    let _ = saying.wait();
    let process = home.start().await;
    let messages = aloud(process.messages().await);
    assert_eq!(messages[0]["text"], "we meet at noon, do we not?");
    assert_eq!(messages[0]["spoken"], true);
    let journal = process.journal().await;
    let ended = journal.iter().rfind(|line| line["name"] == "voice_session_ended");
    assert_eq!(
        ended.expect("the session is over")["data"]["because"],
        "restarted"
    );
}

#[tokio::test]
async fn without_ears_the_page_says_what_to_do_and_typed_words_are_answered_aloud() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    process
        .change_settings(json!({"voice.joinGreetingSeconds": 0}))
        .await;
    let view = process.get("/api/rooms/lounge/voice").await;
    assert_eq!(view["mouth"]["works"], true, "{view}");
    assert_eq!(view["ears"]["works"], false, "{view}");
    let remedy = view["ears"]["remedy"].as_str().expect("what to do");
    assert!(remedy.contains("denizen models install ears"), "{remedy}");
    let silence = home.file("silence.wav");
    std::fs::write(&silence, audio::wav::write(&vec![0; 48_000], audio::RATE)).expect("written");
    model.next([Answer::says("I read you.")]);
    let arguments = ["say", path(&silence), "--as", "Alice", "--silence", "4"];
    let mut command = home.command(&arguments);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    eventually("it is in", async || {
        let view = process.get("/api/rooms/lounge/voice").await;
        (view["inRoom"] == true).then_some(())
    })
    .await;
    process.say("Alice", "Denizen, can you read this?").await;
    let output = tokio::task::spawn_blocking(move || child.wait_with_output());
    let output = output.await.expect("it is waited for").expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.contains("said     I read you."), "{out}");
    let said = eventually("it stands in the room", async || {
        let messages = aloud(process.messages().await);
        messages
            .into_iter()
            .find(|message| message["author"]["kind"] == "denizen")
    })
    .await;
    assert_eq!(
        (said["text"].as_str(), &said["spoken"]),
        (Some("I read you."), &json!(true))
    );
}

#[tokio::test]
async fn into_a_silence_it_says_a_thought_of_its_own_and_lists_it_with_the_others() {
    let model = ModelServer::start().await;
    let home = Home::new();
    let mut settings = quick(&model);
    let voice = json!({
        "voice.joinGreetingSeconds": 0,
        "voice.thoughts.silenceSeconds": 8,
        "voice.thoughts.eagerness": 100,
        "voice.sttPipeline.ttsProvider": "builtin",
    });
    let voice = voice.as_object().expect("an object").clone();
    settings.as_object_mut().expect("an object").extend(voice);
    home.configure(&settings);
    let process = home.start().await;
    let thought =
        json!({"action": "say", "text": "The tide turns at noon.", "reason": "they are at the sea"});
    model.next([Answer::says(&thought.to_string())]);
    let silence = home.file("silence.wav");
    std::fs::write(&silence, audio::wav::write(&vec![0; 48_000], audio::RATE)).expect("written");
    let (code, out, err) = say(
        &home,
        &["say", path(&silence), "--as", "Alice", "--silence", "14"],
    )
    .await;
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("said     The tide turns at noon."), "{out}{err}");
    let said = eventually("it stands in the room", async || {
        aloud(process.messages().await).pop()
    })
    .await;
    assert_eq!(said["text"], "The tide turns at noon.");
    assert_eq!(said["author"]["kind"], "denizen");
    let journal = process.journal().await;
    let ended = journal.iter().find(|line| line["name"] == "voice_thought_ended");
    assert_eq!(ended.expect("it ended")["data"]["outcome"], "spoken");
    let listed = home.run(&["thoughts"]).succeeded();
    assert!(
        listed.contains("“The tide turns at noon.”  said aloud"),
        "{listed}"
    );
    assert!(
        listed.contains("aloud in lounge: looked for a fresh thought"),
        "{listed}"
    );
    for recording in home.recordings() {
        let replayed = home.run(&["replay", path(&recording)]);
        assert!(replayed.err.contains("are the recorded ones"), "{replayed:#?}");
    }
}

#[tokio::test]
async fn what_cannot_be_played_is_told_with_what_to_do() {
    let home = Home::new();
    let missing = home.run(&["say", "nowhere.wav"]).failed();
    assert!(missing.contains("nowhere.wav cannot be read"), "{missing}");
    let song = home.file("song.mp3");
    std::fs::write(&song, b"ID3 and then a song, as MP3 files are").expect("written");
    let other = home.run(&["say", path(&song)]).failed();
    assert!(other.contains("ffmpeg -i"), "{other}");
    let silence = home.file("silence.wav");
    std::fs::write(&silence, audio::wav::write(&vec![0; 960], audio::RATE)).expect("written");
    let nobody = home.run(&["say", path(&silence)]).failed();
    assert!(nobody.contains("denizen run"), "{nobody}");
}

/// What ears make of a recording.
async fn understood(ears: &Ears, samples: &[i16]) -> String {
    let (frames, listening) = mpsc::channel(10_000);
    let silence = vec![0; 48_000 * 2];
    let all = [samples, &silence].concat();
    for (number, piece) in all.chunks(960).enumerate() {
        let frame = SoundFrame {
            samples: piece.iter().flat_map(|sample| sample.to_le_bytes()).collect(),
            at: Span(20 * number as u64),
        };
        frames.send(frame).await.expect("room for it");
    }
    drop(frames);
    let (heard, mut hearing) = mpsc::channel(1_000);
    let somebody = PersonId::new("somebody");
    let listened = ears
        .listen(&somebody, listening, heard, CancellationToken::new())
        .await;
    listened.expect("the ears are there");
    let mut words = Vec::new();
    while let Some(said) = hearing.recv().await {
        if let HeardSpeech::Utterance(utterance) = said {
            words.push(utterance.text);
        }
    }
    words.join(" ").to_lowercase()
}

/// `make e2e-speech` runs it, where DENIZEN_EARS_MODEL names a Moonshine model and ORT_DYLIB_PATH the library.
#[tokio::test]
#[ignore = "needs a Moonshine model: DENIZEN_EARS_MODEL=folder ORT_DYLIB_PATH=library make e2e-speech"]
async fn real_ears_understand_a_question_and_the_answer_to_it() {
    let Some(folder) = std::env::var_os("DENIZEN_EARS_MODEL").map(PathBuf::from) else {
        eprintln!("DENIZEN_EARS_MODEL names no model: nothing was tried");
        return;
    };
    let model = ModelServer::start().await;
    let library = std::env::var("ORT_DYLIB_PATH").unwrap_or_default();
    let home = Home::new().with_env("ORT_DYLIB_PATH", &library);
    let mut settings = quick(&model);
    settings["voice.joinGreetingSeconds"] = json!(0);
    settings["voice.sttPipeline.transcriptionPath"] = json!(folder);
    home.configure(&settings);
    let _process = home.start().await;
    model.next([Answer::says("Paris is the capital of France.")]);
    let question = spoken(&home, "question.wav", "Hello, what is the capital of France?").await;
    let kept = home.file("answer.wav");
    let (code, out, err) = ask_aloud(&home, &question, &kept, "5").await;
    println!("{out}{err}");
    assert_eq!(code, Some(0));
    assert!(out.to_lowercase().contains("the capital of france"), "{out}");
    assert!(out.contains("said     Paris is the capital of France."), "{out}");
    let answer = audio::wav::read(&std::fs::read(&kept).expect("kept")).expect("a WAV file");
    let choice = EarsChoice {
        engine: EarsEngine::Moonshine,
        folder: Some(folder),
        library: (!library.is_empty()).then(|| library.into()),
        ..EarsChoice::default()
    };
    let ears = Ears::new(&choice, &SpeechKeys::default());
    let words = understood(&ears, &answer).await;
    println!("its answer is understood as: {words}");
    assert!(words.contains("capital of france"), "{words}");
}

/// Waits for a line of the journal.
pub(crate) async fn line(process: &Process, name: &str) -> Value {
    eventually(name, async || {
        let mut journal = process.journal().await.into_iter();
        journal.find(|line| line["name"] == name)
    })
    .await
}

#[tokio::test]
async fn ears_that_are_switched_off_hear_nothing_more_in_the_session_under_way() {
    let (_model, ears, home, process) = room("We meet at noon.").await;
    let sound = spoken(&home, "noon.wav", "We meet at noon.").await;
    let kept = home.file("nothing.wav");
    let listening = async {
        line(&process, "voice_utterance_heard").await;
        let off = json!({"voice.sttPipeline.transcriptionProvider": "off"});
        process.change_settings(off).await;
        let changed = line(&process, "voice_session_hearing_changed").await;
        assert_eq!(changed["data"]["hears"], false);
        ears.asked().len()
    };
    let ((code, out, err), asked) = tokio::join!(ask_aloud(&home, &sound, &kept, "6"), listening);
    assert_eq!(code, Some(0), "{out}{err}");
    assert_eq!(ears.asked().len(), asked, "{out}");
    assert!(
        process
            .said()
            .await
            .iter()
            .any(|text| text.contains("do not understand speech"))
    );
}

#[tokio::test]
async fn paid_ears_stay_out_where_nothing_is_left_to_spend() {
    let (_model, _ears, home, process) = room("We meet at noon.").await;
    process
        .change_settings(json!({"spending.perDay.dollars": 0.0}))
        .await;
    let sound = spoken(&home, "noon.wav", "We meet at noon.").await;
    let kept = home.file("nothing.wav");
    let (code, out, err) = ask_aloud(&home, &sound, &kept, "2").await;
    assert_eq!(code, Some(0), "{out}{err}");
    let ended = line(&process, "voice_session_ended").await;
    assert_eq!(ended["data"]["because"], "unaffordable");
    ask_aloud(&home, &sound, &kept, "1").await;
    let declined = line(&process, "voice_session_declined").await;
    assert_eq!(declined["data"]["reason"], "unaffordable");
}

#[tokio::test]
async fn a_short_sound_that_the_model_picks_by_name_is_played_and_one_that_is_not_there_is_not() {
    let home = Home::new().with_env("TRANSCRIPTION_API_KEY", SPEECH_KEY);
    let folder = home.file("sounds");
    std::fs::create_dir_all(&folder).expect("a folder");
    let drum = audio::wav::write(&vec![8_000; 24_000], audio::RATE);
    std::fs::write(folder.join("drum.wav"), drum).expect("written");
    std::fs::write(folder.join("notes.txt"), "no sound").expect("written");
    let (model, _ears, process) = room_in(&home, "Denizen, tell us a joke", path(&folder)).await;
    model.next([Answer::says("Nobody knows. [[SOUND: Drum]] [[SOUND: thunder]]")]);
    let question = spoken(&home, "question.wav", "Denizen, tell us a joke").await;
    let arguments = ["say", path(&question), "--as", "Alice", "--silence", "3"];
    let (code, out, err) = say(&home, &arguments).await;
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("said     Nobody knows."), "{out}\n{err}");
    let journal = eventually("the sound was played", async || {
        let journal = process.journal().await;
        let played = |line: &Value| line["name"] == "voice_session_sound_played";
        journal.iter().any(played).then_some(journal)
    })
    .await;
    let of = |name: &str| -> Vec<&Value> { journal.iter().filter(|line| line["name"] == name).collect() };
    assert_eq!(of("voice_session_sound_played")[0]["data"]["sound"], "drum");
    assert_eq!(of("voice_session_sound_failed")[0]["data"]["sound"], "thunder");
    let asked = model.asked();
    assert!(format!("{asked:?}").contains("drum"), "{asked:?}");
}
