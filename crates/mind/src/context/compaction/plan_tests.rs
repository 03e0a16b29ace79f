//! When folding is due, which turns, and every reason why not.

use vocabulary::TurnSeq;

use super::{
    BATCH_SIZE, CompactionSkip, NEWEST_TURNS, NOTES_ALONE, Plan, Question, RECENT_WINDOW, Verbatim, plan,
};

const SHORT: usize = 40;
const HOLDS: usize = 28_800;

/// Turns `cursor..next`, all of them there.
fn numbers(cursor: u64, next: u64) -> Vec<Verbatim> {
    long(cursor, next, SHORT)
}

/// The same, each of so many characters.
fn long(cursor: u64, next: u64, chars: usize) -> Vec<Verbatim> {
    let seqs = (cursor..next).map(TurnSeq);
    seqs.map(|seq| Verbatim { seq, chars }).collect()
}

fn question(verbatim: &[Verbatim], cursor: u64, next: u64) -> Question<'_> {
    Question {
        verbatim,
        cursor: TurnSeq(cursor),
        next: TurnSeq(next),
        holds_chars: HOLDS,
        large_batch: 150,
        pending_notes: 0,
        in_flight: false,
        ending: false,
        summariser_available: true,
    }
}

fn fold(turns: usize, recent_start: u64) -> Plan {
    Plan::Fold {
        turns,
        recent_start: TurnSeq(recent_start),
    }
}

#[test]
fn the_worked_example_comes_out_as_it_is_written() {
    let below = Plan::Skip(CompactionSkip::BelowThreshold);
    for (cursor, next, expected) in [
        (0, 0, below),
        (0, 50, below),
        (0, 60, below),
        (0, 61, fold(10, 11)),
        (10, 61, below),
        (10, 64, below),
        (10, 70, below),
        (10, 71, fold(10, 21)),
        (20, 71, below),
        (20, 81, fold(10, 31)),
        (1_000, 1_060, below),
        (1_000, 1_061, fold(10, 1_011)),
    ] {
        let verbatim = numbers(cursor, next);
        let answer = plan(&question(&verbatim, cursor, next));
        assert_eq!(answer, expected, "cursor {cursor}, {next} turns in all");
    }
}

#[test]
fn over_a_long_conversation_it_folds_at_61_71_81_and_so_on() {
    let (mut cursor, mut due) = (0, Vec::new());
    for next in 1..=400 {
        let verbatim = numbers(cursor, next);
        if let Plan::Fold { turns, .. } = plan(&question(&verbatim, cursor, next)) {
            due.push(next);
            cursor += turns as u64;
        }
    }
    let expected: Vec<u64> = (61..=400).step_by(10).collect();
    assert_eq!(due, expected);
}

#[test]
fn while_a_run_is_under_way_the_window_stretches_and_nothing_else_begins() {
    for next in [62, 75, 200] {
        let verbatim = numbers(0, next);
        let asked = Question {
            in_flight: true,
            ..question(&verbatim, 0, next)
        };
        assert_eq!(plan(&asked), Plan::Skip(CompactionSkip::AlreadyInFlight));
    }
}

#[test]
fn only_turns_fully_outside_the_window_are_folded() {
    for next in 0..=300 {
        let verbatim = numbers(0, next);
        if let Plan::Fold { turns, recent_start } = plan(&question(&verbatim, 0, next)) {
            assert_eq!(turns % BATCH_SIZE, 0);
            assert!(turns as u64 <= recent_start.0);
            assert_eq!(next - recent_start.0, RECENT_WINDOW as u64);
        }
    }
}

#[test]
fn every_reason_not_to_fold_has_its_case() {
    let verbatim = numbers(0, 61);
    let due = question(&verbatim, 0, 61);
    let few = numbers(0, 20);
    let thinned: Vec<Verbatim> = numbers(0, 61).into_iter().skip(2).collect();
    let cases = [
        (question(&few, 0, 20), CompactionSkip::BelowThreshold),
        (
            Question {
                in_flight: true,
                ..due
            },
            CompactionSkip::AlreadyInFlight,
        ),
        (question(&thinned, 0, 61), CompactionSkip::NoEligibleBatch),
        (Question { ending: true, ..due }, CompactionSkip::SessionEnding),
        // Ending outranks a run under way: no line may promise one.
        (
            Question {
                ending: true,
                in_flight: true,
                ..due
            },
            CompactionSkip::SessionEnding,
        ),
        (
            Question {
                summariser_available: false,
                ..due
            },
            CompactionSkip::ModelUnavailable,
        ),
        // Where nothing is due, nobody is missed.
        (
            Question {
                summariser_available: false,
                ..question(&few, 0, 20)
            },
            CompactionSkip::BelowThreshold,
        ),
    ];
    for (asked, reason) in cases {
        assert_eq!(plan(&asked), Plan::Skip(reason), "{asked:?}");
    }
}

#[test]
fn twelve_notes_are_folded_without_any_turn() {
    let few = numbers(0, 20);
    for (notes, expected) in [
        (11, Plan::Skip(CompactionSkip::BelowThreshold)),
        (12, fold(0, 0)),
        (60, fold(0, 0)),
    ] {
        let asked = Question {
            pending_notes: notes,
            ..question(&few, 0, 20)
        };
        assert_eq!(plan(&asked), expected, "{notes} notes");
    }
    assert_eq!(NOTES_ALONE, 12);
}

#[test]
fn notes_alone_never_take_a_turn_of_the_window_with_them() {
    let sixty = numbers(0, 60);
    let asked = Question {
        pending_notes: 12,
        ..question(&sixty, 0, 60)
    };
    assert_eq!(plan(&asked), fold(0, 10));
}

#[test]
fn notes_and_a_batch_that_are_both_due_go_together() {
    let verbatim = numbers(0, 61);
    let asked = Question {
        pending_notes: 12,
        ..question(&verbatim, 0, 61)
    };
    assert_eq!(plan(&asked), fold(10, 11));
}

#[test]
fn notes_in_a_room_where_nothing_stands_name_the_turn_that_comes_next() {
    let asked = Question {
        pending_notes: 12,
        ..question(&[], 340, 340)
    };
    assert_eq!(plan(&asked), fold(0, 340));
}

#[test]
fn turns_taken_back_leave_fifty_others_in_the_window() {
    // 62 were said, every sixth of the first twelve was taken back: 60 stand.
    let verbatim: Vec<Verbatim> = numbers(0, 62)
        .into_iter()
        .filter(|turn| !(turn.seq.0 < 12 && turn.seq.0 % 6 == 0))
        .collect();
    let Plan::Fold { turns, recent_start } = plan(&question(&verbatim, 0, 62)) else {
        panic!("ten turns lie outside the window");
    };
    let left = &verbatim[turns..];
    assert_eq!((turns, left.len()), (10, 50));
    assert_eq!(recent_start, left[0].seq);
}

#[test]
fn far_behind_most_of_what_waits_goes_at_once() {
    for (next, turns) in [(150, 10), (151, 100), (201, 150), (400, 150)] {
        let verbatim = numbers(0, next);
        let answer = plan(&question(&verbatim, 0, next));
        assert_eq!(answer, fold(turns, next - RECENT_WINDOW as u64), "{next} turns");
    }
}

#[test]
fn turns_that_no_prompt_can_hold_are_folded_though_they_are_few() {
    // Twenty-six of 1,100 characters are held, twenty-seven are not; then half of the room is made free.
    let held = long(0, 26, 1_100);
    let below = Plan::Skip(CompactionSkip::BelowThreshold);
    assert_eq!(plan(&question(&held, 0, 26)), below);
    let verbatim = long(0, 27, 1_100);
    assert_eq!(plan(&question(&verbatim, 0, 27)), fold(14, 14));
}

#[test]
fn a_few_turns_stand_word_for_word_however_long_they_are() {
    let verbatim = long(0, 8, HOLDS);
    let newest = 8 - NEWEST_TURNS as u64;
    assert_eq!(plan(&question(&verbatim, 0, 8)), fold(newest as usize, newest));
    let verbatim = long(0, NEWEST_TURNS as u64, HOLDS);
    let nothing = Plan::Skip(CompactionSkip::NoEligibleBatch);
    assert_eq!(
        plan(&question(&verbatim, 0, 5)),
        nothing,
        "no prompt makes the answer permanently yes"
    );
}
