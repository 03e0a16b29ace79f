use mind::reasons::SpendingPurpose;
use mind::spending::view::{PurposeView, SpendingLine, SpendingView};

use super::spent;

fn purpose(purpose: SpendingPurpose, line: SpendingLine, free: bool) -> PurposeView {
    PurposeView {
        purpose,
        line,
        refused: 0,
        used_up: None,
        for_good: false,
        remedy: None,
        free,
        under_way: 0,
        at_the_limit: String::new(),
    }
}

#[test]
fn a_free_model_is_said_to_be_free_and_uses_no_share_of_dollars() {
    let line = SpendingLine {
        free_calls: 12,
        free_tokens: 34_000,
        ..SpendingLine::default()
    };
    let view = SpendingView {
        all: line,
        purposes: vec![purpose(SpendingPurpose::Replies, line, true)],
        ..SpendingView::default()
    };
    let told = spent(&view);
    let row = told.lines().find(|line| line.starts_with("replies"));
    let cells: Vec<&str> = row.expect("a row").split_whitespace().collect();
    assert_eq!(cells, ["replies", "12", "34000", "free", "-", "0"]);
    assert!(told.contains("every model in use is free"), "{told}");
    let paid = SpendingView {
        purposes: vec![purpose(SpendingPurpose::Replies, SpendingLine::default(), false)],
        ..SpendingView::default()
    };
    assert!(!spent(&paid).contains("free"), "{}", spent(&paid));
}

#[test]
fn a_budget_that_keeps_a_question_from_being_asked_is_told_with_what_to_do() {
    let mut replies = purpose(SpendingPurpose::Replies, SpendingLine::default(), false);
    replies.used_up = Some("one question may take more".to_owned());
    replies.remedy = Some("raise spending.perDay.dollars".to_owned());
    let view = SpendingView {
        purposes: vec![replies],
        ..SpendingView::default()
    };
    let told = spent(&view);
    assert!(
        told.contains("! one question may take more: raise spending.perDay.dollars"),
        "{told}"
    );
}
