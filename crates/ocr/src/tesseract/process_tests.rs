//! The program's handling, with a script that speaks as the real one does.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use runtime::ports::{TextReader, Undecodable};
use tempfile::TempDir;
use tokio::sync::Semaphore;
use vocabulary::PictureKind;

use super::Tesseract;
use super::process::Run;

/// A program of this script, in a folder of its own.
fn program(script: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tesseract");
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it may be run");
    (folder, file)
}

async fn output(program: &Path, input: &[u8]) -> Result<String, String> {
    let turn = Arc::new(Semaphore::new(1));
    let permit = turn.clone().acquire_owned().await.expect("open");
    let run = Run::start(program, &["a", "b c"], input.to_vec(), permit)?;
    let output = run.output().await;
    assert_eq!(turn.available_permits(), 1, "the turn is given back");
    output
}

fn picture() -> Bytes {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens/game.jpg");
    Bytes::from(fs::read(file).expect("the picture"))
}

#[tokio::test]
async fn a_program_is_fed_and_heard() {
    let (_folder, program) = program(r#"echo "$#:$1:$2"; wc -c"#);
    // More than fits into a pipe.
    let said = output(&program, &[b'x'; 300_000]).await.expect("an output");
    let words: Vec<&str> = said.split_whitespace().collect();
    assert_eq!(words, ["2:a:b", "c", "300000"]);
}

#[tokio::test]
async fn a_program_that_does_not_listen_is_heard_all_the_same() {
    let (_folder, program) = program("exec <&-; echo done");
    assert_eq!(output(&program, &[b'x'; 300_000]).await.as_deref(), Ok("done\n"));
}

#[tokio::test]
async fn a_failure_is_told_in_its_own_words_shortened() {
    let (_folder, program) =
        program("cat >/dev/null; echo 'Error opening data file eng.traineddata' >&2; exit 3");
    let problem = output(&program, b"x").await.expect_err("it fails");
    assert!(
        problem.contains("failed") && problem.contains('3') && problem.contains("eng.traineddata"),
        "{problem}"
    );
    let (_folder, program) = self::program("yes complaint | head -c 3000000 >&2; exit 1");
    let problem = output(&program, b"x").await.expect_err("it fails");
    assert!(problem.len() < 300, "{problem}");
}

#[tokio::test]
async fn endless_talk_and_what_is_no_text_are_refused() {
    let (_folder, program) = program("exec yes");
    let problem = output(&program, b"x").await.expect_err("it is ended");
    assert_eq!(problem, "it does not stop talking");
    let (_folder, program) = self::program(r"printf '\377\376'");
    assert!(output(&program, b"x").await.is_err());
}

#[tokio::test]
async fn a_program_that_is_not_there_is_said_with_the_remedy() {
    let problem = output(Path::new("/nonexistent/tesseract"), b"x")
        .await
        .expect_err("it is not there");
    assert!(
        problem.contains("/nonexistent/tesseract") && problem.contains("Install tesseract"),
        "{problem}"
    );
}

#[tokio::test]
async fn whoever_stops_waiting_ends_the_program() {
    let (folder, program) = program(r#"echo $$ > "$(dirname "$0")/pid"; exec sleep 600"#);
    let turn = Arc::new(Semaphore::new(1));
    let permit = turn.clone().acquire_owned().await.expect("open");
    let run = Run::start(&program, &[], Vec::new(), permit).expect("it starts");
    let pid = folder.path().join("pid");
    while fs::read_to_string(&pid).map_or(true, |text| text.trim().is_empty()) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(run);
    // The turn comes back when the program is over, and not before.
    let _permit = turn.acquire().await.expect("open");
    let process = PathBuf::from("/proc").join(fs::read_to_string(&pid).expect("a number").trim());
    assert!(
        !process.exists() || !Path::new("/proc/self").exists(),
        "it still runs"
    );
}

#[tokio::test]
async fn the_reader_gives_a_grey_page_and_reads_the_table() {
    let script = r#"head -c 15 > "$(dirname "$0")/head"; cat >/dev/null; echo "$@" > "$(dirname "$0")/arguments"
printf 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n'
printf '5\t1\t1\t1\t1\t1\t192\t108\t960\t54\t93.1\tDuke\n5\t1\t1\t1\t1\t2\t1200\t108\t100\t54\t91\tFishron\n'"#;
    let (folder, program) = program(script);
    let reader = Tesseract::at(&program);
    let lines = reader.read(PictureKind::Jpeg, picture()).await.expect("lines");
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].text, "Duke Fishron");
    assert!((lines[0].left - 0.1).abs() < 0.001 && (lines[0].top - 0.1).abs() < 0.001);
    let said = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it was written");
    assert_eq!(said("head"), "P5\n1920 1080\n25", "twice the size of the picture");
    assert!(said("arguments").contains("stdin stdout") && said("arguments").contains("tsv"));
}

#[tokio::test]
async fn pictures_are_read_one_at_a_time() {
    let script =
        r#"cat >/dev/null; cd "$(dirname "$0")"; mkdir busy || echo twice >> clash; sleep 0.05; rmdir busy"#;
    let (folder, program) = program(script);
    let reader = Tesseract::at(&program);
    let read = || reader.read(PictureKind::Jpeg, picture());
    let (one, two, three) = tokio::join!(read(), read(), read());
    for outcome in [one, two, three] {
        assert_eq!(outcome.expect("no lines"), Vec::new());
    }
    assert!(!folder.path().join("clash").exists());
}

#[tokio::test]
async fn a_broken_picture_never_reaches_the_program() {
    let (folder, program) = program(r#"touch "$(dirname "$0")/started""#);
    let reader = Tesseract::at(&program);
    let broken = reader.read(PictureKind::Png, picture()).await;
    assert!(matches!(broken, Err(Undecodable(_))));
    assert!(!folder.path().join("started").exists());
}
