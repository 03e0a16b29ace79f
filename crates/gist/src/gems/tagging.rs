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
#[path = "tagging_tests.rs"]
mod tests;
