use super::*;

#[test]
fn what_fits_is_shown_whole() {
    assert_eq!(window("short", 0, 100), "short");
    assert_eq!(window("", 0, 100), "");
}

#[test]
fn a_long_text_can_be_read_on_to_its_end_without_a_gap() {
    let text: String = (0..2_000).map(|number| format!("wörd{number} ")).collect();
    let text = text.trim();
    let (mut from, mut read) = (0, String::new());
    loop {
        let shown = window(text, from, 1_000);
        assert!(shown.chars().count() <= 1_000, "{}", shown.chars().count());
        let Some((part, note)) = shown.split_once("\n[cut: ") else {
            read.push_str(&shown);
            break;
        };
        let next: usize = note
            .split("from=")
            .nth(1)
            .and_then(|rest| rest.trim_end_matches(']').parse().ok())
            .expect("where to read on");
        let left: usize = note
            .split(' ')
            .next()
            .and_then(|left| left.parse().ok())
            .expect("how much");
        assert_eq!(next + left, text.chars().count());
        assert!(next > from);
        read.push_str(part);
        from = next;
    }
    assert_eq!(read, text);
}

#[test]
fn past_the_end_there_is_nothing() {
    assert_eq!(window("abc", 3, 100), "[nothing more: the text has 3 characters]");
}
