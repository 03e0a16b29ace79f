use expect_test::expect;
use serde_json::json;

use super::*;

#[test]
fn properties_come_in_the_order_of_required_and_the_rest_after_them() {
    let schema = json!({
        "type": "object",
        "properties": {"reason": {"type": "string"}, "action": {"enum": ["reply", "skip"], "type": "string"},
                       "aside": {"type": "string"}, "text": {"type": "string"}},
        "required": ["action", "text", "reason"],
    });
    expect![[r#"{"type":"object","properties":{"action":{"type":"string","enum":["reply","skip"]},"text":{"type":"string"},"reason":{"type":"string"},"aside":{"type":"string"}},"required":["action","text","reason"],"additionalProperties":false}"#]]
        .assert_eq(write_schema(&schema, Dialect::Full).get());
}

#[test]
fn bounds_are_left_out_where_a_provider_refuses_them_but_a_property_of_that_name_stays() {
    let schema = json!({
        "type": "object",
        "properties": {"minimum": {"type": "number", "minimum": 0, "maximum": 1},
                       "list": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 5}}},
        "required": ["minimum"], "additionalProperties": false,
    });
    expect![[r#"{"type":"object","additionalProperties":false,"properties":{"minimum":{"type":"number"},"list":{"type":"array","items":{"type":"string"}}},"required":["minimum"]}"#]]
        .assert_eq(write_schema(&schema, Dialect::WithoutBounds).get());
}

#[test]
fn text_is_escaped_and_keys_are_sorted_in_plain_values() {
    let value = json!({"b": "say \"hi\"\n", "a": [1, 2.5, null, true, {"z": 1, "y": 2}]});
    expect![[r#"{"a":[1,2.5,null,true,{"y":2,"z":1}],"b":"say \"hi\"\n"}"#]]
        .assert_eq(write_value(&value).get());
}
