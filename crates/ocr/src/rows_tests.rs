use runtime::ports::ReadLine;

use crate::rows::in_reading_order;

fn line(text: &str, left: f32, top: f32) -> ReadLine {
    ReadLine {
        text: text.to_owned(),
        left,
        top,
        width: 0.1,
        height: 0.04,
        confidence: 1.0,
    }
}

fn read(lines: Vec<ReadLine>) -> Vec<String> {
    in_reading_order(lines)
        .into_iter()
        .map(|line| line.text)
        .collect()
}

#[test]
fn rows_go_from_top_to_bottom_and_each_from_left_to_right() {
    let lines = vec![
        line("d", 0.5, 0.501),
        line("b", 0.6, 0.10),
        line("c", 0.1, 0.50),
        // A little lower than its neighbour, but on the same row.
        line("a", 0.1, 0.11),
        line("e", 0.1, 0.56),
    ];
    assert_eq!(read(lines), ["a", "b", "c", "d", "e"]);
}

#[test]
fn a_staircase_is_not_one_row() {
    let lines = (0..10)
        .rev()
        .map(|step| line(&step.to_string(), 0.9 - step as f32 * 0.1, step as f32 * 0.015));
    let read = read(lines.collect());
    // Two neighbours may pass for a row; the whole does not.
    assert_eq!(read, ["1", "0", "3", "2", "5", "4", "7", "6", "9", "8"]);
}

#[test]
fn nothing_is_read_of_nothing() {
    assert!(read(Vec::new()).is_empty());
}
