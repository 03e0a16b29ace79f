//! The file, while everything runs.

use serde_json::json;

use crate::bench::{Bench, servers, small};

#[tokio::test]
async fn a_bad_server_is_told_of_and_does_not_stop_the_others() {
    let bench = Bench::new(&servers(json!({
        "small": small(json!({})),
        "wrong": {"command": "x", "args": "y"},
        "keyless": {"command": "x", "env": {"K": "${NOWHERE}"}},
        "missing": {"command": "no-such-command-anywhere"},
        "off": {"command": "x", "disabled": true},
    })));
    bench.until_ready("small").await;
    let detail = async |name: &str| bench.status(name).await.unwrap().detail;
    assert!(detail("wrong").await.contains("`args`"));
    assert!(detail("keyless").await.contains("NOWHERE"));
    assert!(detail("off").await.contains("disabled"));
    let missing = bench
        .until("missing", |status| {
            status.unwrap().detail.contains("not connected")
        })
        .await
        .unwrap();
    assert!(
        missing.detail.contains("no-such-command-anywhere was not found"),
        "{}",
        missing.detail
    );
    assert!(missing.detail.contains("tried again"), "{}", missing.detail);
}

#[tokio::test]
async fn servers_come_and_go_with_the_file_and_the_others_stay() {
    let bench = Bench::new(&servers(
        json!({"first": small(json!({})), "second": small(json!({}))}),
    ));
    bench.until_ready("first").await;
    bench.until_ready("second").await;
    let before = bench.call("first__family", json!({})).await.unwrap();
    bench.write(&servers(
        json!({"first": small(json!({})), "third": small(json!({"allow": ["echo"]}))}),
    ));
    assert_eq!(bench.until_ready("third").await.tools, ["third__echo"]);
    assert!(bench.status("second").await.is_none());
    assert!(bench.call("second__echo", json!({})).await.is_err());
    let after = bench.call("first__family", json!({})).await.unwrap();
    let process = |told: &str| told.split(' ').next().unwrap().to_owned();
    assert_eq!(process(&before), process(&after), "the first was not touched");
    bench.write(&servers(
        json!({"first": small(json!({})), "third": small(json!({"allow": ["fail"]}))}),
    ));
    bench
        .until("third", |status| {
            status.is_some_and(|status| status.tools == ["third__fail"])
        })
        .await;
    bench.servers.shut_down().await;
}

#[tokio::test]
async fn a_broken_file_keeps_the_servers_of_before_and_is_told_of() {
    let bench = Bench::new(&servers(json!({"small": small(json!({}))})));
    bench.until_ready("small").await;
    bench.write_text("{\"mcpServers\": {\n  \"small\" }}");
    let told = bench.until("mcp.json", |status| status.is_some()).await.unwrap();
    assert!(told.detail.contains("line 2, column 11"), "{}", told.detail);
    assert_eq!(
        bench.call("small__echo", json!({"text": "still"})).await.unwrap(),
        "still"
    );
    bench.write(&servers(json!({"small": small(json!({}))})));
    bench.until("mcp.json", |status| status.is_none()).await;
    assert!(bench.status("small").await.unwrap().ready);
}

#[tokio::test]
async fn a_file_that_is_not_there_is_nothing_wrong() {
    let bench = Bench::new(&servers(json!({})));
    std::fs::remove_file(bench.folder.path().join("mcp.json")).unwrap();
    assert!(bench.status("mcp.json").await.is_none());
    assert!(bench.tools().await.is_empty());
    bench.write(&servers(json!({"small": small(json!({}))})));
    bench.until_ready("small").await;
}
