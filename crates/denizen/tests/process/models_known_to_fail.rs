//! What is known to fail is not asked with every message: how many requests twenty questions in a row make, by how the
//! provider fails, and what a person and an operator hear of it.

use serde_json::{Value, json};

use crate::support::{Answer, Asked, Home, ModelServer, Process, eventually, quick};

const QUESTIONS: usize = 20;

async fn ask(process: &Process) -> String {
    let message = process.say("Alice", "Denizen, what do you think?").await;
    process.settled(&message).await;
    message
}

/// Whether memory asks; whatever goes with a question, its instructions do.
fn is_for_memory(asked: &Asked) -> bool {
    asked.body.contains("You keep the long memory")
}

/// What twenty questions cost where everything fails so: requests for replies, and for memory.
async fn cost(models: Models, told: &str, answer: impl Fn() -> Answer + Send + Sync + 'static) -> [usize; 2] {
    let model = ModelServer::answering(move |_| answer()).await;
    let home = Home::new();
    let mut settings = quick(&model);
    settings["llm.localFirstByteSeconds"] = json!(1);
    settings["memory.enabled"] = json!(true);
    settings["memory.batchSize"] = json!(4);
    match models {
        // None is named: the server has one for everything.
        Models::One => settings["llm.model"] = json!(""),
        Models::Two => settings["memory.model"] = json!("small-model"),
    }
    home.configure(&settings);
    let process = home.start().await;
    for number in 0..QUESTIONS {
        let words = format!("Denizen, my cat number {number} is called Miso. What do you think?");
        let message = process.say("Alice", &words).await;
        process.settled(&message).await;
    }
    eventually("memory has done what it can", async || {
        let journal = process.journal().await;
        let ended = ["memory_extraction_completed", "memory_extraction_failed"];
        let is_ended = |line: &Value| ended.iter().any(|name| line["name"] == *name);
        journal.iter().any(is_ended).then_some(())
    })
    .await;
    let said = process.said().await;
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains(told), "{said:?}");
    let health = process.get("/api/health").await;
    assert_eq!(health["status"], "degraded");
    let reasons = health["reasons"].to_string();
    assert!(reasons.contains("is tried again in"), "{health}");
    let asked = model.asked();
    let of_memory = asked.iter().filter(|asked| is_for_memory(asked)).count();
    [asked.len() - of_memory, of_memory]
}

/// Which models are asked.
#[derive(Clone, Copy, Debug)]
enum Models {
    One,
    Two,
}

/// Twenty questions to a server that always answers so make few requests, for replies and for memory, and the room hears
/// why once; whether replies and memory share a model or not.
async fn few_requests(most: [[usize; 2]; 2], told: &str, answer: fn() -> Answer) {
    let costs = tokio::join!(cost(Models::One, told, answer), cost(Models::Two, told, answer));
    eprintln!("one model: {:?}, two: {:?}", costs.0, costs.1);
    for (cost, most) in [(costs.0, most[0]), (costs.1, most[1])] {
        assert!(
            cost[0] <= most[0] && cost[1] <= most[1],
            "{cost:?} requests, {most:?} are enough"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_refused_is_not_tried_with_every_question() {
    let refused = || Answer::error(401, "Incorrect API key");
    few_requests([[2, 1], [2, 1]], "does not accept my key", refused).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_region_that_is_refused_is_not_tried_with_every_question() {
    let refused = || {
        let body = json!({"error": {"message": "Country, region, or territory not supported",
            "code": "unsupported_country_region_territory"}});
        Answer::raw(403, "application/json", &body.to_string())
    };
    few_requests([[2, 1], [2, 1]], "answers nobody from where I am", refused).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_without_credit_is_not_tried_with_every_question() {
    let broke = || Answer::error(402, "Insufficient credits");
    few_requests([[1, 1], [1, 1]], "no credit or quota left", broke).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_gone_is_not_tried_with_every_question() {
    let gone = || {
        let body = json!({"error": {"message": "The model does not exist", "code": "model_not_found"}});
        Answer::raw(404, "application/json", &body.to_string())
    };
    few_requests([[2, 1], [2, 2]], "does not take what I ask", gone).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_rejected_is_not_tried_with_every_question() {
    let rejected = || Answer::error(400, "This conversation cannot begin like that");
    few_requests([[3, 3], [3, 3]], "does not take what I ask", rejected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_rejected_without_a_word_is_tried_in_other_forms_once() {
    let rejected = || Answer::error(400, "Bad Request");
    few_requests([[10, 6], [10, 6]], "does not take what I ask", rejected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_asks_to_slow_down_is_not_tried_with_every_question() {
    let limited = || Answer::error(429, "Too many requests");
    few_requests([[4, 1], [4, 3]], "is asked more than it takes", limited).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_is_not_tried_with_every_question() {
    // Three, and one more for each pause that is over by then.
    let broken = || Answer::error(500, "on fire");
    few_requests([[4, 1], [4, 3]], "has trouble", broken).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_in_place_of_answers_is_not_asked_for_with_every_question() {
    let page = || Answer::raw(200, "text/html", "<html><body>Please sign in</body></html>");
    few_requests([[4, 1], [4, 3]], "What comes from my model is no answer", page).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_takes_questions_and_never_answers_is_not_waited_for_with_every_question() {
    let hanging = || Answer::half([]).then_nothing();
    few_requests([[3, 1], [3, 3]], "took too long", hanging).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_be_reached_is_tried_now_and_then_and_soon_after_it_was_started() {
    tokio::join!(start_late("test-model"), start_late(""));
}

/// Nobody listens where the server should be, and then it does.
async fn start_late(model: &str) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let address = listener.expect("a free port").local_addr().expect("an address");
    let home = Home::new();
    home.configure(&json!({
        "llm.provider": "compatible",
        "llm.compatibleBaseUrl": format!("http://{address}/v1"),
        "llm.model": model,
        "activity.replyCoalesceWindowSeconds": 0,
        "activity.minSecondsBetweenMessages": 0,
        "activity.maxMessagesPerHour": 1000,
        "activity.retryDelaySeconds": 0.1,
        "memory.enabled": false,
    }));
    let process = home.start().await;
    for _ in 0..QUESTIONS {
        ask(&process).await;
    }
    let journal = process.journal().await;
    let tries = journal.iter().filter(|line| line["name"] == "ask_started");
    // Three, and one more for each pause that is over by then.
    let tries = tries.count();
    assert!((3..=6).contains(&tries), "{model}: {tries} tries");
    let said = process.said().await;
    assert_eq!(said.len(), 1, "{model}: {said:?}");
    assert!(said[0].contains("cannot reach my model"), "{model}: {said:?}");
    let health = process.get("/api/health").await["reasons"].to_string();
    let told = "cannot be reached and is tried again in";
    assert!(health.contains(told), "{model}: {health}");

    let listener = tokio::net::TcpListener::bind(address).await;
    let _server = ModelServer::listening(listener.expect("it is free again"), |_, _| {
        Answer::says("Here I am.")
    });
    eventually("somebody is answered", async || {
        let message = process.say("Alice", "Denizen, are you there?").await;
        (process.settled(&message).await == "sent").then_some(())
    })
    .await;
    assert_eq!(process.get("/api/health").await["status"], "ok", "{model}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_to_which_everything_is_too_long_is_not_tried_with_every_question() {
    let too_long = || Answer::error(413, "Request too large");
    few_requests([[4, 2], [4, 2]], "too much for my model", too_long).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typed_answer_without_words_is_an_empty_one() {
    let wordless = || Answer::in_pieces([r#"{"action": "reply", "text": "", "reason": ""}"#]);
    few_requests([[4, 3], [4, 3]], "answers without a word", wordless).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silence_where_a_reply_is_owed_is_an_empty_answer() {
    let silent = || Answer::says("[SKIP]");
    few_requests([[4, 3], [4, 3]], "answers without a word", silent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn marks_without_a_word_are_an_empty_answer() {
    let marks = || Answer::in_pieces(["...\n", "!"]);
    few_requests([[4, 3], [4, 3]], "answers without a word", marks).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_answers_are_named_in_the_room_to_the_operator_and_in_the_journal_until_there_are_words() {
    let model = ModelServer::answering(|_| Answer::in_pieces([""])).await;
    let home = Home::quick(&model);
    let mut process = home.start().await;
    let first = ask(&process).await;
    let asked = model.asked();
    assert_eq!(asked.len(), 2);
    let body = |number: usize| serde_json::from_str::<Value>(&asked[number].body).expect("JSON");
    let parts = |body: Value| ["tools", "response_format"].map(|part| !body[part].is_null());
    assert!(parts(body(0))[0], "{}", asked[0].body);
    assert_eq!(parts(body(1)), [false, false], "words alone: {}", asked[1].body);
    let skipped = process.skipped(&first).await;
    assert_eq!(skipped["reason"], "empty_reply");
    assert!(
        skipped["detail"]
            .as_str()
            .is_some_and(|words| words.contains("without a word")),
        "{skipped}"
    );
    let told = "answers without a word and is tried again with the next question";
    let health = process.get("/api/health").await["reasons"].to_string();
    assert!(health.contains(told), "{health}");

    for _ in 1..QUESTIONS {
        ask(&process).await;
    }
    assert_eq!(model.asked().len(), 4, "two questions are enough to know");
    let said = process.said().await;
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("My model answers without a word"), "{said:?}");
    let health = process.get("/api/health").await["reasons"].to_string();
    assert!(
        health.contains("answers without a word and is tried again in"),
        "{health}"
    );
    assert!(process.terminate().await.success());
    let doctor = home.run(&["doctor"]);
    assert!(doctor.out.contains(told), "{doctor:?}");

    let process = home.start().await;
    model.next([Answer::says("Here I am.")]);
    let message = process.say("Alice", "Denizen, and now?").await;
    assert_eq!(process.answer_to(&message).await, "Here I am.");
    assert_eq!(process.get("/api/health").await["status"], "ok");
}
