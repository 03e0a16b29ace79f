//! What is known of every model in use, and that something was learnt of one.

use providers::{Breadth, inventory};
use runtime::ports::Language;

use crate::lacking::hello;
use crate::requests::{ask_under, models_at, rich, settings};
use crate::server::{Answer, Server};

#[tokio::test]
async fn what_a_model_refuses_is_told_of_it_and_of_no_other_wherever_models_are_listed() {
    let server = Server::start([
        Answer::json(200, r#"{"object":"list","data":[{"id":"m"},{"id":"small"}]}"#),
        Answer::json(400, r#"{"error":{"message":"m does not support tools"}}"#),
        hello(),
    ])
    .await;
    let models = models_at("compatible", &server.address);
    let settings = settings(&[
        ("context.compaction.provider", "compatible"),
        ("context.compaction.model", "small"),
    ]);
    models.get_ready(&settings).await;
    let told = || {
        let in_use = models.status(&settings).in_use;
        let of = |model: &str| {
            let found = in_use.iter().find(|one| one.model == model);
            let found = found.unwrap_or_else(|| panic!("{model} is not among {in_use:?}"));
            let row = inventory(&models, Breadth::Relevant, &settings)
                .into_iter()
                .find(|row| row.model == model);
            let row = row.expect("a row").abilities;
            let tools = "tools".to_owned();
            (
                found.used_for.clone(),
                found.abilities.contains(&tools),
                row.contains(&tools),
                found.lacks.len(),
            )
        };
        assert_eq!(in_use[0].model, "m", "the one of replies comes first");
        (of("m"), of("small"))
    };
    let ((replies, ..), (summaries, ..)) = told();
    assert!(replies.contains(&"replies".to_owned()), "{replies:?}");
    assert_eq!(summaries, ["summaries"]);
    let ((_, in_use, listed, lacks), small) = told();
    assert_eq!((in_use, listed, lacks), (true, true, 0));

    let before = models.lessons();
    ask_under(&models, &rich("compatible", "m"), &settings)
        .await
        .answer();
    assert_ne!(models.lessons(), before, "whoever shows it has to show it anew");
    let ((_, in_use, listed, lacks), small_now) = told();
    assert_eq!((in_use, listed, lacks), (false, false, 1));
    assert_eq!(small_now, small);
    let before = models.lessons();
    ask_under(&models, &rich("compatible", "m"), &settings)
        .await
        .answer();
    assert_eq!(models.lessons(), before, "nothing new was learnt");
}
