//! Talk by REST: what is asked, what comes of it, and what is refused.

use serde_json::{Value, json};

use crate::client::{EVERYTHING, Gateway, ask, general, post, send, start};
use discord_double::Double;

const BOT: &str = "bot:denizen";

async fn refused(double: &Double, route: &str, body: Value, status: u16, code: u64) {
    let got = ask(double, BOT, route, Some(body)).await;
    assert_eq!(
        (got.status, &got.json()["code"]),
        (status, &json!(code)),
        "{route}: {}",
        got.text
    );
}

#[tokio::test]
async fn the_same_nonce_is_the_same_message() {
    let double = start().await;
    let route = format!("POST /channels/{}/messages", general(&double));
    let body = json!({"content": "once", "nonce": "7", "enforce_nonce": true});
    let first = ask(&double, BOT, &route, Some(body.clone())).await.json();
    let second = ask(&double, BOT, &route, Some(body)).await.json();
    assert_eq!((&first["id"], &first["nonce"]), (&second["id"], &json!("7")));
    let other = ask(
        &double,
        BOT,
        &route,
        Some(json!({"content": "once", "nonce": "7"})),
    )
    .await
    .json();
    assert_ne!(first["id"], other["id"]);
}

#[tokio::test]
async fn history_is_paged_and_newest_first() {
    let double = start().await;
    let ids: Vec<Value> = (0..5)
        .map(|n| post(&double, "alice", &format!("line {n}"))["id"].clone())
        .collect();
    let channel = general(&double);
    let cases = [
        ("limit=2".to_owned(), vec!["line 4", "line 3"]),
        (
            format!("limit=2&before={}", ids[3].as_str().expect("id")),
            vec!["line 2", "line 1"],
        ),
        (
            format!("limit=2&after={}", ids[1].as_str().expect("id")),
            vec!["line 3", "line 2"],
        ),
        (
            format!("limit=3&around={}", ids[2].as_str().expect("id")),
            vec!["line 3", "line 2", "line 1"],
        ),
    ];
    for (query, expected) in cases {
        let got = ask(
            &double,
            BOT,
            &format!("GET /channels/{channel}/messages?{query}"),
            None,
        )
        .await
        .json();
        let got: Vec<&str> = got
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|it| it["content"].as_str())
            .collect();
        assert_eq!(got, expected, "{query}");
    }
}

#[tokio::test]
async fn what_discord_refuses_is_refused_in_its_words() {
    let double = start().await;
    let channel = general(&double);
    let messages = format!("/channels/{channel}/messages");
    let theirs = post(&double, "alice", "mine")["id"].clone();
    let theirs = format!("{messages}/{}", theirs.as_str().expect("an id"));
    refused(
        &double,
        &format!("POST {messages}"),
        json!({"content": ""}),
        400,
        50_006,
    )
    .await;
    refused(
        &double,
        &format!("POST {messages}"),
        json!({"content": "x".repeat(2001)}),
        400,
        50_035,
    )
    .await;
    refused(
        &double,
        "POST /channels/1/messages",
        json!({"content": "x"}),
        404,
        10_003,
    )
    .await;
    refused(&double, &format!("GET {messages}/1"), json!({}), 404, 10_008).await;
    refused(
        &double,
        &format!("PATCH {theirs}"),
        json!({"content": "yours"}),
        403,
        50_005,
    )
    .await;
    refused(&double, &format!("DELETE {theirs}"), json!({}), 403, 50_013).await;
    refused(
        &double,
        &format!("PUT {theirs}/reactions/nonsense/@me"),
        json!({}),
        400,
        10_014,
    )
    .await;
    refused(&double, "GET /nowhere", json!({}), 404, 0).await;
    let unknown = json!({"content": "x", "message_reference": {"message_id": "1"}});
    refused(&double, &format!("POST {messages}"), unknown, 400, 50_035).await;
    let broken = send(&double, BOT, &format!("POST {messages}"), "application/json", "{").await;
    assert_eq!((broken.status, &broken.json()["code"]), (400, &json!(50_109)));
    assert_eq!(ask(&double, "nonsense", "GET /users/@me", None).await.status, 401);
}

#[tokio::test]
async fn rights_are_those_of_roles_and_rules() {
    let double = start().await;
    let state = double.control("state", json!({})).expect("state");
    let guild = &state["guilds"][0]["id"];
    let rule = |bit: u32| json!([{"id": guild, "type": 0, "allow": "0", "deny": (1_u64 << bit).to_string()}]);
    let make = |name: &str, bit: u32| {
        let made = double
            .control(
                "channel",
                json!({"name": name, "permission_overwrites": rule(bit)}),
            )
            .expect("made");
        format!("POST /channels/{}/messages", made["id"].as_str().expect("an id"))
    };
    let (closed, hidden) = (make("closed", 11), make("hidden", 10));
    refused(&double, &closed, json!({"content": "x"}), 403, 50_013).await;
    refused(&double, &hidden, json!({"content": "x"}), 403, 50_001).await;
    let role = double
        .control("role", json!({"name": "all", "permissions": "8"}))
        .expect("made");
    double
        .control("member", json!({"user": "denizen", "roles": [role["id"]]}))
        .expect("changed");
    for route in [closed, hidden] {
        assert_eq!(
            ask(&double, BOT, &route, Some(json!({"content": "x"})))
                .await
                .status,
            200
        );
    }
}

#[tokio::test]
async fn a_file_comes_back_as_it_went() {
    let double = start().await;
    let form = "--B\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n\r\n\
        {\"content\":\"here\",\"attachments\":[{\"id\":0,\"filename\":\"a b.txt\",\"description\":\"words\"}]}\r\n--B\r\n\
        Content-Disposition: form-data; name=\"files[0]\"; filename=\"x\"\r\nContent-Type: text/plain\r\n\r\n\
        some words\r\n--B--\r\n";
    let route = format!("POST /channels/{}/messages", general(&double));
    let posted = send(&double, BOT, &route, "multipart/form-data; boundary=B", form)
        .await
        .json();
    let file = &posted["attachments"][0];
    assert_eq!(
        (&file["filename"], &file["size"], &file["description"]),
        (&json!("a_b.txt"), &json!(10), &json!("words"))
    );
    let url = file["url"].as_str().expect("an address");
    let path = &url[url.find("/attachments").expect("a path")..];
    assert_eq!(
        ask(&double, "", &format!("GET {path}"), None).await.text,
        "some words"
    );
}

#[tokio::test]
async fn a_thread_grows_from_a_message_and_wakes_when_somebody_writes() {
    let double = start().await;
    let mut bot = Gateway::login(&double, BOT, EVERYTHING).await;
    let id = post(&double, "alice", "worth it")["id"].clone();
    double
        .control(
            "thread",
            json!({"as": "alice", "channel": "general", "message": id, "name": "side"}),
        )
        .expect("made");
    assert_eq!(bot.event("THREAD_CREATE").await["id"], id);
    let thread = id.as_str().expect("an id");
    let closed = ask(
        &double,
        "user:alice",
        &format!("PATCH /channels/{thread}"),
        Some(json!({"archived": true})),
    )
    .await;
    assert_eq!(closed.json()["thread_metadata"]["archived"], true);
    ask(
        &double,
        BOT,
        &format!("POST /channels/{thread}/messages"),
        Some(json!({"content": "still there?"})),
    )
    .await;
    loop {
        let told = bot.event("THREAD_UPDATE").await;
        if told["thread_metadata"]["archived"] == false {
            break;
        }
    }
    assert_eq!(bot.event("MESSAGE_CREATE").await["channel_id"], id);
}

#[tokio::test]
async fn a_command_is_used_deferred_answered_and_followed_up() {
    let double = start().await;
    let mut bot = Gateway::login(&double, BOT, EVERYTHING).await;
    let me = ask(&double, BOT, "GET /users/@me", None).await.json()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let commands = json!([{"name": "ask", "description": "Asks", "options": [{"name": "what", "type": 3}]}]);
    let set = ask(
        &double,
        BOT,
        &format!("PUT /applications/{me}/commands"),
        Some(commands),
    )
    .await
    .json();
    let wish = json!({"as": "alice", "application": "denizen", "channel": "general", "command": "ask", "options": {"what": "why"}});
    let token = double.control("use", wish).expect("used")["token"]
        .as_str()
        .expect("a token")
        .to_owned();
    let used = bot.event("INTERACTION_CREATE").await;
    assert_eq!(
        (&used["data"]["id"], &used["data"]["options"][0]["value"]),
        (&set[0]["id"], &json!("why"))
    );
    let callback = format!(
        "POST /interactions/{}/{token}/callback",
        used["id"].as_str().expect("an id")
    );
    assert_eq!(
        ask(&double, "", &callback, Some(json!({"type": 5}))).await.status,
        204
    );
    assert_eq!(
        ask(&double, "", &callback, Some(json!({"type": 5}))).await.json()["code"],
        40_060
    );
    assert_eq!(bot.event("MESSAGE_CREATE").await["flags"], 128);
    let original = format!("PATCH /webhooks/{me}/{token}/messages/@original");
    ask(&double, "", &original, Some(json!({"content": "because"}))).await;
    assert_eq!(bot.event("MESSAGE_UPDATE").await["content"], "because");
    ask(
        &double,
        "",
        &format!("POST /webhooks/{me}/{token}"),
        Some(json!({"content": "and so on"})),
    )
    .await;
    let told = double.control("answer", json!({"token": token})).expect("told");
    let contents: Vec<&Value> = told["messages"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["content"])
        .collect();
    assert_eq!(contents, ["because", "and so on"]);
}

#[tokio::test]
async fn somebody_who_wants_no_messages_gets_none() {
    let double = start().await;
    let hermit = double
        .control("user", json!({"name": "hermit", "dms_closed": true}))
        .expect("made");
    let opened = ask(
        &double,
        BOT,
        "POST /users/@me/channels",
        Some(json!({"recipient_id": hermit["id"]})),
    )
    .await
    .json();
    let route = format!(
        "POST /channels/{}/messages",
        opened["id"].as_str().expect("an id")
    );
    refused(&double, &route, json!({"content": "x"}), 403, 50_007).await;
}
