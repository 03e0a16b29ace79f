//! What a later stance ends, and what it leaves as it is.

use super::super::life::{Life, settle};
use super::super::test_gems::{NOON, gem, minutes, turn};
use crate::Gathered;
use crate::gems::offline::extract;

/// What becomes of an old statement of Alice's when she says something later.
fn life(before: &str, later: &str) -> Life {
    let mut new = gem("99999999-new", later);
    new.source.turns = vec!["m9".into()];
    new.valid_from = minutes(60);
    let gathered = Gathered {
        gem: new,
        replaces: None,
        repeats: None,
        hearsay: false,
    };
    settle(&gathered, &[gem("1f0c33aa-old", before)])
}

#[test]
fn a_later_stance_to_the_same_thing_ends_the_earlier_one() {
    for (before, later) in [
        ("Alice likes coffee.", "Alice no longer drinks coffee."),
        ("Alice loves coffee.", "Alice does not drink coffee anymore."),
        ("Alice enjoys coffee.", "Alice stopped drinking coffee."),
        ("Alice likes coffee.", "Alice gave up coffee."),
        ("Alice likes coffee.", "Alice has given up coffee."),
        ("Alice likes coffee.", "Alice quit coffee."),
        ("Alice prefers coffee.", "Alice no longer drinks coffee."),
        ("Alice prefers coffee to tea.", "Alice stopped drinking coffee."),
        ("Alice drinks coffee.", "Alice hates coffee."),
        ("Alice drinks coffee.", "Alice does not like coffee any more."),
        (
            "Alice drinks coffee every morning.",
            "Alice no longer drinks coffee.",
        ),
        (
            "Alice drinks a lot of coffee.",
            "Alice no longer drinks a lot of coffee.",
        ),
        ("Alice likes playing chess.", "Alice stopped playing chess."),
        ("Alice likes to play chess.", "Alice quit playing chess."),
        ("Alice likes chess.", "Alice no longer plays chess."),
        ("Alice plays the piano.", "Alice gave up the piano."),
        ("Alice plays the piano.", "Alice gave up playing the piano."),
        ("Alice smokes.", "Alice quit smoking."),
        ("Alice uses Vim.", "Alice stopped using Vim."),
        ("Alice uses Vim.", "Alice no longer uses Vim."),
        (
            "Alice is into bouldering.",
            "Alice is not into bouldering anymore.",
        ),
        ("Alice is a big fan of jazz.", "Alice can't stand jazz."),
        ("Alice gave up coffee.", "Alice drinks coffee again."),
        ("Alice no longer drinks coffee.", "Alice drinks coffee."),
        ("Alice hates coffee.", "Alice loves coffee."),
        ("Alice works at Statkraft.", "Alice left Statkraft."),
        (
            "Alice works at Statkraft.",
            "Alice left Statkraft in the week of 2026-02-16.",
        ),
        ("Alice works at Statkraft.", "Alice left Statkraft for Equinor."),
        (
            "Alice works for Statkraft.",
            "Alice no longer works at Statkraft.",
        ),
        ("Alice works at Statkraft.", "Alice quit her job at Statkraft."),
        ("Alice left Statkraft.", "Alice works at Statkraft."),
        ("Alice lives in Oslo.", "Alice no longer lives in Oslo."),
        ("Alice lives in Oslo.", "Alice moved away from Oslo."),
    ] {
        let life = life(before, later);
        assert!(
            matches!(life, Life::Supersede { .. }),
            "{before} / {later}: {life:?}"
        );
    }
}

#[test]
fn another_thing_a_part_of_it_or_a_weaker_word_ends_nothing() {
    for (before, later) in [
        ("Alice likes coffee.", "Alice no longer drinks coffee at night."),
        ("Alice likes coffee.", "Alice does not like Denizen's coffee."),
        ("Alice likes coffee.", "Alice does not like Bob's coffee anymore."),
        ("Alice likes coffee.", "Alice no longer drinks iced coffee."),
        ("Alice likes iced coffee.", "Alice does not like coffee."),
        ("Alice likes coffee.", "Alice no longer drinks tea."),
        ("Alice likes chess.", "Alice does not play chess."),
        ("Alice likes watching chess.", "Alice stopped playing chess."),
        ("Alice likes coffee.", "Alice gave up coffee for Lent."),
        ("Alice likes coffee.", "Alice quit smoking."),
        ("Alice uses Vim.", "Alice hates Vim."),
        ("Alice no longer drinks coffee.", "Alice likes coffee."),
        ("Alice hates coffee.", "Alice drinks coffee."),
        ("Alice prefers tea over coffee.", "Alice no longer drinks coffee."),
        ("Alice likes jazz.", "Alice likes coffee."),
        ("Alice works at Statkraft.", "Alice left Oslo."),
        ("Alice lives in Oslo.", "Alice left Oslo."),
        ("Alice works at Statkraft.", "Alice left early."),
        ("Alice works at Equinor.", "Alice no longer works at Statkraft."),
        ("Alice lives in Bergen.", "Alice no longer lives in Oslo."),
        (
            "Alice likes hiking in the old mountains with Bob.",
            "Alice does not like hiking in the old mountains with Bob alone.",
        ),
        ("Alice smokes.", "Alice quit drinking."),
        ("Alice likes coffee.", "Alice never gave up coffee."),
    ] {
        assert_eq!(life(before, later), Life::Add, "{before} / {later}");
    }
}

#[test]
fn that_somebody_is_not_somewhere_is_no_value_that_replaces_where_they_are() {
    let home = |content: &str, id: &str| {
        let mut gem = gem(id, content);
        gem.attribute = Some("home".to_owned());
        gem
    };
    let mut new = home("Alice no longer lives in Oslo.", "99999999-new");
    new.valid_from = minutes(60);
    let gathered = Gathered {
        gem: new,
        replaces: None,
        repeats: None,
        hearsay: false,
    };
    assert_eq!(
        settle(&gathered, &[home("Alice lives in Bergen.", "1f0c33aa-old")]),
        Life::Add
    );
    assert!(matches!(
        settle(&gathered, &[home("Alice lives in Oslo.", "1f0c33aa-old")]),
        Life::Supersede { .. }
    ));
}

/// What is still current of what Alice says in this order, by patterns alone.
fn current(said: &[&str]) -> Vec<String> {
    let mut known = Vec::new();
    for (number, text) in (1..).zip(said) {
        for gathered in extract(&[turn(number, "Alice", text)], NOON, &[]).gems {
            match settle(&gathered, &known) {
                Life::Add => known.push(gathered.gem),
                Life::Supersede { old } => {
                    known.retain(|gem| old.iter().all(|old| old.gem_id != gem.gem_id));
                    known.push(gathered.gem);
                }
                Life::AlreadyThere | Life::Strengthen { .. } | Life::Late { .. } => {}
            }
        }
    }
    known.into_iter().map(|gem| gem.content).collect()
}

#[test]
fn by_patterns_alone_what_was_taken_back_is_not_current() {
    for (said, expected) in [
        (
            ["I like coffee", "I no longer drink coffee"],
            "Alice no longer drinks coffee.",
        ),
        (
            ["I love coffee", "I don't drink coffee anymore"],
            "Alice does not drink coffee anymore.",
        ),
        (
            ["I like coffee", "I stopped drinking coffee"],
            "Alice stopped drinking coffee.",
        ),
        (["I like coffee", "I gave up coffee"], "Alice gave up coffee."),
        (
            ["I like coffee", "I've given up coffee"],
            "Alice has given up coffee.",
        ),
        (["I like coffee", "I quit coffee"], "Alice quit coffee."),
        (["I like coffee", "I hate coffee now"], "Alice hates coffee now."),
        (
            ["I drink coffee every morning", "I no longer drink coffee"],
            "Alice no longer drinks coffee.",
        ),
        (["I use Vim", "I no longer use Vim"], "Alice no longer uses Vim."),
        (
            ["I play the piano", "I stopped playing the piano"],
            "Alice stopped playing the piano.",
        ),
        (
            ["I prefer tea", "I don't like tea anymore"],
            "Alice does not like tea anymore.",
        ),
        (
            ["I work at Statkraft", "I now work at Equinor"],
            "Alice now works at Equinor.",
        ),
        (
            ["I work at Statkraft", "I left Statkraft"],
            "Alice left Statkraft.",
        ),
        (
            ["I work at Statkraft", "I quit my job at Statkraft"],
            "Alice quit Alice's job at Statkraft.",
        ),
        (
            ["I work at Statkraft", "I don't work at Statkraft anymore"],
            "Alice does not work at Statkraft anymore.",
        ),
        (
            ["I live in Oslo", "I now live in Bergen"],
            "Alice now lives in Bergen.",
        ),
        (["I live in Oslo", "I moved to Bergen"], "Alice moved to Bergen."),
        (
            ["I live in Oslo", "I no longer live in Oslo"],
            "Alice no longer lives in Oslo.",
        ),
    ] {
        assert_eq!(current(&said), [expected], "{said:?}");
    }
    for said in [
        ["I like coffee", "I no longer drink coffee at night"],
        ["I like coffee", "I stopped drinking tea"],
        ["I work at Statkraft", "I no longer live in Oslo"],
        ["I live in Bergen", "I no longer live in Oslo"],
    ] {
        assert_eq!(current(&said).len(), 2, "{said:?}");
    }
    assert_eq!(
        current(&["I like coffee", "I don't like your coffee"]),
        ["Alice likes coffee."]
    );
}
