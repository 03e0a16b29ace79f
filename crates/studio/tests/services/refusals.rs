//! Services that say no.

use axum::http::StatusCode;
use serde_json::json;

use crate::bench::{KEY, Server, picture};

#[tokio::test]
async fn a_refusal_of_the_content_is_one_and_carries_the_words() {
    let server = Server::start().await;
    for (status, code) in [
        (400, "moderation_blocked"),
        (400, "content_policy_violation"),
        (403, "content_filter"),
    ] {
        let message = format!("Your request was rejected.\n{}", "x".repeat(2_000));
        server.then_status(
            status,
            json!({"error": {"code": code, "message": message, "type": "image_generation_user_error"}}),
        );
        let fault = picture(&server).await.unwrap_err();
        assert!(fault.refused, "{code}");
        assert!(fault.detail.contains("Your request was rejected. xxx"), "{fault}");
        assert!(fault.detail.chars().count() < 500);
    }
}

#[tokio::test]
async fn a_request_that_is_declined_for_its_form_is_a_refusal_too() {
    let server = Server::start().await;
    server.then_status(
        400,
        json!({"error": {"message": "Invalid size.", "type": "invalid_request_error"}}),
    );
    let fault = picture(&server).await.unwrap_err();
    assert!(fault.refused && fault.detail.contains("Invalid size"), "{fault}");
}

#[tokio::test]
async fn each_trouble_has_its_own_line_and_its_remedy() {
    let server = Server::start().await;
    let error = |code: &str, message: &str| json!({"error": {"code": code, "message": message}});
    let cases = [
        (
            401,
            error("invalid_api_key", "Incorrect API key provided: sk-test-***6789."),
            "IMAGE_API_KEY",
        ),
        (
            403,
            error("", "Your organization must be verified"),
            "must be verified",
        ),
        (
            404,
            error("model_not_found", "The model `x` does not exist"),
            "names of models",
        ),
        (429, error("rate_limit_exceeded", "slow down"), "too often"),
        (
            429,
            error("insufficient_quota", "You exceeded your current quota"),
            "quota is used up",
        ),
        (
            400,
            error("billing_hard_limit_reached", "Billing hard limit"),
            "quota is used up",
        ),
        (418, error("", "short and stout"), "short and stout"),
    ];
    for (status, body, says) in cases {
        server.then_status(status, body);
        let fault = picture(&server).await.unwrap_err();
        assert!(fault.detail.contains(says), "{status}: {fault}");
        assert!(!fault.refused, "{status}");
        assert!(
            !fault.detail.contains("6789") && !fault.detail.contains(KEY),
            "{fault}"
        );
    }
}

#[tokio::test]
async fn a_service_that_wants_to_be_left_alone_says_for_how_long() {
    let server = Server::start().await;
    server.then((StatusCode::TOO_MANY_REQUESTS, [("retry-after", "17")], "{}"));
    assert!(picture(&server).await.unwrap_err().detail.contains("17 s"));
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_key() {
    let server = Server::start().await;
    let other = Server::start().await;
    server.then((
        StatusCode::TEMPORARY_REDIRECT,
        [("location", other.address.clone())],
        "",
    ));
    assert!(picture(&server).await.unwrap_err().detail.contains("redirect"));
    assert!(other.asked().is_empty());
}
