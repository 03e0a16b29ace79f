use vocabulary::PersonId;

use super::mentions::{Known, mentions};

fn check(text: &str, expected: &[&str]) {
    let known: Vec<Known> = [
        ("Al", "al"),
        ("Alice", "alice"),
        ("Alice B", "alice b"),
        ("Émile", "émile"),
        ("Here", "here"),
        ("İz", "iz"),
    ]
    .iter()
    .map(|(name, person)| Known {
        name: (*name).into(),
        person: PersonId::from(*person),
    })
    .collect();
    let found = mentions(text, &known);
    let found: Vec<&str> = found.iter().map(PersonId::as_str).collect();
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn the_longest_known_name_is_meant() {
    check("hi @alice b, and @Al!", &["alice b", "al"]);
    check("hi @Alice, how are you", &["alice"]);
    check("hi @alice bob", &["alice"]);
    check("@ÉMILE?", &["émile"]);
    check("@İZ", &["iz"]);
}

#[test]
fn part_of_a_word_is_no_mention() {
    check("mail bob@alice.example", &[]);
    check("@alicent @al_x", &[]);
    check("see @alice.example, @alice-bot", &[]);
    check("ask @alice.", &["alice"]);
    check("@", &[]);
    check("@bob", &[]);
}

#[test]
fn everyone_and_here_are_nobody_even_if_somebody_is_called_so() {
    check("@everyone @here look", &[]);
}

#[test]
fn each_person_is_mentioned_once() {
    check("@Al @al (@AL)", &["al"]);
}

#[test]
fn marks_and_what_nobody_sees_make_no_other_name() {
    check("@Álice, and @al\u{200b}ice", &["alice"]);
    check("@Emile", &["émile"]);
}
