use mind::reasons::SpendingPurpose;
use mind::spending::view::{PurposeView, RestingModel, SpendingLine, SpendingView};
use vocabulary::{ModelChoice, Span};

use super::ailing;

fn purpose(purpose: SpendingPurpose, used_up: Option<&str>) -> PurposeView {
    PurposeView {
        purpose,
        line: SpendingLine::default(),
        refused: 0,
        used_up: used_up.map(str::to_owned),
        under_way: 0,
        at_the_limit: purpose.at_the_limit().to_owned(),
    }
}

#[test]
fn a_budget_that_is_used_up_is_told_with_when_it_ends() {
    let view = SpendingView {
        begins_anew_in: Span::minutes(312),
        purposes: vec![
            purpose(
                SpendingPurpose::Replies,
                Some("used up: 5 of 5; anew at midnight UTC"),
            ),
            purpose(
                SpendingPurpose::Memory,
                Some("used up: 1 of 1; anew at midnight UTC"),
            ),
            purpose(SpendingPurpose::Thoughts, None),
        ],
        ..SpendingView::default()
    };
    let told = ailing(&view);
    assert_eq!(
        told[0].detail,
        "used up: 5 of 5; anew at midnight UTC, in 5 h 12 min; nobody is answered until then"
    );
    assert!(told[1].detail.contains("gems are made by patterns"), "{told:?}");
    let of_replies: Vec<bool> = told.iter().map(|one| one.of_replies).collect();
    assert_eq!(of_replies, [true, false]);
}

#[test]
fn a_model_that_rests_is_told_with_when_it_is_tried() {
    let resting = |seconds| RestingModel {
        choice: ModelChoice {
            provider: "openai".to_owned(),
            model: String::new(),
        },
        asked_again_in: Span::seconds(seconds),
    };
    let view = SpendingView {
        resting: vec![resting(240), resting(0)],
        ..SpendingView::default()
    };
    let told: Vec<String> = ailing(&view).into_iter().map(|one| one.detail).collect();
    assert_eq!(
        told,
        [
            "the model in use (openai) asked to be left alone and is tried again in 4 min 0 s, and not before",
            "the model in use (openai) asked to be left alone and is tried again with the next question",
        ]
    );
}
