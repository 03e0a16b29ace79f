//! `denizen thoughts` and `denizen discovery`: asked of a room that runs, with a real feed and a real model server.

use serde_json::{Value, json};

use crate::support::{Answer, FeedServer, Finished, Home, ModelServer, Process, quick};

const TITLE: &str = "A lighthouse of glass";
const WORDS: &str = "Somebody built a lighthouse of glass: https://example.org/glass";

fn post_now() -> String {
    json!({"action": "post_now", "text": WORDS, "channel": "lounge", "reason": "it is new"}).to_string()
}

/// A room that may post in the lounge and reads one feed of this machine.
struct Given {
    home: Home,
    model: ModelServer,
    feed: FeedServer,
    process: Process,
}

async fn given() -> Given {
    let model = ModelServer::answering(|_| Answer::says(&post_now())).await;
    let feed = FeedServer::with_one_item(TITLE).await;
    let home = Home::new();
    let mut settings = quick(&model);
    for family in ["reddit", "hackerNews", "youtube"] {
        settings[format!("initiative.discovery.sources.{family}")] = json!(false);
    }
    settings["initiative.discovery.rssFeeds"] = json!([feed.url]);
    settings["initiative.text.eagerness"] = json!(0);
    settings["tools.allowedPrivateHosts"] = json!([feed.host]);
    settings["permissions.replies.discoveryChannelIds"] = json!(["lounge"]);
    home.configure(&settings);
    let process = home.start().await;
    Given {
        home,
        model,
        feed,
        process,
    }
}

impl Given {
    fn run(&self, arguments: &[&str]) -> Finished {
        let mut all = arguments.to_vec();
        all.extend(["--url", &self.process.url]);
        self.home.run(&all)
    }
}

#[test]
fn the_doctor_names_a_channel_that_does_not_exist() {
    let home = Home::new();
    let key = "permissions.replies.discoveryChannelIds";
    home.configure(&json!({key: ["lounge", "finds"], "initiative.discovery.sources.hackerNews": false}));
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.code, Some(1), "{doctor:?}");
    for words in ["!!  thoughts", "“finds”", key, "[\"lounge\"]"] {
        assert!(doctor.out.contains(words), "{words}: {}", doctor.out);
    }
    home.configure(&json!({key: ["lounge"]}));
    let doctor = home.run(&["doctor"]).out;
    assert!(doctor.contains("may be posted in lounge"), "{doctor}");
}

#[tokio::test(flavor = "multi_thread")]
async fn how_it_stands_is_told_and_what_would_change_it() {
    let given = given().await;
    let told = given.run(&["thoughts"]).succeeded();
    for words in [
        "next tick",
        "channels   lounge",
        "no thought",
        "initiative.text.eagerness",
    ] {
        assert!(told.contains(words), "{words} in\n{told}");
    }
    let view: Value = serde_json::from_str(&given.run(&["thoughts", "--json"]).succeeded()).expect("JSON");
    assert_eq!(view["attention"]["state"], "ambient", "{view}");
    let refusal = given.run(&["thoughts", "drop"]).failed();
    assert!(refusal.contains("No thought is held now"), "{refusal}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trial_shows_every_step_and_posts_nothing() {
    let given = given().await;
    let told = given.run(&["thoughts", "think"]).succeeded();
    for words in ["gathered", "asked", "decided", "post_now in lounge", WORDS] {
        assert!(told.contains(words), "{words} in\n{told}");
    }
    assert!(
        given.model.asked()[0].body.contains(TITLE),
        "the model was shown what the feed has"
    );
    let page = given.process.get("/api/rooms/lounge/messages").await;
    assert_eq!(page["messages"], json!([]));
    let again: Value =
        serde_json::from_str(&given.run(&["thoughts", "think", "--json"]).succeeded()).expect("JSON");
    assert_eq!(again["stage"], "done", "{again}");
    assert_eq!(again["decision"]["action"], "post_now", "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trial_that_fails_says_why_and_ends_so() {
    let given = given().await;
    given
        .model
        .next((0..9).map(|_| Answer::error(400, "no such model")));
    let failed = given.run(&["thoughts", "think"]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(failed.out.contains("failed"), "{failed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sources_are_listed_read_and_tried() {
    let given = given().await;
    let url = given.feed.url.as_str();
    let told = given.run(&["discovery", "sources"]).succeeded();
    assert!(told.contains(&format!("rss:{url}  (yours)")), "{told}");
    let told = given.run(&["discovery", "preview"]).succeeded();
    assert!(
        told.contains(TITLE) && told.contains("1 item, 1 of them new"),
        "{told}"
    );
    let told = given.run(&["discovery", "check", "rss", url]).succeeded();
    assert!(told.contains("Lighthouse News") || told.contains('1'), "{told}");
    let nothing = given.run(&[
        "discovery",
        "check",
        "rss",
        &format!("http://{}/nothing", given.feed.host),
    ]);
    assert_eq!(nothing.code, Some(1), "{nothing:?}");
    assert!(nothing.out.contains("404"), "{nothing:?}");
    let private = given.run(&["discovery", "check", "rss", "http://127.0.0.1:9/feed"]);
    assert!(private.out.contains("tools.allowedPrivateHosts"), "{private:?}");
    let refusal = given.run(&["discovery", "drop", "rss", url]).failed();
    assert!(refusal.contains("initiative.discovery.rssFeeds"), "{refusal}");
    let unknown = given.run(&["discovery", "check", "gopher", "x"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.err.contains("hacker_news"), "{unknown:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_reads_the_feeds_and_looks_at_what_reaches_out() {
    let given = given().await;
    let healthy = given.home.run(&["doctor"]);
    assert!(
        healthy.out.contains("1 source can be read, with 1 new item"),
        "{healthy:?}"
    );
    std::fs::write(given.home.data().join("mcp.json"), "{ nonsense").expect("it is written");
    given
        .home
        .run(&["settings", "set", "media.gifProvider", "giphy"])
        .succeeded();
    let sick = given.home.run(&["doctor"]);
    assert_eq!(sick.code, Some(1), "{sick:?}");
    assert!(
        sick.out.contains("mcp.json") && sick.out.contains("GIPHY_API_KEY"),
        "{sick:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_printed_as_a_model_would_be_given_it() {
    let given = given().await;
    let page = format!("http://{}/page.html", given.feed.host);
    let told = given.home.run(&["fetch", &page]).succeeded();
    assert!(
        told.contains("A lighthouse of glass stands on the cliff"),
        "{told}"
    );
    assert!(!told.contains("<p>") && !told.contains("alert"), "{told}");
    let refusal = given.home.run(&["fetch", "http://127.0.0.1:9/"]).failed();
    assert!(refusal.contains("tools.allowedPrivateHosts"), "{refusal}");
}

#[test]
fn a_doctor_without_channels_says_how_to_name_one() {
    let home = Home::new();
    let told = home.run(&["doctor"]).out;
    assert!(told.contains("permissions.replies.discoveryChannelIds"), "{told}");
}

#[test]
fn where_nothing_runs_it_says_what_to_start() {
    let home = Home::new();
    for command in [["thoughts", "think"], ["discovery", "sources"]] {
        let mut arguments = command.to_vec();
        arguments.extend(["--url", "http://127.0.0.1:9"]);
        let refusal = home.run(&arguments).failed();
        assert!(
            refusal.contains("denizen run") && refusal.contains("--url"),
            "{refusal}"
        );
    }
}
