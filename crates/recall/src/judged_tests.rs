use super::*;

const NOTHING: Scores = Scores {
    total: 0.0,
    confidence: 0.0,
    lexical: 0.0,
    dense: 0.0,
    surroundings: 0.0,
    keys: 0.0,
    recency: 1.0,
    importance: 1.0,
};

#[test]
fn a_better_verdict_and_more_that_speaks_for_it_make_a_find_surer() {
    let sure = |scores: Scores, odds: f64| judged(&[scores], &[odds])[0];
    assert!(sure(NOTHING, 3.0) > sure(NOTHING, 0.0));
    let likely = Scores {
        confidence: 0.6,
        ..NOTHING
    };
    assert!(sure(likely, 0.0) > sure(NOTHING, 0.0));
    assert!(sure(likely, 3.0) >= 0.4 && sure(likely, -3.0) < 0.4);
    // Without a shared word a model has to be very sure.
    assert!(sure(NOTHING, 1.5) < 0.4 && sure(NOTHING, 6.0) >= 0.4);
    for odds in [-1e9, -20.0, 0.0, 20.0, 1e9] {
        assert!((0.0..=1.0).contains(&sure(NOTHING, odds)), "{odds}");
    }
}

#[test]
fn what_was_not_judged_is_never_surer_than_the_least_sure_that_was() {
    let certain = Scores {
        confidence: 0.95,
        ..NOTHING
    };
    let doubtful = Scores {
        confidence: 0.0,
        ..NOTHING
    };
    let sure = judged(&[NOTHING, NOTHING, certain, doubtful], &[5.0, -1.0]);
    assert_eq!(sure[2], sure[0].min(sure[1]));
    assert_eq!(sure[3], 0.0);
    assert_eq!(judged(&[certain], &[]), [0.95]);
}
