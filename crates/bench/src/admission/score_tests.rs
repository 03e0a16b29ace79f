use super::*;

#[test]
fn shares_are_what_they_are_called() {
    let score = Score {
        rightly_admitted: 6,
        wrongly_admitted: 2,
        missed: 4,
        rightly_ignored: 8,
    };
    assert_eq!(score.precision(), Some(0.75));
    assert_eq!(score.recall(), Some(0.6));
    assert_eq!(score.f1(), Some(12.0 / 18.0));
    assert_eq!(score.balanced_accuracy(), Some(0.7));
    assert_eq!(score.admitted(), Some(0.4));
    assert_eq!(Score::default().precision(), None);
}
