//! Choices out of feeds: by merit, mixed, and the same whatever order things came in.

use proptest::prelude::*;
use vocabulary::FeedFamily;

use super::diversity::{SAME_FAMILY, SAME_SOURCE};
use super::*;

const NOW: WallTime = WallTime(1_762_000_600_000);
const FRESH_FOR: Span = Span::hours(96);

fn source(name: &str) -> FeedSource {
    FeedSource {
        family: if name.starts_with("http") {
            FeedFamily::Rss
        } else {
            FeedFamily::Reddit
        },
        name: name.to_owned(),
    }
}

fn item(from: &str, number: usize, title: &str, hours_ago: i64) -> FeedItem {
    FeedItem {
        source: source(from),
        url: format!("https://site.example/{from}/{number}"),
        title: title.to_owned(),
        summary: String::new(),
        author: None,
        published_at: Some(WallTime(NOW.0 - hours_ago * 3_600_000)),
        points: None,
        comments: None,
        popularity: 0.5,
        nsfw: false,
    }
}

fn choosing(items: &[FeedItem]) -> Choosing<'_> {
    Choosing {
        items,
        tallies: &[],
        interests: &[],
        shared: &[],
        fresh_for: FRESH_FOR,
        allow_nsfw: false,
        limit: 6,
        randomness: 0,
        rolls: &[],
        now: NOW,
    }
}

fn titles(chosen: &[Candidate]) -> Vec<&str> {
    chosen
        .iter()
        .map(|candidate| candidate.item.title.as_str())
        .collect()
}

#[test]
fn what_the_community_is_into_comes_first() {
    let mut about_boats = item("a", 1, "A weekend on the water", 1);
    about_boats.summary = "Kayaks of all colours".to_owned();
    let items = [
        item("b", 1, "Stock markets today", 1),
        about_boats,
        item("c", 1, "Why every kayak leaks", 1),
        item("d", 1, "A new Elden Ring patch", 1),
        item("e", 1, "The ring of a tree", 1),
    ];
    let interests = ["elden ring".to_owned(), "kayaks".to_owned()];
    let chosen = choose(&Choosing {
        interests: &interests,
        ..choosing(&items)
    });
    assert_eq!(
        titles(&chosen),
        [
            "A new Elden Ring patch",
            "Why every kayak leaks",
            "A weekend on the water",
            "Stock markets today",
            "The ring of a tree"
        ]
    );
    assert_eq!(chosen[3].topic, 0.0);
    assert!(chosen[0].topic > chosen[1].topic && chosen[1].topic > chosen[2].topic && chosen[2].topic > 0.0);
}

#[test]
fn a_score_is_the_sum_of_its_parts() {
    let mut fresh = item("a", 1, "Kayaks", 0);
    fresh.popularity = 1.0;
    let items = [fresh];
    let interests = ["kayaks".to_owned()];
    let chosen = choose(&Choosing {
        interests: &interests,
        randomness: 50,
        rolls: &[99],
        ..choosing(&items)
    });
    let Candidate {
        score,
        source,
        topic,
        freshness,
        popularity,
        chance,
        ..
    } = &chosen[0];
    assert_eq!(
        (*source, *topic, *freshness, *popularity, *chance),
        (0.5, 0.7, 1.0, 1.0, 0.25)
    );
    assert!((score - (0.15 + 0.28 + 0.2 + 0.1 + 0.25)).abs() < 1e-9);
}

#[test]
fn old_shared_unsafe_and_broken_items_are_not_offered() {
    let mut items = [
        item("a", 1, "Too old", 97),
        item("b", 2, "Shared already", 1),
        item("c", 3, "Not safe for work", 1),
        item("d", 4, "No address of a page", 1),
        item("e", 5, " ", 1),
        item("f", 6, "Undated", 1),
        item("g", 7, "Just old enough", 96),
        item("h", 8, "From a clock that is ahead", -5),
    ];
    items[1].url.push_str("?utm_source=feed#top");
    items[2].nsfw = true;
    items[3].url = "ftp://site.example/".to_owned();
    items[5].published_at = None;
    items[5].popularity = f64::NAN;
    let shared = ["https://site.example/b/2".to_owned()];
    let chosen = choose(&Choosing {
        shared: &shared,
        ..choosing(&items)
    });
    assert_eq!(
        titles(&chosen),
        ["From a clock that is ahead", "Undated", "Just old enough"]
    );
    assert_eq!(chosen[1].freshness, 0.5);
    let allowed = choose(&Choosing {
        allow_nsfw: true,
        ..choosing(&items[2..3])
    });
    assert_eq!(allowed.len(), 1);
}

#[test]
fn the_same_story_is_offered_once() {
    let mut items = [
        item("a", 1, "Company buys rival for nine billion dollars", 1),
        item("b", 2, "Company buys its rival for nine billion dollars!", 2),
        item("c", 3, "Another story", 1),
        item("d", 3, "By the same address", 5),
        item("e", 4, "Update", 1),
        item("f", 5, "Update", 2),
    ];
    items[3].url = format!("{}#comments", items[2].url);
    let chosen = choose(&choosing(&items));
    assert_eq!(
        titles(&chosen),
        [
            "Company buys rival for nine billion dollars",
            "Another story",
            "Update"
        ]
    );
}

#[test]
fn a_source_that_is_shown_and_never_shared_sinks() {
    let tally = |shown, shared, reactions, replies| {
        merit::merit_of_source(&SourceTally {
            shown,
            shared,
            reactions,
            replies,
        })
    };
    assert_eq!(tally(0, 0, 0, 0), 0.5);
    assert!(tally(30, 0, 0, 0) < 0.25);
    assert!(tally(300, 0, 0, 0) < 0.05);
    assert!(tally(5, 0, 0, 0) > 0.35, "a few items are no verdict");
    assert!(tally(30, 6, 0, 0) > 0.6);
    assert!(tally(30, 3, 4, 3) > tally(30, 3, 0, 0) + 0.1);
    assert!(tally(1, 1_000, 1_000, 1_000) <= 1.0);
}

#[test]
fn no_source_comes_twice_while_another_has_something_comparable() {
    let mut items: Vec<FeedItem> = (0..20)
        .map(|number| item("loud", number, &format!("Loud story{number} number{number}"), 0))
        .collect();
    for (number, from) in ["b", "c", "d", "https://feed.example/x"].into_iter().enumerate() {
        items.push(item(
            from,
            number,
            &format!("Quiet tale{number} number{number}"),
            90,
        ));
    }
    let chosen = choose(&Choosing {
        limit: 5,
        ..choosing(&items)
    });
    let from_loud = chosen
        .iter()
        .filter(|candidate| candidate.item.source.name == "loud")
        .count();
    assert_eq!((chosen.len(), from_loud), (5, 1));
    // Where nobody else has anything, it may fill the rest.
    let chosen = choose(&Choosing {
        limit: 8,
        ..choosing(&items)
    });
    assert_eq!(chosen.len(), 8);
}

#[test]
fn a_source_is_told_by_how_it_did() {
    let told = |shown, shared, reactions, replies, own| {
        let tally = SourceTally {
            shown,
            shared,
            reactions,
            replies,
        };
        standing(&source("rust"), &tally, own)
    };
    assert_eq!(
        told(0, 0, 0, 0, true),
        "reddit:rust: nothing shown yet (you added it)"
    );
    assert_eq!(told(1, 0, 0, 0, false), "reddit:rust: 1 item shown, none shared");
    assert_eq!(
        told(12, 2, 5, 1, false),
        "reddit:rust: 12 items shown, 2 shared, 5 reactions and 1 reply"
    );
}

fn any_items() -> impl Strategy<Value = Vec<(FeedItem, u64)>> {
    let one = (
        0_usize..5,
        0_usize..40,
        "[a-f]{3} [a-f]{3} [a-f]{3}",
        0_i64..120,
        0.0_f64..1.0,
        0_u64..100,
    );
    prop::collection::vec(one, 0..30).prop_map(|found| {
        let mut items: Vec<(FeedItem, u64)> = found
            .into_iter()
            .map(|(from, number, title, age, popularity, roll)| {
                let from = ["a", "b", "c", "https://x.example/f", "https://y.example/f"][from];
                let mut item = item(from, number, &title, age);
                item.popularity = popularity;
                (item, roll)
            })
            .collect();
        // One per address, as sources bring them.
        items.sort_by(|one, other| one.0.url.cmp(&other.0.url));
        items.dedup_by(|one, other| one.0.url == other.0.url);
        items
    })
}

fn chosen(items: &[(FeedItem, u64)], limit: usize) -> Vec<Candidate> {
    let (items, rolls): (Vec<FeedItem>, Vec<u64>) = items.iter().cloned().unzip();
    let interests = ["abc".to_owned(), "def".to_owned()];
    choose(&Choosing {
        interests: &interests,
        limit,
        randomness: 55,
        rolls: &rolls,
        ..choosing(&items)
    })
}

proptest! {
    #[test]
    fn a_choice_depends_on_the_items_and_their_rolls_alone(
        (items, shuffled) in any_items().prop_flat_map(|items| (Just(items.clone()), Just(items).prop_shuffle())),
        limit in 0_usize..8,
    ) {
        let once = chosen(&items, limit);
        prop_assert_eq!(&once, &chosen(&items, limit));
        prop_assert_eq!(&once, &chosen(&shuffled, limit));
        prop_assert!(once.len() <= limit);
        prop_assert!(once.windows(2).all(|pair| pair[0].score >= pair[1].score));
        for Candidate { source, topic, freshness, popularity, chance, .. } in &once {
            prop_assert!([source, topic, freshness, popularity].iter().all(|part| (0.0..=1.0).contains(*part)));
            prop_assert!((-0.275..=0.275).contains(chance));
        }
    }

    #[test]
    fn a_source_cannot_crowd_out_others(items in any_items(), limit in 1_usize..8) {
        let taken = chosen(&items, limit);
        let all = chosen(&items, items.len());
        let is_taken = |candidate: &Candidate| taken.iter().any(|other| other.item.url == candidate.item.url);
        let of = |source: &FeedSource| taken.iter().filter(|other| other.item.source == *source).count();
        // What families cost at most, one way or the other.
        let slack = SAME_FAMILY * limit as f64;
        for left in all.iter().filter(|candidate| !is_taken(candidate) && of(&candidate.item.source) == 0) {
            for twice in taken.iter().filter(|candidate| of(&candidate.item.source) > 1) {
                let best = taken.iter().filter(|other| other.item.source == twice.item.source)
                    .map(|other| other.score).fold(f64::MIN, f64::max);
                prop_assert!(twice.score == best || twice.score - SAME_SOURCE >= left.score - slack);
            }
        }
    }
}
