//! Words as the index counts them.

use super::*;

fn count(counted: &Counted, word: &str) -> (u32, u32) {
    let count = counted
        .counts
        .get(&hash(&stem(word)))
        .copied()
        .unwrap_or_default();
    (count.stated, count.asked)
}

#[test]
fn words_of_questions_are_counted_apart() {
    let counted = counted("I paint. Do you paint? What a painting! Painted 3.5 hours\nand why? 你好？");
    assert_eq!(count(&counted, "paint"), (3, 1));
    assert_eq!(count(&counted, "hours"), (1, 0));
    assert_eq!(count(&counted, "你好"), (0, 1));
    assert_eq!(counted.length, Count { stated: 9, asked: 6 });
}

#[test]
fn stop_words_count_for_the_length_alone() {
    let counted = counted("the of and");
    assert!(counted.counts.is_empty());
    assert_eq!(counted.length.all(), 3);
}

#[test]
fn a_huge_text_is_bounded() {
    assert_eq!(counted(&"word. ".repeat(10_000)).length.all() as usize, WORDS_MAX);
}

#[test]
fn remote_terms_are_weighted_as_bm25_weighs_counts() {
    let weights: BTreeMap<u32, f32> = terms("cat cat dog").into_iter().collect();
    let weight = |word: &str| weights[&((hash(word) >> 32) as u32)];
    assert_eq!(weights.len(), 2);
    assert!(weight("cat") > weight("dog") && weight("cat") < 2.0 * weight("dog"));
    assert!(
        terms("dog")[0].1 > weight("dog"),
        "in a longer text a word counts less"
    );
    assert_eq!(query_terms("the cat of cats").len(), 1);
    assert!(terms("").is_empty() && query_terms("of the").is_empty());
}

#[test]
fn hashes_never_change_since_stores_keep_them() {
    assert_eq!(hash("paint"), 13_771_490_412_860_448_684);
}

#[test]
fn a_question_about_oneself_tells_of_oneself() {
    let counted = counted("Can you help me with my thesis? Which thesis?");
    assert_eq!(count(&counted, "thesis"), (1, 1));
    assert_eq!(counted.first_person, 2);
}

#[test]
fn a_long_text_has_parts_of_about_the_same_length() {
    assert_eq!(parts("").len(), 1);
    assert_eq!(parts("One sentence. And another.").len(), 1);
    let long = parts(&"This sentence has exactly seven words here. ".repeat(20));
    let lengths: Vec<u32> = long.iter().map(|part| part.length.all()).collect();
    assert_eq!(lengths, [35, 35, 35, 35]);
    let endless = parts(&"word ".repeat(10_000));
    assert_eq!(endless.len(), PARTS_OF_ONE_MAX);
    assert!(
        endless
            .iter()
            .all(|part| part.length.all() as usize <= PART_WORDS)
    );
}
