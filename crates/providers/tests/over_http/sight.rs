//! Models that see nothing and say so in words that nobody knows: what is held against a picture, and what against them.

use std::collections::BTreeMap;

use bytes::Bytes;
use providers::Models;
use runtime::ports::Language;
use vocabulary::{AskOutcome, AttachmentId};

use crate::lacking::{ask_showing, hello, served, with_pictures};
use crate::requests::settings;
use crate::server::Answer;

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
