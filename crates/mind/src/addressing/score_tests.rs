use super::super::FollowupLimits;
use super::super::cues::COUNT;
use super::super::test_room::Room;
use super::*;

#[test]
fn the_three_that_weighed_most_are_named() {
    let score = AddressScore::of(&Cues::from_values([1; COUNT]), 50);
    assert!(
        score.cues.len() <= NAMED_MAX && !score.cues.is_empty(),
        "{score:?}"
    );
    let kinds: Vec<CueKind> = score.cues.iter().map(|cue| cue.cue).collect();
    let mut once = kinds.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), kinds.len());
}

#[test]
fn what_is_left_open_is_weighed_and_what_is_said_outright_is_not() {
    let room = Room::after(&[
        ("bob", "morning"),
        ("ann", "Denizen, do you like tea?"),
        ("Denizen", "ann: very much"),
    ]);
    let follows = room.weigh("ann", "and coffee?");
    let score = follows.score.expect("nobody is called, and the exchange is open");
    assert!(score.is_enough() && follows.triggered, "{score:?}");
    assert_eq!(room.weigh("ann", "denizen: and coffee?").score, None);
    assert_eq!(room.weigh("ann", "bob, and you?").score, None);
}

#[test]
fn the_threshold_decides() {
    let room = Room::after(&[
        ("ann", "Denizen, do you like tea?"),
        ("Denizen", "ann: very much"),
    ]);
    let within = |least_score| {
        let limits = FollowupLimits {
            least_score,
            ..FollowupLimits::default()
        };
        room.judge_within("ann", "and coffee?", limits)
    };
    let score = within(Some(1)).score.expect("it is weighed").score;
    assert!(within(Some(score)).triggered);
    let strict = within(Some(score + 1));
    assert_eq!(
        (strict.triggered, strict.rule.as_str()),
        (false, "seems_meant_for_others")
    );
    let ruled = within(None);
    assert_eq!((ruled.score, ruled.rule.as_str()), (None, "answers_denizen"));
}

#[test]
fn nothing_is_weighed_where_no_exchange_is_open() {
    let room = Room::after(&[("ann", "morning"), ("bob", "good morning")]);
    assert_eq!(room.weigh("ann", "what a day").score, None);
    let room = Room::after(&[
        ("ann", "Denizen, do you like tea?"),
        ("Denizen", "ann: very much"),
    ])
    .wait(16);
    assert_eq!(room.weigh("ann", "what a day").score, None);
}

#[test]
fn a_word_of_denizens_makes_no_exchange_however_likely_it_is_meant() {
    let room = Room::after(&[
        ("ann", "Denizen, what is good for breakfast?"),
        ("Denizen", "ann: porridge with blueberries"),
    ]);
    let picked_up = room.weigh("bob", "blueberries are out of season");
    assert_eq!((picked_up.triggered, picked_up.score), (false, None));
    assert_eq!(picked_up.rule, "picks_up_word_of_denizen");
}
