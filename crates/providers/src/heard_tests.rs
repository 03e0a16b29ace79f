use AskFailureKind::{ContextTooLong, KeyRefused, RateLimited, Rejected, ServerError};

use super::*;

#[test]
fn an_error_in_the_midst_of_a_stream_is_of_the_kind_that_its_provider_gives_it() {
    use Provider::{Anthropic, Gemini, OpenAi};
    for (provider, body, kind) in [
        (
            Anthropic,
            r#"{"type":"invalid_request_error","message":"x"}"#,
            Rejected,
        ),
        (
            Anthropic,
            r#"{"type":"authentication_error","message":"x"}"#,
            KeyRefused,
        ),
        (
            Anthropic,
            r#"{"type":"api_error","message":"Internal server error"}"#,
            ServerError,
        ),
        (
            Anthropic,
            r#"{"type":"overloaded_error","message":"Overloaded"}"#,
            ServerError,
        ),
        (
            Anthropic,
            r#"{"type":"request_too_large","message":"x"}"#,
            ContextTooLong,
        ),
        (OpenAi, r#"{"code":"server_error","message":"x"}"#, ServerError),
        (
            OpenAi,
            r#"{"type":"invalid_request_error","message":"x"}"#,
            Rejected,
        ),
        (
            OpenAi,
            r#"{"code":"rate_limit_exceeded","message":"x"}"#,
            RateLimited,
        ),
        (Gemini, r#"{"status":"INVALID_ARGUMENT","message":"x"}"#, Rejected),
        (
            Gemini,
            r#"{"status":"UNAVAILABLE","message":"The model is overloaded."}"#,
            ServerError,
        ),
        (OpenAi, r#"{"message":"something broke"}"#, ServerError),
    ] {
        let report = ErrorReport::from_body(body.as_bytes());
        let heard = Heard::of((provider, "some-model"), None, &report);
        assert_eq!(heard.kind(), kind, "{body}");
    }
}
