//! The key goes into one header and nowhere else.

use runtime::ports::Language;

use crate::requests::{KEY, ask, models_at, pictures, rich, settings};
use crate::server::{Answer, Server};

#[tokio::test]
async fn the_key_is_in_no_body_address_error_response_or_debug_output() {
    for provider in ["anthropic", "openai", "gemini"] {
        // A proxy that repeats what it was sent, the key included.
        let echo = format!(r#"{{"error":{{"message":"headers were: x-api-key={KEY} and Bearer {KEY}."}}}}"#);
        let server = Server::start([Answer::json(400, &echo)]).await;
        let models = models_at(provider, &server.address);
        let request = rich(provider, "some-model");
        let prepared = models
            .prepare(&request, &pictures(), &settings(&[]))
            .expect("prepared");
        let asked = ask(&models, &request).await;
        let seen = &server.seen()[0];
        assert!(format!("{:?}", seen.headers).contains(KEY), "the key was sent");
        for (what, text) in [
            ("the body", seen.body.clone()),
            ("the path", seen.path.clone()),
            ("the prepared request", format!("{prepared:?}")),
            ("the outcome", format!("{:?}", asked.outcome)),
            ("the kept response", asked.raw.clone()),
            ("the models", format!("{models:?}")),
            ("the status", format!("{:?}", models.status(&settings(&[])))),
        ] {
            assert!(!text.contains(KEY), "{provider}: {what} holds the key: {text}");
        }
    }
}

#[tokio::test]
async fn a_key_repeated_in_a_stream_is_not_kept_however_it_is_cut() {
    let (head, tail) = KEY.split_at(7);
    let page = format!("<p>Authorization: Bearer {KEY}</p>");
    let answers = [
        Answer::stream(&[
            &format!("data: {{\"error\": {{\"message\": \"you sent {head}"),
            &format!("{tail} twice: {KEY}\"}}}}\n\n"),
        ]),
        Answer::json(200, &page).with_header("content-type", "text/html"),
    ];
    for answer in answers {
        let server = Server::start([answer]).await;
        let asked = ask(&models_at("openai", &server.address), &rich("openai", "m")).await;
        assert!(asked.raw.contains("[key]"), "what came is kept: {}", asked.raw);
        assert!(!asked.raw.contains(KEY), "{}", asked.raw);
        assert!(!format!("{:?}", asked.outcome).contains(KEY));
    }
}
