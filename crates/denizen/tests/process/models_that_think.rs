//! Models that think until nothing is left of what they may write: it is learnt, told in plain words, and bounded.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Home, ModelServer, Process};

/// Thoughts up to the cap, and not a word.
fn only_thoughts() -> Answer {
    ended(&json!({"reasoning_content": "Let me see. Perhaps"}), 600)
}

/// Something, cut where it may be no longer.
fn ended(delta: &Value, tokens: u32) -> Answer {
    let chunk = json!({"id": "c1", "object": "chat.completion.chunk", "created": 1_790_000_000, "model": "test-model",
        "choices": [{"index": 0, "delta": delta, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 40, "completion_tokens": tokens, "total_tokens": 40 + tokens}});
    let body = format!("data: {chunk}\n\ndata: [DONE]\n\n");
    Answer::raw(200, "text/event-stream", &body)
}

fn caps(model: &ModelServer) -> Vec<u64> {
    let asked = model.asked();
    let bodies = asked
        .iter()
        .map(|asked| asked.body.parse::<Value>().expect("JSON"));
    bodies
        .map(|body| body["max_tokens"].as_u64().expect("a cap"))
        .collect()
}

async fn reasons(process: &Process) -> String {
    process.get("/api/health").await["reasons"].to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_only_thinks_is_paid_for_seldom_and_the_room_and_the_operator_hear_why() {
    let model = ModelServer::answering(|_| only_thoughts()).await;
    let home = Home::quick(&model);
    let mut process = home.start().await;
    let first = process.say("Alice", "Denizen, what do you think?").await;
    assert_eq!(process.settled(&first).await, "skipped");
    assert_eq!(caps(&model), [600, 8_600], "it is given more room once");
    let failed = process.lines_about(&first, "ask_failed").await;
    assert_eq!(failed[0]["data"]["kind"], "out_of_room");
    let why = home.run(&["why", &first]).succeeded();
    assert!(
        why.contains("8600 tokens") && why.contains("llm.maxOutputTokens (now 600)"),
        "{why}"
    );

    let second = process.say("Bob", "Denizen, and you?").await;
    assert_eq!(process.settled(&second).await, "skipped");
    assert_eq!(model.asked().len(), 2, "nothing is paid for meanwhile");
    let told: Vec<String> = process
        .said()
        .await
        .into_iter()
        .filter(|said| said.contains("spends all that it may write on thinking"))
        .collect();
    assert_eq!(told.len(), 1, "once for each rest: {told:?}");

    let named = ["test-model", "8600 tokens", "llm.effort.reply (now low)"];
    let health = reasons(&process).await;
    let doctor = home.run(&["doctor"]);
    assert!(process.terminate().await.success());
    let after = home.run(&["doctor"]);
    for told in [&health, &doctor.out, &after.out] {
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in named {
            assert!(told.contains(part), "{told} lacks {part}");
        }
    }

    let mut process = home.start().await;
    process.change_settings(json!({"llm.effort.reply": "none"})).await;
    let third = process.say("Alice", "Denizen, once more?").await;
    assert_eq!(process.settled(&third).await, "skipped");
    assert_eq!(
        caps(&model),
        [600, 8_600, 8_600],
        "what was learnt is known after a restart, and one try is enough"
    );
    model.next([Answer::says("Here I am.")]);
    process.change_settings(json!({"llm.maxOutputTokens": 900})).await;
    let fourth = process.say("Alice", "Denizen, and now?").await;
    assert_eq!(process.answer_to(&fourth).await, "Here I am.");
    assert_eq!(process.get("/api/health").await["status"], "ok");
    assert!(process.terminate().await.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_at_the_models_does_not_tell_what_is_forgotten_with_it() {
    let model = ModelServer::answering(|_| only_thoughts()).await;
    let home = Home::quick(&model);
    for runs in [true, false] {
        let mut process = home.start().await;
        process.call(Method::POST, "/api/model/detect", &json!({})).await;
        let message = process.say("Alice", "Denizen, what do you think?").await;
        process.settled(&message).await;
        let told = "without a word to say";
        assert!(
            home.run(&["doctor"])
                .out
                .replace("\n", " ")
                .contains("8600 tokens")
        );
        if !runs {
            assert!(process.terminate().await.success());
        }
        for form in [&["models", "refresh"][..], &["models", "refresh", "--json"]] {
            let refreshed = home.run(form).succeeded();
            assert!(!refreshed.contains(told), "runs: {runs}, {refreshed}");
        }
        let doctor = home.run(&["doctor"]).out;
        assert!(!doctor.contains("8600 tokens"), "runs: {runs}, {doctor}");
        if runs {
            process.terminate().await;
        }
    }
}

#[tokio::test]
async fn why_names_the_cap_of_an_answer_that_was_cut_and_the_setting() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    model.next([ended(&json!({"content": "It is so. And furthermore it"}), 600)]);
    let message = process.say("Alice", "Denizen, is it so?").await;
    assert!(
        process
            .answer_to(&message)
            .await
            .starts_with("It is so. (Cut off")
    );
    let why = home.run(&["why", &message]).succeeded();
    assert!(
        why.contains("cap of 600 tokens") && why.contains("raise llm.maxOutputTokens"),
        "{why}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_model_that_rests_keeps_nobody_from_being_answered() {
    let model = ModelServer::reading(|_, asked| match asked.body.contains("\"test-model\"") {
        true => Answer::error(429, "Quota of this model used up").with_header("retry-after", "7200"),
        false => Answer::says("Understood."),
    })
    .await;
    model.lists(&["first-model", "test-model"]);
    let home = crate::model_moves::home(&model);
    let small = crate::model_moves::CATALOGUE.replace(
        "small = [\"first-model\", \"test-model\"]",
        "small = [\"test-model\"]",
    );
    std::fs::write(home.data().join("catalogue.toml"), small).expect("written");
    home.run(&["settings", "set", "addressClassifierLlm.enabled", "true"])
        .succeeded();
    let process = home.start().await;
    for unclear in ["Is anybody artificial here?", "Is anybody awake, then?"] {
        let message = process.say("Bob", unclear).await;
        assert_eq!(process.settled(&message).await, "skipped");
    }
    let of_small = || {
        let asked = model.asked();
        let small = asked.iter().filter(|asked| asked.body.contains("\"test-model\""));
        small.count()
    };
    assert_eq!(of_small(), 1, "it is left alone");
    let message = process.say("Alice", "Denizen, hello!").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    let health = reasons(&process).await;
    assert!(
        health.contains("test-model (openai)") && health.contains("asked to be left alone"),
        "{health}"
    );
    assert!(!health.contains("the model for replies"), "{health}");
}
