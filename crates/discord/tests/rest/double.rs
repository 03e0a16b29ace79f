//! The REST client before the Discord of our tests, with its limits and its faults.

use discord::rest::{
    CommandSpec, InteractionReplies, InteractionReply, MessageToSend, PageOf, RestClient, RestFault, nonce,
};
use discord::text::{Here, written};
use discord::wire::{Channel, Emoji, Snowflake};
use discord_double::{Double, DoubleOptions};
use secrecy::SecretString;
use serde_json::{Value, json};

struct Place {
    double: Double,
    client: RestClient,
    guild: Snowflake,
    channel: Snowflake,
}

impl Place {
    async fn new() -> Self {
        let double = Double::start(DoubleOptions::default()).await.unwrap();
        let client = RestClient::new(&double.api(), &SecretString::from("bot:denizen")).unwrap();
        let state = double.control("state", json!({})).unwrap();
        let guild = Snowflake::read(&state["guilds"][0]["id"]).unwrap();
        let channels = client.guild_channels(guild).await.unwrap();
        let is_general = |channel: &&Channel| channel.name == "general";
        let channel = channels.iter().find(is_general).unwrap().id;
        Self {
            double,
            client,
            guild,
            channel,
        }
    }

    fn statuses(&self) -> Vec<u64> {
        let requests = self.double.control("requests", json!({})).unwrap();
        let requests = requests.as_array().unwrap().iter();
        requests
            .map(|request| request["status"].as_u64().unwrap_or_default())
            .collect()
    }

    /// What stands in the channel, oldest first.
    fn contents(&self) -> Vec<String> {
        let messages = self
            .double
            .control("messages", json!({"channel": "general"}))
            .unwrap();
        let text = |message: &Value| message["content"].as_str().unwrap().to_owned();
        messages.as_array().unwrap().iter().map(text).collect()
    }

    async fn send(&self, number: usize) -> Result<Snowflake, discord::rest::RestFailure> {
        let message = MessageToSend {
            content: format!("number {number}"),
            nonce: Some(nonce("delivery", number)),
            ..MessageToSend::default()
        };
        Ok(self.client.create_message(self.channel, &message).await?.id)
    }
}

#[tokio::test]
async fn a_conversation_from_the_first_question_to_the_last_reaction() {
    for is_independent in [false, true] {
        let place = Place::new().await;
        let variants = json!({"independent": is_independent});
        place.double.control("variants", variants).unwrap();
        let (client, channel) = (&place.client, place.channel);
        let own = client.own_user().await.unwrap();
        assert_eq!(own.name, "denizen");
        assert!(client.own_application().await.unwrap().hears_content);
        assert!(client.gateway().await.unwrap().url.starts_with("ws://"));
        let said = json!({"as": "alice", "channel": "general", "content": "hello there"});
        let said = place.double.control("post", said).unwrap();
        let asked = Snowflake::read(&said["id"]).unwrap();
        let alice = Snowflake::read(&said["author"]["id"]).unwrap();
        let here = Here {
            people: vec![(alice, "alice".to_owned())],
            may_notify: vec![alice],
            ..Here::default()
        };
        let parts = written(&format!("@alice @everyone {}", "word ".repeat(600)), &here);
        assert_eq!(parts.len(), 2);
        for (index, part) in parts.iter().enumerate() {
            let message = MessageToSend {
                content: part.content.clone(),
                may_notify: part.notifies.clone(),
                reply_to: (index == 0).then_some(asked),
                nonce: Some(nonce("delivery", index)),
                ..MessageToSend::default()
            };
            let posted = client.create_message(channel, &message).await.unwrap();
            assert_eq!(posted.author.id, own.id);
            assert!(!posted.mentions_everyone);
            if index == 0 {
                assert!(
                    posted
                        .content
                        .starts_with(&format!("<@{alice}> @\u{200b}everyone"))
                );
                let mut mentioned = posted.mentions.iter().map(|(user, _)| user.id);
                // Other servers leave them out.
                assert!(is_independent || mentioned.any(|id| id == alice));
            }
        }
        let page = client.messages(channel, PageOf::After(asked), 10).await.unwrap();
        assert_eq!(page.len(), 2);
        assert_eq!(page[0].reference.as_ref().unwrap().message, Some(asked));
        let last = page[1].id;
        client.edit_message(channel, last, "shorter", &[]).await.unwrap();
        assert_eq!(client.message(channel, last).await.unwrap().content, "shorter");
        client
            .react(channel, asked, &Emoji::Character("👍".to_owned()))
            .await
            .unwrap();
        client
            .unreact(channel, asked, &Emoji::Character("👍".to_owned()))
            .await
            .unwrap();
        client.show_typing(channel).await.unwrap();
        client.delete_message(channel, last).await.unwrap();
        client.delete_message(channel, last).await.unwrap();
        let thread = client.create_thread(channel, asked, "a thread").await.unwrap();
        let threads = client.active_threads(place.guild).await.unwrap();
        assert!(threads.iter().any(|found| found.id == thread));
        assert_eq!(
            client.member(place.guild, alice).await.unwrap().user.unwrap().id,
            alice
        );
        let direct = client.open_direct(alice).await.unwrap();
        let message = MessageToSend {
            content: "just you".to_owned(),
            ..MessageToSend::default()
        };
        client.create_message(direct, &message).await.unwrap();
        assert!(!place.statuses().contains(&429));
    }
}

#[tokio::test]
async fn a_burst_stays_within_the_limits() {
    let place = Place::new().await;
    let rules = json!([{"route": "POST /channels/*/messages", "limit": 3, "window_ms": 150}]);
    place
        .double
        .control("limits", json!({"on": true, "global": 1_000, "rules": rules}))
        .unwrap();
    let sent = futures_util::future::join_all((0..14).map(|number| place.send(number))).await;
    assert!(sent.iter().all(Result::is_ok), "{sent:?}");
    assert_eq!(place.contents().len(), 14);
    assert!(!place.statuses().contains(&429), "{:?}", place.statuses());
}

#[tokio::test]
async fn what_breaks_on_the_way_is_said_once() {
    let place = Place::new().await;
    place.double.control("limits", json!({"on": false})).unwrap();
    let route = "POST /channels/*/messages";
    for fault in [
        json!({"kind": "cut", "route": route}),
        json!({"kind": "status", "status": 502, "carried_out": true, "route": route}),
        json!({"kind": "status", "status": 500, "route": route}),
        json!({"kind": "rate_limit", "retry_after": 0.05, "scope": "shared", "route": route}),
        json!({"kind": "rate_limit", "retry_after": 0.05, "scope": "global", "route": route}),
    ] {
        place.double.control("fault", fault.clone()).unwrap();
        let number = place.contents().len();
        place.send(number).await.unwrap();
        assert_eq!(place.contents().len(), number + 1, "{fault}");
    }
}

#[tokio::test]
async fn a_no_says_why() {
    let place = Place::new().await;
    let closed = json!({"name": "hermit", "dms_closed": true});
    let hermit = place.double.control("user", closed).unwrap();
    let hermit = Snowflake::read(&hermit["id"]).unwrap();
    let message = MessageToSend {
        content: "knock".to_owned(),
        ..MessageToSend::default()
    };
    // Discord refuses the message, and some servers the conversation.
    let failure = match place.client.open_direct(hermit).await {
        Ok(direct) => place.client.create_message(direct, &message).await.unwrap_err(),
        Err(failure) => failure,
    };
    assert_eq!(failure.fault, RestFault::DirectMessagesClosed, "{failure}");
    let unknown = Snowflake::new(12).unwrap();
    let failure = place.client.create_message(unknown, &message).await.unwrap_err();
    assert_eq!(failure.fault, RestFault::UnknownChannel, "{failure}");
    let failure = place.client.message(place.channel, unknown).await.unwrap_err();
    assert_eq!(failure.fault, RestFault::UnknownMessage, "{failure}");
    let long = MessageToSend {
        content: "x".repeat(2_001),
        ..MessageToSend::default()
    };
    let failure = place
        .client
        .create_message(place.channel, &long)
        .await
        .unwrap_err();
    assert_eq!(failure.fault, RestFault::TooLong, "{failure}");
    place
        .double
        .control("revoke", json!({"token": "bot:denizen"}))
        .unwrap();
    let failure = place.client.own_user().await.unwrap_err();
    assert_eq!(failure.fault, RestFault::TokenRefused, "{failure}");
}

#[tokio::test]
async fn a_command_is_offered_used_and_answered() {
    let place = Place::new().await;
    let application = place.client.own_application().await.unwrap().id;
    let command = CommandSpec {
        name: "ask".into(),
        description: "Asks".into(),
        options: Vec::new(),
        permissions: None,
        in_direct: false,
    };
    for guild in [None, Some(place.guild)] {
        place
            .client
            .overwrite_commands(application, guild, std::slice::from_ref(&command))
            .await
            .unwrap();
    }
    let wish = json!({"as": "alice", "application": "denizen", "channel": "general", "command": "ask"});
    let used = place.double.control("use", wish).unwrap();
    let token = used["token"].as_str().unwrap();
    let interaction = Snowflake::read(&used["id"]).unwrap();
    let replies = InteractionReplies::new(
        place.client.clone(),
        application,
        interaction,
        SecretString::from(token),
    );
    replies
        .answer(&InteractionReply::Later { is_private: false })
        .await
        .unwrap();
    let failure = replies
        .answer(&InteractionReply::Later { is_private: false })
        .await
        .unwrap_err();
    assert_eq!(failure.fault, RestFault::InteractionOver, "{failure}");
    replies.edit("because").await.unwrap();
    replies.follow_up("and so on", false).await.unwrap();
    assert_eq!(place.contents(), ["because", "and so on"]);
    replies.delete().await.unwrap();
    assert_eq!(place.contents(), ["and so on"]);
}

#[tokio::test]
async fn all_servers_of_a_bot_are_found_however_many_there_are() {
    let options = DoubleOptions {
        guilds: 250,
        ..DoubleOptions::default()
    };
    let double = Double::start(options).await.unwrap();
    let client = RestClient::new(&double.api(), &SecretString::from("bot:denizen")).unwrap();
    let guilds = client.own_guilds().await.unwrap();
    assert_eq!(guilds.len(), 250);
    let pages = double
        .control("requests", json!({"path": "/users/@me/guilds"}))
        .unwrap();
    assert_eq!(pages.as_array().unwrap().len(), 2, "{pages}");
}
