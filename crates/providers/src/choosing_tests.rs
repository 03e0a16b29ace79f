use std::sync::Arc;

use tokio::time::Instant;

use super::*;
use crate::defaults::Looked;
use crate::lists::ModelList;

const TODAY: &str = "2026-11-16";

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn catalogue() -> Catalogue {
    let text = r#"
        [openai]
        small = ["first", "second", "third"]
        [openai.models.first]
        retires = "2026-12-24"
        [openai.models.second]
        [openai.models.third]
    "#;
    Catalogue::with_text(text, std::path::Path::new("own.toml")).expect("TOML")
}

fn state(listed: Result<ModelList, String>) -> State {
    let mut state = State::default();
    let looked = Looked {
        shut_out: None,
        in_vain: false,
        at: Instant::now(),
        list: listed.map(Arc::new),
    };
    state.lists.insert(Provider::OpenAi, looked);
    state
}

fn small(state: &State, today: &str) -> String {
    choose(
        state,
        Provider::OpenAi,
        ModelRole::Small,
        &catalogue(),
        day(today),
    )
    .model
}

#[tokio::test]
async fn of_the_preferred_the_first_that_is_listed_and_lasts_is_taken() {
    let list = |ids: &[&str]| state(Ok(ModelList::of(ids)));
    assert_eq!(small(&list(&["third", "second"]), TODAY), "second");
    assert_eq!(small(&list(&["third", "first"]), TODAY), "third", "it lasts");
    assert_eq!(
        small(&list(&["first", "other"]), TODAY),
        "first",
        "it still answers"
    );
}

#[tokio::test]
async fn without_a_list_the_first_that_has_not_ended_is_taken() {
    let none = state(Err("no network".to_owned()));
    assert_eq!(small(&none, TODAY), "first");
    assert_eq!(small(&none, "2026-12-24"), "second");
    assert_eq!(small(&State::default(), "2026-12-24"), "second");
}

#[tokio::test]
async fn where_none_of_the_preferred_is_listed_the_cheapest_known_one_is_taken() {
    let list = state(Ok(ModelList::of(&[
        "gpt-5.4",
        "gpt-5.4-mini",
        "gpt-4.1-nano",
        "mystery",
    ])));
    assert_eq!(small(&list, TODAY), "gpt-5.4-mini", "nano has ended");
}

#[tokio::test]
async fn what_a_provider_does_not_know_is_not_taken_again() {
    let mut list = state(Ok(ModelList::of(&["second", "third"])));
    list.unknown
        .add(Provider::OpenAi, "second", true, jiff::civil::date(2026, 11, 16));
    assert_eq!(small(&list, TODAY), "third");
    let why = why_not(&list, Provider::OpenAi, "second", &catalogue(), day(TODAY));
    assert!(why.contains("no such model"), "{why}");
    let why = why_not(&list, Provider::OpenAi, "first", &catalogue(), day(TODAY));
    assert_eq!(why, "it ends on 2026-12-24");
}
