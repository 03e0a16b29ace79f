//! `denizen score`: videos in, a line of JSON for every frame out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Home, path};

/// Flat frames of these levels (of video: 16 is black, 235 white) at ten a second.
fn video(levels: &[u8]) -> Vec<u8> {
    let mut bytes = b"YUV4MPEG2 W128 H72 F10:1 C420jpeg\n".to_vec();
    for level in levels {
        bytes.extend(b"FRAME\n");
        bytes.extend([*level; 128 * 72]);
        bytes.extend([128; 2 * 64 * 36]);
    }
    bytes
}

fn write(home: &Home, name: &str, bytes: &[u8]) -> PathBuf {
    let file = home.file(name);
    fs::write(&file, bytes).expect("the folder can be written to");
    file
}

fn lines(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn emitted(lines: &[Value]) -> Vec<u64> {
    let emitted = lines.iter().filter(|line| line["emitted"] == true);
    emitted
        .map(|line| line["frame"].as_u64().expect("a number"))
        .collect()
}

#[test]
fn every_frame_has_a_line_and_two_a_second_are_emitted() {
    let home = Home::new();
    // Black, a flash in the seventh frame, then grey.
    let mut levels = [16; 20];
    levels[7] = 235;
    levels[15..].fill(50);
    let file = write(&home, "clip.y4m", &video(&levels));
    let finished = home.run(&["score", path(&file)]);
    let lines = lines(&finished.out);
    assert_eq!(lines.len(), 20);
    assert_eq!(emitted(&lines), [0, 5, 10, 15]);
    assert_eq!(
        finished.out.lines().next(),
        Some(r#"{"frame":0,"time":0.0,"score":0.0,"ema":0.0,"sceneCut":false,"emitted":true}"#)
    );
    assert_eq!(lines[12]["time"], 1.2);
    // The flash is held until a frame is emitted, though it is over by then.
    assert_eq!(
        (&lines[6]["score"], &lines[6]["sceneCut"]),
        (&0.0.into(), &false.into())
    );
    for held in &lines[7..=10] {
        assert_eq!((&held["score"], &held["sceneCut"]), (&1.0.into(), &true.into()));
    }
    assert_eq!(lines[10]["ema"], 0.35);
    assert_eq!(lines[11]["score"], 0.0);
    assert_eq!(lines[15]["score"], 0.156863, "from 0 to 40 of 255");
    assert!(finished.err.contains("20 frames up to 1.9 s"), "{}", finished.err);
    assert!(
        finished.err.contains("4 emitted, 1 with a scene cut"),
        "{}",
        finished.err
    );
    assert!(
        finished
            .err
            .contains("2 of 4 (50 %) at voice.streamWatch.changeThreshold (0.01)")
    );
    assert!(
        finished
            .err
            .contains("2 of 4 (50 %) below voice.streamWatch.staticFloor (0.005)")
    );
    assert!(!home.data().exists(), "nothing is kept of it");
}

#[test]
fn the_rate_comes_from_the_settings_unless_it_is_given() {
    let home = Home::new();
    let file = write(&home, "clip.y4m", &video(&[16; 20]));
    let score = |arguments: &[&str]| {
        let out = home
            .run(&[&["score", path(&file)], arguments].concat())
            .succeeded();
        emitted(&lines(&out))
    };
    assert_eq!(score(&["--fps", "1"]), [0, 10]);
    assert_eq!(score(&["--every"]).len(), 20);
    home.run(&[
        "settings",
        "set",
        "voice.streamWatch.nativeDiscordMaxFramesPerSecond",
        "5",
    ])
    .succeeded();
    assert_eq!(score(&[]), [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
}

#[test]
fn an_address_of_a_file_is_a_file() {
    let home = Home::new();
    let file = write(&home, "my clip.y4m", &video(&[16; 3]));
    let address = format!("file://{}", path(&file)).replace(' ', "%20");
    let out = home.run(&["score", &address]).succeeded();
    assert_eq!(lines(&out).len(), 3);
    let error = home.run(&["score", "https://example.org/a.mp4"]).failed();
    assert!(error.contains("download it first"), "{error}");
}

#[test]
fn what_cannot_be_played_is_named_and_the_remedy_too() {
    let home = Home::new().with_env("PATH", "/nowhere");
    let error = home.run(&["score", "gone.mp4"]).failed();
    assert!(error.contains("gone.mp4: No such file"), "{error}");
    let unknown = write(&home, "clip.mkv", b"whatever");
    let error = home.run(&["score", path(&unknown)]).failed();
    assert!(error.contains("clip.mkv needs ffmpeg"), "{error}");
    assert!(error.contains("apt-get install ffmpeg"), "{error}");
    let mut cut = video(&[16; 3]);
    cut.truncate(cut.len() - 5);
    let cut = write(&home, "cut.y4m", &cut);
    let finished = home.run(&["score", path(&cut)]);
    assert_eq!(lines(&finished.out).len(), 2, "what came before is printed");
    let error = finished.failed();
    assert!(error.contains("frame 2 is cut short"), "{error}");
}

#[test]
fn other_videos_come_through_ffmpeg() {
    let home = Home::new();
    // A program of that name which gives a video, whatever it is asked, and remembers what it was asked.
    let pictures = write(&home, "pictures.y4m", &video(&[16, 235, 16]));
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\nexec cat '{}'\n",
        path(&home.file("asked")),
        path(&pictures)
    );
    let bin = home.file("bin");
    fs::create_dir(&bin).expect("a folder");
    fs::write(bin.join("ffmpeg"), script).expect("a program");
    fs::set_permissions(bin.join("ffmpeg"), fs::Permissions::from_mode(0o755)).expect("it can be run");
    let home = home.with_env("PATH", &format!("{}:/usr/bin:/bin", path(&bin)));
    let file = write(&home, "-clip.webm", b"not looked at");
    let out = home.run(&["score", path(&file), "--every"]).succeeded();
    assert_eq!(lines(&out).len(), 3);
    assert_eq!(lines(&out)[1]["sceneCut"], true);
    let asked = fs::read_to_string(home.file("asked")).expect("it was asked");
    assert!(asked.contains(&format!("-i\nfile:{}\n", path(&file))), "{asked}");
    assert!(asked.contains("yuv4mpegpipe"), "{asked}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let home = Home::new();
    let file = write(&home, "clip.y4m", &video(&[16; 400]));
    let mut child = home
        .command(&["score", path(&file), "--every"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
