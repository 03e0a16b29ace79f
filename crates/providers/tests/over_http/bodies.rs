//! The exact bytes of one rich request in each format.

use expect_test::{Expect, expect};
use runtime::ports::Language;

use crate::requests::{models_at, pictures, rich, settings};

fn check(provider: &str, model: &str, expected: Expect) {
    let models = models_at(provider, "http://127.0.0.1:1");
    let prepared = models
        .prepare(&rich(provider, model), &pictures(), &settings(&[]))
        .expect("prepared");
    expected.assert_eq(std::str::from_utf8(&prepared.body).expect("text"));
}

#[tokio::test]
async fn anthropic() {
    check(
        "anthropic",
        "claude-sonnet-4-5",
        expect![[
            r#"{"model":"claude-sonnet-4-5","max_tokens":600,"stream":true,"system":"You are Denizen.","messages":[{"role":"user","content":[{"type":"text","text":"(What was said before is not shown.)"}]},{"role":"assistant","content":[{"type":"text","text":"Good morning."}]},{"role":"user","content":[{"type":"text","text":"[12:03] Alice: what was in \"this\" picture?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORyBub3QgcmVhbGx5"}},{"type":"text","text":"(A picture that you cannot see.)"}]},{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"tool_use","id":"call_a","name":"search_messages","input":{"limit":3,"words":"picture"}},{"type":"tool_use","id":"call_b","name":"search_messages","input":{"limit":3,"words":"cat"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_a","content":"Bob: a cat"},{"type":"tool_result","tool_use_id":"call_b","content":"no time left","is_error":true}]},{"role":"user","content":[{"type":"text","text":"Reply required: yes"}]}],"tools":[{"name":"search_messages","description":"Looks for older messages.","input_schema":{"type":"object","additionalProperties":false,"properties":{"words":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["words"]}}],"output_config":{"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false,"properties":{"action":{"type":"string","enum":["reply","skip"]},"text":{"type":"string"},"reason":{"type":"string"}},"required":["action","text","reason"]}}}}"#
        ]],
    );
}

#[tokio::test]
async fn openai() {
    check(
        "openai",
        "gpt-4.1-mini",
        expect![[
            r#"{"model":"gpt-4.1-mini","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":600,"temperature":0.8,"prompt_cache_key":"denizen-7e5e5511a1824b78","messages":[{"role":"system","content":"You are Denizen."},{"role":"user","content":"(What was said before is not shown.)"},{"role":"assistant","content":"Good morning."},{"role":"user","content":[{"type":"text","text":"[12:03] Alice: what was in \"this\" picture?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORyBub3QgcmVhbGx5"}},{"type":"text","text":"(A picture that you cannot see.)"}]},{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"call_a","type":"function","function":{"name":"search_messages","arguments":"{\"limit\":3,\"words\":\"picture\"}"}},{"id":"call_b","type":"function","function":{"name":"search_messages","arguments":"{\"limit\":3,\"words\":\"cat\"}"}}]},{"role":"tool","tool_call_id":"call_a","content":"Bob: a cat"},{"role":"tool","tool_call_id":"call_b","content":"no time left"},{"role":"user","content":"Reply required: yes"}],"tools":[{"type":"function","function":{"name":"search_messages","description":"Looks for older messages.","parameters":{"type":"object","additionalProperties":false,"properties":{"words":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["words"]}}}],"response_format":{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":{"type":"object","additionalProperties":false,"properties":{"action":{"type":"string","enum":["reply","skip"]},"text":{"type":"string"},"reason":{"type":"string"}},"required":["action","text","reason"]}}}}"#
        ]],
    );
}

#[tokio::test]
async fn gemini() {
    check(
        "gemini",
        "gemini-3-pro-preview",
        expect![[
            r#"{"systemInstruction":{"parts":[{"text":"You are Denizen."}]},"contents":[{"role":"user","parts":[{"text":"(What was said before is not shown.)"}]},{"role":"model","parts":[{"text":"Good morning."}]},{"role":"user","parts":[{"text":"[12:03] Alice: what was in \"this\" picture?"},{"inlineData":{"mimeType":"image/png","data":"iVBORyBub3QgcmVhbGx5"}},{"text":"(A picture that you cannot see.)"}]},{"role":"model","parts":[{"text":"Let me look."},{"functionCall":{"id":"call_a","name":"search_messages","args":{"limit":3,"words":"picture"}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"id":"call_b","name":"search_messages","args":{"limit":3,"words":"cat"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"call_a","name":"search_messages","response":{"result":"Bob: a cat"}}},{"functionResponse":{"id":"call_b","name":"search_messages","response":{"error":"no time left"}}}]},{"role":"user","parts":[{"text":"Reply required: yes"}]}],"tools":[{"functionDeclarations":[{"name":"search_messages","description":"Looks for older messages.","parametersJsonSchema":{"type":"object","additionalProperties":false,"properties":{"words":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["words"]}}]}],"generationConfig":{"maxOutputTokens":2600,"thinkingConfig":{"thinkingLevel":"LOW"},"responseMimeType":"application/json","responseJsonSchema":{"type":"object","additionalProperties":false,"properties":{"action":{"type":"string","enum":["reply","skip"]},"text":{"type":"string","maxLength":2000},"reason":{"type":"string"}},"required":["action","text","reason"]}}}"#
        ]],
    );
}

#[tokio::test]
async fn offline() {
    check(
        "offline",
        "",
        expect![[
            r#"{"model":"lookup","purpose":"text_reply","system":"You are Denizen.","turns":[{"role":"assistant","parts":[{"text":"Good morning."}]},{"role":"user","parts":[{"history":{"session":"lounge-1","before":4,"max_chars":100}},{"text":"[12:03] Alice: what was in \"this\" picture?"},{"image":{"id":"kept","mime":"image/png"}},{"image":{"id":"lost","mime":"image/png"}}]},{"role":"assistant","parts":[{"text":"Let me look."},{"tool_call":{"id":"call_a","name":"search_messages","arguments":{"limit":3,"words":"picture"}}},{"tool_call":{"id":"call_b","name":"search_messages","arguments":{"limit":3,"words":"cat"}}}]},{"role":"tool","parts":[{"tool_result":{"callId":"call_a","name":"search_messages","text":"Bob: a cat","failed":false}}]},{"role":"tool","parts":[{"tool_result":{"callId":"call_b","name":"search_messages","text":"no time left","failed":true}}]},{"role":"user","parts":[{"text":"Reply required: yes"}]}],"output":{"json":{"name":"reply","schema":{"additionalProperties":false,"properties":{"action":{"enum":["reply","skip"],"type":"string"},"reason":{"type":"string"},"text":{"maxLength":2000,"type":"string"}},"required":["action","text","reason"],"type":"object"}}}}"#
        ]],
    );
}
