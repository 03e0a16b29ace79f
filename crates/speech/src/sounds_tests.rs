//! Whatever lies in a folder of sounds, the rest of it can be played.

use std::path::Path;

use super::*;

fn second() -> Vec<u8> {
    audio::wav::write(&vec![1_000; 48_000], 48_000)
}

/// Puts something into a folder.
fn put(folder: &Path, name: &str, bytes: &[u8]) {
    std::fs::write(folder.join(name), bytes).expect("written");
}

#[test]
fn what_cannot_be_played_is_named_with_what_to_do_and_the_rest_can_be() {
    let (folder, elsewhere) = (
        tempfile::tempdir().expect("a folder"),
        tempfile::tempdir().expect("a folder"),
    );
    let at = folder.path();
    for good in ["gong.wav", "Drum Roll_2.WAV", "été.wav"] {
        put(at, good, &second());
    }
    put(elsewhere.path(), "secret.wav", &second());
    std::os::unix::fs::symlink(at.join("gong.wav"), at.join("linked.wav")).expect("a link");
    std::os::unix::fs::symlink(elsewhere.path().join("secret.wav"), at.join("out.wav")).expect("a link");
    std::os::unix::fs::symlink(at.join("nothing.wav"), at.join("dangling.wav")).expect("a link");
    std::fs::create_dir(at.join("folder.wav")).expect("a folder");
    put(at, "broken.wav", b"no sound at all");
    put(at, "empty.wav", &audio::wav::write(&[], 48_000));
    put(at, "GONG.wav", &second());
    put(at, "huge.wav", &vec![0; BYTES_MAX as usize + 1]);
    put(at, "long.wav", &audio::wav::write(&vec![1; 48_000 * 11], 48_000));
    put(at, "odd]] name.wav", &second());
    put(at, " led by a space.wav", &second());
    put(at, "song.mp3", b"ID3");
    put(at, ".hidden.wav", b"");
    put(at, "licence.txt", b"all free");
    let found = sounds_in(at);
    assert_eq!(found.names, ["Drum Roll_2", "GONG", "linked", "été"]);
    let expected = [
        (" led by a space.wav", "Rename it"),
        ("broken.wav", "not a WAV file"),
        ("dangling.wav", "cannot be read"),
        ("empty.wav", "no sound in it"),
        ("folder.wav", "no file"),
        ("gong.wav", "the name of another sound"),
        ("huge.wav", "larger than 16 MiB"),
        ("long.wav", "at most 10 seconds. `ffmpeg"),
        ("odd]] name.wav", "Rename it"),
        ("out.wav", "a link out of the folder"),
        ("song.mp3", "`ffmpeg -i 'song.mp3' -t 10 'song.wav'`"),
    ];
    assert_eq!(found.problems.len(), expected.len(), "{:#?}", found.problems);
    for ((file, why), problem) in expected.iter().zip(&found.problems) {
        assert!(problem.starts_with(file) && problem.contains(why), "{problem}");
    }
}

#[test]
fn a_folder_that_cannot_be_read_is_a_problem_and_none_is_not() {
    assert_eq!(sounds_in(Path::new("")), SoundFolder::default());
    let found = sounds_in(Path::new("/no/such/folder"));
    assert!(found.names.is_empty());
    assert!(found.problems[0].contains("voice.soundsPath"), "{found:?}");
}

#[test]
fn of_many_those_that_models_are_told_of_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 10..40 {
        put(folder.path(), &format!("sound {number}.wav"), &second());
    }
    let found = sounds_in(folder.path());
    assert_eq!(found.names.len(), NAMES_MAX);
    assert_eq!(
        found.problems,
        ["6 more are left out: models are told of the first 24 by name"]
    );
}

#[test]
fn a_file_that_was_mended_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let shelf = SoundShelf::default();
    put(folder.path(), "gong.wav", b"not yet");
    assert!(shelf.names(folder.path()).is_empty());
    put(folder.path(), "gong.wav", &second());
    assert_eq!(shelf.names(folder.path()), ["gong"]);
}

#[test]
fn a_sound_is_read_by_its_name_and_nothing_else_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "gong.WAV", &second());
    put(at, "long.wav", &audio::wav::write(&vec![1; 48_000 * 11], 48_000));
    put(at, "broken.wav", b"no sound at all");
    std::os::unix::fs::symlink("/etc/hostname", at.join("out.wav")).expect("a link");
    assert_eq!(read(at, "gong").expect("a sound").len(), 50);
    for (name, why) in [
        ("../gong", "no name of a sound"),
        ("bell", "there is no sound “bell”"),
        ("long", "at most 10 seconds"),
        ("broken", "not a WAV file"),
        ("out", "a link out of the folder"),
    ] {
        let fault = read(at, name).expect_err("not played");
        assert!(fault.contains(why), "{name}: {fault}");
    }
    let fault = read(Path::new(""), "gong").expect_err("no folder");
    assert!(fault.contains("voice.soundsPath"), "{fault}");
}
