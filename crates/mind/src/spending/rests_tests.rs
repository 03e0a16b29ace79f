use settings::{Document, Settings};
use vocabulary::{AskPurpose, ModelChoice, Moment, RoomId, Span};

use super::{ChosenModel, ModelRests};
use crate::reasons::RestCause;

const START: Moment = Moment(0);

fn chosen(model: &str, purpose: AskPurpose) -> ChosenModel {
    let choice = ModelChoice {
        provider: "openai".to_owned(),
        model: model.to_owned(),
    };
    ChosenModel::of(&choice, purpose)
}

fn choice(model: &str) -> ChosenModel {
    chosen(model, AskPurpose::TextReply)
}

fn minutes(minutes: u64) -> Moment {
    START + Span::minutes(minutes)
}

fn begun(rests: &mut ModelRests, asked_for: Span, at: Moment) -> Option<Span> {
    rests.begin(&choice("small"), asked_for, at, at)
}

#[test]
fn a_short_wait_is_waited_for_and_a_long_one_is_a_rest() {
    let mut rests = ModelRests::default();
    let small = choice("small");
    assert_eq!(begun(&mut rests, Span::seconds(60), START), None);
    assert_eq!(begun(&mut rests, Span::minutes(4), START), Some(Span::minutes(4)));
    assert_eq!(rests.until(&small, false, minutes(1)), Some(minutes(4)));
    assert_eq!(rests.until(&small, false, minutes(4)), None);
    assert_eq!(rests.until(&choice("large"), false, minutes(1)), None);
}

#[test]
fn however_long_it_asks_for_it_is_tried_after_minutes_and_more_and_more_seldom() {
    let mut rests = ModelRests::default();
    let mut now = START;
    let mut rested = Vec::new();
    for _ in 0..6 {
        let rest = begun(&mut rests, Span(u64::MAX), now).expect("that is long");
        rested.push(rest.0 / 60_000);
        now = now + rest;
        assert_eq!(
            rests.resting(now).count(),
            1,
            "it has not said that it may be asked"
        );
    }
    assert_eq!(rested, [5, 10, 20, 40, 60, 60]);
    rests.answered(&choice("small"), now);
    assert_eq!(rests.resting(now).count(), 0);
    assert_eq!(begun(&mut rests, Span::hours(2), now), Some(Span::minutes(5)));
}

#[test]
fn while_one_question_tries_it_background_work_waits_for_what_comes_of_it() {
    let mut rests = ModelRests::default();
    let small = choice("small");
    begun(&mut rests, Span::hours(2), START);
    let now = minutes(5);
    assert_eq!(rests.until(&small, true, now), None);
    rests.tried(&small, now);
    assert_eq!(rests.until(&small, true, now), Some(minutes(6)));
    assert_eq!(rests.until(&small, false, now), None, "somebody in a room waits");
    rests.tried_in_vain(&small, now);
    assert_eq!(rests.until(&small, true, now), None, "the next one tries");
}

#[test]
fn what_was_under_way_when_it_asked_neither_ends_a_rest_nor_makes_it_longer() {
    let mut rests = ModelRests::default();
    let small = choice("small");
    rests.begin(&small, Span::hours(2), START, minutes(1));
    rests.answered(&small, START);
    rests.tried_in_vain(&small, START);
    assert_eq!(rests.until(&small, false, minutes(1)), Some(minutes(6)));
    let again = rests.begin(&small, Span::hours(2), START, minutes(1));
    assert_eq!(again, Some(Span::minutes(5)));
}

#[test]
fn each_room_is_told_once_until_the_model_answers() {
    let mut rests = ModelRests::default();
    let (small, lounge) = (choice("small"), RoomId::new("lounge"));
    assert!(!rests.is_to_be_told(&small, &lounge, START));
    begun(&mut rests, Span::minutes(5), START);
    assert!(rests.is_to_be_told(&small, &lounge, Moment(1)));
    assert!(!rests.is_to_be_told(&small, &lounge, Moment(2)));
    assert!(rests.is_to_be_told(&small, &RoomId::new("dev"), Moment(2)));
    begun(&mut rests, Span::minutes(5), Moment(400_000));
    assert!(
        !rests.is_to_be_told(&small, &lounge, Moment(400_001)),
        "it is the same trouble"
    );
    rests.answered(&small, Moment(800_000));
    begun(&mut rests, Span::minutes(5), Moment(900_000));
    assert!(rests.is_to_be_told(&small, &lounge, Moment(900_001)));
}

#[test]
fn the_small_default_of_a_provider_rests_without_its_main_one_and_a_named_model_for_every_purpose() {
    let mut rests = ModelRests::default();
    let notes = chosen("", AskPurpose::ScreenNote);
    rests.begin(&notes, Span::hours(2), START, START);
    let at = minutes(1);
    assert!(rests.until(&notes, false, at).is_some());
    assert!(
        rests
            .until(&chosen("", AskPurpose::GemExtraction), false, at)
            .is_some()
    );
    assert_eq!(rests.until(&chosen("", AskPurpose::TextReply), false, at), None);
    rests.answered(&chosen("", AskPurpose::TextReply), at);
    assert!(rests.until(&notes, false, at).is_some());
    rests.begin(
        &chosen("gpt-6-luna", AskPurpose::ScreenNote),
        Span::hours(2),
        START,
        START,
    );
    let replies = chosen("gpt-6-luna", AskPurpose::TextReply);
    assert!(rests.until(&replies, false, at).is_some());
}

#[test]
fn a_default_that_rests_serves_the_purposes_of_its_role_and_one_that_is_not_in_use_none() {
    let document = Document::from_json(r#"{"llm": {"provider": "openai"}, "voice": {"enabled": false}}"#);
    let settings = Settings::read(&document.expect("a document")).expect("good settings");
    let small = chosen("", AskPurpose::GemExtraction).serves(&settings);
    assert!(
        small.contains(&AskPurpose::GemExtraction) && small.contains(&AskPurpose::ContextCompaction),
        "{small:?}"
    );
    assert!(!small.contains(&AskPurpose::TextReply), "{small:?}");
    let main = chosen("", AskPurpose::TextReply).serves(&settings);
    assert!(
        main.contains(&AskPurpose::TextReply) && !main.contains(&AskPurpose::GemExtraction),
        "{main:?}"
    );
    assert_eq!(chosen("named", AskPurpose::TextReply).serves(&settings), []);
}

#[test]
fn a_model_that_says_nothing_for_one_purpose_is_asked_for_others_and_at_once_after_a_change() {
    let mut rests = ModelRests::default();
    let of = |rests: &ModelRests, purpose| {
        let models = ChosenModel::both(&choice("large").choice, purpose);
        rests.of(models, false, minutes(1)).map(|(_, _, cause)| cause)
    };
    let notes = chosen("large", AskPurpose::ScreenNote).only_for(AskPurpose::ScreenNote);
    rests.begin(&notes, super::MUTE_REST, START, START);
    assert_eq!(of(&rests, AskPurpose::ScreenNote), Some(RestCause::Mute));
    assert_eq!(of(&rests, AskPurpose::TextReply), None);
    rests.settings_changed(START);
    assert_eq!(of(&rests, AskPurpose::ScreenNote), None);

    rests.begin(&choice("large"), Span::hours(1), START, START);
    rests.settings_changed(START);
    assert_eq!(
        of(&rests, AskPurpose::TextReply),
        Some(RestCause::Asked),
        "what a provider asks for does not hang on settings"
    );
}
