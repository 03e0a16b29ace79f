use vocabulary::{ModelChoice, Moment, RoomId, Span};

use super::ModelRests;

fn choice(model: &str) -> ModelChoice {
    ModelChoice {
        provider: "openai".to_owned(),
        model: model.to_owned(),
    }
}

#[test]
fn a_short_wait_is_waited_for_and_a_long_one_is_a_rest() {
    let mut rests = ModelRests::default();
    assert_eq!(rests.begin(&choice("small"), Span::seconds(60), Moment(0)), None);
    assert_eq!(
        rests.begin(&choice("small"), Span::minutes(5), Moment(0)),
        Some(Span::minutes(5))
    );
    assert_eq!(rests.until(&choice("small"), Moment(1)), Some(Moment(300_000)));
    assert_eq!(rests.until(&choice("small"), Moment(300_000)), None);
    assert_eq!(rests.until(&choice("large"), Moment(1)), None);
}

#[test]
fn nobody_silences_it_for_ever() {
    let mut rests = ModelRests::default();
    let rest = rests.begin(&choice("small"), Span(u64::MAX), Moment(0));
    assert_eq!(rest, Some(Span::hours(1)));
}

#[test]
fn each_room_is_told_once_of_each_rest() {
    let mut rests = ModelRests::default();
    let (small, lounge) = (choice("small"), RoomId::new("lounge"));
    assert!(!rests.is_to_be_told(&small, &lounge, Moment(0)));
    rests.begin(&small, Span::minutes(5), Moment(0));
    assert!(rests.is_to_be_told(&small, &lounge, Moment(1)));
    assert!(!rests.is_to_be_told(&small, &lounge, Moment(2)));
    assert!(rests.is_to_be_told(&small, &RoomId::new("dev"), Moment(2)));
    rests.begin(&small, Span::minutes(5), Moment(400_000));
    assert!(rests.is_to_be_told(&small, &lounge, Moment(400_001)));
}
