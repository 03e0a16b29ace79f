use super::*;
use crate::memory::gems::test_gems::{NOON, turn};
#[test]
fn look() {
    for text in [
        "I'm allergic to peanuts",
        "im severely allergic to bees btw",
        "I am not allergic to nuts",
        "My favourite colour is green.",
        "I live in Bergen",
        "I just moved to Bergen yesterday!",
        "I work at Statkraft",
        "I'm a nurse",
        "I really love hiking in the rain",
        "I don't like tea",
        "I hate mornings but I love coffee",
        "I prefer tea to coffee",
        "I'll send the invoice tomorrow",
        "ill bring the cake on friday",
        "remind me to water the plants on Friday",
        "we decided to use Postgres",
        "let's go with SQLite",
        "call me Bob",
        "please answer me in German",
        "I'm from Norway",
        "my birthday is on 3 May",
        "my dog is called Rex",
        "I have two kids",
        "I need to pay rent by Friday",
        "the release is on Friday",
        "run `cargo run --release`",
        "```rust\nfn main() {}\n```",
        "my wifi password is hunter2",
        "Denizen, I'm vegan and I live in Oslo",
        "please don't ping me before noon",
        "I have a peanut allergy",
        "agreed, we ship on Monday",
        "I'm going to Rome next week",
        "my sister is a doctor",
        "I adopted a cat last week",
        "I have a dentist appointment tomorrow at 10",
        "we'll meet on Friday at 6",
        "Is my favourite colour green?",
        "if I win I'll buy a car",
        "lol I love spiders",
        "he said I am late",
    ] {
        let reading = extract(&[turn(1, "Alice", text)], NOON);
        println!("{text}");
        for g in &reading.gems {
            println!(
                "    {} | {:?} {} {:?} standing={} {:?}",
                g.gem.content, g.gem.tags, g.gem.importance, g.gem.attribute, g.gem.standing, g.gem.topics
            );
        }
        for r in &reading.rejected {
            println!("    REJECTED {r:?}");
        }
    }
}
