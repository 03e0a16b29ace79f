//! Sessions: beginning, ending, going on, and who hears what.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{EVERYTHING, Gateway, general, post, start, start_with};
use discord_double::DoubleOptions;

#[tokio::test]
async fn a_client_hears_who_it_is_and_what_is_said() {
    let double = start().await;
    let mut bot = Gateway::connect(&double, "").await;
    bot.identify("bot:denizen", EVERYTHING).await;
    let ready = bot.event("READY").await;
    assert_eq!(ready["user"]["username"], "denizen");
    assert_eq!(ready["guilds"][0]["unavailable"], true);
    let guild = bot.event("GUILD_CREATE").await;
    assert_eq!(guild["channels"][0]["name"], "general");
    post(&double, "alice", "hello");
    let heard = bot.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&heard["content"], &heard["author"]["username"]),
        (&json!("hello"), &json!("alice"))
    );
    assert_eq!(heard["author"]["bot"], false);
}

#[tokio::test]
async fn a_compressed_connection_says_the_same() {
    let double = start().await;
    let mut bot = Gateway::connect(&double, "&compress=zlib-stream").await;
    bot.identify("bot:denizen", EVERYTHING).await;
    bot.event("GUILD_CREATE").await;
    for content in ["one", "two", &"long ".repeat(400)] {
        post(&double, "alice", content);
        assert_eq!(bot.event("MESSAGE_CREATE").await["content"], content.trim());
    }
    let payloads = double.control("payloads", json!({})).expect("payloads");
    assert_eq!(payloads[0]["compressed"], true);
}

#[tokio::test]
async fn heartbeats_are_acknowledged_until_the_connection_is_a_zombie() {
    let double = start().await;
    let mut bot = Gateway::login(&double, "bot:denizen", 1).await;
    bot.event("GUILD_CREATE").await;
    bot.send(json!({"op": 1, "d": 2})).await;
    assert_eq!(bot.payload().await["op"], 11);
    double
        .control("fault", json!({"kind": "zombie"}))
        .expect("a fault");
    bot.send(json!({"op": 1, "d": 2})).await;
    double.control("fault", json!({"kind": "drop"})).expect("a fault");
    assert!(bot.next().await.is_none(), "nothing came before the end");
}

#[tokio::test]
async fn what_is_wrong_with_a_beginning_is_told_by_its_code() {
    let double = start().await;
    double
        .control("user", json!({"name": "plain", "bot": true, "privileged": false}))
        .expect("made");
    for (payload, code) in [
        (json!({"op": 2, "d": {"token": "nonsense", "intents": 1}}), 4004),
        (
            json!({"op": 2, "d": {"token": "bot:a", "intents": 1, "shard": [3, 2]}}),
            4010,
        ),
        (json!({"op": 2, "d": {"token": "bot:a"}}), 4013),
        (
            json!({"op": 2, "d": {"token": "bot:plain", "intents": 1 << 15}}),
            4014,
        ),
        (json!({"op": 3, "d": {}}), 4003),
        (json!({"op": "x"}), 4001),
        (json!({"op": 1, "d": "x".repeat(5000)}), 4002),
    ] {
        let mut gateway = Gateway::connect(&double, "").await;
        gateway.send(payload.clone()).await;
        assert_eq!(gateway.closed().await, code, "{payload}");
    }
}

#[tokio::test]
async fn a_resumed_session_hears_what_it_missed_once() {
    let double = start().await;
    let mut bot = Gateway::login(&double, "bot:denizen", EVERYTHING).await;
    post(&double, "alice", "before");
    bot.event("MESSAGE_CREATE").await;
    double
        .control("fault", json!({"kind": "drop", "user": "denizen"}))
        .expect("a fault");
    assert!(bot.next().await.is_none());
    post(&double, "alice", "meanwhile");
    let mut bot = bot.resume(&double, "bot:denizen").await;
    assert_eq!(bot.event("MESSAGE_CREATE").await["content"], "meanwhile");
    bot.event("RESUMED").await;
    post(&double, "alice", "after");
    assert_eq!(bot.event("MESSAGE_CREATE").await["content"], "after");
}

#[tokio::test]
async fn a_session_that_is_gone_is_not_resumed() {
    let double = start().await;
    let bot = Gateway::login(&double, "bot:denizen", EVERYTHING).await;
    for wish in [json!({"kind": "hush"}), json!({"kind": "close", "code": 4009})] {
        double.control("fault", wish).expect("a fault");
        let mut again = bot.resume(&double, "bot:denizen").await;
        let payload = again.payload().await;
        assert_eq!((&payload["op"], &payload["d"]), (&json!(9), &json!(false)));
    }
    double
        .control("variants", json!({"resume_refused": true}))
        .expect("set");
    let bot = Gateway::login(&double, "bot:denizen", EVERYTHING).await;
    assert_eq!(bot.resume(&double, "bot:denizen").await.payload().await["op"], 9);
}

#[tokio::test]
async fn faults_of_the_gateway_arrive_as_they_are_named() {
    let double = start().await;
    let fault = |wish| double.control("fault", wish).expect("a fault");
    let mut bot = Gateway::login(&double, "bot:denizen", 0).await;
    fault(json!({"kind": "reconnect"}));
    assert_eq!(bot.payload().await["op"], 7);
    fault(json!({"kind": "invalid_session", "resumable": true}));
    assert_eq!(bot.payload().await["d"], true);
    fault(json!({"kind": "close", "code": 4008}));
    assert_eq!(bot.closed().await, 4008);
}

#[tokio::test]
async fn malformed_events_are_sent_and_what_follows_has_the_next_number() {
    let double = start().await;
    let mut bot = Gateway::login(&double, "bot:denizen", EVERYTHING & !(1 << 8)).await;
    bot.event("GUILD_CREATE").await;
    let mut events = 0;
    for which in discord_double::MALFORMED_KINDS {
        double
            .control("fault", json!({"kind": "malformed", "which": which}))
            .expect("a fault");
        let sent = bot.next().await.expect("a frame");
        events += u64::from(
            matches!(&sent, Message::Text(text) if text.contains(r#""s":"#) && !text.contains(r#""s":null"#)),
        );
    }
    assert_eq!(events, 9);
    bot.sequence += events;
    post(&double, "alice", "after all that");
    assert_eq!(bot.event("MESSAGE_CREATE").await["content"], "after all that");
    let wrong = double.control("fault", json!({"kind": "malformed", "which": "upside_down"}));
    assert!(wrong.is_err_and(|error| error.contains("lone_surrogate")));
}

#[tokio::test]
async fn content_is_hidden_without_its_intent_but_not_where_one_is_addressed() {
    let double = start().await;
    let mut bot = Gateway::login(&double, "bot:denizen", EVERYTHING & !(1 << 15)).await;
    let me = double
        .control("user", json!({"name": "denizen", "bot": true}))
        .expect("there")["id"]
        .clone();
    let me = me.as_str().expect("an id");
    post(&double, "alice", "a secret");
    assert_eq!(bot.event("MESSAGE_CREATE").await["content"], "");
    post(&double, "alice", &format!("<@{me}> hello"));
    assert_ne!(bot.event("MESSAGE_CREATE").await["content"], "");
    double
        .control("post", json!({"as": "alice", "to": "denizen", "content": "psst"}))
        .expect("posted");
    assert_eq!(bot.event("MESSAGE_CREATE").await["content"], "psst");
}

#[tokio::test]
async fn only_those_hear_who_asked_and_may_see() {
    let double = start().await;
    let mut deaf = Gateway::login(&double, "bot:deaf", 1).await;
    let mut bot = Gateway::login(&double, "bot:denizen", EVERYTHING).await;
    let guild = double.control("state", json!({})).expect("state")["guilds"][0]["id"].clone();
    let rules = json!([{"id": guild, "type": 0, "allow": "0", "deny": (1 << 10).to_string()}]);
    double
        .control(
            "channel",
            json!({"name": "hidden", "permission_overwrites": rules}),
        )
        .expect("made");
    double
        .control(
            "post",
            json!({"as": "owner", "channel": "hidden", "content": "unseen"}),
        )
        .expect("posted");
    post(&double, "alice", "seen");
    assert_eq!(bot.event("MESSAGE_CREATE").await["content"], "seen");
    assert_eq!(deaf.event("CHANNEL_CREATE").await["name"], "hidden");
    double.control("role", json!({"name": "last"})).expect("made");
    let next = deaf.payload().await;
    assert_eq!(next["t"], "GUILD_ROLE_CREATE", "no message came in between");
}

#[tokio::test]
async fn each_shard_hears_its_own_guilds() {
    let double = start_with(DoubleOptions {
        guilds: 4,
        shards: 2,
        ..DoubleOptions::default()
    })
    .await;
    let mut seen = Vec::new();
    for shard in 0..2 {
        let mut gateway = Gateway::connect(&double, "").await;
        let told = json!({"token": "bot:denizen", "intents": 1, "shard": [shard, 2]});
        gateway.send(json!({"op": 2, "d": told})).await;
        let ready = gateway.event("READY").await;
        let ids = ready["guilds"].as_array().expect("guilds").iter();
        let ids: Vec<u64> = ids
            .map(|it| it["id"].as_str().expect("an id").parse().expect("a number"))
            .collect();
        assert!(ids.iter().all(|id| (id >> 22) % 2 == shard));
        seen.extend(ids);
    }
    assert_eq!(seen.len(), 4);
    let mut alone = Gateway::connect(&double, "").await;
    alone.identify("bot:denizen", 1).await;
    assert_eq!(alone.closed().await, 4011);
}

#[tokio::test]
async fn members_are_told_when_they_are_asked_for() {
    let double = start().await;
    let mut bot = Gateway::login(&double, "bot:denizen", EVERYTHING).await;
    let guild = bot.event("GUILD_CREATE").await["id"].clone();
    post(&double, "alice", "hello");
    bot.send(json!({"op": 8, "d": {"guild_id": guild, "query": "ali", "limit": 5, "nonce": "n"}}))
        .await;
    let chunk = bot.event("GUILD_MEMBERS_CHUNK").await;
    assert_eq!(
        (&chunk["members"][0]["user"]["username"], &chunk["nonce"]),
        (&json!("alice"), &json!("n"))
    );
    bot.send(json!({"op": 8, "d": {"guild_id": guild, "query": "", "limit": 0}}))
        .await;
    assert_eq!(
        bot.event("GUILD_MEMBERS_CHUNK").await["members"]
            .as_array()
            .map(Vec::len),
        Some(3)
    );
}

#[tokio::test]
async fn whoever_goes_into_a_voice_channel_hears_where_its_server_is() {
    let double = start().await;
    let mut bot = Gateway::login(&double, "bot:denizen", EVERYTHING).await;
    let guild = bot.event("GUILD_CREATE").await["id"].clone();
    let lounge = double
        .control("channel", json!({"name": "lounge", "type": 2}))
        .expect("made")["id"]
        .clone();
    bot.send(json!({"op": 4, "d": {"guild_id": guild, "channel_id": lounge, "self_mute": false, "self_deaf": true}})).await;
    let state = bot.event("VOICE_STATE_UPDATE").await;
    assert_eq!(
        (&state["channel_id"], &state["self_deaf"]),
        (&lounge, &json!(true))
    );
    let own = double.control("calls", json!({})).expect("told")["endpoint"].clone();
    assert!(own.is_string());
    assert_eq!(bot.event("VOICE_SERVER_UPDATE").await["endpoint"], own);
    double
        .control("voice_server", json!({"endpoint": "127.0.0.1:4000"}))
        .expect("moved");
    assert_eq!(
        bot.event("VOICE_SERVER_UPDATE").await["endpoint"],
        "127.0.0.1:4000"
    );
    bot.send(json!({"op": 4, "d": {"guild_id": guild, "channel_id": general(&double)}}))
        .await;
    bot.send(json!({"op": 4, "d": {"guild_id": guild, "channel_id": null}}))
        .await;
    assert_eq!(
        bot.event("VOICE_STATE_UPDATE").await["channel_id"],
        json!(null),
        "a text channel is not gone into"
    );
}

#[tokio::test]
async fn two_beginnings_at_once_are_too_many() {
    let double = start().await;
    double
        .control("gateway", json!({"identify_spacing": 60_000}))
        .expect("set");
    Gateway::login(&double, "bot:denizen", 1).await;
    let mut second = Gateway::connect(&double, "").await;
    second.identify("bot:denizen", 1).await;
    assert_eq!(second.payload().await["op"], 9);
    Gateway::login(&double, "bot:other", 1).await;
}

#[tokio::test]
async fn others_see_who_is_there_and_who_is_gone() {
    let double = start().await;
    let mut bot = Gateway::login(&double, "bot:denizen", EVERYTHING).await;
    bot.event("PRESENCE_UPDATE").await;
    let alice = Gateway::login(&double, "user:alice", EVERYTHING).await;
    assert_eq!(bot.event("PRESENCE_UPDATE").await["status"], "online");
    drop(alice);
    assert_eq!(bot.event("PRESENCE_UPDATE").await["status"], "offline");
}
