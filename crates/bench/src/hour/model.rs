//! A model that answers at once and counts what it is given, in the shape of OpenAI's chat completions.

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// What it says when it is asked to say something.
const ANSWER: &str = "That depends on the day, but I would go in the morning. The light is better then, and there are fewer people.";
/// So little is only asked for where a yes or a no is wanted.
const DECIDES_WITHIN: u64 = 16;
const CHARS_PER_TOKEN: usize = 4;

/// Starts it; the address that a process is told.
pub async fn start() -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/v1", listener.local_addr()?);
    let router = Router::new()
        .route("/v1/models", get(models))
        .route("/v1/chat/completions", post(complete));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

/// Serves it to whoever reads its address, until nobody holds its input open any more.
pub fn serve() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    println!("{}", runtime.block_on(start())?);
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    Ok(())
}

async fn models() -> Response {
    json_of(&json!({ "object": "list", "data": [{ "id": "bench", "object": "model" }] }))
}

async fn complete(body: Bytes) -> Response {
    let question: Value = serde_json::from_slice(&body).unwrap_or_default();
    let content = content(&question);
    let asked: usize = question["messages"].to_string().chars().count();
    let usage = json!({
        "prompt_tokens": asked.div_ceil(CHARS_PER_TOKEN),
        "completion_tokens": content.chars().count().div_ceil(CHARS_PER_TOKEN),
        "total_tokens": (asked + content.chars().count()).div_ceil(CHARS_PER_TOKEN),
    });
    if question["stream"] != true {
        let message = json!({ "role": "assistant", "content": content });
        return json_of(&json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "bench", "usage": usage,
            "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
        }));
    }
    let chunk = |choices: Value, usage: Value| {
        let chunk = json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "bench",
            "choices": choices, "usage": usage,
        });
        format!("data: {chunk}\n\n")
    };
    let delta = json!({ "role": "assistant", "content": content });
    let events = [
        chunk(
            json!([{ "index": 0, "delta": delta, "finish_reason": null }]),
            Value::Null,
        ),
        chunk(
            json!([{ "index": 0, "delta": {}, "finish_reason": "stop" }]),
            Value::Null,
        ),
        chunk(json!([]), usage),
        "data: [DONE]\n\n".to_owned(),
    ];
    ([(CONTENT_TYPE, "text/event-stream")], events.concat()).into_response()
}

fn json_of(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// No where it is asked whether it is meant, the least that fits where a shape is asked for, else an answer.
fn content(question: &Value) -> String {
    let limit = ["max_tokens", "max_completion_tokens"];
    let limit = limit.iter().find_map(|name| question[*name].as_u64());
    let shape = &question["response_format"]["json_schema"]["schema"];
    match limit {
        Some(limit) if limit <= DECIDES_WITHIN => "NO".to_owned(),
        _ if shape.is_object() => least(shape).to_string(),
        _ => ANSWER.to_owned(),
    }
}

/// The least that fits a schema.
fn least(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].as_array().and_then(|all| all.first()) {
        return first.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find_map(Value::as_str),
        kind => kind.as_str(),
    };
    match kind {
        Some("object") => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            Value::Object(fields.map(|(name, of)| (name.clone(), least(of))).collect())
        }
        Some("array") => json!([]),
        Some("string") => json!(""),
        Some("boolean") => json!(false),
        Some("integer" | "number") => json!(0),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ANSWER, content};

    #[test]
    fn it_decides_answers_and_keeps_to_a_shape() {
        assert_eq!(content(&json!({ "max_tokens": 4 })), "NO");
        assert_eq!(content(&json!({ "max_tokens": 400 })), ANSWER);
        let shape = json!({ "type": "object", "properties": {
            "gems": { "type": "array" }, "kind": { "enum": ["none", "some"] }, "note": { "type": ["string", "null"] },
        } });
        let question = json!({ "response_format": { "json_schema": { "schema": shape } } });
        assert_eq!(content(&question), r#"{"gems":[],"kind":"none","note":""}"#);
    }
}
