use super::super::look::Look;
use super::super::trace::Traced;
use super::super::word_trail::slots;
use super::super::words::Words;
use super::*;

const DENIZEN: &str = "0";

fn heard(lines: &[(&str, &[&str], &str)]) -> (Trace, WordTrail) {
    let (mut trace, mut trail) = (Trace::default(), WordTrail::default());
    for (by, to, text) in lines {
        let words = Words::of(text);
        trail.observe(&PersonId::from(*by), &PersonId::from(DENIZEN), &words);
        trace.observe(Traced {
            by: PersonId::from(*by),
            to: to.iter().map(|to| PersonId::from(*to)).collect(),
            minute: 0,
            asks: false,
            calls: Vec::new(),
            look: Look::default(),
            words: slots(&words),
        });
    }
    (trace, trail)
}

fn echo(lines: &[(&str, &[&str], &str)], text: &str) -> Echo {
    let (trace, trail) = heard(lines);
    let said = slots(&Words::of(text));
    Echo::of(
        &trace,
        &trail,
        &said,
        &PersonId::from("ann"),
        &PersonId::from(DENIZEN),
    )
}

#[test]
fn whoever_used_the_words_is_told() {
    let lines: [(&str, &[&str], &str); 3] = [
        (DENIZEN, &["ann"], "porridge with blueberries"),
        ("bob", &[DENIZEN], "mushrooms from the forest"),
        ("cid", &["bob"], "the forest is closed"),
    ];
    let own = echo(&lines, "blueberries, always");
    assert_eq!((own.best_by, own.share, own.others), (3, 16, 0));
    assert_eq!(own.own_to_author, own.own_to_author_last);
    let others = echo(&lines, "which forest?");
    assert_eq!((others.best_by, others.own_to_author, others.share), (1, 0, 0));
    assert_eq!((others.others_lines, others.others_to), (1, 2));
    assert!(others.to_denizen > 0);
}

#[test]
fn a_line_of_ones_own_counts_for_where_it_went() {
    let lines: [(&str, &[&str], &str); 2] = [
        ("ann", &[DENIZEN], "my keyboard is broken"),
        ("bob", &[], "morning"),
    ];
    let again = echo(&lines, "the keyboard");
    assert_eq!((again.best_by, again.author_to, again.share), (2, 3, 16));
}

#[test]
fn a_line_without_topic_is_like_none() {
    let lines: [(&str, &[&str], &str); 1] = [(DENIZEN, &["ann"], "porridge")];
    assert_eq!(echo(&lines, "no"), Echo::default());
    let fresh = echo(&lines, "mountains");
    assert_eq!((fresh.rare, fresh.topics, fresh.share), (1, 1, 17));
}
