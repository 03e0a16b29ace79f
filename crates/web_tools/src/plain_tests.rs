use super::*;

#[test]
fn what_nobody_sees_is_left_out() {
    let raw = "pay\u{200b} \u{202e}no\u{202c} heed\u{7}\u{1b}[31m\u{e0041}\u{e0042}\u{feff}\u{ad}!";
    assert_eq!(text(raw), "pay no heed[31m!");
    assert_eq!(line(raw, 100), "pay no heed[31m!");
}

#[test]
fn lines_stay_lines_and_many_empty_ones_become_one() {
    assert_eq!(text("\n\n a  \r\n\n\n \n\nb\u{a0}c\t\n"), " a\n\nb c");
    assert_eq!(text("fn main() {\n    run();\n}"), "fn main() {\n    run();\n}");
}

#[test]
fn a_line_is_cut_with_a_mark() {
    assert_eq!(line("one\n two\tthree", 100), "one two three");
    assert_eq!(line("one two three", 8), "one two…");
    assert_eq!(line("ünïcödé", 7), "ünïcödé");
}

#[test]
fn snippets_lose_their_tags_and_resolve_their_marks_once() {
    assert_eq!(
        snippet(
            "<strong>Rust</strong> &amp; C: 1 < 2, &quot;x&quot; &amp;lt;b&gt;",
            100
        ),
        "Rust & C: 1 < 2, \"x\" &lt;b>"
    );
    assert_eq!(snippet("an open <strong", 100), "an open <strong");
}
