use std::collections::BTreeMap;

use settings::{Document, Settings};
use vocabulary::{AskPurpose, ModelChoice, Moment, Span};

use super::{AskedModel, ModelRests};
use crate::reasons::RestCause;

const START: Moment = Moment(0);

fn chosen(model: &str, purpose: AskPurpose) -> AskedModel {
    let choice = ModelChoice {
        provider: "openai".to_owned(),
        model: model.to_owned(),
    };
    AskedModel::of(&choice, purpose)
}

fn choice(model: &str) -> AskedModel {
    chosen(model, AskPurpose::TextReply)
}

fn minutes(minutes: u64) -> Moment {
    START + Span::minutes(minutes)
}

fn asks(rests: &mut ModelRests, model: &AskedModel, asked_for: Span, at: Moment) -> Option<Span> {
    let asked = (model, RestCause::Asked);
    let rest = rests.failed(asked, Some(asked_for), (at, true), at);
    rest.map(|(_, rest)| rest)
}

fn begun(rests: &mut ModelRests, asked_for: Span, at: Moment) -> Option<Span> {
    asks(rests, &choice("small"), asked_for, at)
}

/// Until when whoever calls waits for a model, and until when others do.
fn until(rests: &ModelRests, model: &AskedModel, now: Moment) -> [Option<Moment>; 2] {
    [true, false].map(|is_called| {
        let found = rests.of(model, is_called, now);
        found.map(|(until, _)| until)
    })
}

fn rests_at(rests: &ModelRests, model: &AskedModel, now: Moment) -> bool {
    until(rests, model, now)[0].is_some()
}

#[test]
fn it_is_left_alone_for_as_long_as_it_asks() {
    let mut rests = ModelRests::default();
    let small = choice("small");
    assert_eq!(begun(&mut rests, Span::minutes(4), START), Some(Span::minutes(4)));
    assert_eq!(until(&rests, &small, minutes(1)), [Some(minutes(4)); 2]);
    assert_eq!(until(&rests, &small, minutes(4)), [None; 2]);
    assert_eq!(until(&rests, &choice("large"), minutes(1)), [None; 2]);
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
fn each_reason_has_a_number_of_failures_from_which_on_and_pauses_of_its_own() {
    let pauses = |cause| {
        let mut rests = ModelRests::default();
        let (model, mut now) = (choice("small"), START);
        let mut pauses = Vec::new();
        for _ in 0..9 {
            let rest = rests.failed((&model, cause), None, (now, true), now);
            let called = until(&rests, &model, now)[0].map_or(0, |until| until.since(now).0 / 1_000);
            pauses.push((rest.map_or(0, |(_, rest)| rest.0 / 60_000), called));
            now = now + rest.map_or(Span::seconds(1), |(_, rest)| rest);
        }
        pauses
    };
    let now = (0, 0);
    let usual = [(5, 300), (10, 600), (20, 1_200), (40, 2_400), (60, 3_600)];
    assert_eq!(pauses(RestCause::Spent)[..5], usual);
    assert_eq!(pauses(RestCause::Mute)[..5], usual);
    assert_eq!(pauses(RestCause::Empty)[..5], [now, now, now, usual[0], usual[1]]);
    let sooner = [(5, 75), (10, 150), (20, 300)];
    for cause in [RestCause::Key, RestCause::Region, RestCause::Gone] {
        assert_eq!(pauses(cause)[..4], [&[now][..], &sooner].concat(), "{cause:?}");
    }
    let rejected = [&[now, now][..], &sooner].concat();
    assert_eq!(pauses(RestCause::Rejected)[..5], rejected);
    let too_long = [&[now, now, now][..], &sooner].concat();
    assert_eq!(pauses(RestCause::TooLong)[..6], too_long);
    let short = [1, 2, 4, 8, 16, 16, 16];
    for (cause, called_after) in [
        (RestCause::Down, 15),
        (RestCause::Garbled, 15),
        (RestCause::Limited, 60),
    ] {
        let short = short.map(|minutes| (minutes, minutes * called_after));
        assert_eq!(pauses(cause), [&[now, now][..], &short].concat(), "{cause:?}");
    }
    // Pauses are told in whole minutes here: the first of them is shorter.
    let back_soon = [now, now, (0, 10), (1, 15), (1, 15), (1, 15)];
    assert_eq!(pauses(RestCause::Unreachable)[..6], back_soon);
    let hanging = [now, now, (1, 15), (2, 30), (4, 60), (8, 120), (8, 120)];
    assert_eq!(pauses(RestCause::Hanging)[..7], hanging);
}

#[test]
fn no_rest_begins_while_somebody_asks_again_and_an_answer_is_the_end_of_it() {
    let mut rests = ModelRests::default();
    let (small, down) = (choice("small"), RestCause::Down);
    for _ in 0..5 {
        assert_eq!(rests.failed((&small, down), None, (START, false), START), None);
    }
    assert!(!rests_at(&rests, &small, START));
    rests.answered(&small, START);
    assert_eq!(rests.failed((&small, down), None, (START, true), START), None);
}

#[test]
fn while_one_question_tries_it_others_wait_for_what_comes_of_it() {
    let mut rests = ModelRests::default();
    let small = choice("small");
    begun(&mut rests, Span::hours(2), START);
    let now = minutes(5);
    assert_eq!(until(&rests, &small, now), [None; 2]);
    rests.tried(&small, now);
    assert_eq!(
        until(&rests, &small, now),
        [None, Some(minutes(6))],
        "whoever calls does not wait"
    );
    rests.tried_in_vain(&small, now);
    assert_eq!(until(&rests, &small, now), [None; 2], "the next one tries");
}

#[test]
fn what_was_under_way_when_it_asked_neither_ends_a_rest_nor_makes_it_longer() {
    let mut rests = ModelRests::default();
    let small = choice("small");
    let asked = (&small, RestCause::Asked);
    let long = Some(Span::hours(2));
    rests.failed(asked, long, (START, true), minutes(1));
    rests.answered(&small, START);
    rests.tried_in_vain(&small, START);
    assert_eq!(until(&rests, &small, minutes(1)), [Some(minutes(6)); 2]);
    let again = rests.failed(asked, long, (START, true), minutes(1));
    assert_eq!(again, Some((Span::hours(2), Span::minutes(5))));
}

#[test]
fn a_start_lets_whoever_calls_try_it_once_in_ten_minutes_and_a_look_lets_everybody() {
    let mut rests = ModelRests::default();
    let small = choice("small");
    let spent = |rests: &mut ModelRests, at| {
        rests.failed((&small, RestCause::Spent), Some(Span::hours(1)), (at, true), at);
    };
    spent(&mut rests, START);
    rests.started(minutes(1));
    assert_eq!(until(&rests, &small, minutes(1)), [None, Some(minutes(5))]);
    spent(&mut rests, minutes(1));
    rests.started(minutes(2));
    assert_eq!(
        until(&rests, &small, minutes(2)),
        [Some(minutes(11)); 2],
        "it crashes"
    );
    assert_eq!(rests.lift(minutes(2)), 1);
    assert_eq!(until(&rests, &small, minutes(2)), [None; 2]);
    spent(&mut rests, minutes(2));
    rests.started(minutes(11));
    assert_eq!(until(&rests, &small, minutes(11)), [None, Some(minutes(22))]);

    let key = choice("large");
    for at in [0, 1, 2] {
        rests.failed((&key, RestCause::Key), None, (minutes(at), true), minutes(at));
        rests.started(minutes(at));
        assert!(!rests_at(&rests, &key, minutes(at)), "it may be another key");
    }
}

#[test]
fn the_small_default_of_a_provider_rests_without_its_main_one_and_a_named_model_for_every_purpose() {
    let mut rests = ModelRests::default();
    let notes = chosen("", AskPurpose::ScreenNote);
    asks(&mut rests, &notes, Span::hours(2), START);
    let at = minutes(1);
    assert!(rests_at(&rests, &notes, at));
    assert!(rests_at(&rests, &chosen("", AskPurpose::GemExtraction), at));
    assert!(!rests_at(&rests, &chosen("", AskPurpose::TextReply), at));
    rests.answered(&chosen("", AskPurpose::TextReply), at);
    assert!(rests_at(&rests, &notes, at));
    let named = chosen("gpt-6-luna", AskPurpose::ScreenNote);
    asks(&mut rests, &named, Span::hours(2), START);
    assert!(rests_at(&rests, &chosen("gpt-6-luna", AskPurpose::TextReply), at));
}

#[test]
fn one_failure_serves_all_that_it_tells_of() {
    let of = |provider: &str, model: &str, purpose| {
        let choice = ModelChoice {
            provider: provider.to_owned(),
            model: model.to_owned(),
        };
        AskedModel::of(&choice, purpose)
    };
    let failed = of("openai", "large", AskPurpose::TextReply);
    let others = [
        of("openai", "large", AskPurpose::GemExtraction),
        of("openai", "small", AskPurpose::GemExtraction),
        of("openai", "small", AskPurpose::TextReplyFollowup),
        of("gemini", "large", AskPurpose::TextReply),
    ];
    // The same model for something else, another of the provider for memory and for a reply, and another provider's.
    let table = [
        (RestCause::Key, [true, true, true, false]),
        (RestCause::Region, [true, true, true, false]),
        (RestCause::Unreachable, [true, true, true, false]),
        (RestCause::Spent, [true, true, false, false]),
        (RestCause::Asked, [true, false, false, false]),
        (RestCause::Limited, [true, false, false, false]),
        (RestCause::Gone, [true, false, false, false]),
        (RestCause::Down, [true, false, false, false]),
        (RestCause::Garbled, [true, false, false, false]),
        (RestCause::Hanging, [true, false, false, false]),
        (RestCause::Rejected, [false; 4]),
        (RestCause::TooLong, [false; 4]),
        (RestCause::Mute, [false; 4]),
        (RestCause::Empty, [false; 4]),
    ];
    assert_eq!(table.len(), RestCause::ALL.len());
    for (cause, expected) in table {
        let mut rests = ModelRests::default();
        for _ in 0..4 {
            rests.failed((&failed, cause), None, (START, true), START);
        }
        assert!(rests_at(&rests, &failed, START), "{cause:?}");
        let rest = others.each_ref().map(|other| rests_at(&rests, other, START));
        assert_eq!(rest, expected, "{cause:?}");
        rests.answered(&others[1], START);
        let of_account = matches!(cause, RestCause::Key | RestCause::Region | RestCause::Unreachable);
        let still = rests_at(&rests, &failed, START);
        assert_eq!(still, !of_account, "another model has answered: {cause:?}");
    }
}

#[test]
fn a_key_that_is_accepted_with_the_list_of_models_ends_what_it_was_left_alone_for_and_nothing_else() {
    let mut rests = ModelRests::default();
    let small = choice("small");
    for cause in [RestCause::Key, RestCause::Key, RestCause::Spent] {
        rests.failed((&small, cause), None, (START, true), START);
    }
    assert_eq!(rests.refused_keys().collect::<Vec<_>>(), ["openai"]);
    assert_eq!(rests.key_accepted("gemini"), 0);
    assert_eq!(rests.key_accepted("openai"), 1);
    assert_eq!(rests.resting(START).count(), 1);
    assert_eq!(rests.refused_keys().count(), 0);
}

#[test]
fn a_default_that_rests_serves_the_purposes_of_its_role_and_one_that_is_not_in_use_none() {
    let document = Document::from_json(r#"{"llm": {"provider": "openai"}, "voice": {"enabled": false}}"#);
    let settings = Settings::read(&document.expect("a document")).expect("good settings");
    let serves = |model: AskedModel| {
        let mut rests = ModelRests::default();
        asks(&mut rests, &model, Span::hours(2), START);
        let rest = rests.resting(START).next().expect("it rests");
        rest.serves(&settings, &BTreeMap::new())
    };
    let small = serves(chosen("", AskPurpose::GemExtraction));
    assert!(
        small.contains(&AskPurpose::GemExtraction) && small.contains(&AskPurpose::ContextCompaction),
        "{small:?}"
    );
    assert!(!small.contains(&AskPurpose::TextReply), "{small:?}");
    let main = serves(chosen("", AskPurpose::TextReply));
    assert!(
        main.contains(&AskPurpose::TextReply) && !main.contains(&AskPurpose::GemExtraction),
        "{main:?}"
    );
    assert_eq!(serves(chosen("named", AskPurpose::TextReply)), []);
}

#[test]
fn a_model_that_says_nothing_for_one_purpose_is_asked_for_others_and_at_once_after_a_change() {
    let mut rests = ModelRests::default();
    let large = choice("large").choice;
    let of = |rests: &ModelRests, purpose| {
        let model = AskedModel::of(&large, purpose);
        rests.of(&model, false, minutes(1)).map(|(_, cause)| cause)
    };
    let fails = |rests: &mut ModelRests, purpose, cause| {
        let model = AskedModel::of(&large, purpose);
        rests.failed((&model, cause), None, (START, true), START);
    };
    fails(&mut rests, AskPurpose::ScreenNote, RestCause::Mute);
    assert_eq!(of(&rests, AskPurpose::ScreenNote), Some(RestCause::Mute));
    assert_eq!(of(&rests, AskPurpose::TextReply), None);
    rests.settings_changed(START);
    assert_eq!(of(&rests, AskPurpose::ScreenNote), None);

    fails(&mut rests, AskPurpose::ScreenNote, RestCause::Spent);
    assert_eq!(of(&rests, AskPurpose::TextReply), Some(RestCause::Spent));
    rests.settings_changed(START);
    assert_eq!(of(&rests, AskPurpose::TextReply), None);
    fails(&mut rests, AskPurpose::ScreenNote, RestCause::Asked);
    rests.settings_changed(START);
    assert_eq!(
        of(&rests, AskPurpose::TextReply),
        Some(RestCause::Asked),
        "what a provider asks for does not hang on settings"
    );
}

#[test]
fn failures_that_began_no_pause_do_not_widen_the_first() {
    let mut rests = ModelRests::default();
    let (small, down) = (choice("small"), RestCause::Down);
    for second in 0..10 {
        let at = START + Span::seconds(second);
        assert_eq!(rests.failed((&small, down), None, (at, false), at), None);
    }
    let mut over = |at: Moment, launched: Moment| rests.failed((&small, down), None, (launched, true), at);
    let first = over(minutes(1), minutes(1)).map(|(_, pause)| pause);
    assert_eq!(first, Some(Span::minutes(1)));
    let together = over(minutes(1), START).map(|(_, pause)| pause);
    assert_eq!(together, first, "it was under way with the one before");
    let second = over(minutes(2), minutes(2)).map(|(_, pause)| pause);
    assert_eq!(second, Some(Span::minutes(2)));
}

#[test]
fn a_short_wait_holds_for_all_that_is_asked_of_a_model_and_is_no_rest() {
    let mut rests = ModelRests::default();
    let small = choice("small");
    let wait = Span::seconds(20);
    rests.waits_shortly((&small, RestCause::Limited), wait, START);
    rests.waits_shortly((&small, RestCause::Limited), Span::seconds(5), START);
    let until = |rests: &ModelRests, model: &AskedModel, now| {
        let found = rests.short_wait(model, now);
        found.map(|(until, _)| until)
    };
    let ends = START + wait;
    let memory = chosen("small", AskPurpose::GemExtraction);
    assert_eq!(until(&rests, &small, START), Some(ends));
    assert_eq!(until(&rests, &memory, START), Some(ends));
    assert_eq!(until(&rests, &choice("large"), START), None);
    assert_eq!(until(&rests, &small, ends), None);
    assert!(!rests_at(&rests, &small, START));
    assert_eq!(rests.resting(START).count(), 0);
    rests.answered(&small, START);
    assert_eq!(until(&rests, &small, START), None);
}
