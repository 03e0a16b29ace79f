use super::likeness::Gist;

#[test]
fn a_slip_of_the_reader_does_not_make_a_line_new() {
    for (left, right) in [
        ("Build failed: 3 errors", "Build failed: 3 errors"),
        ("Build failed: 3 errors", "Bui1d failed : 3 errors"),
        ("BUILD FAILED", "build failed"),
        ("Duke Fishron", "Duke Fishron."),
        ("THE TITLE", "THE T1TLE"),
        ("Settings", "Setting"),
        ("", ""),
    ] {
        assert!(Gist::of(left).is_like(&Gist::of(right)), "{left} / {right}");
    }
}

#[test]
fn other_words_are_other_lines() {
    for (left, right) in [
        ("Build failed: 3 errors", "Build succeeded"),
        ("main.rs", "lib.rs"),
        ("cats", "cars"),
        ("THE TITLE", "THE T1T1E"),
        ("main.rs", ""),
        ("ab", "cd"),
    ] {
        assert!(!Gist::of(left).is_like(&Gist::of(right)), "{left} / {right}");
    }
}

#[test]
fn a_line_is_found_in_a_note_that_quotes_it() {
    let note = Gist::of("Text on the screen: “Build failed: 3 errors” (top), “main.rs”.");
    assert!(Gist::of("build failed:  3 errors").is_in(&note));
    assert!(!Gist::of("lib.rs").is_in(&note));
    assert!(
        !Gist::of("…").is_in(&note),
        "nothing stands everywhere, and says nothing"
    );
}
