//! Models that see nothing and say so in words that nobody knows: what is held against a picture, and what against them.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use providers::Models;
use runtime::ports::Language;
use serde_json::Value;
use vocabulary::{AskOutcome, AttachmentId};

use crate::lacking::{ask_showing, bodies, hello, served, with_pictures};
use crate::openai::answer_of;
use crate::requests::settings;
use crate::server::{Answer, Server};

fn refusal() -> Answer {
    Answer::json(400, r#"{"error":{"message":"I do not like this"}}"#)
}

/// Shows a model one picture after the other; how many requests each took.
async fn show(models: &Models, pictures: &[&str]) -> Vec<u32> {
    let mut tries = Vec::new();
    for id in pictures {
        let shown = BTreeMap::from([(AttachmentId::from(*id), Bytes::from_static(b"\x89PNG one"))]);
        let outcome = ask_showing(models, &with_pictures("compatible", "m", &[id]), &shown).await;
        let AskOutcome::Answered(answer) = outcome else {
            panic!("{id}: {outcome:?}");
        };
        tries.push(answer.tries);
    }
    tries
}

fn lacks(models: &Models) -> Vec<String> {
    let lacks = models.status(&settings(&[])).lacks.into_iter();
    lacks.map(|lack| lack.what).collect()
}

#[tokio::test]
async fn a_model_that_refuses_every_picture_in_words_of_its_own_is_not_shown_a_fourth() {
    let answers = [(); 3].into_iter().flat_map(|()| [refusal(), hello()]);
    let (_server, models) = served(answers.collect()).await;
    assert_eq!(show(&models, &["a", "b"]).await, [2, 2]);
    assert_eq!(lacks(&models), Vec::<String>::new());
    assert_eq!(show(&models, &["c", "d", "e"]).await, [2, 1, 1]);
    assert_eq!(lacks(&models), ["pictures"]);
}

#[tokio::test]
async fn a_model_that_has_looked_at_a_picture_has_only_met_broken_ones() {
    let broken = [(); 4].into_iter().flat_map(|()| [refusal(), hello()]);
    let (_server, models) = served([hello()].into_iter().chain(broken).collect()).await;
    assert_eq!(show(&models, &["a", "b", "c", "d", "e"]).await, [1, 2, 2, 2, 2]);
    assert_eq!(lacks(&models), Vec::<String>::new());
}

fn plain_failures() -> [(&'static str, Answer); 5] {
    let page = "<html>Bad gateway</html>";
    [
        (
            "a wordless 500",
            Answer::json(500, r#"{"error":{"message":"Internal server error"}}"#),
        ),
        (
            "a page of a gateway",
            Answer::json(502, page).with_header("content-type", "text/html"),
        ),
        (
            "a page in place of an answer",
            Answer::json(200, page).with_header("content-type", "text/html"),
        ),
        ("an empty answer", Answer::stream(&[&answer_of(&[""])])),
        ("no answer at all", Answer::stream(&["data: [DONE]\n\n"])),
    ]
}

fn shown_in(server: &Server) -> Vec<usize> {
    let posted = bodies(server);
    let count = |body: &Value| body.to_string().matches("image_url").count() / 2;
    posted.iter().map(count).collect()
}

#[tokio::test]
async fn a_picture_over_which_a_server_falls_without_a_word_is_not_shown_to_it_again() {
    for (how, failure) in plain_failures() {
        let (server, models) = served(vec![failure, hello()]).await;
        assert_eq!(show(&models, &["a", "a", "a", "b"]).await, [2, 1, 1, 1], "{how}");
        assert_eq!(shown_in(&server), [1, 0, 0, 0, 1], "{how}");
        let told = bodies(&server)[1].to_string();
        assert!(
            told.contains("[a picture that could not be shown"),
            "{how}: {told}"
        );
    }
}

/// Has everything that was found of models have been found so much earlier.
fn age(folder: &Path, minutes: i64) {
    let file = folder.join("abilities.json");
    let text = std::fs::read_to_string(&file).expect("something was found");
    let mut found: Vec<Value> = serde_json::from_str(&text).expect("a list");
    for one in &mut found {
        let since: Timestamp = one["since"].as_str().expect("a time").parse().expect("a time");
        one["since"] = (since - SignedDuration::from_mins(minutes)).to_string().into();
    }
    std::fs::write(&file, Value::from(found).to_string()).expect("it is written");
}

#[tokio::test]
async fn a_picture_that_went_along_with_a_passing_failure_is_shown_again_after_a_while_and_a_second_one_counts()
 {
    let failure = || Answer::json(500, r#"{"error":{"message":"Internal server error"}}"#);
    for (second, tries, shown) in [
        (vec![], [1, 1], vec![1, 0, 0, 1, 1]),
        (vec![failure()], [2, 1], vec![1, 0, 0, 1, 0, 0]),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let answers = [vec![failure(), hello(), hello()], second, vec![hello()]].concat();
        let (server, models) = served(answers).await;
        let models = models.keeping_in(folder.path());
        assert_eq!(show(&models, &["a", "a"]).await, [2, 1]);
        age(folder.path(), 11);
        let models = models.keeping_in(folder.path());
        assert_eq!(show(&models, &["a"]).await, [tries[0]]);
        age(folder.path(), 11);
        let models = models.keeping_in(folder.path());
        assert_eq!(show(&models, &["a"]).await, [tries[1]]);
        assert_eq!(shown_in(&server), shown);
    }
}

#[tokio::test]
async fn a_server_that_fails_without_the_picture_too_is_in_trouble_and_the_picture_is_shown_again() {
    let shown = BTreeMap::from([(AttachmentId::from("a"), Bytes::from_static(b"\x89PNG one"))]);
    for (how, failure) in plain_failures() {
        let (server, models) = served(vec![failure.clone(), failure, hello()]).await;
        let outcome = ask_showing(&models, &with_pictures("compatible", "m", &["a"]), &shown).await;
        let tries = match &outcome {
            AskOutcome::Failed(failure) => failure.tries,
            AskOutcome::Answered(answer) if answer.text.is_empty() => answer.tries,
            AskOutcome::Answered(_) => panic!("{how}: {outcome:?}"),
        };
        assert_eq!(tries, 2, "{how}");
        assert_eq!(show(&models, &["a"]).await, [1], "{how}");
        assert_eq!(shown_in(&server), [1, 0, 1], "{how}");
    }
}

#[tokio::test]
async fn without_a_picture_a_server_in_trouble_is_asked_once_and_so_is_one_that_is_overloaded() {
    for (how, failure) in plain_failures() {
        let (server, models) = served(vec![failure]).await;
        ask_showing(&models, &with_pictures("compatible", "m", &[]), &BTreeMap::new()).await;
        assert_eq!(shown_in(&server), [0], "{how}");
    }
    let shown = BTreeMap::from([(AttachmentId::from("a"), Bytes::from_static(b"\x89PNG one"))]);
    let busy = Answer::json(
        529,
        r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#,
    );
    let (server, models) = served(vec![busy]).await;
    ask_showing(&models, &with_pictures("compatible", "m", &["a"]), &shown).await;
    assert_eq!(shown_in(&server), [1]);
}

#[tokio::test]
async fn of_several_pictures_that_were_left_out_together_the_newest_is_not_shown_again() {
    let shown = ["a", "b"].map(|id| (AttachmentId::from(id), Bytes::from_static(b"\x89PNG one")));
    let (_, failure) = plain_failures()[0].clone();
    let (server, models) = served(vec![failure, hello()]).await;
    for tries in [2, 1] {
        let request = with_pictures("compatible", "m", &["a", "b"]);
        let outcome = ask_showing(&models, &request, &BTreeMap::from(shown.clone())).await;
        assert!(
            matches!(&outcome, AskOutcome::Answered(answer) if answer.tries == tries),
            "{outcome:?}"
        );
    }
    assert_eq!(shown_in(&server), [2, 0, 1]);
}
