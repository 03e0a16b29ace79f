//! What feeds bring: a few items of each source, some of them old, some known already.

use vocabulary::{FeedHarvest, FeedItem, FeedWish, SourceReport, WallTime};

use crate::chance::Chance;

const HOUR: i64 = 3_600_000;

/// The address of an item; there are not many, so that links come again.
pub(crate) fn headline(number: u64) -> String {
    format!("https://news.example/{number}")
}

/// What a look around finds. So many percent of the sources cannot be read.
pub(crate) fn surroundings(wish: &FeedWish, failing: u64, chance: &mut Chance) -> FeedHarvest {
    let mut found = FeedHarvest::default();
    for source in &wish.sources {
        let fails = chance.percent(failing);
        let count = match fails {
            true => 0,
            false => chance.below(5).min(wish.per_source as u64),
        };
        for _ in 0..count {
            let number = chance.below(60);
            let age = chance.below(200) as i64 * HOUR;
            found.items.push(FeedItem {
                source: source.clone(),
                url: headline(number),
                title: format!("Headline {number}"),
                summary: "A little of what it says.".to_owned(),
                author: None,
                published_at: chance.percent(80).then_some(WallTime(wish.now.0 - age)),
                points: None,
                comments: None,
                popularity: chance.below(101) as f64 / 100.0,
                nsfw: chance.percent(5),
            });
        }
        found.reports.push(SourceReport {
            source: source.clone(),
            items: count as usize,
            fresh: count as usize,
            unchanged: chance.percent(20),
            failure: fails.then(|| "the server is down".to_owned()),
        });
    }
    found
}
