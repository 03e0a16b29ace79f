//! Notes wait by their own numbers, and leave only when they were folded or had to make room.

use vocabulary::{NoteSeq, WallTime};

use super::notes::{PENDING_NOTES_MAX, PendingNote, PendingNotes};

fn held(texts: &[&str]) -> PendingNotes {
    let mut notes = PendingNotes::default();
    for text in texts {
        assert_eq!(notes.hold(WallTime(0), "James", text, &[]), None);
    }
    notes
}

fn numbers(notes: &PendingNotes) -> Vec<u64> {
    notes.iter().map(|note| note.seq.0).collect()
}

fn seqs(notes: &[PendingNote]) -> Vec<u64> {
    notes.iter().map(|note| note.seq.0).collect()
}

#[test]
fn a_note_says_whose_screen_it_was() {
    let mut notes = held(&["the\n Tokyo   map"]);
    let _ = notes.hold(WallTime(0), "", "a quiet room", &[]);
    let lines: Vec<String> = notes.iter().map(PendingNote::line).collect();
    assert_eq!(lines, ["James shared: the Tokyo map", "a quiet room"]);
}

#[test]
fn a_batch_is_what_fits_oldest_first() {
    // "James shared: 0123456789" and its line end take 25 characters.
    let notes = held(&["0123456789"; 5]);
    for (chars, expected) in [
        (1_000, &[0, 1, 2, 3, 4][..]),
        (75, &[0, 1, 2]),
        (74, &[0, 1]),
        (25, &[0]),
        (0, &[0]),
    ] {
        assert_eq!(seqs(&notes.batch(chars)), expected, "{chars} characters");
    }
    assert_eq!(PendingNotes::default().batch(400), []);
}

#[test]
fn a_long_note_does_not_let_shorter_ones_pass_it() {
    let long = "x".repeat(390);
    let notes = held(&["short", &long, "short again"]);
    assert_eq!(seqs(&notes.batch(400)), [0]);
}

#[test]
fn success_forgets_exactly_the_notes_that_were_sent() {
    let mut notes = held(&["one", "two", "three"]);
    let sent = notes.batch(40);
    assert_eq!(seqs(&sent), [0, 1]);
    let _ = notes.hold(WallTime(0), "James", "came meanwhile", &sent);
    notes.forget(&sent);
    assert_eq!(numbers(&notes), [2, 3]);
    notes.forget(&sent);
    assert_eq!(numbers(&notes), [2, 3], "once more changes nothing");
}

#[test]
fn the_oldest_note_makes_room_and_is_handed_back() {
    let texts = vec!["x"; PENDING_NOTES_MAX];
    let mut notes = held(&texts);
    let dropped = notes.hold(WallTime(0), "James", "one more", &[]);
    assert_eq!(dropped.map(|note| note.seq), Some(NoteSeq(0)));
    assert_eq!(notes.len(), PENDING_NOTES_MAX);
}

#[test]
fn notes_that_are_being_folded_do_not_make_room() {
    let texts = vec!["x"; PENDING_NOTES_MAX];
    let mut notes = held(&texts);
    let sent = notes.batch(48);
    assert_eq!(seqs(&sent), [0, 1, 2]);
    for number in 0..3 {
        assert_eq!(notes.hold(WallTime(0), "James", "more", &sent), None, "{number}");
    }
    let dropped = notes.hold(WallTime(0), "James", "too many", &sent);
    assert_eq!(dropped.map(|note| note.seq), Some(NoteSeq(3)));
    assert_eq!(numbers(&notes)[..4], [0, 1, 2, 4]);
}

#[test]
fn a_session_that_ends_takes_its_notes_along_and_leaves_the_next_ones() {
    let mut notes = held(&["one", "two"]);
    let end = notes.next_seq();
    let _ = notes.hold(WallTime(0), "James", "of the next session", &[]);
    assert_eq!(notes.forget_before(end), 2);
    assert_eq!(numbers(&notes), [2]);
}
