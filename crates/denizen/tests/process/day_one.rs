//! The first day with a real key: nothing but the key in the environment, and the providers' lists of today.

use serde_json::{Value, json};
use vocabulary::WallTime;

use crate::support::{Home, ModelServer, Vendors};

/// Only what makes a room quick.
fn settings() -> Value {
    json!({
        "activity.replyCoalesceWindowSeconds": 0,
        "activity.minSecondsBetweenMessages": 0,
    })
}

fn in_days(days: i64) -> String {
    let time = WallTime(runtime::wall().0 + days * 24 * 3_600_000);
    vocabulary::rfc3339::date(time)
}

/// What each of them is, its key, and what is to be taken.
struct Vendor {
    name: &'static str,
    key: &'static str,
    address: (&'static str, &'static str),
    main: &'static str,
    small: &'static str,
    ending: &'static str,
}

const VENDORS: [Vendor; 3] = [
    Vendor {
        name: "openai",
        key: "OPENAI_API_KEY",
        address: ("OPENAI_BASE_URL", "/v1"),
        main: "gpt-6.1-terra",
        small: "gpt-6-luna",
        ending: "gpt-4.1-mini",
    },
    Vendor {
        name: "anthropic",
        key: "ANTHROPIC_API_KEY",
        address: ("ANTHROPIC_BASE_URL", ""),
        main: "claude-sonnet-5-5",
        small: "claude-haiku-5-5",
        ending: "claude-sonnet-4-5",
    },
    Vendor {
        name: "gemini",
        key: "GEMINI_API_KEY",
        address: ("GEMINI_BASE_URL", ""),
        main: "gemini-3.8-flash",
        small: "gemini-3.5-flash-lite",
        ending: "gemini-2.5-flash",
    },
];

impl Vendor {
    async fn serving(&self, ends: &str) -> Vendors {
        Vendors::listing(&[(self.main, None), (self.small, None), (self.ending, Some(ends))]).await
    }

    fn home(&self, vendors: &Vendors) -> Home {
        let (variable, path) = self.address;
        let home = Home::new()
            .with_env(self.key, "sk-test-0123456789")
            .with_env(variable, &format!("{}{path}", vendors.address));
        home.configure(&settings());
        home
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_only_a_key_living_models_are_taken_for_every_purpose_and_said_everywhere() {
    for vendor in VENDORS {
        let vendors = vendor.serving(&in_days(20)).await;
        let home = vendor.home(&vendors);
        let process = home.start().await;
        let status = process.get("/api/model").await;
        assert_eq!(
            (&status["provider"], &status["model"], &status["smallModel"]),
            (&json!(vendor.name), &json!(vendor.main), &json!(vendor.small)),
            "{status}"
        );
        let because = status["because"].as_str().expect("a reason");
        for part in [vendor.key, "the first of those preferred"] {
            assert!(because.contains(part), "{because}");
        }
        assert!(status["warnings"].is_null(), "{status}");
        let message = process.say("Alice", "Denizen, are you there?").await;
        assert_eq!(process.answer_to(&message).await, "Understood.");
        assert_eq!(vendors.asked()[0], vendor.main);
        let health = process.get("/api/health").await;
        assert_eq!(health["status"], "ok", "{health}");

        let doctor = home.run(&["doctor", "--deep"]);
        assert_eq!(doctor.code, Some(0), "{}", doctor.out);
        for part in [
            vendor.key,
            vendor.main,
            vendor.small,
            "3 listed for this key",
            "$0.0",
        ] {
            assert!(doctor.out.contains(part), "{part} is not in {}", doctor.out);
        }
        let asked = vendors.asked();
        assert!(
            asked
                .iter()
                .all(|model| model == vendor.main || model == vendor.small),
            "{asked:?}"
        );
        assert!(asked.iter().any(|model| model == vendor.small), "{asked:?}");
        let listed = home.run(&["models", "list"]).succeeded();
        assert!(
            listed.contains(vendor.main) && listed.contains("replies"),
            "{listed}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_named_model_is_told_weeks_before_with_what_to_do() {
    for vendor in VENDORS {
        let ends = in_days(20);
        let vendors = vendor.serving(&ends).await;
        let home = vendor.home(&vendors);
        home.run(&["settings", "set", "llm.model", vendor.ending])
            .succeeded();
        let process = home.start().await;
        let status = process.get("/api/model").await;
        let warning = status["warnings"][0]["text"].as_str().unwrap_or_default();
        for part in ["llm.model", vendor.ending, &ends, "Set llm.model to"] {
            assert!(warning.contains(part), "{part} is not in {status}");
        }
        assert_eq!(status["model"], vendor.ending, "it is not replaced");
        let doctor = home.run(&["doctor"]);
        assert_eq!(doctor.code, Some(0), "it works for now: {}", doctor.out);
        assert!(doctor.out.contains(&ends), "{}", doctor.out);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_server_alone_is_found_and_said() {
    let model = ModelServer::start().await;
    let home = Home::new().with_env("COMPATIBLE_BASE_URL", &model.base_url);
    home.configure(&settings());
    let process = home.start().await;
    let status = process.get("/api/model").await;
    assert_eq!(
        (&status["provider"], &status["model"]),
        (&json!("compatible"), &json!("test-model"))
    );
    let because = status["because"].as_str().expect("a reason");
    for part in ["COMPATIBLE_BASE_URL", "the first that it lists"] {
        assert!(because.contains(part), "{because}");
    }
    let message = process.say("Alice", "Denizen, are you there?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    let spent = home.run(&["spending"]).succeeded();
    assert!(!spent.contains("assumed"), "it is free: {spent}");
}
