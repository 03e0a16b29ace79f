use super::*;

fn id(text: &str) -> PersonId {
    PersonId::from(text)
}

fn crowd(size: usize) -> Roster {
    let mut roster = Roster::default();
    roster.admit_denizen(&id("denizen"), 0);
    for index in 0..size {
        let name = format!("guest{index}");
        roster.admit(&id(&name), &name, index as u64 + 1, &id("denizen"));
    }
    roster
}

fn call(by: &str, line: u64, asked: bool) -> Call {
    Call {
        by: id(by),
        line,
        at: WallTime(0),
        asked,
    }
}

#[test]
fn a_crowd_is_bounded_and_the_longest_silent_is_forgotten_but_never_denizen() {
    let roster = crowd(PEOPLE_MAX);
    assert_eq!(roster.people.len(), PEOPLE_MAX);
    assert!(roster.person(&id("denizen")).is_some());
    assert!(roster.person(&id("guest0")).is_none());
    assert!(roster.person(&id("guest1")).is_some());
}

#[test]
fn whoever_is_forgotten_loses_the_name() {
    let roster = crowd(PEOPLE_MAX);
    assert!(roster.named("guest0").is_empty());
    assert_eq!(roster.named("guest1").len(), 1);
    assert_eq!(roster.names.len(), PEOPLE_MAX - 1);
}

#[test]
fn speaking_keeps_somebody_from_being_forgotten() {
    let mut roster = crowd(PEOPLE_MAX - 1);
    roster.spoke(
        &id("guest0"),
        Spoke {
            line: 1_000,
            at: WallTime(0),
            to: Vec::new(),
        },
    );
    roster.admit(&id("late"), "late", 1_001, &id("denizen"));
    assert!(roster.person(&id("guest0")).is_some());
    assert!(roster.person(&id("guest1")).is_none());
}

#[test]
fn only_the_latest_few_calls_wait() {
    let mut roster = crowd(8);
    for (line, by) in ["guest1", "guest2", "guest3", "guest4", "guest5"]
        .iter()
        .enumerate()
    {
        roster.call(&id("guest0"), call(by, line as u64, false));
    }
    let waiting: Vec<&str> = roster
        .person(&id("guest0"))
        .expect("admitted")
        .calls
        .iter()
        .map(|call| call.by.as_str())
        .collect();
    assert_eq!(waiting, ["guest2", "guest3", "guest4", "guest5"]);
}

#[test]
fn a_question_goes_on_waiting_behind_further_words_of_the_same_caller() {
    let mut roster = crowd(2);
    roster.call(&id("guest0"), call("guest1", 5, true));
    roster.call(&id("guest0"), call("guest1", 6, false));
    assert_eq!(
        roster.person(&id("guest0")).expect("admitted").calls,
        [call("guest1", 6, true)]
    );
}

#[test]
fn speaking_answers_whatever_waited() {
    let mut roster = crowd(2);
    roster.call(&id("guest0"), call("guest1", 5, true));
    let spoke = Spoke {
        line: 6,
        at: WallTime(0),
        to: vec![id("guest1"); 9],
    };
    roster.spoke(&id("guest0"), spoke);
    let person = roster.person(&id("guest0")).expect("admitted");
    assert!(person.calls.is_empty());
    assert_eq!(
        person.spoke.as_ref().map(|spoke| spoke.to.len()),
        Some(ADDRESSEES_MAX)
    );
}

#[test]
fn two_letters_are_an_ordinary_word() {
    let roster = crowd(1);
    assert!(roster.is_ordinary_word(&id("guest0"), 2));
    assert!(!roster.is_ordinary_word(&id("guest0"), 3));
}

#[test]
fn calls_outweigh_uses_in_passing() {
    let mut roster = crowd(1);
    for called in [false, false, false] {
        roster.count_name(&id("guest0"), called);
    }
    assert!(roster.is_ordinary_word(&id("guest0"), 6));
    for called in [true, true, true] {
        roster.count_name(&id("guest0"), called);
    }
    assert!(!roster.is_ordinary_word(&id("guest0"), 6));
}

#[test]
fn uses_of_long_ago_weigh_less() {
    let mut roster = crowd(1);
    for _ in 0..100 {
        roster.count_name(&id("guest0"), false);
    }
    for _ in 0..USES_COUNTED_MAX {
        roster.count_name(&id("guest0"), true);
    }
    assert!(!roster.is_ordinary_word(&id("guest0"), 6));
}
