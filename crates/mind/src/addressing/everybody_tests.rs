use super::*;

fn everybody(text: &str) -> bool {
    is_for_everybody(text, &Words::of(text))
}

#[test]
fn asking_around_is_for_everybody() {
    assert!(everybody("can anyone help me with this?"));
    assert!(everybody("@everyone lunch"));
    assert!(everybody("@here lunch"));
}

#[test]
fn greeting_the_crowd_is_for_everybody_but_the_word_all_is_not() {
    assert!(everybody("Hi all, quick one"));
    assert!(everybody("hey guys"));
    assert!(!everybody("that is all"));
    assert!(!everybody("come in here"));
}
