//! How far an answer is, where a service does not tell.

use super::*;

fn second(marks: Vec<(f64, usize)>) -> RealtimeSound {
    RealtimeSound {
        rate: 1_000,
        samples: vec![0; 1_000],
        marks,
    }
}

#[test]
fn where_no_time_is_told_it_is_reckoned_and_never_beyond_the_words_there_are() {
    let mut reckoning = Reckoning::default();
    let mut first = second(Vec::new());
    reckoning.reckon(&mut first, 100);
    assert!(
        first
            .marks
            .is_sorted_by(|one, other| one.0 < other.0 && one.1 <= other.1),
        "{:?}",
        first.marks
    );
    let last = first.marks.last().copied().expect("it is reckoned");
    assert!((12..=13).contains(&last.1), "{last:?}");
    let mut second = second(Vec::new());
    reckoning.reckon(&mut second, 15);
    assert!(
        second.marks.iter().all(|(_, characters)| *characters <= 15),
        "{:?}",
        second.marks
    );
}

#[test]
fn what_a_service_tells_stands_as_it_is() {
    let mut reckoning = Reckoning::default();
    let mut told = second(vec![(0.4, 5)]);
    reckoning.reckon(&mut told, 100);
    assert_eq!(told.marks, [(0.4, 5)]);
    let mut untold = second(Vec::new());
    reckoning.reckon(&mut untold, 100);
    assert_eq!(untold.marks, [], "one that tells it is waited for");
}
