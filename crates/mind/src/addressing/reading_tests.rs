use super::super::AddressReason;
use super::super::test_room::Room;

#[test]
fn everyone_is_nobody_in_particular() {
    let room = Room::after(&[("Denizen", "ann: shall I go on?")]);
    assert_eq!(room.rule("ann", "@everyone look"), "said_to_everybody");
    assert_eq!(room.rule("ann", "does anybody know?"), "said_to_everybody");
}

#[test]
fn whoever_denizen_spoke_to_answers_it() {
    let room = Room::after(&[
        ("ann", "what a day"),
        ("Denizen", "ann: how so?"),
        ("bob", "unrelated"),
        ("bob", "also unrelated"),
    ]);
    let answer = room.judge("ann", "meetings, all of it");
    assert_eq!(answer.reason, AddressReason::FollowupPartner);
    assert_eq!(answer.rule, "answers_denizen");
    assert_eq!(room.rule("bob", "still unrelated"), "speaks_on_to_the_room");
}

#[test]
fn an_answer_without_a_name_opens_an_exchange_too() {
    let room = Room::after(&[
        ("ann", "denizen: what is nfs?"),
        ("Denizen", "A network file system."),
    ]);
    assert_eq!(room.rule("ann", "and is it safe?"), "answers_denizen");
}

#[test]
fn further_lines_go_where_the_last_one_went() {
    let mut room = Room::after(&[("ann", "denizen: I tried it")]);
    assert_eq!(room.rule("ann", "it broke"), "carries_on_with_denizen");
    for _ in 0..5 {
        room.say("bob", "chatter");
    }
    assert_eq!(room.rule("ann", "it broke"), "no_tie");
}

#[test]
fn a_pause_ends_an_exchange() {
    let room = Room::after(&[("ann", "denizen: I tried it")]);
    assert_eq!(room.wait(6).rule("ann", "lunch then"), "no_tie");
    let asked = Room::after(&[("ann", "hm"), ("Denizen", "ann: and?")]);
    assert_eq!(asked.wait(15).rule("ann", "nothing"), "answers_denizen");
    let asked_long_ago = Room::after(&[("ann", "hm"), ("Denizen", "ann: and?")]);
    assert_eq!(asked_long_ago.wait(16).rule("ann", "nothing"), "no_tie");
}

#[test]
fn an_exchange_waits_for_only_so_many_messages() {
    let mut room = Room::after(&[("ann", "hm"), ("Denizen", "ann: and?")]);
    for _ in 0..39 {
        room.say("bob", "chatter");
    }
    assert_eq!(room.rule("ann", "nothing"), "answers_denizen");
    room.say("bob", "chatter");
    assert_eq!(room.rule("ann", "nothing"), "no_tie");
}

#[test]
fn naming_somebody_else_ends_the_exchange() {
    let mut room = Room::after(&[("bob", "hi"), ("ann", "hi"), ("Denizen", "ann: how are you?")]);
    room.say("ann", "bob: lunch?");
    assert_eq!(room.rule("ann", "or later"), "carries_on_with_somebody_else");
}

#[test]
fn being_called_by_somebody_else_turns_an_author_to_them() {
    let mut room = Room::after(&[("bob", "hi"), ("ann", "denizen: I tried it")]);
    room.say("bob", "ann: lunch?");
    assert_eq!(room.rule("ann", "sure"), "answers_somebody_else");
}

#[test]
fn of_several_callers_the_one_who_asked_is_answered() {
    let mut room = Room::after(&[("bob", "hi"), ("ann", "hi")]);
    room.say("Denizen", "ann: which version?");
    room.say("Denizen", "ann: it matters");
    room.say("bob", "ann: good luck");
    assert_eq!(room.rule("ann", "the newest"), "answers_denizen");
}

#[test]
fn picking_up_a_rare_word_of_denizens_addresses_it() {
    let room = Room::after(&[("ann", "hi"), ("Denizen", "I would look at firestarter")]);
    assert_eq!(
        room.rule("bob", "firestarter, that is a firewall"),
        "picks_up_word_of_denizen"
    );
    assert_eq!(room.rule("bob", "that is a firewall"), "no_tie");
}

#[test]
fn whoever_never_talked_with_denizen_is_in_no_exchange_by_a_word_of_its() {
    let mut room = Room::after(&[("ann", "hi"), ("Denizen", "I would look at firestarter")]);
    assert!(!room.judge("bob", "firestarter, that is a firewall").triggered);
    room.say("bob", "firestarter, that is a firewall");
    assert!(!room.judge("bob", "and an old one").triggered, "nor by going on");
}

#[test]
fn somebody_who_talked_with_denizen_takes_it_up_again_by_a_word_of_its() {
    let mut room = Room::after(&[
        ("ann", "Denizen, which firewall?"),
        ("Denizen", "I would look at firestarter"),
    ]);
    for _ in 0..7 {
        room.say("bob", "the train is late");
    }
    room.say("ann", "Denizen, thanks");
    for _ in 0..7 {
        room.say("bob", "the train is late");
    }
    room.say("Denizen", "ubuntu has firestarter packaged");
    let signal = room.judge("ann", "firestarter it is");
    assert!(signal.triggered, "{signal:?}");
}

#[test]
fn a_name_in_code_calls_nobody() {
    let room = Room::after(&[("ann", "hi")]);
    for text in [
        "`denizen run` fails here",
        "try ``denizen `x` run`` first",
        "```\ndenizen, say hello\n```",
        "look:\n```sh\ndenizen run",
    ] {
        assert!(!room.judge("ann", text).triggered, "{text:?}");
    }
    for text in [
        "Denizen, what does `cargo run` do?",
        "what does `denizen run` do, Denizen?",
        "Denizen`: hi",
    ] {
        assert_eq!(
            room.rule("ann", text).replace("named_in_line", "called_by_name"),
            "called_by_name",
            "{text:?}"
        );
    }
}

#[test]
fn somebody_elses_everyday_name_does_not_hide_a_followup() {
    let mut room = Room::after(&[("usb", "hello")]);
    for _ in 0..3 {
        room.say("bob", "it has no usb port");
    }
    room.say("Denizen", "bob: then use the network");
    assert_eq!(room.rule("bob", "can it boot from usb"), "answers_denizen");
}

#[test]
fn speaking_of_somebody_does_not_end_an_exchange() {
    let room = Room::after(&[
        ("bob", "morning"),
        ("ann", "Denizen, recommend me a present"),
        ("Denizen", "What do they like?"),
    ]);
    for text in [
        "it's for Bob, he likes jazz",
        "Bob is turning forty",
        "I thought of bob's garden",
    ] {
        assert_eq!(room.rule("ann", text), "answers_denizen", "{text}");
    }
    for text in [
        "bob: lunch?",
        "what would you like, bob?",
        "bob and carol: lunch?",
    ] {
        assert!(!room.judge("ann", text).triggered, "{text}");
        assert!(room.judge("ann", text).names_somebody_else(), "{text}");
    }
}

#[test]
fn whoever_is_in_no_exchange_and_speaks_of_somebody_says_it_to_nobody_by_name() {
    let room = Room::after(&[("bob", "morning"), ("ann", "hi"), ("Denizen", "hi ann")]);
    let signal = room.judge("carol", "this is for bob");
    assert_eq!(signal.rule, "speaks_of_somebody_else");
    assert!(!signal.triggered && !signal.names_somebody_else());
}
