use super::*;

#[test]
fn every_kind_of_character_that_nobody_sees_is_known() {
    let hidden = [
        '\u{ad}',
        '\u{34f}',
        '\u{61c}',
        '\u{115f}',
        '\u{180e}',
        '\u{200b}',
        '\u{200d}',
        '\u{200f}',
        '\u{202e}',
        '\u{2028}',
        '\u{2060}',
        '\u{2066}',
        '\u{2069}',
        '\u{206f}',
        '\u{2800}',
        '\u{3164}',
        '\u{e000}',
        '\u{fe00}',
        '\u{fe0f}',
        '\u{feff}',
        '\u{ffa0}',
        '\u{fff9}',
        '\u{1d173}',
        '\u{e0001}',
        '\u{e0041}',
        '\u{e007f}',
        '\u{e0100}',
        '\u{e01ef}',
        '\u{e0fff}',
        '\u{f0000}',
        '\u{10fffd}',
    ];
    for letter in hidden {
        assert!(is_invisible(letter), "U+{:04X} is invisible", u32::from(letter));
        assert!(!is_plain(letter), "U+{:04X} is not plain", u32::from(letter));
    }
}

#[test]
fn what_people_write_with_is_seen() {
    for letter in "aZ0 .,—…äßé漢字かなعरि🎈❤🇩‹›⟦|".chars() {
        assert!(!is_invisible(letter), "U+{:04X} is seen", u32::from(letter));
    }
}

#[test]
fn joiners_are_invisible_and_told_apart() {
    for letter in ['\u{200c}', '\u{200d}', '\u{fe0e}', '\u{fe0f}'] {
        assert!(is_joiner(letter) && is_invisible(letter));
    }
    assert!(!is_joiner('\u{200b}'));
}

#[test]
fn a_line_is_plain_and_no_longer_than_asked_for() {
    assert_eq!(
        plain_line(" one\r\n\ttwo\u{200b}\u{e0041}  three\u{1b}[1m ", 40),
        "one two three[1m"
    );
    assert_eq!(plain_line("one two three", 8), "one two…");
    assert_eq!(plain_line("one two", 7), "one two");
    assert_eq!(plain_line("\u{200b}\n", 7), "");
    assert_eq!(shortened("abcdef", 3), "ab…");
}

#[test]
fn marks_of_model_servers_lose_their_meaning_and_code_stays_code() {
    use super::without_marks;
    for mark in [
        "<|im_start|>",
        "<\u{200b}|im_end|>",
        "<｜User｜>",
        "</s>",
        "<s>",
        "[INST]",
        "[/inst]",
        "<start_of_turn>",
        "<tool_call>",
        "</TOOL_CALL>",
        "[TOOL_CALLS]",
        "<<SYS>>",
        "<bos>",
        "<think>",
        "</think>",
        "</ THINK >",
        "<\u{200b}think>",
        "<thinking>",
        "</thinking>",
        "<think effort=\"high\">",
        "<thought>",
        "<reasoning>",
        "<scratchpad>",
        "<seed:think>",
        "[THINK]",
        "[/THINK]",
        "◁think▷",
        "◁/think▷",
    ] {
        let plain = without_marks(&format!("a {mark} b"));
        assert!(!plain.contains(mark), "{plain}");
        assert_eq!(plain.chars().count(), mark.chars().count() + 4);
    }
    for code in [
        "if a < b && c<d then f <| x <b>bold</b> [SKIP] [1] ❤\u{fe0f}",
        "Vec<Option<T>> <ThinkPad> <thinkable> a<thinks [thinking] ◁ ▷ i think > you <- thinking",
        "<div class=\"think\"> </div> think() { return x < thinking_time; }",
    ] {
        assert_eq!(without_marks(code), code);
    }
    let quoted = "`<think>` hides what `Foo<Thought>` is";
    assert_eq!(without_marks(quoted), "`‹think>` hides what `Foo‹Thought>` is");
}

#[test]
fn advice_is_cut_between_two_words() {
    let advice = "The server is gone. Start it again, or choose another";
    assert_eq!(plain_words(advice, 100), advice);
    assert_eq!(plain_words(advice, advice.len()), advice);
    assert_eq!(plain_words(advice, 40), "The server is gone. Start it again, or…");
    assert_eq!(plain_words(advice, 38), "The server is gone. Start it again…");
    assert_eq!(plain_words(advice, 30), "The server is gone. Start it…");
    assert_eq!(plain_words("one\nline", 9), "one line");
    assert_eq!(
        plain_words("Donaudampfschifffahrtsgesellschaft", 10),
        "Donaudamp…"
    );
}
