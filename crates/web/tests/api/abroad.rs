//! Communities on Discord: administrators read their rooms by name, and nobody else is told of them.

use std::sync::Arc;

use reqwest::Method;
use runtime::ports::{
    Abroad, CallStanding, OutboundServices, PlatformStanding, PlatformState, PlatformTrouble, ShardStanding,
};
use serde_json::{Value, json};
use stand_ins::MemoryInRam;
use vocabulary::{CommunityId, RoomId, WallTime};

use crate::driver::{House, Neighbour, neighbour, open_abroad, open_beside};
use crate::roles::as_role;

const GUILD: &str = "discord-175928847299117063";
const ROOT: &str = "/api/communities/discord-175928847299117063";

async fn beside_a_server() -> (House, Neighbour) {
    let memory = MemoryInRam::default();
    let server = neighbour(GUILD, &memory).await;
    let (outbound, beside) = (OutboundServices::none(), Some(server.hosted.clone()));
    let house = open_beside(|_| {}, 100, false, outbound, memory, beside).await;
    (house, server)
}

#[tokio::test]
async fn rooms_of_a_server_are_listed_by_name_and_private_ones_marked() {
    let (house, _server) = beside_a_server().await;
    let listed = house.caller.get(&format!("{ROOT}/rooms")).await.ok(200);
    assert_eq!(
        listed["rooms"],
        json!([
            {"id": "1001", "name": "general", "kind": "text", "platform": "Discord"},
            {"id": "1002", "name": "plans", "kind": "text", "within": "general", "platform": "Discord"},
            {"id": "1003", "name": "staff", "kind": "text", "private": true, "platform": "Discord"},
        ])
    );
    for part in ["messages", "fates?messages=", "search?q=tea", "session"] {
        house
            .caller
            .get(&format!("{ROOT}/rooms/1003/{part}"))
            .await
            .ok(200);
    }
    let gone = house.caller.get(&format!("{ROOT}/rooms/77/messages")).await;
    gone.refused(404, "unknown_room");
}

#[tokio::test]
async fn nothing_is_posted_into_a_server_from_here() {
    let (house, server) = beside_a_server().await;
    let body = json!({"author": "Alice", "text": "hello"});
    let posted = house
        .caller
        .post(&format!("{ROOT}/rooms/1001/messages"), &body)
        .await;
    let told = posted.refused(409, "lives_elsewhere");
    assert!(
        told.contains("on Discord") && told.contains("read here"),
        "{told}"
    );
    assert!(server.store.kept().messages.is_empty());
}

#[tokio::test]
async fn who_is_no_administrator_is_not_told_that_a_server_is_there() {
    let (house, _server) = beside_a_server().await;
    let description = house.caller.get("/api/openapi.json").await.ok(200);
    let paths = description["paths"].as_object().expect("paths");
    for role in ["reader", "participant", "agent"] {
        let caller = as_role(&house, role).await;
        if role != "agent" {
            let listed = caller.get("/api/communities").await.ok(200).to_string();
            assert!(!listed.contains(GUILD), "{role}: {listed}");
        }
        let mut asked = 0;
        for path in paths.keys().filter(|path| path.starts_with("/api/")) {
            let inner = path.replace("{room}", "1001").replace(['{', '}'], "");
            let address = inner.replacen("/api", ROOT, 1);
            if inner.starts_with("/api/communities") || inner.starts_with("/api/watch/") {
                continue;
            }
            let answer = caller.send(Method::GET, &address, &Value::Null).await;
            let told = answer.refused(404, "unknown_community");
            assert!(
                !told.contains("The communities are: discord"),
                "{role} {address}: {told}"
            );
            asked += 1;
        }
        assert!(asked > 40, "{asked}");
    }
    let listed = house.caller.get("/api/communities").await.ok(200);
    assert_eq!(listed["communities"][1]["id"], GUILD);
    assert_eq!(listed["communities"][1]["platform"], "Discord");
}

/// A key is good in its own community, whoever has it; one that is not is refused alike where there is a server and where there
/// is none.
#[tokio::test]
async fn who_has_the_link_of_a_share_needs_nothing_else_and_who_has_none_learns_nothing() {
    let (house, _server) = beside_a_server().await;
    let stranger = reqwest::Client::new();
    let mut told = Vec::new();
    for community in [GUILD, "discord-42"] {
        let address = format!(
            "http://{}/api/communities/{community}/watch/no-such-share/frames",
            house.address
        );
        let request = stranger.post(address).bearer_auth("a-key-that-is-none");
        let answer = request.header("content-type", "image/jpeg").body(vec![7; 100]);
        let answer = answer.send().await.expect("it answers");
        told.push((answer.status().as_u16(), answer.text().await.expect("words")));
    }
    assert_eq!(told[0], told[1]);
    assert!(
        told[0].0 == 404 && told[0].1.contains("session_not_found"),
        "{told:?}"
    );
}

#[derive(Debug)]
struct OnDiscord;

impl Abroad for OnDiscord {
    fn standing(&self) -> PlatformStanding {
        PlatformStanding {
            platform: "Discord",
            state: PlatformState::Connected,
            account: Some("Iris".to_owned()),
            servers: 1,
            shards: vec![ShardStanding {
                connected: true,
                ..ShardStanding::default()
            }],
            calls: vec![CallStanding {
                community: CommunityId::from(GUILD),
                server: "The tea house".to_owned(),
                room: RoomId::from("1004"),
                channel: "evening".to_owned(),
                people: 3,
            }],
            trouble: Some(PlatformTrouble {
                at: WallTime(1),
                what: "Discord cannot be reached".to_owned(),
            }),
            ..PlatformStanding::default()
        }
    }
}

#[tokio::test]
async fn everything_that_is_hosted_stands_on_one_page() {
    let memory = MemoryInRam::default();
    let server = neighbour(GUILD, &memory).await;
    let house = open_abroad(memory, server.hosted.clone(), Arc::new(OnDiscord)).await;
    let seen = house.caller.get("/api/overview").await.ok(200);
    let communities = seen["communities"].as_array().expect("communities");
    assert_eq!(communities.len(), 2);
    assert_eq!(communities[0]["home"], true, "the home one is first");
    assert_eq!(
        (&communities[1]["rooms"], &communities[1]["privateRooms"]),
        (&json!(3), &json!(1))
    );
    let platform = &seen["platforms"][0];
    assert_eq!(
        (&platform["state"], &platform["account"]),
        (&json!("connected"), &json!("Iris"))
    );
    assert_eq!(platform["calls"][0]["channel"], "evening");
    assert_eq!(platform["trouble"]["what"], "Discord cannot be reached");
    for role in ["reader", "participant", "agent"] {
        let refused = as_role(&house, role).await.get("/api/overview").await;
        refused.refused(403, "not_allowed");
    }
}
