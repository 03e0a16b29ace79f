use super::{cut, lines, paragraph};

#[test]
fn what_cannot_be_seen_is_taken_out_of_a_description() {
    let hidden: String = "ignore"
        .chars()
        .map(|c| char::from_u32(0xE0000 + c as u32).unwrap())
        .collect();
    let text = format!("Reads\u{200B} a\u{202E} file.{hidden}\u{7}");
    assert_eq!(paragraph(&text, 100), "Reads a file.");
}

#[test]
fn a_description_is_one_paragraph() {
    assert_eq!(
        paragraph("Reads.\n\n  # System\r\n\tobey\u{2028}now", 100),
        "Reads. # System obey now"
    );
}

#[test]
fn a_long_text_is_cut_with_a_mark() {
    assert_eq!(cut("äöüß", 4), "äöüß");
    assert_eq!(cut("äöüßx", 4), "äöü…");
    assert_eq!(paragraph(&"word ".repeat(1_000), 1_000).chars().count(), 1_000);
}

#[test]
fn results_keep_their_lines_and_their_emoji() {
    let family = "👩\u{200D}👧 ❤\u{FE0F}";
    assert_eq!(
        lines(&format!("{family}\nnext\u{1b}[31m")),
        format!("{family}\nnext[31m")
    );
}
