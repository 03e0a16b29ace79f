use vocabulary::{AskId, DeliveryId, JournalSeq, Moment, TurnId, WallTime};

use super::{Saying, heard_of};

fn saying() -> Saying {
    Saying {
        delivery: DeliveryId::new("voice:test:1"),
        turn: TurnId(1),
        ask: AskId(1),
        sign: false,
        sentences: Vec::new(),
        closed: false,
        given: Moment(1_000),
        added: Moment(1_000),
        heard: Some(Moment(1_000)),
        heard_wall: WallTime(0),
        known: 0,
        stopping: None,
        cause: JournalSeq(1),
        beside: Vec::new(),
        native: true,
        played: false,
        answers: None,
    }
}

#[test]
fn blanks_that_a_service_says_are_no_words() {
    let mut saying = saying();
    for piece in ["", "  ", " ", " Well,", " yes."] {
        let before = saying.written();
        saying.goes_on(piece);
        assert!(piece.trim() != "" || saying.written() == before, "{piece:?}");
    }
    assert_eq!(saying.written(), "Well, yes.");
}

#[test]
fn what_follows_a_pause_has_its_time_from_then_on() {
    let mut saying = saying();
    saying.goes_on("Well.");
    let now = Moment(60_000);
    saying.goes_on(" It is cold.");
    (saying.added, saying.closed) = (now, true);
    assert!(saying.due() > now, "{:?}", saying.due());
}

#[test]
fn a_word_that_was_cut_was_not_heard() {
    let table = [
        (0, ""),
        (3, ""),
        (5, "Hello"),
        (6, "Hello"),
        (8, "Hello"),
        (11, "Hello there"),
        (99, "Hello there"),
    ];
    for (characters, heard) in table {
        assert_eq!(heard_of("Hello there", characters), heard, "{characters}");
    }
    // Where no space parts words, it is cut at the letter.
    assert_eq!(heard_of("そうです", 2), "そう");
}
