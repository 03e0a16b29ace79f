//! What is seen of arguments from here, and what is left to the tool.

use serde_json::json;

use super::trouble;

#[test]
fn arguments_are_what_the_first_level_of_the_schema_says() {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "unit": {"type": "string", "enum": ["C", "F"]},
            "near": {"type": ["string", "number"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "deep": {"type": "object"},
            "odd": {"type": "colour"},
            "any": {"description": "whatever"}
        },
        "required": ["city"]
    });
    let cases = [
        (json!({"city": "Oslo"}), None),
        (
            json!({"city": "Oslo", "days": 3, "unit": "C", "near": 1.5, "tags": [1], "deep": {}, "odd": 1, "any": [], "more": 1}),
            None,
        ),
        (
            json!({"city": "Oslo", "days": 3.0, "near": "x", "tags": null}),
            None,
        ),
        (json!(["Oslo"]), Some("the arguments must be one JSON object")),
        (json!({"days": 3}), Some("the argument `city` is missing")),
        (json!({"city": 3}), Some("the argument `city` must be text")),
        (
            json!({"city": "Oslo", "days": 3.5}),
            Some("the argument `days` must be a whole number"),
        ),
        (
            json!({"city": "Oslo", "days": "3"}),
            Some("the argument `days` must be a whole number"),
        ),
        (
            json!({"city": "Oslo", "unit": "K"}),
            Some("the argument `unit` must be one of \"C\", \"F\""),
        ),
        (
            json!({"city": "Oslo", "near": true}),
            Some("the argument `near` must be text or a number"),
        ),
        (
            json!({"city": "Oslo", "tags": "a"}),
            Some("the argument `tags` must be a list"),
        ),
        (
            json!({"city": "Oslo", "deep": 1}),
            Some("the argument `deep` must be an object"),
        ),
    ];
    for (arguments, wanted) in cases {
        assert_eq!(trouble(&arguments, &schema).as_deref(), wanted, "{arguments}");
    }
}

#[test]
fn a_schema_that_says_nothing_or_nonsense_lets_every_object_through() {
    for schema in [
        json!({}),
        json!(null),
        json!(true),
        json!({"required": 7, "properties": [], "type": 1}),
        json!({"required": [1]}),
    ] {
        assert_eq!(trouble(&json!({"a": 1}), &schema), None, "{schema}");
    }
}

#[test]
fn a_complaint_stays_short_whatever_a_schema_says() {
    let long = "x".repeat(5_000);
    let schema = json!({"required": [long], "properties": {}});
    assert!(trouble(&json!({}), &schema).expect("missing").chars().count() < 120);
    let schema = json!({"properties": {"a": {"enum": [long]}}});
    assert!(trouble(&json!({"a": 1}), &schema).expect("wrong").chars().count() <= 300);
}
