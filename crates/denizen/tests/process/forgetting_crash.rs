//! Power cuts while something is being forgotten: whatever the moment, after the next start it is gone.

use std::time::Duration;

use crate::support::{Answer, Home, ModelServer, eventually, holds};

const CANARY: &str = "qzorblaxv";
const OTHERS: &str = "wumperdinck";

/// Milliseconds between the wish and the power cut.
const MOMENTS: [u64; 6] = [0, 15, 40, 80, 130, 260];

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_to_forget_is_kept_whenever_the_process_is_killed() {
    for moment in MOMENTS {
        let model = ModelServer::answering(|_| Answer::says("Understood.")).await;
        let home = Home::remembering(&model);
        for (key, value) in [
            ("permissions.allowInitiativeReplies", "false"),
            ("addressing.followupEnabled", "false"),
        ] {
            home.run(&["settings", "set", key, value]).succeeded();
        }
        let mut process = home.start().await;
        for number in 0..20 {
            process
                .say("Alice", &format!("My garden {number} is called {CANARY}."))
                .await;
            process
                .say("Bob", &format!("My boat {number} is called {OTHERS}."))
                .await;
        }
        process.say("Alice", "/forget me").await;
        process.say("Alice", "/forget me yes").await;
        tokio::time::sleep(Duration::from_millis(moment)).await;
        process.kill();
        let process = home.start().await;
        eventually("nothing of it is in any file", async || {
            (!holds(&home.data(), CANARY)).then_some(())
        })
        .await;
        let messages = process.messages().await;
        let of_bob = messages
            .iter()
            .filter(|message| message["text"].as_str().is_some_and(|text| text.contains(OTHERS)));
        assert_eq!(of_bob.count(), 20, "after {moment} ms: what others said stays");
    }
}
