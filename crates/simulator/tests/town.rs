//! Several communities over one store, through a storm each: nothing of one shows in another.

use simulator::{Lived, cross_talk, simulate_town};

#[test]
fn communities_with_the_same_rooms_and_people_never_hear_each_other() {
    for seed in [3, 11] {
        let (town, violations) = simulate_town(seed, 2, 4);
        let told: Vec<String> = violations.iter().map(|found| format!("{found:?}")).collect();
        assert!(told.is_empty(), "seed {seed}: {}", told.join("\n"));
        for lived in &town {
            assert!(
                !lived.trace.memory.captured.is_empty(),
                "nothing was said in {}",
                lived.community
            );
            let asked = lived
                .trace
                .journal()
                .any(|entry| entry.event.name() == "ask_started");
            assert!(asked, "nothing was asked in {}", lived.community);
        }
    }
}

#[test]
fn two_worlds_that_claim_to_be_the_same_community_are_found_out() {
    let (mut town, _) = simulate_town(3, 1, 2);
    let taken = town[0].trace.memory.clone();
    town[1].trace.memory = taken;
    let found: Vec<&str> = cross_talk(&town).iter().map(|found| found.property).collect();
    assert!(found.contains(&"communities_share_no_ids_of_memory"), "{found:?}");
    let misnamed: Vec<Lived> = town
        .into_iter()
        .enumerate()
        .map(|(number, lived)| Lived {
            denizen: format!("Zorblax{}", 1 - number),
            ..lived
        })
        .collect();
    let found: Vec<&str> = cross_talk(&misnamed).iter().map(|found| found.property).collect();
    assert!(found.contains(&"nobody_hears_of_another_community"), "{found:?}");
}
