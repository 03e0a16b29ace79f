//! What kind of thing a gem is, where its own words say so and the model only called it something to do.

use vocabulary::GemTag;

use super::folding::words;

const LIKING: &str = " prefers prefer likes loves enjoys hates dislikes favourite favorite ";
/// What somebody has only one of is a fact.
const FACTS: [&str; 5] = ["home", "job", "employer", "birthday", "age"];

/// The tags, corrected where a gem is plainly nothing to do. Small models call nearly everything a todo.
pub(super) fn fitting(tags: Vec<GemTag>, content: &str, attribute: Option<&str>) -> Vec<GemTag> {
    if tags != [GemTag::Todo] {
        return tags;
    }
    let told = words(content);
    let has = |list: &str| told.iter().any(|word| list.contains(&format!(" {word} ")));
    let is_a_fact = attribute.is_some_and(|attribute| FACTS.contains(&attribute));
    if content.matches('`').count() >= 2 {
        vec![GemTag::Code]
    } else if has(LIKING) {
        vec![GemTag::Preference]
    } else if is_a_fact && has(" moved lives works is ") && !has(" will plans ") {
        vec![GemTag::Fact]
    } else {
        tags
    }
}

#[cfg(test)]
mod tests {
    use vocabulary::GemTag;

    use super::fitting;

    #[test]
    fn what_is_plainly_nothing_to_do_is_called_what_it_is() {
        for (content, attribute, expected) in [
            ("Bob's favourite colour is green.", None, GemTag::Preference),
            ("Run `make deploy` to put it on staging.", None, GemTag::Code),
            (
                "Bob moved to Trondheim on 2026-11-14.",
                Some("home"),
                GemTag::Fact,
            ),
            (
                "Bob will move to Trondheim, where he works.",
                Some("home"),
                GemTag::Todo,
            ),
            ("Cara will prepare the slides.", None, GemTag::Todo),
        ] {
            assert_eq!(
                fitting(vec![GemTag::Todo], content, attribute),
                [expected],
                "{content}"
            );
        }
        let both = vec![GemTag::Todo, GemTag::Decision];
        assert_eq!(fitting(both.clone(), "Bob likes it.", None), both);
    }
}
