use std::time::Duration;

use serde_json::{Value, json};

use super::{Offer, TOOLS_OF_A_SERVER_MAX, choose};
use crate::client::config::{Reach, ServerConfig};
use crate::client::listing::Listed;
use crate::client::redaction::Secrets;

fn config(allow: &[&str], deny: &[&str]) -> ServerConfig {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    ServerConfig {
        name: "files".to_owned(),
        reach: Reach::Http {
            url: "http://127.0.0.1/mcp".to_owned(),
            headers: Default::default(),
        },
        allow: owned(allow),
        deny: owned(deny),
        in_replies: true,
        in_thoughts: false,
        timeout: Duration::from_secs(1),
        secrets: Secrets::default(),
    }
}

fn listed(name: &str, schema: Value) -> Listed {
    Listed {
        name: name.to_owned(),
        description: format!("Does {name}."),
        schema,
    }
}

fn names(offer: &Offer) -> Vec<&str> {
    offer.tools.iter().map(|tool| tool.tool.as_str()).collect()
}

fn why<'a>(offer: &'a Offer, tool: &str) -> &'a str {
    &offer.left_out.iter().find(|left| left.tool == tool).unwrap().why
}

#[test]
fn all_tools_are_offered_where_nothing_is_said() {
    let offer = choose(
        &config(&[], &[]),
        vec![listed("b", json!({})), listed("a", json!({}))],
    );
    assert_eq!(names(&offer), ["a", "b"]);
    assert_eq!(offer.tools[0].name, "files__a");
    assert_eq!(offer.tools[0].schema, json!({"type": "object", "properties": {}}));
}

#[test]
fn deny_wins_over_allow() {
    let tools = vec![
        listed("a", json!({})),
        listed("b", json!({})),
        listed("c", json!({})),
    ];
    let offer = choose(&config(&["a", "b"], &["b"]), tools);
    assert_eq!(names(&offer), ["a"]);
    assert!(why(&offer, "b").contains("deny"));
    assert!(why(&offer, "c").contains("allow"));
}

#[test]
fn a_tool_without_the_schema_of_an_object_is_left_out_with_the_reason() {
    let tools = vec![
        listed("none", Value::Null),
        listed("text", json!({"type": "string"})),
        listed(
            "huge",
            json!({"type": "object", "properties": {"x": {"enum": vec!["y".repeat(100); 200]}}}),
        ),
        listed(
            "good",
            json!({"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}),
        ),
    ];
    let offer = choose(&config(&[], &[]), tools);
    assert_eq!(names(&offer), ["good"]);
    assert!(why(&offer, "none").contains("missing"));
    assert!(why(&offer, "text").contains("object"));
    assert!(why(&offer, "huge").contains("kB"));
}

#[test]
fn what_cannot_be_seen_is_taken_out_of_descriptions_wherever_they_stand() {
    let mut tool = listed(
        "a",
        json!({"properties": {"x": {"description": "the\u{200B} path\nnow"}}}),
    );
    tool.description = format!("Reads.\u{202E}\n\n{}", "x".repeat(2_000));
    let offer = choose(&config(&[], &[]), vec![tool]);
    assert!(offer.tools[0].description.starts_with("Reads. x"));
    assert_eq!(offer.tools[0].description.chars().count(), 1_000);
    assert_eq!(
        offer.tools[0].schema["properties"]["x"]["description"],
        "the path now"
    );
}

#[test]
fn a_server_offers_so_many_tools_and_no_more() {
    let tools = (0..60)
        .map(|number| listed(&format!("t{number:02}"), json!({})))
        .collect();
    let offer = choose(&config(&[], &[]), tools);
    assert_eq!(offer.tools.len(), TOOLS_OF_A_SERVER_MAX);
    assert_eq!(offer.left_out.len(), 20);
}
