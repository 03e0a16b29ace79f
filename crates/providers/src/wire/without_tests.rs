use super::*;

fn left(body: &str, wire: Wire, refused: &[&str]) -> String {
    let refused: Vec<Parameter> = refused
        .iter()
        .map(|path| Parameter::at(path).expect("a path"))
        .collect();
    String::from_utf8(without(body.as_bytes().to_vec(), wire, &refused)).expect("text")
}

#[test]
fn only_what_is_refused_goes_and_the_rest_keeps_its_order() {
    let body = r#"{"stream":true,"stream_options":{"include_usage":true},"model":"m","messages":[{"role":"user","content":"ü \"b\""}],"a":1}"#;
    assert_eq!(
        left(body, Wire::OpenAiChat, &["stream_options", "nothing.like.it"]),
        r#"{"stream":true,"model":"m","messages":[{"role":"user","content":"ü \"b\""}],"a":1}"#
    );
    assert_eq!(
        left(body, Wire::OpenAiChat, &["stream"]),
        r#"{"model":"m","messages":[{"role":"user","content":"ü \"b\""}],"a":1}"#,
        "what goes with it goes, too"
    );
}

#[test]
fn a_place_within_lists_is_left_out_in_each_of_their_items_however_it_is_written() {
    let body = r#"{"system":[{"text":"s","cache_control":{"type":"e"}}],"generationConfig":{"thinkingConfig":{"b":1},"maxOutputTokens":5}}"#;
    assert_eq!(
        left(
            body,
            Wire::Gemini,
            &["system[0].cache_control", "generation_config.thinking_config"]
        ),
        r#"{"system":[{"text":"s"}],"generationConfig":{"maxOutputTokens":5}}"#
    );
}

#[test]
fn a_limit_goes_by_its_other_name_before_it_goes() {
    let body = r#"{"max_tokens":5,"model":"m"}"#;
    let chat = |refused: &[&str]| left(body, Wire::OpenAiChat, refused);
    assert_eq!(
        chat(&["max_tokens"]),
        r#"{"max_completion_tokens":5,"model":"m"}"#
    );
    assert_eq!(chat(&["max_completion_tokens"]), body);
    assert_eq!(chat(&["max_completion_tokens", "max_tokens"]), r#"{"model":"m"}"#);
    assert_eq!(left(body, Wire::AnthropicMessages, &["max_tokens"]), body);
}
