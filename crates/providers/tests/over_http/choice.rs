//! What `auto` means, and what is told about it.

use providers::{Breadth, Part, inventory, try_others, try_purposes};
use runtime::ports::Language;
use runtime::questions::Surroundings;
use serde_json::json;
use settings::{Document, ModelKeys, Settings};
use vocabulary::{AskFailureKind, AskPurpose};

use crate::openai::answer_of;
use crate::requests::{KEY, ask, ask_under, models_at, models_with, settings, simple};
use crate::responses::says;
use crate::server::{Answer, Server};

fn nothing(_: &str) -> Option<String> {
    None
}

fn keys(names: &'static [&'static str]) -> impl Fn(&str) -> Option<String> {
    // Nobody lives there: no test may ask a provider for its list.
    move |name| match name.ends_with("_BASE_URL") && name != "COMPATIBLE_BASE_URL" {
        true => Some("http://127.0.0.1:1".to_owned()),
        false => names.contains(&name).then(|| KEY.to_owned()),
    }
}

async fn lists(models: &str) -> Server {
    Server::start([
        Answer::json(200, models),
        Answer::stream(&[&answer_of(&["Hello"])]),
    ])
    .await
}

#[tokio::test]
async fn auto_prefers_keys_in_their_order() {
    for (names, provider) in [
        (
            &["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"][..],
            "anthropic",
        ),
        (&["GOOGLE_API_KEY", "OPENAI_API_KEY"][..], "openai"),
        (&["GOOGLE_API_KEY"][..], "gemini"),
    ] {
        let models = models_with(keys(names), &[]);
        models.configure(&settings(&[])).await;
        let status = models.status(&settings(&[]));
        assert_eq!(status.provider, provider);
        assert!(!status.offline && !status.model.is_empty());
        assert!(
            status.because.contains("is in the environment"),
            "{}",
            status.because
        );
    }
}

#[tokio::test]
async fn without_keys_a_named_server_is_taken_with_its_first_model_that_can_talk() {
    let server =
        lists(r#"{"object":"list","data":[{"id":"nomic-embed-text"},{"id":"qwen3:4b"},{"id":"llama3"}]}"#)
            .await;
    let models = models_with(nothing, &[]);
    let named = settings(&[("llm.compatibleBaseUrl", &server.address)]);
    models.configure(&named).await;
    let status = models.status(&named);
    assert_eq!(
        (status.provider.as_str(), status.model.as_str()),
        ("compatible", "qwen3:4b")
    );
    assert_eq!(status.base_url, format!("{}/v1", server.address));

    let answer = ask_under(&models, &simple("auto", ""), &named).await.answer();
    assert_eq!(answer.usage.cost_micro_dollars, Some(0));
    let seen = &server.seen()[1];
    assert_eq!(seen.path, "/v1/chat/completions");
    assert_eq!(seen.header("authorization"), None);
    assert_eq!(seen.json()["model"], "qwen3:4b");
    assert_eq!(seen.json()["max_tokens"], 600);
}

#[tokio::test]
async fn of_several_servers_the_first_port_with_a_usable_model_wins() {
    let page = Server::start([Answer::json(200, "<html>hello</html>")]).await;
    let other = Server::start([Answer::json(200, r#"{"data":"nonsense"}"#)]).await;
    let empty = Server::start([Answer::json(200, r#"{"object":"list","data":[]}"#)]).await;
    let embeds = Server::start([Answer::json(200, r#"{"data":[{"id":"bge-m3"}]}"#)]).await;
    let third = lists(r#"{"data":[{"id":"third"}]}"#).await;
    let fourth = lists(r#"{"data":[{"id":"fourth"}]}"#).await;
    let ports = [
        page.port,
        other.port,
        empty.port,
        embeds.port,
        third.port,
        fourth.port,
    ];
    let models = models_with(keys(&["COMPATIBLE_API_KEY"]), &ports);
    models.configure(&settings(&[])).await;
    assert_eq!(models.status(&settings(&[])).model, "third");
    assert!(
        models
            .status(&settings(&[]))
            .because
            .contains(&third.port.to_string()),
        "{}",
        models.status(&settings(&[])).because
    );
    for server in [&page, &other, &empty, &embeds, &third, &fourth] {
        let seen = &server.seen()[0];
        assert_eq!((seen.method.as_str(), seen.path.as_str()), ("GET", "/v1/models"));
        assert_eq!(
            seen.header("authorization"),
            None,
            "whoever listens there is not shown a key"
        );
    }
    ask_under(&models, &simple("auto", ""), &settings(&[])).await;
    let seen = third.seen().pop().expect("a question");
    assert_eq!(seen.path, "/v1/chat/completions");
    assert_eq!(seen.header("authorization"), None);
    assert!(!third.was_shown_a_key());
    // One that an operator names is.
    let ours = lists(r#"{"data":[{"id":"ours"}]}"#).await;
    let named = settings(&[("llm.compatibleBaseUrl", &ours.address)]);
    models.configure(&named).await;
    ask_under(&models, &simple("auto", ""), &named).await;
    let seen = ours.seen().pop().expect("a question");
    assert_eq!(seen.path, "/v1/chat/completions");
    assert!(seen.header("authorization").is_some());
    assert!(ours.was_shown_a_key());
}

#[tokio::test]
async fn with_nothing_at_all_the_offline_model_answers_and_says_how_to_change_that() {
    let models = models_with(nothing, &[]);
    assert!(
        models.status(&settings(&[])).offline,
        "even before it was configured"
    );
    models.configure(&settings(&[])).await;
    let status = models.status(&settings(&[]));
    assert!(status.offline);
    assert!(
        status.how_to_change.contains("ANTHROPIC_API_KEY"),
        "{}",
        status.how_to_change
    );
    assert_eq!(
        ask(&models, &simple("auto", "")).await.answer().provider,
        "offline"
    );
}

#[tokio::test]
async fn whatever_is_to_be_asked_of_a_server_is_beside_a_key_for_everything_else() {
    for purpose in AskPurpose::ALL {
        let server = lists(r#"{"data":[{"id":"ours"}]}"#).await;
        let models = models_with(keys(&["ANTHROPIC_API_KEY"]), &[]);
        let mut document = Document::default();
        document.set("llm.compatibleBaseUrl", json!(server.address));
        document.set("replyFollowupLlm.enabled", json!(true));
        document.set(ModelKeys::of(purpose).provider, json!("compatible"));
        let settings = Settings::read(&document).expect("settings");
        models.configure(&settings).await;
        let asked = models.asked_of(purpose, &settings);
        let asked = asked.unwrap_or_else(|| panic!("nobody is asked for {}", purpose.words()));
        assert_eq!(
            (asked.provider.as_str(), asked.model.as_str()),
            ("compatible", "ours"),
            "{}",
            purpose.words()
        );
    }
}

#[tokio::test]
async fn a_server_that_comes_up_later_is_found_by_looking_again() {
    let server = Server::start([
        Answer::json(503, "{}"),
        Answer::json(200, r#"{"data":[{"id":"late"}]}"#),
    ])
    .await;
    let models = models_with(nothing, &[server.port]);
    models.configure(&settings(&[])).await;
    assert!(models.status(&settings(&[])).offline);
    models.configure(&settings(&[])).await;
    assert_eq!(models.status(&settings(&[])).model, "late");
}

#[tokio::test]
async fn a_provider_without_its_key_fails_with_the_remedy_instead_of_something_else() {
    let models = models_with(keys(&["OPENAI_API_KEY"]), &[]);
    let wanted = settings(&[("llm.provider", "anthropic")]);
    models.configure(&wanted).await;
    let status = models.status(&wanted);
    assert_eq!((status.provider.as_str(), status.offline), ("anthropic", false));
    assert!(
        status.how_to_change.contains("ANTHROPIC_API_KEY"),
        "{}",
        status.how_to_change
    );
    let failure = ask(&models, &simple("anthropic", "")).await.failure();
    assert_eq!(failure.kind, AskFailureKind::Rejected);
    assert!(failure.detail.contains("ANTHROPIC_API_KEY"), "{failure}");

    let failure = ask(&models, &simple("antropic", "")).await.failure();
    assert!(failure.detail.contains("`antropic` is no provider"), "{failure}");
}

#[tokio::test]
async fn a_named_server_that_is_down_is_not_replaced_by_another() {
    let running = lists(r#"{"data":[{"id":"running"}]}"#).await;
    let models = models_with(nothing, &[running.port]);
    let named = settings(&[("llm.compatibleBaseUrl", "http://127.0.0.1:1/v1")]);
    models.configure(&named).await;
    assert!(!models.status(&named).offline);
    let failure = ask_under(&models, &simple("auto", ""), &named).await.failure();
    assert_eq!(failure.kind, AskFailureKind::Unreachable);
    assert!(failure.detail.contains("http://127.0.0.1:1/v1"), "{failure}");
}

#[tokio::test]
async fn an_address_that_cannot_be_used_is_told() {
    let models = models_with(nothing, &[]);
    let named = settings(&[
        ("llm.provider", "compatible"),
        ("llm.compatibleBaseUrl", "http://u:hunter2@x/v1"),
    ]);
    models.configure(&named).await;
    let status = models.status(&named);
    assert!(
        status.how_to_change.contains("llm.compatibleBaseUrl"),
        "{status:?}"
    );
    assert!(!format!("{status:?}").contains("hunter2"), "{status:?}");
}

#[tokio::test]
async fn the_classifier_takes_the_small_model_unless_one_is_named() {
    let models = models_at("anthropic", "http://127.0.0.1:1");
    let mut request = simple("auto", "");
    let model = |request: &vocabulary::ModelRequest| {
        models
            .prepare(request, &Default::default(), &settings(&[]))
            .expect("prepared")
            .model
    };
    let usual = model(&request);
    request.purpose = AskPurpose::AddressClassifier;
    let small = model(&request);
    assert_ne!(usual, small);
    request.choice.model = "claude-opus-4-5".to_owned();
    assert_eq!(model(&request), "claude-opus-4-5");
}

#[tokio::test]
async fn an_examination_names_keys_servers_and_the_choice_and_may_ask_something() {
    let server = lists(r#"{"data":[{"id":"qwen3"}]}"#).await;
    let silent = Server::start([Answer::json(404, "{}")]).await;
    let models = models_with(nothing, &[silent.port, server.port]);
    let findings = models.examine(&settings(&[])).await;
    let shown = format!("{findings:#?}");
    assert!(
        findings.iter().any(
            |finding| finding.what == "key for anthropic" && finding.detail.contains("ANTHROPIC_API_KEY")
        ),
        "{shown}"
    );
    assert!(
        findings
            .iter()
            .any(|finding| finding.detail == "answers with qwen3"),
        "{shown}"
    );
    assert!(
        findings
            .iter()
            .any(|finding| finding.detail == "it answers with status 404"),
        "{shown}"
    );

    let server = Server::start([says(&["ready"])]).await;
    let models = models_at("openai", &server.address);
    models.configure(&settings(&[])).await;
    let trials = try_purposes(&models, &settings(&[]), Surroundings::default()).await;
    let reply = trials.first().expect("replies are tried");
    assert_eq!(reply.purpose, "replies");
    assert!(reply.works, "{reply:?}");
    assert_eq!(
        [reply.tools, reply.schema, reply.picture],
        [Part::Works, Part::Works, Part::Works],
        "{reply:?}"
    );

    let server = Server::start([Answer::json(
        401,
        r#"{"error":{"message":"bad key","type":"test"}}"#,
    )])
    .await;
    let models = models_at("openai", &server.address);
    models.configure(&settings(&[])).await;
    let trials = try_purposes(&models, &settings(&[]), Surroundings::default()).await;
    let trial = trials.first().expect("replies are tried");
    assert!(
        !trial.works
            && trial
                .remedy
                .as_deref()
                .is_some_and(|remedy| remedy.contains("OPENAI_API_KEY")),
        "{trial:?}"
    );
}

#[tokio::test]
async fn what_no_model_can_be_chosen_for_is_tried_once() {
    let models = models_with(nothing, &[]);
    let keyless = settings(&[("llm.provider", "openai")]);
    models.configure(&keyless).await;
    let trials = try_purposes(&models, &keyless, Surroundings::default()).await;
    assert!(trials.iter().any(|trial| !trial.works), "{trials:?}");
    let again = try_others(&models, &keyless, Surroundings::default(), &trials).await;
    assert_eq!(again.len(), 0, "{again:?}");
}

#[tokio::test]
async fn communities_that_chose_otherwise_do_not_get_into_each_others_way() {
    let one = Server::start([Answer::json(200, r#"{"data":[{"id":"one"}]}"#)]).await;
    let two = Server::start([Answer::json(200, r#"{"data":[{"id":"two"}]}"#)]).await;
    let models = models_with(nothing, &[]);
    let (first, second) = (
        settings(&[("llm.compatibleBaseUrl", &one.address)]),
        settings(&[("llm.compatibleBaseUrl", &two.address)]),
    );
    let third = settings(&[("llm.provider", "offline")]);
    for wanted in [&first, &second, &third, &first] {
        models.get_ready(wanted).await;
    }
    assert_eq!(models.status(&first).model, "one");
    assert_eq!(models.status(&second).model, "two");
    assert!(models.status(&third).offline);
    let url = |settings| {
        let prepared = models.prepare(&simple("auto", ""), &Default::default(), settings);
        prepared.expect("prepared").url
    };
    assert!(url(&first).starts_with(&one.address) && url(&second).starts_with(&two.address));
    assert_eq!(one.seen().len(), 1, "what is known is not looked for again");
}

#[tokio::test]
async fn an_open_model_in_ones_own_network_is_free_and_nobodys_elsewhere() {
    for (address, model, expected) in [
        ("http://127.0.0.2:1/v1", "gpt-oss:20b", "it runs on this machine"),
        (
            "http://192.168.255.254:9/v1",
            "gpt-oss:20b",
            "it runs on this machine or in its network",
        ),
        (
            "http://192.168.255.254:9/v1",
            "gpt-6-luna",
            "charged like openai charges",
        ),
        (
            "https://llm.invalid/v1",
            "openai/gpt-oss-120b",
            "not known: give it one in catalogue.toml",
        ),
    ] {
        let models = models_with(nothing, &[]);
        let settings = settings(&[
            ("llm.provider", "compatible"),
            ("llm.compatibleBaseUrl", address),
            ("llm.model", model),
        ]);
        models.configure(&settings).await;
        let rows = inventory(&models, Breadth::Relevant, &settings);
        let row = rows.iter().find(|row| row.model == model).expect("a row");
        assert!(
            row.price_from.contains(expected),
            "{address} {model}: {}",
            row.price_from
        );
    }
}
