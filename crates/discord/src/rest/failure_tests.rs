use hostile::{cases, wounded_text};
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn of(status: u16, body: &Value) -> RestFailure {
    RestFailure::of_answer(status, body.to_string().as_bytes(), true, "sending a message")
}

#[test]
fn every_refusal_has_its_kind_and_says_what_to_do() {
    let long = json!({"code": 50_035, "message": "Invalid Form Body", "errors": {"content": {"_errors": [
        {"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length."}]}}});
    let emoji = json!({"code": 50_035, "message": "Invalid Form Body", "errors": {"embeds": {"0": {"url": {"_errors": [
        {"code": "URL_TYPE_INVALID_URL", "message": "Not a well formed URL."}]}}}}});
    for (status, body, fault, words) in [
        (
            401,
            json!({"message": "401: Unauthorized", "code": 0}),
            RestFault::TokenRefused,
            "Reset Token",
        ),
        (
            403,
            json!({"message": "Missing Access", "code": 50_001}),
            RestFault::MissingAccess,
            "View Channel",
        ),
        (
            403,
            json!({"message": "Missing Permissions", "code": 50_013}),
            RestFault::MissingPermission,
            "role",
        ),
        (
            403,
            json!({"message": "Cannot send", "code": "50007"}),
            RestFault::DirectMessagesClosed,
            "direct messages",
        ),
        (
            404,
            json!({"message": "Unknown Channel", "code": 10_003}),
            RestFault::UnknownChannel,
            "no such channel",
        ),
        (
            404,
            json!({"message": "Unknown Message", "code": 10_008}),
            RestFault::UnknownMessage,
            "no such message",
        ),
        (
            404,
            json!({"message": "Unknown Guild", "code": 10_004}),
            RestFault::Unknown,
            "Unknown Guild",
        ),
        (
            404,
            json!({"message": "Unknown interaction", "code": 10_062}),
            RestFault::InteractionOver,
            "three seconds",
        ),
        (
            400,
            json!({"message": "Thread is archived", "code": 50_083}),
            RestFault::ThreadClosed,
            "archived",
        ),
        (400, long, RestFault::TooLong, "2000 or fewer"),
        (400, emoji, RestFault::Rejected, "well formed"),
        (
            413,
            json!({"message": "Request entity too large", "code": 40_005}),
            RestFault::TooLarge,
            "files",
        ),
        (
            400,
            json!({"message": "Message was blocked", "code": 200_000}),
            RestFault::Blocked,
            "moderation",
        ),
        (502, json!("<html>"), RestFault::ServerFault, "fault of its own"),
        (418, json!(null), RestFault::Rejected, "418"),
    ] {
        let failure = of(status, &body);
        assert_eq!(failure.fault, fault, "{body}");
        assert!(
            failure.detail.starts_with("sending a message failed: "),
            "{failure}"
        );
        assert!(failure.detail.contains(words), "{failure}");
    }
}

#[test]
fn only_what_passes_by_itself_is_tried_again() {
    assert!(of(503, &json!(null)).is_retryable());
    assert!(!of(403, &json!({"code": 50_013})).is_retryable());
    let wait = Span(1_500);
    let limited = RestFailure::of_refusal(RequestRefusal::Overdue { wait }, "sending a message");
    assert!(
        limited.is_retryable() && limited.detail.contains("2 s"),
        "{limited}"
    );
    assert!(!RestFailure::of_refusal(RequestRefusal::TokenRefused, "x").is_retryable());
    // A bad token of an interaction is not the bot's.
    let over = RestFailure::of_answer(401, b"{}", false, "answering a command");
    assert_eq!(over.fault, RestFault::InteractionOver);
}

mod hostile_answers {
    use super::*;

    proptest! {
        #![proptest_config(cases(200))]

        #[test]
        fn no_answer_is_too_odd(body in wounded_text(&[
            r#"{"code": 50035, "message": "x", "errors": {"a": {"0": {"_errors": [{"code": "y", "message": "z"}]}}}}"#,
        ]), status in 400..600_u16) {
            let failure = RestFailure::of_answer(status, body.as_bytes(), true, "x");
            prop_assert!(!failure.detail.is_empty() && failure.detail.chars().count() < 700);
            prop_assert!(!failure.detail.contains('\n'));
        }
    }
}
