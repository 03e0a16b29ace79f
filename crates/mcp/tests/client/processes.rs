//! Servers that are processes.

use serde_json::json;
use vocabulary::{Span, ToolOrigin};

use crate::bench::{Bench, eventually, servers, small};
use runtime::ports::Toolbox;

#[tokio::test]
async fn the_tools_of_a_process_are_offered_and_answer() {
    let bench = Bench::new(&servers(
        json!({"small": small(json!({"use": ["replies", "thoughts"], "timeoutSeconds": 7}))}),
    ));
    let status = bench.until_ready("small").await;
    assert!(
        status.detail.contains("connected to small 1.0"),
        "{}",
        status.detail
    );
    let tools = bench.tools().await;
    let echo = tools.iter().find(|tool| tool.spec.name == "small__echo").unwrap();
    assert_eq!(echo.spec.description, "Says it again.");
    assert_eq!(echo.spec.parameters["properties"]["text"]["type"], "string");
    assert_eq!(
        echo.origin,
        ToolOrigin::Mcp {
            server: "small".to_owned()
        }
    );
    assert_eq!(
        (echo.in_replies, echo.in_thoughts, echo.deadline),
        (true, true, Span(7_000))
    );
    assert_eq!(
        bench.call("small__echo", json!({"text": "hello"})).await.unwrap(),
        "hello"
    );
}

#[tokio::test]
async fn only_what_is_allowed_and_not_denied_can_be_called() {
    let bench = Bench::new(&servers(
        json!({"small": small(json!({"allow": ["echo", "fail", "text_schema"], "deny": ["fail"]}))}),
    ));
    let status = bench.until_ready("small").await;
    assert_eq!(status.tools, ["small__echo"]);
    assert!(
        status.detail.contains("fail (`deny` names it)"),
        "{}",
        status.detail
    );
    assert!(
        status
            .detail
            .contains("text_schema (its input schema is not that of an object)"),
        "{}",
        status.detail
    );
    assert!(
        bench
            .call("small__fail", json!({}))
            .await
            .unwrap_err()
            .contains("small__fail")
    );
    assert!(bench.call("small__crash", json!({})).await.is_err());
    assert_eq!(
        bench
            .call("small__echo", json!({"text": "still here"}))
            .await
            .unwrap(),
        "still here"
    );
}

#[tokio::test]
async fn a_slow_call_is_given_up_and_cancelled() {
    let bench = Bench::new(&servers(json!({"small": small(json!({"timeoutSeconds": 1}))})));
    bench.until_ready("small").await;
    let refusal = bench.call("small__slow", json!({})).await.unwrap_err();
    assert!(
        refusal.contains("within 1 s") && refusal.contains("cancelled"),
        "{refusal}"
    );
    // The notice and this question travel one after the other, but the server takes them up side by side.
    eventually(async || bench.call("small__cancelled", json!({})).await.unwrap() == "1").await;
}

#[tokio::test]
async fn a_server_that_crashes_is_started_again() {
    let bench = Bench::new(&servers(json!({"small": small(json!({}))})));
    bench.until_ready("small").await;
    for _ in 0..3 {
        let refusal = bench.call("small__crash", json!({})).await.unwrap_err();
        assert!(refusal.contains("small"), "{refusal}");
        bench
            .until("small", |status| !status.unwrap().detail.contains("connected to"))
            .await;
        assert!(
            bench.names().await.contains(&"small__echo".to_owned()),
            "a short absence withdraws nothing"
        );
        bench.until_ready("small").await;
        assert_eq!(
            bench.call("small__echo", json!({"text": "back"})).await.unwrap(),
            "back"
        );
    }
}

#[tokio::test]
async fn new_tools_are_noticed_when_the_server_announces_them() {
    let bench = Bench::new(&servers(json!({"small": small(json!({}))})));
    bench.until_ready("small").await;
    assert!(!bench.names().await.contains(&"small__grown".to_owned()));
    let (_, told) = tokio::join!(bench.servers.changed(), bench.call("small__grow", json!({})));
    assert_eq!(told.unwrap(), "grown");
    bench
        .until("small", |status| {
            status.unwrap().tools.contains(&"small__grown".to_owned())
        })
        .await;
}

#[tokio::test]
async fn a_huge_result_is_cut_and_a_failure_is_an_error() {
    let bench = Bench::new(&servers(json!({"small": small(json!({}))})));
    bench.until_ready("small").await;
    let huge = bench.call("small__huge", json!({})).await.unwrap();
    assert!(huge.chars().count() <= 8_000 && huge.ends_with("characters]"));
    assert_eq!(
        bench.call("small__fail", json!({})).await.unwrap_err(),
        "it does not work"
    );
    assert!(
        bench
            .call("small__echo", json!("text"))
            .await
            .unwrap_err()
            .contains("object")
    );
}

#[tokio::test]
async fn a_greeting_where_only_the_protocol_belongs_is_passed_over() {
    let bench = Bench::new(&servers(json!({"small": small(json!({"args": ["--chatty"]}))})));
    bench.until_ready("small").await;
    assert_eq!(
        bench.call("small__echo", json!({"text": "hello"})).await.unwrap(),
        "hello"
    );
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_process_is_ended_with_everything_it_started() {
    let bench = Bench::new(&servers(json!({"small": small(json!({}))})));
    bench.until_ready("small").await;
    let told = bench.call("small__family", json!({})).await.unwrap();
    let family: Vec<u32> = told.split(' ').map(|id| id.parse().unwrap()).collect();
    assert!(family.iter().all(|id| runs(*id)));
    bench.servers.shut_down().await;
    for id in family {
        eventually(async || !runs(id)).await;
    }
    assert!(bench.names().await.is_empty());
}

#[cfg(target_os = "linux")]
fn runs(id: u32) -> bool {
    // The state follows the name in brackets; a zombie runs no more.
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}
