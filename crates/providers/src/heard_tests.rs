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

#[test]
fn a_country_that_is_not_served_is_no_matter_of_the_key() {
    use Provider::{Compatible, Gemini, OpenAi};
    for (provider, status, body, kind) in [
        (
            OpenAi,
            403,
            r#"{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported","param":null,"type":"request_forbidden"}}"#,
            AskFailureKind::RegionRefused,
        ),
        (
            Gemini,
            400,
            r#"{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}"#,
            AskFailureKind::RegionRefused,
        ),
        (
            Compatible,
            400,
            r#"{"message":"Access to Anthropic models is not allowed from unsupported countries, regions, or territories."}"#,
            AskFailureKind::RegionRefused,
        ),
        (
            Compatible,
            403,
            r#"{"Message":"Authentication failed: Please make sure your API Key is valid."}"#,
            KeyRefused,
        ),
        (
            OpenAi,
            401,
            r#"{"error":{"message":"Incorrect API key"}}"#,
            KeyRefused,
        ),
    ] {
        let report = ErrorReport::from_body(body.as_bytes());
        let heard = Heard::of((provider, "some-model"), Some(status), &report);
        assert_eq!(heard.kind(), kind, "{body}");
        assert!(!report.message.is_empty());
    }
}

#[test]
fn tools_are_refused_by_the_field_that_names_them_or_else_by_words() {
    let refused = |status: u16, body: &str| {
        let report = ErrorReport::from_body(body.as_bytes());
        let heard = Heard::of((Provider::Compatible, "some-model"), Some(status), &report);
        heard.refuses(heard.kind())
    };
    for (status, body) in [
        (
            400,
            r#"{"error":{"message":"x","param":"tools","code":"unsupported_parameter"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Not supported here.","param":"tool_choice","code":null}}"#,
        ),
        (
            422,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}"#,
        ),
        (
            404,
            r#"{"error":{"message":"No endpoints found that support tool use.","code":404}}"#,
        ),
        (501, r#"{"error":"tools not supported"}"#),
        (
            400,
            r#"{"message":"Unrecognized request argument supplied: tools"}"#,
        ),
    ] {
        assert_eq!(refused(status, body), Some(Feature::Tools), "{body}");
    }
    for (status, body) in [
        (429, r#"{"error":"tools not supported"}"#),
        (
            400,
            r#"{"error":{"message":"Invalid 'tools[0].function.name'","param":"tools[0].function.name","code":"invalid_value"}}"#,
        ),
        (
            400,
            r#"{"message":"This model doesn't support tool use in streaming mode."}"#,
        ),
    ] {
        assert_eq!(refused(status, body), None, "{body}");
    }
}
