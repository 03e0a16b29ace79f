use jiff::civil::date;

use super::*;

const OPENAI: Provider = Provider::OpenAi;

fn gone(listed: bool) -> GoneModels {
    let mut gone = GoneModels::default();
    gone.add(OPENAI, "first", listed, date(2026, 11, 16));
    gone
}

#[test]
fn what_a_list_has_had_all_along_is_not_back_because_it_still_has_it() {
    let mut gone = gone(true);
    for _ in 0..3 {
        gone.heard(OPENAI, &ModelList::of(&["first", "second"]));
        assert!(gone.has(OPENAI, "first"));
    }
    gone.heard(OPENAI, &ModelList::of(&["second"]));
    assert!(gone.has(OPENAI, "first"), "now the list says so, too");
    gone.heard(Provider::Anthropic, &ModelList::of(&["first"]));
    assert!(gone.has(OPENAI, "first"), "somebody else's");
    gone.heard(OPENAI, &ModelList::of(&["first", "second"]));
    assert!(!gone.has(OPENAI, "first"), "it is there again");
}

#[test]
fn one_that_answers_is_there_and_what_is_kept_is_what_was_found() {
    let mut found = gone(false);
    let read = GoneModels::of_kept(found.kept());
    assert_eq!(read.since(OPENAI, "first"), Some(date(2026, 11, 16)));
    assert_eq!(read.kept(), found.kept());
    assert!(found.is_there(OPENAI, "first"));
    assert!(!found.is_there(OPENAI, "first"), "that is no news");
    assert!(!found.has(OPENAI, "first"));
}
