use super::heard_of;

#[test]
fn a_word_that_was_cut_was_not_heard() {
    let table = [
        (0, ""),
        (3, ""),
        (5, "Hello"),
        (6, "Hello"),
        (8, "Hello"),
        (11, "Hello there"),
        (99, "Hello there"),
    ];
    for (characters, heard) in table {
        assert_eq!(heard_of("Hello there", characters), heard, "{characters}");
    }
    // Where no space parts words, it is cut at the letter.
    assert_eq!(heard_of("そうです", 2), "そう");
}
