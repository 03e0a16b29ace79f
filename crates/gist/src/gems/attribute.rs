//! What a gem gives the one value of ("home", "favourite colour"): the same words for the same thing, and only where
//! the gem speaks of it, since another value takes the place of the first.

use super::folding::words;
use crate::lexicon::{is_function_word, stem};

const CHARS_MAX: usize = 60;
/// What everybody has one of, and the words by which a sentence speaks of it.
const ONES: [(&str, &str); 7] = [
    (
        "home",
        " live lives lived living move moves moved moving home resides residing settled based address flat ",
    ),
    (
        "job",
        " a an work works worked working job profession became becomes hired ",
    ),
    (
        "employer",
        " work works worked working job joins joined start starts started hired company ",
    ),
    ("name to use", " call called calls name named nickname goes "),
    ("birthday", " birthday born "),
    (
        "language to use",
        " answer answers answered reply replies speak speaks write language ",
    ),
    ("age", " old years turned turns age "),
];

/// An attribute as attributes are compared: folded, on one line, without whose it is.
pub(super) fn attribute(given: &str) -> Option<String> {
    let words = words(given);
    let own = ["my", "his", "her", "their", "your", "the", "a"];
    let kept: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .skip_while(|word| own.contains(word))
        .collect();
    let attribute = one_name(
        &kept
            .join(" ")
            .replace("favorite", "favourite")
            .replace("color", "colour"),
    );
    let fits = !attribute.is_empty() && attribute.chars().count() <= CHARS_MAX;
    fits.then_some(attribute)
}

/// The attribute, if the content speaks of it: a model that has to write something there writes anything. Where it
/// fails, some sentences show by themselves what they give the value of.
pub(super) fn spoken_of(given: &str, content: &str) -> Option<String> {
    // A favourite of what is left open would take the place of every other favourite.
    let named =
        attribute(given).filter(|attribute| attribute != "favourite" && is_spoken_of(attribute, content));
    named.or_else(|| implied(content))
}

fn implied(content: &str) -> Option<String> {
    let told = words(
        &content
            .replace("favorite", "favourite")
            .replace("color", "colour"),
    );
    if let Some(at) = told.iter().position(|word| word == "favourite")
        && let [thing, verb, ..] = &told[at + 1..]
        && verb == "is"
    {
        return attribute(&format!("favourite {thing}"));
    }
    let told = format!(" {} ", told.join(" "));
    let shown = [
        (" lives in ", "home"),
        (" moved to ", "home"),
        (" works as ", "job"),
        (" birthday is ", "birthday"),
    ];
    let found = shown.iter().find(|(words, _)| told.contains(words));
    found.map(|(_, attribute)| (*attribute).to_owned())
}

fn is_spoken_of(attribute: &str, content: &str) -> bool {
    let told = words(
        &content
            .replace("favorite", "favourite")
            .replace("color", "colour"),
    );
    if let Some((_, cues)) = ONES.iter().find(|(name, _)| *name == attribute) {
        return told.iter().any(|word| cues.contains(&format!(" {word} ")));
    }
    let told: Vec<String> = told.iter().map(|word| stem(word)).collect();
    let telling = words(attribute);
    let mut telling = telling.iter().filter(|word| !is_function_word(word));
    telling.any(|word| told.contains(&stem(word)))
}

/// Different words for what everybody has one of.
fn one_name(attribute: &str) -> String {
    let name = match attribute {
        "residence" | "place of residence" | "city" | "home city" | "current city" | "location"
        | "address" | "where they live" | "lives in" | "home town" | "place" => "home",
        "occupation" | "profession" | "work" | "job title" | "role" => "job",
        "company" | "workplace" | "works at" => "employer",
        "name" | "nickname" | "preferred name" | "name to be called" => "name to use",
        "birth date" | "birthdate" | "date of birth" => "birthday",
        "language" | "preferred language" | "answer language" | "reply language" => "language to use",
        other => other,
    };
    name.to_owned()
}

#[cfg(test)]
#[path = "attribute_tests.rs"]
mod tests;
