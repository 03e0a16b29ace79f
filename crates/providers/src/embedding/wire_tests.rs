use super::*;

fn wrong(wire: Wire, body: &str, count: usize) -> String {
    match wire.read(body.as_bytes(), count) {
        Err(Unreadable::Wrong(detail)) => detail,
        other => panic!("{body}: {other:?}"),
    }
}

#[test]
fn requests_name_dimensions_only_where_they_are_asked_for() {
    let input = ["a".to_owned(), "b\"".to_owned()];
    let body =
        |dimensions| String::from_utf8(Wire::OpenAi.body("m", &input, dimensions).to_vec()).expect("text");
    assert_eq!(body(None), r#"{"model":"m","input":["a","b\""]}"#);
    assert_eq!(
        body(Some(256)),
        r#"{"model":"m","input":["a","b\""],"dimensions":256}"#
    );
    assert_eq!(Wire::OpenAi.url("http://h/v1"), "http://h/v1/embeddings");
    assert_eq!(Wire::Ollama.url("http://h"), "http://h/api/embed");
}

#[test]
fn vectors_are_put_in_the_order_of_the_texts() {
    let body = r#"{"object":"list","data":[
        {"object":"embedding","index":1,"embedding":[0,1]},
        {"object":"embedding","index":0,"embedding":[0.5,-1e-3]}],"model":"m","usage":{"prompt_tokens":2}}"#;
    let vectors = Wire::OpenAi.read(body.as_bytes(), 2).expect("vectors");
    assert_eq!(vectors, [vec![0.5, -0.001], vec![0.0, 1.0]]);
    // Some servers do not number them.
    let body = r#"{"data":[{"embedding":[1]},{"embedding":[2]}]}"#;
    assert_eq!(
        Wire::OpenAi.read(body.as_bytes(), 2),
        Ok(vec![vec![1.0], vec![2.0]])
    );
    let body = r#"{"model":"m","embeddings":[[1],[2]],"total_duration":14143917}"#;
    assert_eq!(
        Wire::Ollama.read(body.as_bytes(), 2),
        Ok(vec![vec![1.0], vec![2.0]])
    );
}

#[test]
fn wrong_answers_are_told_apart_and_not_quoted() {
    let openai = |body, count| wrong(Wire::OpenAi, body, count);
    assert_eq!(
        openai(r#"{"data":[{"index":0,"embedding":[1]}]}"#, 2),
        "2 texts were sent, and 1 vectors came back"
    );
    assert_eq!(
        openai(
            r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#,
            2
        ),
        "two vectors have the index 0"
    );
    assert_eq!(
        openai(
            r#"{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}"#,
            2
        ),
        "a vector has the index 2, which no text has"
    );
    assert_eq!(
        openai(r#"{"data":[{"index":0,"embedding":[1]},{"embedding":[1]}]}"#, 2),
        "some of its vectors have an `index` and others have none"
    );
    for body in [
        r#"{"data":"private words"}"#,
        r#"{"data":[{"embedding":"cHJpdmF0ZQ=="}]}"#,
        r#"{"data":[{"embedding":[[1]]}]}"#,
        r#"{"data":[{"embedding":[null]}]}"#,
        r#"{"embeddings":[[1]]}"#,
        r#""private words""#,
    ] {
        assert_eq!(
            openai(body, 1),
            "its answer has no list of vectors in `data`",
            "{body}"
        );
    }
    assert_eq!(openai("<html>private words</html>", 1), "it did not send JSON");
    assert_eq!(openai("", 1), "it sent nothing");
    assert_eq!(
        Wire::Ollama.read(br#"{"embeddings":[[1,2"#, 1),
        Err(Unreadable::CutShort)
    );
    assert_eq!(
        wrong(Wire::Ollama, "{}", 1),
        "its answer has no list of vectors in `embeddings`"
    );
}
