//! What is told of models that fail.

use settings::{ModelKeys, Settings};
use vocabulary::{AskFailure, AskFailureKind, AskOutcome, AskPurpose, Finish, ModelAnswer, Span, Usage};

use super::Ailments;

fn failed(kind: AskFailureKind) -> AskOutcome {
    AskOutcome::Failed(AskFailure {
        kind,
        detail: "on fire".to_owned(),
        retry_after: None,
        usage: None,
        tries: 1,
    })
}

fn answered() -> AskOutcome {
    AskOutcome::Answered(ModelAnswer {
        provider: "compatible".to_owned(),
        model: "small".to_owned(),
        text: "Hello.".to_owned(),
        tool_calls: Vec::new(),
        carried: None,
        finish: Finish::Complete,
        cap: None,
        usage: Usage::default(),
        first_text: None,
        took: Span::ZERO,
        tries: 1,
    })
}

const GEMS: AskPurpose = AskPurpose::GemExtraction;
const REPLY: AskPurpose = AskPurpose::TextReply;

#[test]
fn a_reply_that_failed_once_is_told_until_a_reply_succeeds() {
    let ailments = Ailments::default();
    ailments.set_asked(
        "small",
        (REPLY, ModelKeys::default()),
        1,
        &failed(AskFailureKind::NoFirstByte),
    );
    let told = ailments.told();
    assert!(
        told[0].starts_with("the last call of the model small for replies failed (no_first_byte: on fire)"),
        "{told:?}"
    );
    ailments.set_asked("small", (GEMS, ModelKeys::default()), 1, &answered());
    assert_eq!(ailments.told().len(), 1, "nobody waited for that");
    ailments.set_asked(
        "small",
        (AskPurpose::TextReplyFollowup, ModelKeys::default()),
        1,
        &answered(),
    );
    assert_eq!(ailments.told(), Vec::<String>::new());
}

#[test]
fn a_model_that_fails_twice_in_a_row_at_other_work_is_told_until_it_answers() {
    let ailments = Ailments::default();
    ailments.set_asked(
        "small",
        (GEMS, ModelKeys::default()),
        1,
        &failed(AskFailureKind::ServerError),
    );
    assert_eq!(ailments.told(), Vec::<String>::new(), "once happens");
    ailments.set_asked(
        "small",
        (GEMS, ModelKeys::default()),
        1,
        &failed(AskFailureKind::ServerError),
    );
    let told = ailments.told();
    assert!(
        told[0].starts_with("the last 2 calls of the model small for memory failed (server_error: on fire)"),
        "{told:?}"
    );
    ailments.set_asked("large", (REPLY, ModelKeys::default()), 1, &answered());
    assert_eq!(ailments.told().len(), 1, "another model is another model");
    ailments.set_asked("small", (GEMS, ModelKeys::default()), 1, &answered());
    assert_eq!(ailments.told(), Vec::<String>::new());
}

#[test]
fn a_key_that_is_not_taken_is_told_at_once() {
    let ailments = Ailments::default();
    ailments.set_asked(
        "small",
        (GEMS, ModelKeys::default()),
        1,
        &failed(AskFailureKind::Rejected),
    );
    assert_eq!(ailments.told().len(), 1);
    ailments.set_asked("large", (GEMS, ModelKeys::default()), 2, &answered());
    assert_eq!(
        ailments.told(),
        Vec::<String>::new(),
        "other settings, another try"
    );
}

#[test]
fn a_question_that_a_model_declines_or_cannot_hold_says_nothing_of_its_health() {
    let ailments = Ailments::default();
    for kind in [
        AskFailureKind::Refused,
        AskFailureKind::ContextTooLong,
        AskFailureKind::Interrupted,
    ] {
        for _ in 0..3 {
            ailments.set_asked("small", (GEMS, ModelKeys::default()), 1, &failed(kind));
        }
    }
    assert_eq!(ailments.told(), Vec::<String>::new());
}

#[test]
fn a_purpose_that_its_model_refuses_is_told_although_the_model_answers_others() {
    let ailments = Ailments::default();
    let asked = |purpose, outcome: &AskOutcome| {
        ailments.set_asked("openai/tiny", (purpose, ModelKeys::default()), 1, outcome)
    };
    asked(AskPurpose::ScreenNote, &failed(AskFailureKind::Rejected));
    asked(AskPurpose::ContextCompaction, &failed(AskFailureKind::Rejected));
    asked(REPLY, &answered());
    let told = ailments.told();
    assert_eq!(told.len(), 1, "{told:?}");
    for part in ["openai/tiny", "notes on screens", "summaries", "on fire"] {
        assert!(told[0].contains(part), "{told:?}");
    }
    asked(AskPurpose::ContextCompaction, &answered());
    asked(AskPurpose::ScreenNote, &answered());
    assert_eq!(ailments.told(), Vec::<String>::new());
}

#[test]
fn advice_names_the_settings_of_what_failed() {
    let ailments = Ailments::default();
    let keys = Settings::default().keys_for(AskPurpose::ScreenNote);
    let rejected = failed(AskFailureKind::UnknownModel);
    ailments.set_asked("openai/tiny", (AskPurpose::ScreenNote, keys), 1, &rejected);
    let told = ailments.told();
    assert!(
        told[0]
            .ends_with("choose another with voice.streamWatch.noteProvider and voice.streamWatch.noteModel"),
        "{told:?}"
    );
}

#[test]
fn each_cause_has_its_own_remedy() {
    for (kind, remedy) in [
        (AskFailureKind::KeyRefused, "look at its key, or choose"),
        (
            AskFailureKind::RegionRefused,
            "go by an address that it answers, or choose",
        ),
        (
            AskFailureKind::RateLimited,
            "wait, have a higher limit, or choose",
        ),
        (
            AskFailureKind::ContextTooLong,
            "lower llm.contextTokens, or choose",
        ),
        (AskFailureKind::ServerError, "look at its server, or choose"),
        (AskFailureKind::UnknownModel, "): choose"),
    ] {
        let ailments = Ailments::default();
        ailments.set_asked("large", (REPLY, ModelKeys::default()), 1, &failed(kind));
        let told = ailments.told();
        assert!(told[0].contains(remedy), "{told:?}");
        let is_about_key = kind == AskFailureKind::KeyRefused;
        assert_eq!(told[0].contains("key"), is_about_key, "{told:?}");
    }
}

#[test]
fn what_is_the_accounts_is_over_for_all_when_one_is_answered() {
    let ailments = Ailments::default();
    let asked = |model: &str, purpose, outcome: &AskOutcome| {
        ailments.set_asked(model, (purpose, ModelKeys::default()), 1, outcome)
    };
    asked("large", REPLY, &failed(AskFailureKind::KeyRefused));
    asked("large", GEMS, &failed(AskFailureKind::KeyRefused));
    asked("large", REPLY, &answered());
    assert_eq!(ailments.told(), Vec::<String>::new());
    asked("large", REPLY, &failed(AskFailureKind::QuotaSpent));
    assert_eq!(ailments.told(), Vec::<String>::new(), "its rest tells that");
}

#[test]
fn a_model_that_is_asked_no_more_is_told_no_more() {
    let ailments = Ailments::default();
    let asked = |model: &str, purpose, outcome: &AskOutcome| {
        ailments.set_asked(model, (purpose, ModelKeys::default()), 1, outcome)
    };
    asked("old", REPLY, &failed(AskFailureKind::ServerError));
    asked("old", GEMS, &failed(AskFailureKind::Rejected));
    asked("new", REPLY, &answered());
    let told = ailments.told();
    assert!(told.len() == 1 && told[0].contains("memory"), "{told:?}");
    ailments.set_answered(GEMS);
    assert_eq!(ailments.told(), Vec::<String>::new());
}
