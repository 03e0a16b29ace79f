use onnx::Block;

use super::recognition::{Reading, input, read};
use crate::plane::Plane;

fn letters() -> Vec<String> {
    ["a", "b", "c", " "].map(str::to_owned).to_vec()
}

/// An answer in which each step is sure of one letter; `-` is none.
fn answer(steps: &str, sureness: f32) -> Block {
    let mut numbers = Vec::new();
    for sign in steps.chars() {
        let mut step = [0.01; 5];
        step["-abc ".find(sign).expect("a known letter")] = sureness;
        numbers.extend(step);
    }
    Block {
        shape: vec![1, steps.chars().count(), 5],
        numbers,
    }
}

#[test]
fn letters_in_a_row_are_one_unless_something_stands_between() {
    for (steps, text) in [
        ("aabbcc", "abc"),
        ("-a-a--b", "aab"),
        ("aa-aa", "aa"),
        ("a  b", "a b"),
        ("  a  ", "a"),
        ("----", ""),
        ("", ""),
    ] {
        assert_eq!(
            read(&answer(steps, 0.9), &letters()).expect("a reading").text,
            text,
            "{steps}"
        );
    }
}

#[test]
fn it_is_as_sure_as_its_letters_on_the_whole() {
    let mut both = answer("a", 0.9);
    both.numbers.extend(answer("b", 0.5).numbers);
    both.shape = vec![1, 2, 5];
    let Reading { text, confidence } = read(&both, &letters()).expect("a reading");
    assert_eq!(text, "ab");
    assert!((confidence - 0.7).abs() < 0.001);
    assert_eq!(
        read(&answer("--", 0.9), &letters())
            .expect("a reading")
            .confidence,
        0.0
    );
}

#[test]
fn an_answer_for_other_letters_is_refused() {
    let wrong = read(&answer("ab", 0.9), &letters()[..2]).expect_err("it has five kinds");
    assert!(wrong.contains("[1, 2, 5]"), "{wrong}");
    let short = Block {
        shape: vec![1, 9, 5],
        numbers: vec![0.0; 10],
    };
    assert!(read(&short, &letters()).is_err());
}

#[test]
fn lines_keep_their_shape_and_narrow_ones_get_room() {
    let line = |width, height| Plane {
        width,
        height,
        data: vec![0; width * height],
    };
    assert_eq!(input(&line(200, 24)).shape, [1, 3, 48, 400]);
    let narrow = input(&line(10, 24));
    assert_eq!(narrow.shape, [1, 3, 48, 96]);
    // Twenty columns of black, and grey behind them.
    assert_eq!(
        (narrow.numbers[19], narrow.numbers[20], narrow.numbers[95]),
        (-1.0, 0.0, 0.0)
    );
    assert_eq!(input(&line(60_000, 24)).shape, [1, 3, 48, 3_200]);
    assert_eq!(input(&line(1, 900)).shape, [1, 3, 48, 96]);
}
