use vocabulary::Span;

use super::{Overlap, decide, is_backchannel};
use crate::reasons::BargeInReason as Reason;

fn overlap(spoken: u64, partial: &str) -> Overlap<'_> {
    Overlap {
        spoken: Span(spoken),
        limit: Span(700),
        is_listened_to: true,
        is_heard: true,
        partial,
    }
}

#[test]
fn it_falls_silent_when_it_is_spoken_over_and_not_for_a_nod() {
    let table = [
        (overlap(699, ""), false, Reason::TooShort),
        (overlap(700, ""), true, Reason::SpokenOver),
        (overlap(700, "wait, that is"), true, Reason::SpokenOver),
        (overlap(900, "Mhm."), false, Reason::Backchannel),
        (overlap(900, "oh okay yeah"), false, Reason::Backchannel),
        (overlap(900, "うん"), false, Reason::Backchannel),
        (overlap(900, "да"), false, Reason::Backchannel),
        (overlap(900, "genau"), false, Reason::Backchannel),
        (overlap(2_500, "mhm"), true, Reason::SpokenOver),
        (overlap(900, "no stop"), true, Reason::SpokenOver),
        (overlap(900, "No!"), true, Reason::SpokenOver),
        (overlap(900, "no no no"), true, Reason::SpokenOver),
        (overlap(900, "so"), true, Reason::SpokenOver),
        (overlap(900, "it"), true, Reason::SpokenOver),
        (overlap(900, "No way!"), false, Reason::Backchannel),
        (overlap(900, "ah, I see"), false, Reason::Backchannel),
        (overlap(900, "ach so"), false, Reason::Backchannel),
        (
            Overlap {
                is_listened_to: false,
                ..overlap(5_000, "hello")
            },
            false,
            Reason::NotListenedTo,
        ),
        (
            Overlap {
                is_heard: false,
                ..overlap(5_000, "hello")
            },
            false,
            Reason::NotSpeaking,
        ),
    ];
    for (overlap, stop, reason) in table {
        let decided = decide(&overlap);
        assert_eq!((decided.stop, decided.reason), (stop, reason), "{overlap:?}");
    }
}

#[test]
fn what_was_not_understood_is_no_nod() {
    assert!(!is_backchannel(""));
    assert!(!is_backchannel("yeah yeah yeah yeah yeah"));
}
