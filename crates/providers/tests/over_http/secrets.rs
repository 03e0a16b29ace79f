//! The key goes into one header and nowhere else.

use runtime::ports::Language;

use crate::requests::{KEY, ask, models_at, pictures, rich};
use crate::server::{Answer, Server};

#[tokio::test]
async fn the_key_is_in_no_body_address_error_response_or_debug_output() {
    for provider in ["anthropic", "openai", "gemini"] {
        // A proxy that repeats what it was sent, the key included.
        let echo = format!(r#"{{"error":{{"message":"headers were: x-api-key={KEY} and Bearer {KEY}."}}}}"#);
        let server = Server::start([Answer::json(400, &echo)]).await;
        let models = models_at(provider, &server.address);
        let request = rich(provider, "some-model");
        let prepared = models.prepare(&request, &pictures()).expect("prepared");
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
            ("the status", format!("{:?}", models.status())),
        ] {
            assert!(!text.contains(KEY), "{provider}: {what} holds the key: {text}");
        }
    }
}
