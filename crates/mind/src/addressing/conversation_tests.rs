use proptest::prelude::*;
use vocabulary::{PersonId, WallTime};

use super::super::test_room::Room;
use super::*;

#[test]
fn the_name_addresses_wherever_it_stands() {
    let room = Room::new();
    let called = room.judge("ann", "Dénizen, are you there?");
    assert_eq!(
        (called.reason, called.confidence, called.triggered),
        (AddressReason::NameExact, 0.95, true)
    );
    assert_eq!(called.rule, "called_by_name");
    assert_eq!(room.rule("ann", "what do you think denizen"), "named_in_line");
}

#[test]
fn an_alias_is_told_from_the_name() {
    let room = Room::new();
    assert_eq!(room.judge("ann", "robo: hi").reason, AddressReason::NameAlias);
    assert_eq!(
        room.judge("ann", "robo, I mean denizen").reason,
        AddressReason::NameExact
    );
}

#[test]
fn a_platform_mention_or_a_reply_is_direct() {
    let room = Room::new();
    let (ann, bob, denizen) = (
        PersonId::from("ann"),
        PersonId::from("bob"),
        room.identity.id.clone(),
    );
    let judge = |mentions: &[PersonId], reply_to: Option<&PersonId>| {
        let heard = Heard {
            author: &ann,
            author_name: "ann",
            by_denizen: false,
            text: "<@1> look at this",
            at: WallTime(0),
            mentions,
            reply_to_author: reply_to,
            spoken: false,
        };
        room.conversation
            .judge(&heard, &room.identity, FollowupLimits::default())
    };
    let mentioned = judge(&[bob.clone(), denizen.clone()], None);
    assert_eq!(
        (mentioned.reason, mentioned.rule.as_str()),
        (AddressReason::Direct, "platform_mention")
    );
    let replied = judge(&[], Some(&denizen));
    assert_eq!(
        (replied.reason, replied.rule.as_str()),
        (AddressReason::Direct, "reply_to_denizen")
    );
    assert_eq!(judge(&[bob], None).rule, "called_somebody_else");
}

#[test]
fn a_reply_to_somebody_else_is_theirs_although_denizen_is_named() {
    let room = Room::new();
    let bob = PersonId::from("bob");
    let judge = |text: &str| {
        room.heard("ann", text, |heard| {
            let heard = Heard {
                reply_to_author: Some(&bob),
                ..*heard
            };
            room.conversation
                .judge(&heard, &room.identity, FollowupLimits::default())
        })
    };
    assert_eq!(judge("I think denizen is right").rule, "replied_to_somebody_else");
    assert_eq!(judge("denizen, is he right?").rule, "called_by_name");
}

#[test]
fn a_call_to_somebody_else_outweighs_denizens_name_in_passing() {
    let room = Room::after(&[("bob", "morning")]);
    let signal = room.judge("ann", "hey bob: ask denizen about it");
    assert!(!signal.triggered);
    assert_eq!(signal.rule, "called_somebody_else");
    assert_eq!(room.rule("ann", "bob, denizen: dinner?"), "called_by_name");
}

#[test]
fn a_name_that_the_room_uses_as_a_word_counts_only_as_a_call() {
    let mut room = Room::new();
    room.identity = Identity::new(PersonId::from("0"), "Ubuntu", &[]);
    for _ in 0..3 {
        assert_eq!(room.rule("ann", "I run ubuntu here"), "named_in_line");
        room.say("bob", "I run ubuntu here");
    }
    assert!(!room.judge("ann", "I run ubuntu here").triggered);
    assert_eq!(room.rule("ann", "ubuntu: are you there"), "called_by_name");
}

#[test]
fn what_it_is_called_never_becomes_an_ordinary_word_where_it_is_spoken_to() {
    let mut room = Room::new();
    room.say("bob", "I quite like denizen");
    room.say("carol", "did you see what denizen wrote?");
    room.say("bob", "I think denizen is fun");
    for line in 0..8 {
        room.say(if line % 2 == 0 { "bob" } else { "carol" }, "and so on");
    }
    assert_eq!(room.rule("dave", "Denizen what time is it"), "called_by_name");
    assert_eq!(room.rule("dave", "what time is it, denizen"), "named_in_line");
    assert_eq!(
        room.rule("dave", "so what do you think, denizen, is it late"),
        "named_in_line"
    );
}

#[test]
fn nobody_takes_its_calls_by_a_name_like_its_own() {
    for thief in [
        "Dénizen",
        "Ｄenizen",
        "Denizen\u{fe0f}",
        "Den\u{200b}izen",
        "denizen",
        "Deniz en",
        "Denizen are",
    ] {
        let mut room = Room::new();
        room.say(thief, "hello");
        assert_eq!(
            room.rule("ann", "Denizen, are you there?"),
            "called_by_name",
            "{thief:?}"
        );
        assert_eq!(
            room.rule("ann", "denizen are you there?"),
            "called_by_name",
            "{thief:?}"
        );
    }
    let room = Room::after(&[("Denizen Smith", "hello")]);
    assert_eq!(
        room.rule("ann", "Denizen Smith, are you there?"),
        "called_somebody_else"
    );
}

#[test]
fn the_name_within_addresses_and_longer_identifiers_is_no_call() {
    let room = Room::new();
    let others = [
        "look at https://denizen.example/docs",
        "https://example.org/denizen is down",
        "denizen.rs does not build",
        "write to denizen@work.example",
        "write to help@denizen.example",
        "the crate is called denizen-bot",
        "my_denizen is broken",
        "denizen_bot: hi",
        "@denizen.dev is somebody else",
        "it lies in /opt/denizen",
        "cd ~/src/denizen/target",
        "come to #denizen",
        "call denizen() first",
        "www.denizen.example",
    ];
    for text in others {
        assert!(!room.judge("ann", text).triggered, "{text}");
    }
    for text in [
        "denizen...what now",
        "denizen's idea was good",
        "(denizen) hi",
        "_denizen_, hi",
        "@denizen hi",
        "denizen:hi",
        "bob/denizen: hi",
        "denizen.",
        "see https://example.org, denizen",
    ] {
        assert!(room.judge("ann", text).triggered, "{text}");
    }
}

#[test]
fn a_new_display_name_replaces_the_old_one() {
    let mut room = Room::new();
    let id = PersonId::from("7");
    for name in ["carol", "caroline"] {
        let heard = Heard {
            author: &id,
            author_name: name,
            by_denizen: false,
            text: "hi",
            at: WallTime(0),
            mentions: &[],
            reply_to_author: None,
            spoken: false,
        };
        room.conversation
            .observe(&heard, &room.identity, FollowupLimits::default());
    }
    assert_eq!(room.rule("ann", "caroline, ask denizen"), "called_somebody_else");
    assert_eq!(room.rule("ann", "carol, ask denizen"), "speaks_of_denizen");
}

#[test]
fn a_line_that_names_it_speaks_of_it_unless_it_asks_or_talks_to_it() {
    let room = Room::after(&[("ann", "hm"), ("bob", "hm")]);
    for (text, rule) in [
        (
            "i told them that denizen only answers when it is asked",
            "speaks_of_denizen",
        ),
        ("my brother says denizen is quicker", "speaks_of_denizen"),
        ("is it true that denizen is quicker?", "named_in_line"),
        ("well done denizen", "named_in_line"),
        ("denizen is that so", "called_by_name"),
        (
            "a thing of denizen, and now denizen tell me more",
            "named_in_line",
        ),
    ] {
        assert_eq!(room.rule("ann", text), rule, "{text}");
        assert_eq!(room.judge("ann", text).reason, AddressReason::NameExact, "{text}");
    }
}

#[test]
fn followups_can_be_switched_off_but_a_name_still_counts() {
    let room = Room::after(&[("ann", "hm"), ("Denizen", "ann: and?")]);
    let off = FollowupLimits {
        enabled: false,
        ..FollowupLimits::default()
    };
    let signal = room.judge_within("ann", "nothing", off);
    assert_eq!((signal.triggered, signal.rule.as_str()), (false, "followup_off"));
    assert!(room.judge_within("ann", "nothing, denizen", off).triggered);
}

#[test]
fn denizen_never_addresses_itself() {
    let room = Room::after(&[("Denizen", "I am denizen")]);
    assert_eq!(room.rule("Denizen", "denizen speaking"), "own_message");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_was_said_a_snapshot_judges_alike(
        lines in prop::collection::vec(
            ("[abc]|Denizen", "(ann|bob|denizen|[a-d]|tea|firestarter|anyone|[:,?@é ]){0,12}"),
            1..40,
        ),
    ) {
        let mut room = Room::new();
        for (author, text) in &lines {
            room.say(author, text);
            room.minute += 1;
        }
        let snapshot = serde_json::to_string(&room.conversation).expect("plain data");
        let restored = Room {
            conversation: serde_json::from_str(&snapshot).expect("just written"),
            identity: room.identity.clone(),
            minute: room.minute,
        };
        prop_assert_eq!(&restored.conversation, &room.conversation);
        for (author, text) in &lines {
            prop_assert_eq!(restored.judge(author, text), room.judge(author, text));
        }
    }
}

#[test]
fn what_ears_write_for_the_name_counts_only_aloud_and_where_nobody_is_called_so() {
    let judge = |room: &Room, text: &str, spoken: bool| {
        room.heard("ann", text, |heard| {
            let heard = Heard { spoken, ..*heard };
            room.conversation
                .judge(&heard, &room.identity, FollowupLimits::default())
        })
    };
    let mut room = Room::new();
    let aloud = "Denison, what time is it?";
    assert!(
        !judge(&room, aloud, true).triggered,
        "a near miss alone is no call"
    );
    room.identity = room.identity.clone().heard_as(&["denison".to_owned()]);
    let called = judge(&room, aloud, true);
    assert_eq!(
        (called.reason, called.rule.as_str()),
        (AddressReason::NameAlias, "called_by_name")
    );
    assert!(
        !judge(&room, aloud, false).triggered,
        "typed, it is somebody else's name"
    );
    room.say("denison", "good evening");
    assert_eq!(judge(&room, aloud, true).rule, "called_somebody_else");
    assert_eq!(
        judge(&room, "Denizen, what time is it?", true).rule,
        "called_by_name"
    );
}
