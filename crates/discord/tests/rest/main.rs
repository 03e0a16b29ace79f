//! The REST client before a server on this machine.

mod double;
mod server;

use bytes::Bytes;
use discord::rest::{
    CommandSpec, FilePart, InteractionReplies, InteractionReply, MessageToSend, PageOf, RestClient,
    RestFault, nonce,
};
use discord::wire::{Emoji, Snowflake};
use secrecy::SecretString;
use serde_json::json;
use server::{Server, TOKEN, message, told};

fn id(number: u64) -> Snowflake {
    Snowflake::new(number).unwrap()
}

fn words(content: &str) -> MessageToSend {
    MessageToSend {
        content: content.to_owned(),
        nonce: Some(nonce("d", 0)),
        ..MessageToSend::default()
    }
}

#[tokio::test]
async fn who_and_where_it_is() {
    let server = Server::start().await;
    let offer = json!({"url": "ws://127.0.0.1:1", "shards": 2,
        "session_start_limit": {"total": 1000, "remaining": 7, "reset_after": 60_000, "max_concurrency": 16}});
    server
        .will("GET /gateway/bot", told(200, offer))
        .will(
            "GET /users/@me",
            told(200, json!({"id": 9, "username": "denizen", "bot": true})),
        )
        .will(
            "GET /applications/@me",
            told(
                200,
                json!({"id": "8", "name": "Denizen", "flags": 1 << 19 | 1 << 15, "bot_public": false}),
            ),
        )
        .will("GET /applications/@me", told(200, json!({"id": "8"})));
    let offer = server.client.gateway().await.unwrap();
    assert_eq!(
        (offer.shards, offer.starts_left, offer.max_concurrency),
        (2, 7, 16)
    );
    assert_eq!(server.client.own_user().await.unwrap().id, id(9));
    let own = server.client.own_application().await.unwrap();
    assert!(own.hears_content && own.hears_members && !own.hears_presences && !own.is_public);
    // A server that knows no switches.
    assert!(server.client.own_application().await.unwrap().hears_content);
    for asked in server.asked() {
        assert_eq!(asked.authorization.as_deref(), Some("Bot very.secret.token"));
        assert!(asked.agent.starts_with("DiscordBot ("), "{}", asked.agent);
    }
}

#[tokio::test]
async fn a_message_has_all_that_makes_it_safe() {
    let server = Server::start().await;
    server.will("POST", told(200, message(77)));
    let new = MessageToSend {
        reply_to: Some(id(6)),
        may_notify: vec![id(3)],
        nonce: Some(nonce("delivery-with-a-name-longer-than-25-characters", 1)),
        ..words("hello @everyone")
    };
    let posted = server.client.create_message(id(5), &new).await.unwrap();
    assert_eq!(posted.id, id(77));
    let asked = &server.asked()[0];
    assert_eq!(asked.line, "POST /channels/5/messages");
    let body = asked.json();
    assert_eq!(
        body["allowed_mentions"],
        json!({"parse": [], "users": ["3"], "roles": [], "replied_user": false})
    );
    assert_eq!(
        body["message_reference"],
        json!({"message_id": "6", "fail_if_not_exists": false})
    );
    assert_eq!(body["enforce_nonce"], true);
    assert!(body["nonce"].as_str().unwrap().len() <= 25);
    assert_ne!(nonce("a", 0), nonce("a", 1));
    assert_eq!(nonce("a", 0), nonce("a", 0));
}

#[tokio::test]
async fn files_go_in_a_form() {
    let server = Server::start().await;
    server.will("POST", told(200, message(77)));
    let file = FilePart {
        name: "cat.png".to_owned(),
        mime: "image/png".to_owned(),
        description: "a cat".to_owned(),
        bytes: Bytes::from_static(b"\x89PNG"),
    };
    let new = MessageToSend {
        files: vec![file],
        ..words("look")
    };
    server.client.create_message(id(5), &new).await.unwrap();
    let asked = &server.asked()[0];
    assert!(
        asked.mime.starts_with("multipart/form-data; boundary="),
        "{}",
        asked.mime
    );
    let body = String::from_utf8_lossy(&asked.body);
    assert!(
        body.contains("name=\"payload_json\"") && body.contains("name=\"files[0]\"; filename=\"cat.png\"")
    );
    assert!(
        body.contains(r#""attachments":[{"description":"a cat","filename":"cat.png","id":0}]"#),
        "{body}"
    );
}

#[tokio::test]
async fn every_other_call_goes_where_it_belongs() {
    let server = Server::start().await;
    let client = &server.client;
    let page = json!([message(12), {"broken": true}, message(11)]);
    server
        .will("GET /channels/5/messages?", told(200, page))
        .will("GET /channels/5/messages/7", told(200, message(7)))
        .will("PATCH", told(200, message(7)))
        .will(
            "DELETE /channels/5/messages/7",
            told(404, json!({"code": 10_008})),
        )
        .will("PUT /channels", told(204, json!(null)))
        .will("DELETE /channels", told(204, json!(null)))
        .will("typing", told(204, json!(null)))
        .will("POST /users", told(200, json!({"id": "55", "type": 1})))
        .will(
            "GET /guilds",
            told(200, json!({"user": {"id": "3"}, "nick": "Ann", "roles": ["4"]})),
        )
        .will("threads", told(201, json!({"id": "66"})))
        .will("commands", told(200, json!([])))
        .will("commands", told(200, json!([])));
    let read = client.messages(id(5), PageOf::After(id(10)), 500).await.unwrap();
    let ids: Vec<u64> = read.iter().map(|message| message.id.number()).collect();
    assert_eq!(
        ids,
        [11, 12],
        "what cannot be read is left out, and the oldest is first"
    );
    client.message(id(5), id(7)).await.unwrap();
    client.edit_message(id(5), id(7), "better", &[]).await.unwrap();
    client.delete_message(id(5), id(7)).await.unwrap();
    client
        .react(id(5), id(7), &Emoji::Character("👍".to_owned()))
        .await
        .unwrap();
    let custom = Emoji::Custom {
        id: id(8),
        name: Some("blob".to_owned()),
        is_animated: false,
    };
    client.unreact(id(5), id(7), &custom).await.unwrap();
    client.show_typing(id(5)).await.unwrap();
    assert_eq!(client.open_direct(id(3)).await.unwrap(), id(55));
    assert_eq!(
        client.member(id(2), id(3)).await.unwrap().nick.as_deref(),
        Some("Ann")
    );
    assert_eq!(
        client.create_thread(id(5), id(7), "a\nname").await.unwrap(),
        id(66)
    );
    let commands = [CommandSpec {
        name: "denizen".into(),
        description: "x".into(),
        options: Vec::new(),
        permissions: None,
        in_direct: true,
    }];
    client.overwrite_commands(id(1), None, &commands).await.unwrap();
    client.overwrite_commands(id(1), Some(id(2)), &[]).await.unwrap();
    assert_eq!(
        server.lines(),
        [
            "GET /channels/5/messages?limit=100&after=10",
            "GET /channels/5/messages/7",
            "PATCH /channels/5/messages/7",
            "DELETE /channels/5/messages/7",
            "PUT /channels/5/messages/7/reactions/%F0%9F%91%8D/@me",
            "DELETE /channels/5/messages/7/reactions/blob%3A8/@me",
            "POST /channels/5/typing",
            "POST /users/@me/channels",
            "GET /guilds/2/members/3",
            "POST /channels/5/messages/7/threads",
            "PUT /applications/1/commands",
            "PUT /applications/1/guilds/2/commands",
        ]
    );
    assert_eq!(server.asked()[9].json(), json!({"name": "a name"}));
}

#[tokio::test]
async fn channels_and_threads_are_listed() {
    let server = Server::start().await;
    server
        .will(
            "GET /guilds/2/channels",
            told(200, json!([{"id": "5", "type": 0, "name": "general"}, 7])),
        )
        .will(
            "active",
            told(
                200,
                json!({"threads": [{"id": "6", "type": 11, "parent_id": "5"}], "members": []}),
            ),
        );
    let channels = server.client.guild_channels(id(2)).await.unwrap();
    assert_eq!(channels.len(), 1);
    assert_eq!(channels[0].name, "general");
    let threads = server.client.active_threads(id(2)).await.unwrap();
    assert_eq!(threads[0].parent, Some(id(5)));
}

#[tokio::test]
async fn interactions_are_answered_by_their_own_token() {
    let server = Server::start().await;
    server
        .will("callback", told(204, json!(null)))
        .will(
            "callback",
            told(400, json!({"code": 40_060, "message": "already acknowledged"})),
        )
        .will("PATCH", told(200, message(7)))
        .will("POST /webhooks", told(200, message(8)))
        .will("DELETE", told(204, json!(null)));
    let replies = InteractionReplies::new(
        server.client.clone(),
        id(1),
        id(2),
        SecretString::from("its.token"),
    );
    replies
        .answer(&InteractionReply::Later { is_private: true })
        .await
        .unwrap();
    let failure = replies.answer(&InteractionReply::Noted).await.unwrap_err();
    assert_eq!(failure.fault, RestFault::InteractionOver);
    replies.edit("done").await.unwrap();
    replies.follow_up("and more", true).await.unwrap();
    replies.delete().await.unwrap();
    let asked = server.asked();
    assert_eq!(asked[0].json(), json!({"type": 5, "data": {"flags": 64}}));
    assert_eq!(asked[3].json()["allowed_mentions"]["parse"], json!([]));
    assert!(asked.iter().all(|asked| asked.authorization.is_none()));
    assert_eq!(
        server.lines()[2..],
        [
            "PATCH /webhooks/1/its.token/messages/@original",
            "POST /webhooks/1/its.token",
            "DELETE /webhooks/1/its.token/messages/@original"
        ]
    );
    assert!(!format!("{replies:?}").contains("its.token"));
}

#[tokio::test]
async fn a_429_and_faults_are_waited_out_and_the_message_arrives_once() {
    let server = Server::start().await;
    server
        .will(
            "POST",
            told(429, json!({"retry_after": 0.05, "global": false})).bucket("b", 5, 0, "0.05"),
        )
        .will("POST", told(429, json!({"retry_after": 0.02, "global": true})))
        .will("POST", told(503, json!("<html>")))
        .will("POST", told(200, message(77)));
    server
        .client
        .create_message(id(5), &words("hello"))
        .await
        .unwrap();
    let nonces: Vec<_> = server
        .asked()
        .iter()
        .map(|asked| asked.json()["nonce"].clone())
        .collect();
    assert_eq!(nonces.len(), 4);
    assert!(nonces.iter().all(|nonce| *nonce == nonces[0]));
}

#[tokio::test]
async fn what_might_happen_twice_is_not_tried_twice() {
    let server = Server::start().await;
    server.will("POST", told(502, json!(null)));
    let failure = server.client.create_thread(id(5), id(7), "x").await.unwrap_err();
    assert_eq!(failure.fault, RestFault::ServerFault);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_slow_channel_stops_no_other() {
    let server = Server::start().await;
    server.will_hang("POST /channels/5/messages");
    let client = server.client.clone();
    let slow = tokio::spawn(async move { client.create_message(id(5), &words("never")).await });
    while server.asked().is_empty() {
        tokio::task::yield_now().await;
    }
    for _ in 0..10 {
        server.will(
            "POST /channels/6/messages",
            told(200, message(77)).bucket("b", 5, 4, "0.01"),
        );
        server
            .client
            .create_message(id(6), &words("hello"))
            .await
            .unwrap();
    }
    assert!(!slow.is_finished());
    // And whoever gives up leaves nothing behind.
    slow.abort();
    assert!(slow.await.unwrap_err().is_cancelled());
    assert_eq!(server.client.load(), (0, 0));
}

#[tokio::test]
async fn after_a_refused_token_nothing_is_sent_any_more() {
    let server = Server::start().await;
    server.will(
        "GET",
        told(401, json!({"message": "401: Unauthorized", "code": 0})),
    );
    for _ in 0..3 {
        let failure = server.client.own_user().await.unwrap_err();
        assert_eq!(failure.fault, RestFault::TokenRefused);
        assert!(failure.detail.contains("Reset Token"), "{failure}");
    }
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_missing_permission_is_told_and_odd_answers_are_no_panic() {
    let server = Server::start().await;
    server.will(
        "POST",
        told(403, json!({"message": "Missing Permissions", "code": 50_013})),
    );
    let failure = server
        .client
        .create_message(id(5), &words("x"))
        .await
        .unwrap_err();
    assert_eq!(failure.fault, RestFault::MissingPermission);
    assert!(!failure.is_retryable());
    for body in [json!([]), json!(null), json!({"id": "0"})] {
        server.will("GET", told(200, body.clone()));
        let failure = server.client.own_user().await.unwrap_err();
        assert_eq!(failure.fault, RestFault::Unreadable, "{body}");
    }
    server.will(
        "GET",
        server::Told {
            body: "{".to_owned(),
            ..told(200, json!(null))
        },
    );
    assert!(
        server
            .client
            .own_user()
            .await
            .unwrap_err()
            .detail
            .contains("no JSON")
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_without_the_token() {
    // A port that was free a moment ago.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let client = RestClient::new(&base, &SecretString::from(format!("Bot {TOKEN}\n"))).unwrap();
    let replies = InteractionReplies::new(client.clone(), id(1), id(2), SecretString::from("its.token"));
    let failure = replies.answer(&InteractionReply::Noted).await.unwrap_err();
    assert_eq!(failure.fault, RestFault::Unreachable);
    for text in [format!("{failure:?}"), format!("{client:?}")] {
        assert!(!text.contains("token"), "{text}");
    }
}

#[tokio::test]
async fn a_bad_address_or_token_is_told_at_once() {
    let token = SecretString::from(TOKEN);
    let failure = RestClient::new("ftp://x", &token).unwrap_err();
    assert!(failure.detail.contains("\"ftp://x\" is not an http"), "{failure}");
    for bad in ["", "  ", "two\nlines", "Bot "] {
        let failure = RestClient::new("http://127.0.0.1:1", &SecretString::from(bad)).unwrap_err();
        assert_eq!(failure.fault, RestFault::TokenRefused, "{bad:?}");
    }
}
