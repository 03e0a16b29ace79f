use super::super::Conversation;
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

#[test]
fn what_comes_right_after_a_bare_call_completes_it() {
    let room = Room::after(&[("bob", "morning"), ("ann", "hey Denizen")]);
    let completed = room.weigh("ann", "what time is it now?");
    assert!(completed.triggered && completed.score.is_none(), "{completed:?}");
    let thanked = Room::after(&[("bob", "morning"), ("ann", "thanks Denizen")]);
    let next = thanked.weigh("ann", "right, back to the budget of this week");
    assert!(next.score.is_some(), "thanks begin nothing: {next:?}");
    let mut room = Room::after(&[("ann", "hey Denizen"), ("bob", "morning")]);
    assert!(room.weigh("ann", "what time is it now?").score.is_some());
    room.say("ann", "Denizen: I have looked for it in all of the rooms here");
    assert!(room.weigh("ann", "and nothing").score.is_some());
}

/// A room in which many talk for long, each to the one before, by name every third time.
fn busy_room() -> Room {
    let mut room = Room::new();
    let names = ["ann", "bob", "cid", "dan", "Denizen"];
    for line in 0..400_usize {
        let name = names[line % names.len()];
        let call = match line % 3 {
            0 => format!("{}: ", names[(line + 4) % names.len()]),
            _ => String::new(),
        };
        room.say(
            name,
            &format!("{call}thanks, word{line} and topic{} matter", line / 7),
        );
    }
    room
}

#[test]
fn what_is_weighed_survives_a_restart() {
    let mut room = busy_room();
    let before = room.weigh("bob", "word398 it is, then?");
    assert!(before.score.is_some(), "{before:?}");
    let written = serde_json::to_string(&room.conversation).expect("it is plain data");
    room.conversation = serde_json::from_str(&written).expect("it was just written");
    assert_eq!(room.weigh("bob", "word398 it is, then?"), before);
}

#[test]
fn a_state_that_was_written_before_there_were_so_many_cues_is_read() {
    let mut room = busy_room();
    let mut written = serde_json::to_value(&room.conversation).expect("it is plain data");
    let lines = written["trace"].as_array_mut().expect("lines");
    for line in lines.iter_mut().filter_map(serde_json::Value::as_object_mut) {
        line.retain(|field, _| ["by", "to", "minute", "asks"].contains(&field.as_str()));
    }
    let people = written["roster"]["people"].as_object_mut().expect("people");
    for person in people.values_mut().filter_map(serde_json::Value::as_object_mut) {
        assert!(person.remove("habits").is_some());
    }
    room.conversation = serde_json::from_value::<Conversation>(written).expect("what is missing is empty");
    assert!(room.weigh("bob", "word398 it is, then?").score.is_some());
}

#[test]
fn what_is_kept_of_a_room_is_bounded() {
    let mut room = Room::new();
    let text = (0..40).map(|word| format!("longword{word} ")).collect::<String>();
    for line in 0..1_000 {
        room.say(&format!("guest{}", line % 100), &format!("{text}{line}"));
        room.say("Denizen", &format!("{text}{line}"));
    }
    let written = serde_json::to_string(&room.conversation).expect("it is plain data");
    assert!(written.len() < 60_000, "{} bytes", written.len());
}
