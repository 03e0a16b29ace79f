//! `denizen recording` and `denizen replay`: the same journal again, or what would have differed.

use std::path::Path;

use serde_json::json;

use crate::support::{Answer, Home, ModelServer, envelope, path};

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Replays every stretch; all that was printed.
fn replayed(home: &Home) -> Vec<String> {
    let mut printed = Vec::new();
    for recording in home.recordings() {
        let finished = home.run(&["replay", path(&recording)]);
        assert!(finished.err.contains("are the recorded ones"), "{finished:#?}");
        printed.extend(lines(&finished.succeeded()));
    }
    printed
}

#[tokio::test]
async fn a_replay_prints_the_journal_byte_for_byte() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    model.next([
        Answer::says("Wörter, \"quoted\" \\ and 🦀 all the same."),
        Answer::error(500, "down"),
        Answer::in_pieces([envelope("reply", "Typed.", "asked").as_str()]),
    ]);
    for text in [
        "Denizen, one?",
        "Nobody in particular, zwei.",
        "Denizen, three? 🎈",
    ] {
        let message = process.say("Alice", text).await;
        if text.starts_with("Denizen") {
            process.answer_to(&message).await;
        }
    }
    let printed = replayed(&home);
    assert_eq!(printed, process.journal_lines().await);
    assert!(printed.len() > 20, "there is something to compare: {printed:#?}");

    let served = process.text("/api/recording").await;
    let file = home.file("downloaded.ndjson");
    std::fs::write(&file, served).expect("the folder can be written to");
    let again = home.run(&["replay", path(&file)]).succeeded();
    assert_eq!(
        lines(&again),
        printed,
        "the page's download is the same recording"
    );
}

#[tokio::test]
async fn a_replay_is_the_same_over_restarts_and_changes_of_settings() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let mut process = home.start().await;
    let first = process.say("Alice", "Denizen, who are you?").await;
    process.answer_to(&first).await;
    process
        .change_settings(json!({"identity.name": "Hermes", "context.maxRelevantMessages": 0}))
        .await;
    let second = process.say("Bob", "Hermes, is that your name now?").await;
    process.answer_to(&second).await;
    assert!(process.terminate().await.success());
    // Saved while nobody runs: the next process starts with it.
    home.run(&["settings", "set", "identity.aliases", "Iris"])
        .succeeded();
    let mut process = home.start().await;
    let third = process.say("Carol", "Iris, and now?").await;
    process.answer_to(&third).await;
    process.kill();
    let process = home.start().await;
    process.change_settings(json!({"identity.name": null})).await;
    let fourth = process.say("Carol", "Denizen, once more.").await;
    process.answer_to(&fourth).await;

    let served = process.journal_lines().await;
    assert_eq!(replayed(&home), served);
    assert_eq!(home.recordings().len(), 3, "one stretch for each start");
    let changes = served
        .iter()
        .filter(|line| line.contains("\"settings_changed\""))
        .count();
    assert_eq!(changes, 2);
}

#[tokio::test]
async fn other_settings_show_which_decisions_would_have_differed() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let alice = process.say("Alice", "Denizen, may I?").await;
    process.answer_to(&alice).await;
    let bob = process.say("Bob", "Denizen, and I?").await;
    process.answer_to(&bob).await;
    let recording = home.recording("newest.ndjson", None);
    let with = |setting: &str| home.run(&["replay", path(&recording), "--set", setting]);

    let printed = with("permissions.replies.blockedUserIds=local:alice").succeeded();
    assert!(
        printed.starts_with("1 message would have come to something else"),
        "{printed}"
    );
    let rows: Vec<&str> = printed
        .lines()
        .skip_while(|line| !line.contains(&alice))
        .take(3)
        .collect();
    let [message, before, after] = rows[..] else {
        panic!("{alice} is not listed:\n{printed}");
    };
    assert!(message.contains("“Denizen, may I?”"), "{printed}");
    assert!(
        before.contains("reply to it alone") && before.contains("let in: forced"),
        "{printed}"
    );
    assert!(
        after.contains("silent: not_admitted") && after.contains("turned away: user_blocked"),
        "{printed}"
    );
    assert!(!printed.contains(&bob), "{printed}");

    let same = with("activity.maxRetries=1").succeeded();
    assert_eq!(same.trim(), "No decision would have differed.");
    let untold = with("llm.temperature=0.1").succeeded();
    assert_eq!(
        untold.trim(),
        "llm.temperature acts in what models are told and answer, and the recorded answers are taken: a replay cannot \
         tell what else they would have said."
    );
    let refusal = with("permissions.replies.blockedUserId=x").failed();
    assert!(
        refusal.contains("Did you mean permissions.replies.blockedUserIds"),
        "{refusal}"
    );
    assert!(with("llm.temperature").failed().contains("KEY=VALUE"));
    let refusal = with("llm.temperature=9").failed();
    assert!(
        refusal.contains("llm.temperature: 9") && refusal.contains("0 to 2"),
        "{refusal}"
    );
}

#[tokio::test]
async fn what_would_come_to_something_else_is_shown_first_in_the_words_that_were_written() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let chatter = process.say("Alice", "What a *long* day,\nfolks.").await;
    process.skipped(&chatter).await;
    let called = process.say("Alice", "Denizen, may I?").await;
    process.answer_to(&called).await;
    let recording = home.recording("newest.ndjson", None);
    let setting = "permissions.replies.blockedUserIds=local:alice";
    let finished = home.run(&["replay", path(&recording), "--set", setting]);
    let printed = &finished.out;
    let place = |words: &str| {
        let found = printed.find(words);
        found.unwrap_or_else(|| panic!("{words} is missing:\n{printed}"))
    };
    let order = [
        place("1 message would have come to something else, and 1 message to the same for another reason"),
        place("Alice in lounge: “Denizen, may I?”"),
        place(&called),
        place("silent: not_admitted"),
        place("The same, for another reason:"),
        place("Alice in lounge: “What a *long* day, folks.”"),
        place(&chatter),
        place("turned away: not_in_recent_window"),
    ];
    assert!(order.is_sorted(), "{order:?}\n{printed}");
    assert!(
        !printed.contains('\u{1b}') && finished.err.is_empty(),
        "no colour and no bar into pipes: {finished:?}"
    );
}

#[tokio::test]
async fn a_broken_recording_is_refused_by_its_line() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let message = process.say("Alice", "Denizen, record this.").await;
    process.answer_to(&message).await;
    let recording = home.recording("newest.ndjson", None);
    let text = std::fs::read_to_string(&recording).expect("the recording is text");
    let refusal_of = |text: &str| {
        let file = home.file("broken.ndjson");
        std::fs::write(&file, text).expect("the folder can be written to");
        let refusal = home.run(&["replay", path(&file)]).failed();
        assert!(refusal.contains(path(&file)), "{refusal}");
        refusal
    };
    let mut broken = lines(&text);
    let half = broken[2].len() / 2;
    broken[2].truncate(half);
    let refusal = refusal_of(&broken.join("\n"));
    assert!(
        refusal.contains("line 3 is not a line of a recording"),
        "{refusal}"
    );
    assert!(refusal.contains("denizen recording"), "{refusal}");
    let mut twice = lines(&text);
    twice.insert(1, twice[0].clone());
    assert!(refusal_of(&twice.join("\n")).contains("line 2"));
    let headless = lines(&text)[1..].join("\n");
    assert!(refusal_of(&headless).contains("header"));
    assert!(refusal_of("").contains("header"));
    let ours = format!("\"format\":{}", mind::snapshot::SCHEMA);
    let newer = text.replacen(&ours, "\"format\":99", 1);
    assert!(refusal_of(&newer).contains("format 99"));

    // A journal that was tampered with is told apart from the replayed one.
    let file = home.file("tampered.ndjson");
    std::fs::write(&file, text.replacen("\"allow\":true", "\"allow\":false", 1)).expect("written");
    let finished = home.run(&["replay", path(&file)]);
    assert_eq!(finished.code, Some(1), "{finished:#?}");
    assert!(
        finished.err.contains("differs from the recorded one at line"),
        "{finished:#?}"
    );

    let missing = home.run(&["replay", "/nowhere/at-all.ndjson"]).failed();
    assert!(missing.contains("/nowhere/at-all.ndjson"), "{missing}");
}

#[test]
fn a_recording_of_nothing_says_so() {
    let home = Home::new();
    home.run(&["settings", "list"]).succeeded();
    let refusal = home.run(&["recording"]).failed();
    assert!(refusal.contains("nothing was recorded"), "{refusal}");
    assert!(Path::new(&home.data()).exists());
}
