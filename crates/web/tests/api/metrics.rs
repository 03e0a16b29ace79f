//! Figures for a monitor: who may read them, and that they say nothing of anybody.

use runtime::ports::OutboundServices;
use serde_json::json;
use stand_ins::MemoryInRam;

use crate::caller::Caller;
use crate::driver::{neighbour, open, open_beside};
use crate::roles::as_role;

#[tokio::test]
async fn a_monitor_reads_figures_and_nothing_else() {
    let house = open().await;
    let monitor = as_role(&house, "monitor").await;
    let answer = monitor.get("/metrics").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(
        answer.header("content-type"),
        "text/plain; version=0.0.4; charset=utf-8"
    );
    for name in [
        "denizen_build_info{version=\"9.9.9\"} 1",
        "denizen_communities 1",
        "denizen_inputs_waiting 0",
        "denizen_memory_turns{state=\"waiting\"} 0",
        "process_resident_memory_bytes ",
    ] {
        assert!(answer.text.contains(name), "{name}\n{}", answer.text);
    }
    monitor.get("/api/rooms").await.refused(403, "not_allowed");
    house.caller.get("/metrics").await;
    for role in ["reader", "participant", "agent"] {
        as_role(&house, role)
            .await
            .get("/metrics")
            .await
            .refused(403, "not_allowed");
    }
    // Whoever comes from this machine is a stranger, too: a proxy stands there.
    let stranger = Caller::new(house.address);
    stranger.get("/metrics").await.refused(401, "unauthorized");
    house
        .caller
        .post("/api/access/links", &json!({"role": "monitor"}))
        .await
        .refused(422, "invalid_role");
}

#[tokio::test]
async fn communities_are_told_apart_only_where_that_is_asked_for() {
    let memory = MemoryInRam::default();
    let club = neighbour("club", &memory).await;
    let (outbound, beside) = (OutboundServices::none(), Some(club.hosted.clone()));
    let house = open_beside(|_| {}, 100, false, outbound, memory, beside).await;
    let all = house.caller.get("/metrics").await.text;
    assert!(
        all.contains("denizen_communities 2") && !all.contains("club"),
        "{all}"
    );
    let apart = house.caller.get("/metrics?communities=1").await.text;
    let named = apart.lines().filter(|line| line.contains("community=\""));
    assert_eq!(named.count(), 2, "one of them, in two families: {apart}");
    let many = house.caller.get("/metrics?communities=5000").await;
    many.refused(400, "bad_query");
}

#[tokio::test]
async fn what_people_say_and_are_called_is_in_no_figure() {
    let house = open().await;
    let body = json!({"author": "Rumpelstiltskin", "text": "walnuts-in-the-attic"});
    house
        .caller
        .post("/api/rooms/lounge/messages", &body)
        .await
        .ok(201);
    let all = house.caller.get("/metrics?communities=200").await.text;
    for secret in ["umpelstiltskin", "walnuts", "lounge", crate::driver::TOKEN] {
        assert!(!all.contains(secret), "{secret}");
    }
}
