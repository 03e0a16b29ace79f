use super::*;

fn whole(pieces: &[&str]) -> String {
    let mut filter = ThinkFilter::default();
    let mut text: String = pieces.iter().map(|piece| filter.push(piece)).collect();
    text.push_str(&filter.finish());
    text
}

#[test]
fn a_block_is_dropped_wherever_it_is_cut() {
    let answer = "<think>hm, 2 < 3\n</think>\n\nHello \n<think>again</think>you.";
    for cut in (0..answer.len()).filter(|cut| answer.is_char_boundary(*cut)) {
        assert_eq!(
            whole(&[&answer[..cut], &answer[cut..]]),
            "Hello \nyou.",
            "cut at {cut}"
        );
    }
    let letters: Vec<&str> = answer.split_inclusive(|_| true).collect();
    assert_eq!(whole(&letters), "Hello \nyou.");
}

#[test]
fn text_without_a_block_passes_unchanged() {
    assert_eq!(
        whole(&[" a < b, <th", "ink hard> and <b>bold</b> <"]),
        " a < b, <think hard> and <b>bold</b> <"
    );
}

#[test]
fn text_comes_at_once_when_no_tag_can_begin_in_it() {
    let mut filter = ThinkFilter::default();
    assert_eq!(filter.push("Hello"), "Hello");
    assert_eq!(filter.push(" there <"), " there ");
    assert_eq!(filter.push("3"), "<3");
}

#[test]
fn a_block_that_never_ends_is_all_reasoning() {
    assert_eq!(whole(&["<thinking>so much", " to say"]), "");
}

#[test]
fn talk_about_tags_is_no_thought() {
    for answer in [
        "It is the tag <think> that Qwen writes; </think> ends it.",
        "Write it so:\n<think>\nand close it later.",
        "<b>bold</b>, then <thinking> and no more",
    ] {
        let letters: Vec<&str> = answer.split_inclusive(|_| true).collect();
        assert_eq!(whole(&letters), answer);
        assert_eq!(whole(&[answer]), answer);
    }
}

#[test]
fn thoughts_without_a_beginning_end_where_the_answer_begins() {
    assert_eq!(
        after_thoughts("So he asks…\nYes.\n</think>\n\nHello."),
        Some("Hello.")
    );
    assert_eq!(after_thoughts("The tag </think> ends it."), None);
    assert_eq!(after_thoughts("Write\n</think>\n"), None);
}
