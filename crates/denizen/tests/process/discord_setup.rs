//! `denizen setup discord` and what `denizen doctor` says of Discord.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use discord_double::{Double, DoubleOptions};
use serde_json::json;

use crate::support::{Finished, Home};

async fn double() -> Double {
    let double = Double::start(DoubleOptions::default())
        .await
        .expect("a free port");
    let made = double.control("user", json!({"name": "denizen", "bot": true}));
    made.expect("an account");
    double
}

fn home(double: &Double) -> Home {
    Home::new().with_env("DENIZEN_DISCORD_API", &double.api())
}

/// Runs a command that is told something on its standard input.
fn told(home: &Home, arguments: &[&str], input: &str) -> Finished {
    let mut child = home
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("it listens");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    Finished {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("its output is text"),
        err: String::from_utf8(output.stderr).expect("its errors are text"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_checked_and_kept_and_the_next_steps_are_told() {
    let double = double().await;
    let home = home(&double);
    let out = told(&home, &["setup", "discord"], "bot:denizen\n").succeeded();
    assert!(out.contains("The token is good"), "{out}");
    assert!(
        out.contains("https://discord.com/oauth2/authorize?client_id="),
        "{out}"
    );
    assert!(out.contains("denizen run --data"), "{out}");
    assert!(out.contains("It is in the server Guild 1."), "{out}");
    assert!(!out.contains("bot:denizen"), "{out}");
    let file = home.data().join("discord-token");
    let mode = std::fs::metadata(&file).expect("it is kept").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // From now on it is there.
    let out = home.run(&["setup", "discord"]).succeeded();
    assert!(out.contains("discord-token"), "{out}");
    let doctor = home.run(&["doctor"]).out;
    for line in ["discord intents", "discord gateway", "discord servers"] {
        assert!(doctor.contains(line), "{doctor}");
    }
    assert!(
        doctor.contains("1: Guild 1") && !doctor.contains("bot:denizen"),
        "{doctor}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn it_starts_by_itself_where_that_is_wanted_and_says_what_a_running_one_needs() {
    let double = double().await;
    let home = home(&double).with_env("DENIZEN_PORT", "0");
    let arguments = ["setup", "discord", "--start"];
    let mut child = home
        .command(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(b"bot:denizen\n").expect("it listens");
    drop(pipe);
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut told = lines.by_ref().map(|line| line.expect("its output is text"));
    assert!(told.any(|line| line.contains("Starting.")));
    assert!(told.any(|line| line.contains("is in the room: ")));
    assert!(told.any(|line| line.contains("Discord: on, by the token of")));
    // Another token is kept, and whoever gives it hears that it is not in use yet.
    let out = self::told(&home, &["setup", "discord", "--again"], "bot:denizen\n").succeeded();
    assert!(
        out.contains(&format!("(process {})", child.id())) && out.contains("stop it and start it again"),
        "{out}"
    );
    child.kill().expect("it is ours");
    child.wait().expect("it ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_told_with_what_to_do() {
    let double = double().await;
    let home = home(&double);
    let nothing = home.run(&["setup", "discord"]).failed();
    assert!(nothing.contains("DENIZEN_DISCORD_TOKEN"), "{nothing}");
    let wrong = told(&home, &["setup", "discord"], "no token at all\n").failed();
    assert!(
        wrong.contains("developer portal") && !wrong.contains("no token at all"),
        "{wrong}"
    );
    assert!(
        !home.data().join("discord-token").exists(),
        "what is not good is not kept"
    );
    let off = home.run(&["doctor"]).out;
    assert!(off.contains("denizen setup discord"), "{off}");
    let home = home.with_env("DISCORD_TOKEN", "bot:denizen");
    let intents = double.control("user", json!({"name": "denizen", "privileged": false}));
    intents.expect("it is known");
    let finished = home.run(&["setup", "discord"]);
    assert_eq!(finished.code, Some(1), "{finished:#?}");
    assert!(
        finished.out.contains("switch on Message Content Intent"),
        "{finished:#?}"
    );
    let doctor = home.run(&["doctor"]);
    assert!(
        doctor.out.contains("not switched on: Message Content Intent"),
        "{doctor:#?}"
    );
    assert_eq!(doctor.code, Some(1));
    // Nobody is there.
    let home = home.with_env("DENIZEN_DISCORD_API", "http://127.0.0.1:9/api/v10");
    let unreachable = home.run(&["setup", "discord"]).failed();
    assert!(unreachable.contains("cannot be reached"), "{unreachable}");
}

#[test]
fn nobody_names_a_community_as_those_of_discord_are_named() {
    let home = Home::new();
    let refused = home.run(&["community", "add", "discord-42"]).failed();
    assert!(refused.contains("come by themselves"), "{refused}");
}
