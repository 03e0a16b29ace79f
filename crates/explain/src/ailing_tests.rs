use mind::reasons::{RestCause, SpendingPurpose};
use mind::spending::view::{PurposeView, RestingModel, SpendingLine, SpendingView};
use vocabulary::{AskPurpose, ModelChoice, Span};

use super::ailing;

fn purpose(purpose: SpendingPurpose, used_up: Option<&str>) -> PurposeView {
    PurposeView {
        purpose,
        line: SpendingLine::default(),
        refused: 0,
        used_up: used_up.map(str::to_owned),
        for_good: false,
        remedy: used_up.map(|_| "raise it".to_owned()),
        free: false,
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
fn a_budget_that_is_too_small_for_one_question_is_not_told_to_be_better_tomorrow() {
    let mut replies = purpose(SpendingPurpose::Replies, Some("one question may take more"));
    replies.for_good = true;
    let view = SpendingView {
        begins_anew_in: Span::minutes(312),
        purposes: vec![replies],
        ..SpendingView::default()
    };
    let told = ailing(&view);
    assert_eq!(told[0].detail, "one question may take more; nobody is answered");
    assert_eq!(told[0].remedy, "raise it");
}

#[test]
fn a_model_that_rests_is_told_with_its_name_what_it_serves_and_when_it_is_tried() {
    let resting = |serves: &[AskPurpose], keys: &[&str], seconds| RestingModel {
        choice: ModelChoice {
            provider: "auto".to_owned(),
            model: String::new(),
        },
        asked: Some(ModelChoice {
            provider: "openai".to_owned(),
            model: "gpt-6-luna".to_owned(),
        }),
        serves: serves.to_vec(),
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        asked_again_in: Span::seconds(seconds),
        why: RestCause::Asked,
    };
    let small = resting(
        &[AskPurpose::ContextCompaction, AskPurpose::GemExtraction],
        &["context.compaction.model", "memory.model"],
        240,
    );
    let main = resting(&[AskPurpose::TextReply], &["llm.model"], 0);
    let view = SpendingView {
        resting: vec![small, main, resting(&[], &[], 10)],
        ..SpendingView::default()
    };
    let told = ailing(&view);
    let said: Vec<(&str, &str, bool)> = told
        .iter()
        .map(|one| (one.detail.as_str(), one.remedy.as_str(), one.of_replies))
        .collect();
    assert_eq!(
        said,
        [
            (
                "gpt-6-luna (openai), the model for summaries, memory, asked to be left alone and is tried again in 4 min 0 s, and not before",
                "wait, or have it tried at once (“Look again” on the page, or `denizen models refresh`), or choose another with context.compaction.model, memory.model",
                false
            ),
            (
                "gpt-6-luna (openai), the model for replies, asked to be left alone and is tried again with the next question",
                "ask it something, or choose another with llm.model",
                true
            ),
        ],
        "one that nothing is asked of is not told"
    );
}

#[test]
fn why_a_model_is_left_alone_is_told_as_it_is() {
    let of = |why| {
        let view = SpendingView {
            resting: vec![RestingModel {
                choice: ModelChoice {
                    provider: "compatible".to_owned(),
                    model: "qwen3".to_owned(),
                },
                asked: None,
                serves: vec![AskPurpose::TextReply],
                keys: vec!["llm.model".to_owned()],
                asked_again_in: Span::seconds(300),
                why,
            }],
            ..SpendingView::default()
        };
        ailing(&view)[0].detail.clone()
    };
    assert!(of(RestCause::Asked).contains("asked to be left alone"));
    assert!(of(RestCause::Spent).contains("has no credit or quota left"));
    assert!(of(RestCause::Mute).contains("spends all that it may write on thinking"));
    assert!(of(RestCause::Empty).contains("answers without a word"));
    assert!(of(RestCause::Key).contains("does not accept the key"));
    assert!(of(RestCause::TooLong).contains("finds every prompt too long"));
    assert!(of(RestCause::Down).contains("has trouble of its own"));
}
