//! Starting on states and inputs that cannot be read: it always starts, nothing is emptied silently.

use mind::{Genesis, Input, Mind, RoomEvent, Step};
use settings::Settings;
use vocabulary::{
    Author, AuthorKind, CommunityId, JournalSeq, Message, MessageId, Moment, Now, PersonId, RoomId, WallTime,
};

use super::{BREAKING_INPUTS_MAX, Restored, restore, restore_by};
use crate::ports::{KeptState, RecordedInput, Resume, UnreadInput};

fn genesis() -> Genesis {
    Genesis::first("local", "denizen", 3)
}

fn said(seq: u64) -> RecordedInput {
    let now = Now {
        moment: Moment(seq * 1_000),
        wall: WallTime(i64::try_from(seq).expect("small") * 1_000),
    };
    RecordedInput {
        stepped_before: None,
        seq,
        now,
        input: Input::message_arrived(Message {
            id: MessageId::new(format!("m{seq}")),
            room: RoomId::new("lounge"),
            author: Author {
                id: PersonId::new("alice"),
                name: "Alice".to_owned(),
                kind: AuthorKind::Person,
            },
            at: now.wall,
            text: format!("the ferry number {seq}"),
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            reply_to_author: None,
            spoken: false,
            sign: false,
        }),
    }
}

/// The state after some inputs.
fn kept(inputs: u64) -> KeptState {
    let mut mind = Mind::new(genesis());
    for seq in 1..=inputs {
        let recorded = said(seq);
        let _ = mind.step(recorded.now, recorded.input, &settings::Settings::default());
    }
    KeptState {
        input: inputs,
        version: "0".to_owned(),
        settings_version: 0,
        state: mind::snapshot::keep(&mind),
    }
}

fn resume(states: Vec<KeptState>, inputs: Vec<RecordedInput>) -> Resume {
    Resume {
        states,
        last_input: inputs.last().map_or(1, |recorded| recorded.seq),
        inputs,
        ..Resume::default()
    }
}

fn restored(resume: &Resume) -> Restored {
    restore(&CommunityId::new("local"), genesis(), resume)
}

fn turns(mind: &Mind) -> u64 {
    let session = mind.session(&RoomId::new("lounge"), &settings::Settings::default());
    session.map_or(0, |session| session.turns)
}

#[test]
fn a_state_and_the_inputs_after_it_go_on_and_nothing_is_told() {
    let restored = restored(&resume(vec![kept(3)], vec![said(4), said(5)]));
    assert_eq!(turns(&restored.mind), 5);
    assert_eq!(restored.salvaged, None);
    assert!(!restored.missing_journal.is_empty());
}

#[test]
fn a_damaged_newest_state_makes_way_for_the_one_before_it() {
    let mut damaged = kept(4);
    damaged.state.truncate(200);
    let inputs = vec![said(3), said(4), said(5)];
    let restored = restored(&resume(vec![damaged, kept(2)], inputs));
    assert_eq!(
        turns(&restored.mind),
        5,
        "every input after the older state is stepped"
    );
    let told = restored.salvaged.expect("it is told");
    assert!(told.lost[0].contains("the state after input 4"), "{told:?}");
}

#[test]
fn a_newest_state_with_a_flipped_byte_makes_way_for_the_one_before_it() {
    let mut flipped = kept(4);
    let name = "\"rooms\"";
    assert!(flipped.state.contains(name), "the state has such a part");
    flipped.state = flipped.state.replacen(name, "\"roomz\"", 1);
    let inputs = vec![said(3), said(4), said(5)];
    let restored = restored(&resume(vec![flipped, kept(2)], inputs));
    assert_eq!(turns(&restored.mind), 5, "nothing is missing");
    let told = restored.salvaged.expect("it is told");
    assert!(told.lost[0].contains("the state after input 4"), "{told:?}");
}

#[test]
fn without_any_state_that_can_be_read_it_starts_anew_and_tells() {
    let mut damaged = kept(2);
    damaged.state = "no state at all".to_owned();
    let restored = restored(&resume(vec![damaged], vec![said(3)]));
    assert_eq!(turns(&restored.mind), 0);
    let told = restored.salvaged.expect("it is told");
    assert!(told.lost.contains(&"the whole state".to_owned()), "{told:?}");
}

#[test]
fn an_input_that_cannot_be_read_is_left_out_and_told() {
    let mut resume = resume(vec![kept(2)], vec![said(3), said(5)]);
    resume.unread.push(UnreadInput {
        seq: 4,
        detail: "unknown variant".to_owned(),
    });
    let restored = restored(&resume);
    assert_eq!(turns(&restored.mind), 4);
    let told = restored.salvaged.expect("it is told");
    assert_eq!(told.lost, ["input 4: unknown variant"]);
}

#[test]
fn a_part_of_another_shape_is_lost_by_name_and_the_rest_goes_on() {
    let mut kept = kept(3);
    kept.state = kept
        .state
        .replace("\"sessionsEnded\":0", "\"sessionsEnded\":\"none\"");
    let restored = restored(&resume(vec![kept], vec![said(4)]));
    assert_eq!(turns(&restored.mind), 4);
    let told = restored.salvaged.expect("it is told");
    assert_eq!(told.lost, ["rooms.lounge.sessionsEnded"]);
    assert!(
        told.carried.iter().any(|name| name.starts_with("rooms.lounge.")),
        "{told:?}"
    );
}

#[test]
fn numbers_that_were_used_are_not_used_again() {
    let mut resume = resume(vec![kept(2)], Vec::new());
    resume.last_journal = JournalSeq(900);
    assert_eq!(restored(&resume).mind.journal_seq(), JournalSeq(900));
}

/// A mind with a fault in it: whatever speaks of thunder breaks the step, after half of it was done.
fn afraid_of_thunder(mind: &mut Mind, now: Now, input: Input, settings: &Settings) -> Step {
    let is_thunder = match &input {
        Input::Room(_, RoomEvent::MessageArrived(message)) => message.text.contains("thunder"),
        _ => false,
    };
    let step = mind.step(now, input, settings);
    assert!(!is_thunder, "thunder");
    step
}

fn thundering(seq: u64) -> RecordedInput {
    let mut recorded = said(seq);
    if let Input::Room(_, RoomEvent::MessageArrived(message)) = &mut recorded.input {
        message.text = format!("thunder {seq}");
    }
    recorded
}

#[test]
fn an_input_that_breaks_the_step_is_left_out_and_told_and_the_rest_goes_on() {
    let resume = resume(vec![kept(2)], vec![said(3), thundering(4), said(5), said(6)]);
    let restored = restore_by(afraid_of_thunder, &CommunityId::new("local"), genesis(), &resume);
    let told = restored.salvaged.expect("it is told");
    assert_eq!(told.lost, ["input 4: it could not be stepped"]);
    assert_eq!(turns(&restored.mind), 5, "nothing is left of half a step");
    let journal = serde_json::to_string(&restored.missing_journal).expect("plain data");
    assert!(!journal.contains("m4") && journal.contains("m6"), "{journal}");
}

#[test]
fn when_many_inputs_break_the_step_it_goes_on_from_the_state_and_tells() {
    let last = 3 + BREAKING_INPUTS_MAX as u64;
    let inputs = (3..=last).map(thundering).chain([said(last + 1)]).collect();
    let resume = resume(vec![kept(2)], inputs);
    let restored = restore_by(afraid_of_thunder, &CommunityId::new("local"), genesis(), &resume);
    let told = restored.salvaged.expect("it is told");
    assert_eq!(told.lost.len(), BREAKING_INPUTS_MAX + 1, "{told:?}");
    let end = told.lost.last().expect("it is told");
    assert!(end.starts_with("every input after 2"), "{end}");
    assert_eq!(turns(&restored.mind), 2);
}
