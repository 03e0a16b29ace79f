//! Providers that fail in every way there is: the journal says so, nothing of it reaches the room, and the room goes on.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Gate, Home, Live, ModelServer, Process, eventually};

struct Room {
    model: ModelServer,
    home: Home,
    process: Process,
}

impl Room {
    async fn open(settings: Value) -> Self {
        let model = ModelServer::start().await;
        let home = Home::quick(&model);
        let process = home.start().await;
        process.change_settings(settings).await;
        Self { model, home, process }
    }

    /// Says something to Denizen that the model answers so.
    async fn ask(&self, answers: impl IntoIterator<Item = Answer>) -> String {
        self.model.next(answers);
        self.process.say("Alice", "Denizen, what do you think?").await
    }

    /// The failures that the journal tells of, as (kind, whether there is a retry).
    async fn failures(&self, message: &str) -> Vec<(String, bool)> {
        let lines = self.process.lines_about(message, "ask_failed").await;
        let lines = lines.iter().map(|line| &line["data"]);
        lines
            .map(|data| {
                (
                    data["kind"].as_str().expect("a kind").to_owned(),
                    !data["retryIn"].is_null(),
                )
            })
            .collect()
    }

    async fn skip_reason(&self, message: &str) -> String {
        let lines = self.process.lines_about(message, "reply_skipped").await;
        lines.last().expect("it was skipped")["data"]["reason"]
            .as_str()
            .expect("a reason")
            .to_owned()
    }

    /// The next message is answered, and the room holds these words of Denizen's and no others.
    async fn goes_on_after(&self, said: &[&str]) {
        let next = self.process.say("Bob", "Denizen, still with us?").await;
        assert_eq!(self.process.answer_to(&next).await, "Understood.");
        assert_eq!(self.process.said().await, [said, &["Understood."]].concat());
    }
}

fn failed(kind: &str, again: bool) -> (String, bool) {
    (kind.to_owned(), again)
}

#[tokio::test]
async fn a_provider_that_asks_to_wait_is_waited_for() {
    let room = Room::open(json!({})).await;
    let busy = || Answer::error(429, "Rate limit reached").with_header("retry-after", "1");
    let message = room.ask([busy()]).await;
    assert_eq!(room.process.answer_to(&message).await, "Understood.");
    assert_eq!(room.failures(&message).await, [failed("rate_limited", true)]);
    let delayed = room.process.lines_about(&message, "text_turn_delayed").await;
    assert_eq!(delayed[0]["data"], json!({"reason": "retry", "delay": 1_000}));
    assert_eq!(room.model.asked().len(), 2, "nobody else tries meanwhile");
    room.goes_on_after(&["Understood."]).await;
}

#[tokio::test]
async fn a_provider_that_is_down_for_good_is_given_up() {
    let room = Room::open(json!({"llm.timeoutSeconds": 1, "activity.maxRetries": 1})).await;
    let message = room.ask((0..8).map(|_| Answer::error(500, "on fire"))).await;
    assert_eq!(room.process.settled(&message).await, "failed");
    assert_eq!(
        room.failures(&message).await,
        [failed("server_error", true), failed("server_error", false)]
    );
    assert_eq!(room.model.asked().len(), 2, "each try is one request");
    assert_eq!(room.skip_reason(&message).await, "model_failed");
    room.model.forget_script();
    room.goes_on_after(&["The service of my model has trouble at the moment, so I have no answer. Ask me again in a little while."]).await;
}

#[tokio::test]
async fn half_a_stream_is_taken_back_and_asked_again() {
    let room = Room::open(json!({})).await;
    let live = Live::open(&room.process).await;
    let half = || Answer::half(["I was about ", "to say some", "thing long "]);
    let message = room.ask([half().then_broken(), half()]).await;
    assert_eq!(room.process.answer_to(&message).await, "Understood.");
    assert_eq!(
        room.failures(&message).await,
        [failed("malformed", true), failed("malformed", true)]
    );
    assert_eq!(
        live.of_kind("draft_dropped").len(),
        2,
        "what was shown of them was taken back"
    );
    room.goes_on_after(&["Understood."]).await;
}

#[tokio::test]
async fn garbage_is_no_answer() {
    let room = Room::open(json!({"llm.timeoutSeconds": 1, "activity.maxRetries": 0})).await;
    let garbage = [
        Answer::raw(200, "text/event-stream", "data: {\"choices\": [{\"del\n\n"),
        Answer::raw(200, "text/html", "<html><h1>Welcome to nginx!</h1></html>"),
        Answer::raw(200, "application/json", "[1, 2, 3]"),
        Answer::raw(200, "text/event-stream", ""),
        Answer::raw(200, "text/event-stream", "\u{0}\u{1}\u{fffd} binary \u{7f}\n\n\n"),
    ];
    for answer in garbage {
        let message = room.ask([answer]).await;
        assert_eq!(room.process.settled(&message).await, "failed");
        assert_eq!(room.failures(&message).await, [failed("malformed", false)]);
        assert_eq!(room.skip_reason(&message).await, "model_failed");
        room.model.forget_script();
        // Three in a row, and it would be left alone.
        let message = room.ask([]).await;
        assert_eq!(room.process.answer_to(&message).await, "Understood.");
    }
    let told = "The answer of my model broke off or made no sense, so I have none for you. Ask me again in a little while.";
    room.goes_on_after(&[&[told][..], &["Understood."; 5]].concat())
        .await;
}

#[tokio::test]
async fn a_provider_that_never_answers_is_given_up_in_time() {
    let room = Room::open(json!({"llm.timeoutSeconds": 1})).await;
    let silent = Answer::half([]).then_nothing();
    let message = room.ask([silent]).await;
    assert_eq!(room.process.answer_to(&message).await, "Understood.");
    assert_eq!(room.failures(&message).await, [failed("timed_out", true)]);
    room.goes_on_after(&["Understood."]).await;
}

#[tokio::test]
async fn a_stream_that_stands_still_does_not_hold_the_room() {
    let settings = json!({"llm.localFirstByteSeconds": 1, "llm.stallSeconds": 1});
    let room = Room::open(settings).await;
    let silent = Answer::half([]).then_nothing();
    let stuck = Answer::half(["I think, ", "well, "]).then_nothing();
    let message = room.ask([silent, stuck]).await;
    assert_eq!(room.process.settled(&message).await, "failed");
    assert_eq!(
        room.failures(&message).await,
        [failed("no_first_byte", true), failed("stream_stalled", false)]
    );
    room.goes_on_after(&["My model took too long, so I have no answer. Ask me again in a little while."])
        .await;
}

#[tokio::test]
async fn a_wrong_key_is_told_and_not_tried_again() {
    let room = Room::open(json!({})).await;
    let message = room
        .ask([Answer::error(401, "Incorrect API key provided: sk-abc123")])
        .await;
    assert_eq!(room.process.settled(&message).await, "failed");
    assert_eq!(room.failures(&message).await, [failed("key_refused", false)]);
    let lines = room.process.lines_about(&message, "ask_failed").await;
    let detail = lines[0]["data"]["detail"].as_str().expect("a detail");
    assert!(detail.contains("COMPATIBLE_API_KEY"), "{detail}");
    assert!(!detail.contains("abc123"), "{detail}");
    assert_eq!(room.model.asked().len(), 1);
    room.goes_on_after(&["The service of my model does not accept my key, so I cannot answer. Whoever looks after me can see to that."]).await;
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let room = Room::open(json!({"llm.timeoutSeconds": 1, "activity.maxRetries": 0})).await;
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let gone = format!("http://{}/v1", nobody.local_addr().expect("an address"));
    drop(nobody);
    let settings = room.process.get("/api/settings").await;
    let knobs = settings["knobs"].as_array().expect("knobs");
    let here = knobs
        .iter()
        .find(|knob| knob["key"] == "llm.compatibleBaseUrl")
        .expect("the knob")["value"]
        .clone();
    let key = "llm.compatibleBaseUrl";
    room.home.set(&room.process, key, &gone).await;
    let message = room.ask([]).await;
    assert_eq!(room.process.settled(&message).await, "failed");
    assert_eq!(room.failures(&message).await, [failed("unreachable", false)]);
    let lines = room.process.lines_about(&message, "ask_failed").await;
    let detail = lines[0]["data"]["detail"].as_str().expect("a detail");
    assert!(
        detail.contains(gone.trim_end_matches("/v1")) && detail.contains("llm.compatibleBaseUrl"),
        "{detail}"
    );
    let here = here.as_str().expect("an address");
    room.home.set(&room.process, key, here).await;
    room.goes_on_after(&[
        "I cannot reach my model at the moment, so I have no answer. Ask me again in a little while.",
    ])
    .await;
}

#[tokio::test]
async fn health_tells_of_a_model_that_fails_until_it_answers() {
    let room = Room::open(json!({"activity.maxRetries": 1})).await;
    assert_eq!(room.process.get("/api/health").await["status"], "ok");
    let message = room.ask((0..2).map(|_| Answer::error(500, "on fire"))).await;
    assert_eq!(room.process.settled(&message).await, "failed");
    let health = room.process.get("/api/health").await;
    assert_eq!(health["status"], "degraded", "{health}");
    let reason = health["reasons"][0].as_str().expect("a reason");
    assert!(reason.starts_with("the last 2 calls of the model "), "{reason}");
    assert!(reason.contains("server_error"), "{reason}");
    let why = room.process.get(&format!("/api/why/{message}")).await.to_string();
    assert!(!why.contains("could not be reached"), "{why}");
    assert!(why.contains("was reached and has trouble of its own"), "{why}");
    room.model.forget_script();
    room.goes_on_after(&["The service of my model has trouble at the moment, so I have no answer. Ask me again in a little while."]).await;
    assert_eq!(room.process.get("/api/health").await["status"], "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn health_tells_of_a_model_that_asked_to_be_left_alone() {
    let room = Room::open(json!({})).await;
    let message = room
        .ask([Answer::error(429, "Quota used up").with_header("retry-after", "7200")])
        .await;
    room.process.settled(&message).await;
    assert_eq!(room.skip_reason(&message).await, "model_resting");
    let health = room.process.get("/api/health").await;
    assert_eq!(health["status"], "degraded", "{health}");
    let reasons = health["reasons"].to_string();
    let told = "asked to be left alone and is tried again in";
    assert!(reasons.contains(told), "{reasons}");
    let doctor = room.home.run(&["doctor"]);
    assert!(doctor.out.contains(told), "{doctor:?}");
    let mut room = room;
    assert!(room.process.terminate().await.success());
    let doctor = room.home.run(&["doctor"]);
    assert!(
        doctor.out.contains("!!  model of local")
            && doctor
                .out
                .contains("asked to be left alone and is tried again with the next question"),
        "{doctor:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_without_credit_is_tried_again_once_somebody_has_paid() {
    let room = Room::open(json!({})).await;
    let broke = || Answer::error(402, "Insufficient credits");
    let message = room.ask([broke()]).await;
    room.process.settled(&message).await;
    assert_eq!(room.skip_reason(&message).await, "model_resting");
    let message = room.ask([]).await;
    room.process.settled(&message).await;
    assert_eq!(room.model.asked().len(), 1, "nobody is asked while it rests");
    let (status, tried) = room
        .process
        .call(Method::POST, "/api/model/try", &json!({}))
        .await;
    assert!(status.is_success(), "{tried}");
    room.goes_on_after(&["The account of my model has no credit or quota left, so I cannot answer. Whoever looks after me can see to that; I try again in 5 minutes."]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_tells_of_one_reply_that_failed_until_one_succeeds() {
    let settings = json!({"activity.maxRetries": 0, "llm.localFirstByteSeconds": 1});
    let room = Room::open(settings).await;
    let message = room.ask([Answer::half([]).then_nothing()]).await;
    assert_eq!(room.process.settled(&message).await, "failed");
    let health = room.process.get("/api/health").await;
    assert_eq!(health["status"], "degraded", "{health}");
    assert!(
        health["reasons"][0].to_string().contains("no_first_byte"),
        "{health}"
    );
    let doctor = room.home.run(&["doctor"]);
    assert!(doctor.out.contains("!!  health of local"), "{doctor:?}");
    room.goes_on_after(&["My model took too long, so I have no answer. Ask me again in a little while."])
        .await;
    assert_eq!(room.process.get("/api/health").await["status"], "ok");
    let doctor = room.home.run(&["doctor"]);
    assert!(!doctor.out.contains("health of local"), "{doctor:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_doctor_tell_of_a_budget_that_is_used_up_and_when_it_begins_anew() {
    // One that has a price: what is free binds nothing once it has answered.
    let model = ModelServer::start().await;
    model.lists(&["test-model"]);
    let home = crate::model_moves::home(&model);
    let process = home.start().await;
    process.change_settings(json!({"spending.perDay.calls": 1})).await;
    let mut room = Room { model, home, process };
    let answered = room.ask([]).await;
    room.process.answer_to(&answered).await;
    let message = room.ask([]).await;
    room.process.settled(&message).await;
    assert_eq!(room.skip_reason(&message).await, "budget_spent");
    let told = "today's budget for replies is used up";
    let health = room.process.get("/api/health").await;
    assert_eq!(health["status"], "degraded", "{health}");
    let reasons = health["reasons"].to_string();
    assert!(
        reasons.contains(told) && reasons.contains("midnight UTC, in "),
        "{reasons}"
    );
    let doctor = room.home.run(&["doctor"]);
    assert!(doctor.out.contains(told), "{doctor:?}");
    assert_eq!(doctor.code, Some(1), "nobody is answered: {doctor:?}");

    assert!(room.process.terminate().await.success());
    let doctor = room.home.run(&["doctor"]);
    assert!(
        doctor.out.contains("!!  budget of local") && doctor.out.contains(told),
        "{doctor:?}"
    );
    room.process = room.home.start().await;
    room.process
        .change_settings(json!({"spending.perDay.calls": 100}))
        .await;
    assert_eq!(room.process.get("/api/health").await["status"], "ok");
    let doctor = room.home.run(&["doctor"]);
    assert!(!doctor.out.contains("budget"), "{doctor:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn why_tells_who_waits_that_the_model_has_not_begun_to_answer_somebody_else() {
    let room = Room::open(json!({})).await;
    let gate = Gate::closed();
    let alice = room.ask([Answer::says("Here.").held_after(0, &gate)]).await;
    room.model.asked_times(1).await;
    let bob = room.process.say("Bob", "Denizen, and me?").await;
    let page = format!("/api/why/{bob}");
    let told = eventually("it waits behind Alice", async || {
        let why = room.process.get(&page).await;
        let told = why["verdict"]["sentence"].as_str()?.to_owned();
        told.contains("somebody else").then_some(told)
    })
    .await;
    assert!(
        told.contains("has not begun to answer") && told.contains("at most"),
        "{told}"
    );
    let printed = room.home.run(&["why", &bob]).succeeded();
    assert!(
        printed.starts_with("It waits for a reply to somebody else: the model was asked "),
        "{printed}"
    );
    let own = room.home.run(&["why", &alice]).succeeded();
    assert!(own.starts_with("A model is being asked: it was asked "), "{own}");
    gate.open();
    assert_eq!(room.process.answer_to(&alice).await, "Here.");
    assert_eq!(room.process.answer_to(&bob).await, "Understood.");
}
