use super::*;

fn whole(pieces: &[&str]) -> String {
    let mut filter = ThinkFilter::default();
    let mut text: String = pieces.iter().map(|piece| filter.push(piece)).collect();
    text.push_str(&filter.finish());
    text
}

#[test]
fn a_block_is_dropped_wherever_it_is_cut() {
    let answer = "<think>hm, 2 < 3\n</think>\n\nHello <think>again</think>you.";
    for cut in (0..answer.len()).filter(|cut| answer.is_char_boundary(*cut)) {
        assert_eq!(
            whole(&[&answer[..cut], &answer[cut..]]),
            "Hello you.",
            "cut at {cut}"
        );
    }
    let letters: Vec<&str> = answer.split_inclusive(|_| true).collect();
    assert_eq!(whole(&letters), "Hello you.");
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
