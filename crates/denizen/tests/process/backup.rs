//! Back-ups: made while it runs, checked, and gone on from after everything was lost.

use std::os::unix::fs::PermissionsExt;

use crate::support::{Answer, Home, ModelServer, path};

#[tokio::test]
async fn what_was_backed_up_while_it_ran_is_gone_on_from_after_everything_is_lost() {
    let model = ModelServer::start().await;
    model.next([Answer::says("At eight."), Answer::says("At nine.")]);
    let home = Home::quick(&model);
    let mut process = home.start().await;
    let first = process.say("Alice", "Denizen, when do we meet on Friday?").await;
    assert_eq!(process.answer_to(&first).await, "At eight.");
    std::fs::write(home.data().join("keys.toml"), "# none yet\n").expect("the folder is ours");
    let folder = home.file("backup");
    let told = home.run(&["backup", "--out", path(&folder)]).succeeded();
    assert!(told.contains("keep them as safe as the data folder"), "{told}");
    let mode = std::fs::metadata(folder.join("denizen.db")).expect("it is there");
    assert_eq!(mode.permissions().mode() & 0o077, 0, "nobody else reads it");
    let lost = process.say("Alice", "This comes after the back-up.").await;
    process.kill();
    std::fs::remove_dir_all(home.data()).expect("it is gone");

    let told = home.run(&["restore", "--from", path(&folder)]).succeeded();
    assert!(told.contains("goes on from there"), "{told}");
    let process = home.start().await;
    let ids: Vec<String> = process
        .messages()
        .await
        .iter()
        .map(|message| message["id"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert!(ids.contains(&first) && !ids.contains(&lost), "{ids:?}");
    assert_eq!(process.said().await, ["At eight."], "nothing is answered again");
    let next = process.say("Alice", "Denizen, and then? And on Saturday?").await;
    assert_eq!(process.answer_to(&next).await, "At nine.");
    let prompt = model.asked().last().expect("it was asked").body.clone();
    assert!(
        prompt.contains("when do we meet on Friday?"),
        "it remembers the conversation"
    );
    assert!(home.data().join("keys.toml").exists());
}

#[tokio::test]
async fn nothing_is_overwritten_and_a_folder_in_use_is_refused() {
    let home = Home::new();
    let mut process = home.start().await;
    process.say("Alice", "Good evening.").await;
    let folder = home.file("backup");
    home.run(&["backup", "--out", path(&folder)]).succeeded();
    let well = home.run(&["doctor"]).out;
    assert!(well.contains("ok") && well.contains("back-up"), "{well}");
    let again = home.run(&["backup", "--out", path(&folder)]).failed();
    assert!(again.contains("is there already"), "{again}");
    let running = home
        .run(&["restore", "--from", path(&folder), "--replace"])
        .failed();
    assert!(running.contains("in use"), "{running}");
    assert_eq!(process.messages().await.len(), 1, "it was left alone");
    assert!(process.terminate().await.success());
    let old = r#"{"at": 1763000000000, "folder": "/backups/old"}"#;
    std::fs::write(home.data().join("last-backup.json"), old).expect("it is ours");
    let told = home.run(&["doctor"]).out;
    assert!(
        told.contains("days old") && told.contains("denizen backup --out"),
        "{told}"
    );
    let there = home.run(&["restore", "--from", path(&folder)]).failed();
    assert!(
        there.contains("--replace") && there.contains("denizen.db"),
        "{there}"
    );
    let told = home
        .run(&["restore", "--from", path(&folder), "--replace"])
        .succeeded();
    assert!(told.contains("before-restore-"), "{told}");
    let process = home.start().await;
    assert_eq!(process.messages().await.len(), 1);
}

#[tokio::test]
async fn a_damaged_back_up_is_refused_before_anything_is_touched() {
    let home = Home::new();
    let mut process = home.start().await;
    process.say("Alice", "Good evening.").await;
    assert!(process.terminate().await.success());
    let folder = home.file("backup");
    home.run(&["backup", "--out", path(&folder)]).succeeded();
    let copy = folder.join("denizen.db");
    let whole = std::fs::read(&copy).expect("it is there");
    std::fs::write(&copy, &whole[..whole.len() / 2]).expect("it is ours");
    let short = home
        .run(&["restore", "--from", path(&folder), "--replace"])
        .failed();
    assert!(
        short.contains("damaged") && short.contains("denizen.db"),
        "{short}"
    );
    let mut wounded = whole;
    let middle = wounded.len() / 2;
    wounded[middle..middle + 4_096].fill(0x5a);
    std::fs::write(&copy, &wounded).expect("it is ours");
    let broken = home.run(&["restore", "--from", path(&folder), "--replace"]);
    assert_eq!(broken.code, Some(1), "{broken:?}");
    let no_back_up = home.run(&["restore", "--from", path(&home.data())]).failed();
    assert!(no_back_up.contains("is no back-up"), "{no_back_up}");
    let process = home.start().await;
    assert_eq!(process.messages().await.len(), 1, "the folder is as it was");
}
