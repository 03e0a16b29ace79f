//! A thousand guilds.

use serde_json::json;

use crate::client::{EVERYTHING, Gateway, start_with};
use discord_double::DoubleOptions;

#[tokio::test]
async fn a_thousand_guilds_are_told_and_heard() {
    let double = start_with(DoubleOptions {
        guilds: 1000,
        ..DoubleOptions::default()
    })
    .await;
    let mut bot = Gateway::login(&double, "bot:denizen", EVERYTHING).await;
    let mut last = json!(null);
    for _ in 0..1000 {
        last = bot.event("GUILD_CREATE").await;
    }
    let channel = last["channels"][0]["id"].clone();
    double
        .control(
            "post",
            json!({"as": "alice", "channel": channel, "content": "in the last one"}),
        )
        .expect("posted");
    assert_eq!(bot.event("MESSAGE_CREATE").await["content"], "in the last one");
}
