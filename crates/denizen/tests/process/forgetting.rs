//! Forgetting: what somebody wants forgotten is nowhere any more, and what others said stays.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use stand_ins::{QdrantServer, RedisServer};

use crate::support::{Answer, Home, Live, ModelServer, Process, Rememberer, eventually, holds};

/// A word that stands nowhere else, not even in part.
const CANARY: &str = "qzorblaxv";
const OTHERS: &str = "wumperdinck";
const SESSION: &str = "/api/rooms/lounge/session";

fn home(model: &ModelServer) -> Home {
    let home = Home::remembering(model);
    for (key, value) in [
        ("memory.enabled", "true"),
        ("permissions.allowInitiativeReplies", "false"),
        ("addressing.followupEnabled", "false"),
        ("context.compaction.summariser", "offline"),
        ("memory.batchSize", "1"),
    ] {
        home.run(&["settings", "set", key, value]).succeeded();
    }
    home
}

/// Alice tells her secret and Bob tells his, Denizen learns both, and it shows.
async fn learnt(home: &Home, process: &Process) {
    process
        .say(
            "Alice",
            &format!("My garden is called {CANARY} because of its colours."),
        )
        .await;
    process
        .say("Bob", &format!("My boat is called {OTHERS} because of its sail."))
        .await;
    process.memory_is_made().await;
    let call = process.ask("Alice", "Denizen, what is my garden called?").await;
    assert!(facts(&call).contains(CANARY), "{call}");
    process.memory_is_made().await;
    assert!(process.search("garden").await.contains(CANARY));
    assert!(process.text("/api/memory/export").await.contains(CANARY));
    assert!(holds(&home.data(), CANARY));
}

/// What of memory a model was given.
fn facts(call: &Value) -> String {
    let sections = call["request"]["sections"].as_array().expect("sections");
    let of_memory = |section: &&Value| section["name"] == "user_facts" || section["name"] == "relevant_facts";
    let texts = sections.iter().filter(of_memory);
    texts.map(|section| section["text"].to_string()).collect()
}

/// What a model was asked for Bob. The clearing may still be under way, and it takes the room's records along: then he
/// asks again.
async fn asked_by_bob(process: &Process, question: &str) -> Value {
    eventually("a question of Bob's is on record", async || {
        let message = process.say("Bob", question).await;
        process.answer_to(&message).await;
        let records = process.asks_left_about(&message).await;
        let mut replies = records.into_iter().flatten();
        replies.rfind(|call| call["request"]["purpose"] == "text_reply")
    })
    .await
}

/// It is in nothing that can be seen, and in no file; what Bob said is still there.
async fn is_forgotten(home: &Home, process: &Process, since: Option<u64>) {
    eventually("it is in no file while Denizen runs", async || {
        (!holds(&home.data(), CANARY)).then_some(())
    })
    .await;
    let call = asked_by_bob(process, "Denizen, what is the garden of Alice called?").await;
    assert!(!call.to_string().contains(CANARY), "{call}");
    process.memory_is_made().await;
    for path in [
        "/api/memory/export",
        "/api/memory/search?q=garden&limit=100",
        &format!("/api/memory/search?q={CANARY}&kinds=turns"),
        "/api/memory/gems",
        "/api/memory/people",
        "/api/memory/runs",
        "/api/rooms/lounge/messages?limit=200",
        "/api/journal?limit=1000",
        "/api/asks",
        SESSION,
    ] {
        let text = process.text(path).await;
        let echoed = text.matches(CANARY).count();
        assert_eq!(echoed, 0, "{path}: {text}");
    }
    for ask in process.get("/api/asks?limit=200").await["asks"]
        .as_array()
        .expect("asks")
    {
        // One that is still being cleared away may be gone between being listed and being read.
        let path = format!("/api/asks/{}", ask["ask"]);
        let (_, call) = process.call_raw(Method::GET, &path, String::new()).await;
        assert!(!call.contains(CANARY), "{call}");
    }
    for scope in [json!({}), json!({"community": "local"})] {
        assert!(!process.recall("garden", scope).await.contains(CANARY));
    }
    if let Some(since) = since {
        let replayed = Live::replayed(process, since).await;
        assert!(!replayed.contains(CANARY), "{replayed}");
    }
    assert!(
        process.search("boat").await.contains(OTHERS),
        "what Bob said stays"
    );
    let call = asked_by_bob(process, "Denizen, what is my boat called?").await;
    assert!(call["rawRequest"].to_string().contains(OTHERS), "{call}");
    assert!(!holds(&home.data(), CANARY));
}

async fn stops_and_holds_nothing(home: &Home, mut process: Process) {
    process.terminate().await;
    assert!(!holds(&home.data(), CANARY), "it is in no file after the stop");
    let process = home.start().await;
    assert!(!process.search("garden").await.contains(CANARY));
    assert!(
        process.search("boat").await.contains(OTHERS),
        "what Bob said stays"
    );
}

async fn delete(process: &Process, path: &str) -> Value {
    let (status, answer) = process.call(Method::DELETE, path, &json!({})).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer["removed"].clone()
}

/// The journal says so once it is done.
async fn done(process: &Process, kind: &str) {
    eventually("the journal says that it is forgotten", async || {
        let journal = process.journal().await;
        let line = journal.iter().find(|line| line["name"] == "memory_forgotten")?;
        assert_eq!(
            (&line["data"]["kind"], &line["data"]["failure"]),
            (&json!(kind), &Value::Null)
        );
        Some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forget_me_leaves_no_byte_and_nothing_of_it_in_a_long_conversation() {
    let model = Rememberer::start().await;
    let home = home(&model);
    let process = home.start().await;
    let since = Live::heard_so_far(&process).await;
    learnt(&home, &process).await;
    for number in 0..64 {
        process
            .say("Bob", &format!("the ferry number {number} leaves"))
            .await;
    }
    process.ask("Bob", "Denizen, which ferry is the first?").await;
    eventually("the oldest turns are folded", async || {
        let view = process.get(SESSION).await;
        (view["cursor"].as_u64()? >= 10).then_some(())
    })
    .await;
    let view = process.get(SESSION).await;
    assert!(
        view["summary"].to_string().contains(CANARY),
        "{}",
        view["summary"]
    );
    process.memory_is_made().await;
    process.say("Alice", "/forget me").await;
    process.say("Alice", "/forget me yes").await;
    done(&process, "person").await;
    is_forgotten(&home, &process, Some(since)).await;
    stops_and_holds_nothing(&home, process).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forget_that_takes_what_was_said_last_and_what_was_learnt_of_it() {
    let model = Rememberer::start().await;
    let home = home(&model);
    let process = home.start().await;
    let since = Live::heard_so_far(&process).await;
    process.say("Alice", "My cat is called Minka.").await;
    process
        .say("Bob", &format!("My boat is called {OTHERS} because of its sail."))
        .await;
    process
        .ask(
            "Alice",
            &format!("Denizen, my garden is called {CANARY} because of its colours."),
        )
        .await;
    process.memory_is_made().await;
    assert!(process.search("garden").await.contains(CANARY));
    assert!(holds(&home.data(), CANARY));
    process.say("Alice", "/forget that").await;
    done(&process, "turns").await;
    is_forgotten(&home, &process, Some(since)).await;
    assert!(
        process.search("cat").await.contains("Minka"),
        "what she said before stays"
    );
    stops_and_holds_nothing(&home, process).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gem_or_a_person_is_forgotten_by_whoever_runs_the_place() {
    for person in [false, true] {
        let model = Rememberer::start().await;
        let home = home(&model);
        let process = home.start().await;
        let since = Live::heard_so_far(&process).await;
        learnt(&home, &process).await;
        let removed = if person {
            delete(&process, "/api/memory/people/local:alice").await
        } else {
            let (_, gems) = process.remembered().await;
            let gem = gems
                .values()
                .find(|gem| gem["content"].to_string().contains(CANARY));
            let id = gem.expect("a gem")["gem_id"].as_str().expect("an id");
            delete(&process, &format!("/api/memory/gems/{id}")).await
        };
        assert_ne!(removed["gems"], json!([]), "{removed}");
        assert_ne!(removed["turns"], json!([]), "{removed}");
        is_forgotten(&home, &process, Some(since)).await;
        stops_and_holds_nothing(&home, process).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_has_somebody_forgotten_and_others_stay() {
    let model = Rememberer::start().await;
    let home = home(&model);
    let process = home.start().await;
    for (name, text) in [
        (
            "Alice",
            format!("My garden is called {CANARY} because of its colours."),
        ),
        ("Bob", format!("My boat is called {OTHERS} because of its sail.")),
    ] {
        let turns = json!({"session": "helper/1", "turns": [{"speaker": {"name": name}, "text": text}]});
        let (status, answer) = process.call(Method::POST, "/v1/turns", &turns).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
    }
    process.memory_is_made().await;
    assert!(process.recall("garden", json!({})).await.contains(CANARY));
    assert!(holds(&home.data(), CANARY));
    let removed = delete(&process, "/v1/people/Alice").await;
    assert_eq!(
        (
            &removed["gems"].as_array().map(Vec::len),
            &removed["turns"].as_array().map(Vec::len)
        ),
        (&Some(1), &Some(1)),
        "{removed}"
    );
    eventually("it is in no file", async || {
        (!holds(&home.data(), CANARY)).then_some(())
    })
    .await;
    assert!(!process.recall("garden", json!({})).await.contains(CANARY));
    assert!(process.recall("boat", json!({})).await.contains(OTHERS));
    stops_and_holds_nothing(&home, process).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_forgotten_is_forgotten_even_if_denizen_is_killed_over_it() {
    let model = Rememberer::start().await;
    let home = home(&model);
    let mut process = home.start().await;
    learnt(&home, &process).await;
    process.say("Alice", "/forget me").await;
    process.say("Alice", "/forget me yes").await;
    // The command is accepted; that is all she knows.
    process.kill();
    let process = home.start().await;
    done(&process, "person").await;
    is_forgotten(&home, &process, None).await;
    stops_and_holds_nothing(&home, process).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn shared_servers_forget_too() {
    let model = Rememberer::start().await;
    let (redis, qdrant) = (RedisServer::start(), QdrantServer::start());
    let home = home(&model).with_env("DENIZEN_REDIS_URL", &redis.url());
    for (key, value) in [
        ("memory.store.buffer", "redis"),
        ("memory.store.gems", "qdrant"),
        ("memory.store.qdrantUrl", &qdrant.url()),
    ] {
        home.run(&["settings", "set", key, value]).succeeded();
    }
    let process = home.start().await;
    learnt(&home, &process).await;
    // This one waits in Redis while no model can read it.
    process.change_settings(json!({"memory.batchSize": 50})).await;
    process
        .say("Alice", &format!("In {CANARY} there is a pond."))
        .await;
    eventually("it waits in Redis", async || {
        redis.contents().contains(CANARY).then_some(())
    })
    .await;
    assert!(points(&process, &qdrant).await.contains(CANARY));
    delete(&process, "/api/memory/people/local:alice").await;
    assert!(!redis.contents().contains(CANARY));
    let left = points(&process, &qdrant).await;
    assert!(!left.contains(CANARY) && left.contains(OTHERS), "{left}");
    process.change_settings(json!({"memory.batchSize": 1})).await;
    is_forgotten(&home, &process, None).await;
    assert!(!redis.contents().contains(CANARY), "nor does it come back");
    assert!(!points(&process, &qdrant).await.contains(CANARY));
    stops_and_holds_nothing(&home, process).await;
}

/// Everything in the collection.
async fn points(process: &Process, qdrant: &QdrantServer) -> String {
    let request = process
        .client
        .post(format!("{}/collections/neuralstream/points/scroll", qdrant.url()))
        .header("content-type", "application/json")
        .body(json!({"limit": 10_000, "with_payload": true, "with_vector": false}).to_string());
    request
        .send()
        .await
        .expect("Qdrant answers")
        .text()
        .await
        .expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_denizen_itself_said_of_it_goes_too() {
    let model = ModelServer::reading(|_, asked| match Rememberer::batch(asked) {
        Some(batch) => Rememberer::answer(&batch),
        None if asked.body.contains(CANARY) => Answer::says(&format!(
            "Your garden is called {CANARY}, because of its colours."
        )),
        None => Answer::says("Nobody has told me."),
    })
    .await;
    let home = home(&model);
    let process = home.start().await;
    let since = Live::heard_so_far(&process).await;
    learnt(&home, &process).await;
    assert!(process.said().await.concat().contains(CANARY));
    process.say("Alice", "/forget me").await;
    process.say("Alice", "/forget me yes").await;
    done(&process, "person").await;
    is_forgotten(&home, &process, Some(since)).await;
    stops_and_holds_nothing(&home, process).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_forgotten_is_in_no_file_by_name_whichever_way_they_went() {
    let model = ModelServer::answering(|_| Answer::says("Understood.")).await;
    let home = home(&model);
    home.run(&["settings", "set", "memory.extractor", "offline"])
        .succeeded();
    let process = home.start().await;
    let is_gone = async |names: [&str; 2]| {
        eventually("the name is in no file", async || {
            (!names.iter().any(|name| holds(&home.data(), name))).then_some(())
        })
        .await;
    };
    process.say("Zyxanthe", "I grow tulips.").await;
    process.memory_is_made().await;
    assert!(holds(&home.data(), "zyxanthe") && holds(&home.data(), "Zyxanthe"));
    let path = "/api/memory/people/local:zyxanthe?name=Zyxanthe";
    let (status, answer) = process.call(Method::DELETE, path, &Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    is_gone(["zyxanthe", "Zyxanthe"]).await;
    process.say("Wilhelmixa", "I grow roses.").await;
    process.memory_is_made().await;
    process.say("Wilhelmixa", "/forget me").await;
    process.say("Wilhelmixa", "/forget me yes").await;
    is_gone(["wilhelmixa", "Wilhelmixa"]).await;
    let names = process.text("/api/names").await;
    assert!(!names.to_lowercase().contains("wilhelmixa"), "{names}");
}
