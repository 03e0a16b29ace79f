use super::{without_tool_marks, without_tool_marks_so_far};

#[test]
fn tags_around_no_tool_are_no_words() {
    for (written, words) in [
        ("<tools></tools>\nIt leaves at 17:42.", "\nIt leaves at 17:42."),
        ("<tools>\n</tools>", ""),
        ("It leaves at 17:42.<tools>[]</tools>", "It leaves at 17:42."),
        (
            "<tool_call>{\"name\": \"launch_rocket\"}</tool_call> Fine.",
            " Fine.",
        ),
        ("<tools>", ""),
        ("Yes.<tool_response></tool_response><tools></tools>", "Yes."),
        ("No tag at all: 1 < 2.", "No tag at all: 1 < 2."),
    ] {
        assert_eq!(without_tool_marks(written), words, "{written}");
    }
}

#[test]
fn whoever_writes_about_them_keeps_them() {
    for words in [
        "Qwen writes `<tools></tools>` when it means none.",
        "```\n<tools></tools>\n```",
        "Put <tools>a list of them</tools> there.",
    ] {
        assert_eq!(without_tool_marks(words), words);
    }
}

#[test]
fn nothing_of_a_tag_is_shown_while_it_is_written() {
    let written = "Yes. <tools></tools>";
    for end in 0..=written.len() {
        let shown = without_tool_marks_so_far(&written[..end]);
        assert!("Yes. ".starts_with(&shown), "{shown:?} of {:?}", &written[..end]);
    }
    assert_eq!(without_tool_marks_so_far("1 < 2 and <b>"), "1 < 2 and <b>");
}
