use super::*;

fn read(body: &str) -> ErrorReport {
    ErrorReport::from_body(body.as_bytes())
}

#[test]
fn every_providers_shape_gives_its_message_and_codes() {
    let anthropic = read(r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#);
    assert_eq!(
        (anthropic.codes.join(" ").as_str(), anthropic.message.as_str()),
        ("overloaded_error", "Overloaded")
    );

    let openai = read(
        r#"{"error":{"message":"Too long","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
    );
    assert_eq!(openai.codes, ["invalid_request_error", "context_length_exceeded"]);
    assert_eq!(openai.param, "messages");

    let ollama = read(r#"{"error":"model 'x' not found"}"#);
    assert_eq!(ollama.message, "model 'x' not found");

    let vllm = read(r#"{"object":"error","message":"no such model","type":"NotFoundError","code":404}"#);
    assert_eq!((vllm.message.as_str(), vllm.status), ("no such model", Some(404)));

    let fastapi = read(r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#);
    assert_eq!(fastapi.message, "field required");
}

#[test]
fn googles_wait_is_read_out_of_its_details() {
    let report = read(
        r#"[{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x","retryDelay":"34s"}]}}]"#,
    );
    assert_eq!(report.retry_after, Some(Span::seconds(34)));
    assert_eq!(report.codes, ["resource_exhausted"]);
    assert_eq!(report.status, Some(429));
}

#[test]
fn a_web_page_is_reduced_to_its_words() {
    assert_eq!(
        read("<html><head><title>502 Bad Gateway</title></head>\n<body>nginx</body></html>").message,
        "502 Bad Gateway nginx"
    );
    assert_eq!(read("").message, "");
}
