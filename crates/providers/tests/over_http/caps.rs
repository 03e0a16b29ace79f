//! How long an answer may be, where a server knows that limit by another name.

use serde_json::json;

use crate::parameters::{bodies, hello, ready};
use crate::requests::{ask, simple};
use crate::server::Answer;

#[tokio::test]
async fn a_limit_that_is_refused_in_words_alone_goes_by_its_other_name() {
    let refused = |message: &str| {
        let error = json!({"error": {"message": message, "type": "invalid_request_error"}});
        Answer::json(400, &error.to_string())
    };
    for words in [
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "max_tokens is not supported",
        "`max_tokens` is not supported by this model; send max_completion_tokens.",
    ] {
        let (server, models) = ready("compatible", [refused(words), hello()]).await;
        let answer = ask(&models, &simple("compatible", "m")).await.answer();
        assert_eq!((answer.tries, answer.cap), (2, Some(600)), "{words}");
        let last = bodies(&server).pop().expect("a question");
        assert_eq!(last["max_completion_tokens"], 600, "{words}");
        assert_eq!(last.get("max_tokens"), None, "{words}");
    }
    // Who knows neither is told no limit.
    let neither = "max_tokens and max_completion_tokens are not supported";
    let (server, models) = ready("compatible", [refused(neither), refused(neither), hello()]).await;
    let answer = ask(&models, &simple("compatible", "m")).await.answer();
    assert_eq!((answer.tries, answer.cap), (3, None));
    let last = bodies(&server).pop().expect("a question");
    assert_eq!(
        (last.get("max_tokens"), last.get("max_completion_tokens")),
        (None, None)
    );
}
