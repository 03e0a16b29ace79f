//! What was said aloud, one after the other and once more: `denizen say --in-turn`, and `denizen replay` with other settings.

use crate::support::{Answer, path};
use crate::voice::{room, say, spoken};

#[tokio::test]
async fn two_recordings_of_one_person_are_two_utterances_and_are_compared_when_replayed() {
    let (model, _ears, home, _process) = room("what is the capital of France?").await;
    model.next([Answer::says("It is Paris."), Answer::says("Still Paris.")]);
    let question = spoken(&home, "question.wav", "What is the capital of France?").await;
    let question = path(&question);
    let arguments = [
        "say",
        question,
        question,
        "--as",
        "Alice",
        "--as",
        "Alice",
        "--in-turn",
        "--silence",
        "2",
    ];
    let (code, out, err) = say(&home, &arguments).await;
    assert_eq!(code, Some(0), "{out}{err}");
    let places = |words: &str| -> Vec<usize> { out.match_indices(words).map(|(at, _)| at).collect() };
    let (speaks, heard) = (places("speaks   Alice"), places("heard    Alice"));
    assert_eq!((speaks.len(), heard.len()), (2, 2), "{out}");
    assert!(
        heard[0] < speaks[1],
        "the second is played when the first was heard: {out}"
    );
    assert!(
        out.contains("said     It is Paris.") && out.contains("said     Still Paris."),
        "{out}"
    );

    let recording = home.recording("newest.ndjson", None);
    let with = |setting: &str| {
        home.run(&["replay", path(&recording), "--set", setting])
            .succeeded()
    };
    assert_eq!(
        with("voice.replyDecisionLlm.attempts=2").trim(),
        "No decision would have differed."
    );
    let ears = "voice.sttPipeline.transcriptionModel";
    let untold =
        format!("{ears} acts before what was recorded: a replay cannot tell what it would have changed.");
    assert_eq!(with(&format!("{ears}=base")).trim(), untold);
    let both = home
        .run(&[
            "replay",
            path(&recording),
            "--set",
            &format!("{ears}=base"),
            "--set",
            "voice.replyDecisionLlm.attempts=2",
        ])
        .succeeded();
    assert_eq!(
        both.trim(),
        format!("By the other settings no decision would have differed.\n{untold}")
    );
    let off = with("voice.enabled=false");
    for told in [
        "2 messages would have come to something else",
        "Alice aloud in lounge: “what is the capital of France?”",
        "spoken: said",
        "silent: not_in_voice",
        "In the voice of rooms:",
    ] {
        assert!(off.contains(told), "{told} is not in:\n{off}");
    }
    let shut = with("voice.relaxGateWhenAlone=false");
    assert!(
        shut.contains("would have asked a model; what it would have said is not known"),
        "{shut}"
    );
    assert!(
        !shut.contains("model_failed") && !shut.contains("ask_failed"),
        "{shut}"
    );
}
