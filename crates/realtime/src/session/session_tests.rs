use std::sync::Arc;

use vocabulary::{Moment, Span};

use super::*;
use crate::event::{ResponseOutcome, Usage};
use crate::wire::{Dialect, Part, Reading};

pub(super) fn brief(dialect: Dialect) -> SessionBrief {
    SessionBrief {
        dialect,
        part: match dialect {
            Dialect::OpenAi | Dialect::Xai => Part::Both,
            Dialect::ElevenLabsEars => Part::Ears,
            _ => Part::Mouth,
        },
        model: "model".to_owned(),
        transcription_model: "ears".to_owned(),
        voice: "voice".to_owned(),
        language: "en".to_owned(),
        hints: vec!["Denizen".to_owned()],
    }
}

/// A session that is up, and the number of its connection.
fn up(dialect: Dialect) -> (Session, u64) {
    let mut session = Session::new(brief(dialect));
    let opened = session.step(Moment(0), Input::Warm);
    assert_eq!(opened, [Output::Open { generation: 1 }]);
    set_up(&mut session, Moment(10), 1);
    (session, 1)
}

fn set_up(session: &mut Session, now: Moment, generation: u64) -> Vec<Output> {
    let mut out = session.step(now, Input::Opened { generation });
    out.extend(told(session, now, generation, ServiceEvent::Greeted));
    out.extend(told(session, now, generation, ServiceEvent::Ready));
    out
}

fn told(session: &mut Session, now: Moment, generation: u64, event: ServiceEvent) -> Vec<Output> {
    let reading = Reading {
        id: None,
        events: vec![event],
    };
    session.step(now, Input::Told { generation, reading })
}

fn say(session: &mut Session, now: Moment, number: u64) -> Vec<Output> {
    let text = format!("This is text {number}.");
    session.step(now, Input::Say { number, text })
}

fn began(number: u64) -> ServiceEvent {
    ServiceEvent::Began {
        response: format!("r{number}"),
        number: Some(number),
    }
}

fn sound(number: u64) -> ServiceEvent {
    ServiceEvent::Sound {
        response: Some(format!("r{number}")),
        samples: vec![1; 240],
        marks: Vec::new(),
    }
}

fn ended(number: u64) -> ServiceEvent {
    ServiceEvent::Ended {
        response: Some(format!("r{number}")),
        outcome: ResponseOutcome::Whole,
        usage: Usage::default(),
    }
}

fn lost() -> ServiceFault {
    ServiceFault::new(FaultKind::Passing, "the connection was lost")
}

fn ends_of(outputs: &[Output]) -> Vec<(u64, bool)> {
    outputs
        .iter()
        .filter_map(|output| match output {
            Output::Said { number, result } => Some((*number, result.is_ok())),
            Output::Heard { clip, result } => Some((*clip, result.is_ok())),
            _ => None,
        })
        .collect()
}

fn utters(outputs: &[Output]) -> Vec<u64> {
    outputs
        .iter()
        .filter_map(|output| match output {
            Output::Send(Command::Utter { number, .. }) => Some(*number),
            _ => None,
        })
        .collect()
}

#[test]
fn a_text_is_said_once_and_the_next_waits_for_it() {
    let (mut session, generation) = up(Dialect::OpenAi);
    let now = Moment(100);
    assert_eq!(utters(&say(&mut session, now, 1)), [1]);
    assert_eq!(utters(&say(&mut session, now, 2)), [0_u64; 0]);
    told(&mut session, now, generation, began(1));
    let sounded = told(&mut session, now, generation, sound(1));
    assert!(matches!(sounded[..], [Output::Sound { number: 1, .. }]));
    let over = told(&mut session, now, generation, ended(1));
    assert_eq!(ends_of(&over), [(1, true)]);
    assert_eq!(utters(&over), [2]);
    assert_eq!(ends_of(&told(&mut session, now, generation, ended(1))), []);
}

#[test]
fn late_sound_of_a_text_that_was_stopped_is_thrown_away() {
    let (mut session, generation) = up(Dialect::OpenAi);
    let now = Moment(100);
    say(&mut session, now, 1);
    told(&mut session, now, generation, began(1));
    told(&mut session, now, generation, sound(1));
    let stopped = session.step(now, Input::Unsay { number: 1 });
    let cancel = Command::Cancel {
        number: 1,
        response: Some("r1".to_owned()),
    };
    assert_eq!(stopped, [Output::Send(cancel)]);
    assert_eq!(told(&mut session, now, generation, sound(1)), []);
    assert_eq!(utters(&say(&mut session, now, 2)), [2]);
    assert_eq!(told(&mut session, now, generation, sound(1)), []);
    told(&mut session, now, generation, began(2));
    assert_eq!(told(&mut session, now, generation, ended(1)), []);
    assert!(matches!(
        told(&mut session, now, generation, sound(2))[..],
        [Output::Sound { number: 2, .. }]
    ));
}

#[test]
fn a_text_that_is_stopped_before_it_begins_is_cancelled_when_it_does() {
    let (mut session, generation) = up(Dialect::OpenAi);
    let now = Moment(100);
    say(&mut session, now, 1);
    session.step(now, Input::Unsay { number: 1 });
    let begun = told(&mut session, now, generation, began(1));
    let cancel = Command::Cancel {
        number: 1,
        response: Some("r1".to_owned()),
    };
    assert_eq!(begun, [Output::Send(cancel)]);
}

#[test]
fn without_names_what_comes_is_of_what_was_asked_first() {
    let (mut session, generation) = up(Dialect::Gemini);
    let now = Moment(100);
    let nameless = || ServiceEvent::Sound {
        response: None,
        samples: vec![1; 240],
        marks: Vec::new(),
    };
    let over = || ServiceEvent::Ended {
        response: None,
        outcome: ResponseOutcome::Whole,
        usage: Usage::default(),
    };
    say(&mut session, now, 1);
    told(&mut session, now, generation, nameless());
    session.step(now, Input::Unsay { number: 1 });
    assert_eq!(utters(&say(&mut session, now, 2)), [2]);
    assert_eq!(
        told(&mut session, now, generation, nameless()),
        [],
        "it is still of the first"
    );
    told(&mut session, now, generation, over());
    assert!(matches!(
        told(&mut session, now, generation, nameless())[..],
        [Output::Sound { number: 2, .. }]
    ));
    assert_eq!(ends_of(&told(&mut session, now, generation, over())), [(2, true)]);
}

#[test]
fn words_whose_end_nobody_tells_are_had_once_no_more_of_them_come() {
    let (mut session, generation) = up(Dialect::Gemini);
    let partial = |text: &str| ServiceEvent::Partial {
        item: None,
        text: text.to_owned(),
        whole: false,
    };
    let heard = |out: &[Output]| -> Vec<(u64, Result<String, String>)> {
        let heard = out.iter().filter_map(|output| match output {
            Output::Heard { clip, result } => {
                let words = result.as_ref().map(|(words, _)| words.clone());
                Some((*clip, words.map_err(|lost| lost.fault.detail.clone())))
            }
            _ => None,
        });
        heard.collect()
    };
    let samples: Arc<[i16]> = vec![1; 1_600].into();
    session.step(
        Moment(100),
        Input::Hear {
            clip: 1,
            samples: samples.clone(),
        },
    );
    told(&mut session, Moment(500), generation, partial("Good "));
    told(&mut session, Moment(700), generation, partial("morning."));
    assert_eq!(session.wakes_at(), Some(Moment(2_200)));
    assert_eq!(heard(&session.step(Moment(2_100), Input::Tick)), []);
    let settled = session.step(Moment(2_200), Input::Tick);
    assert_eq!(heard(&settled), [(1, Ok("Good morning.".to_owned()))]);
    // Its end may come all the same, and is not that of the next.
    let hear = Input::Hear {
        clip: 2,
        samples: samples.clone(),
    };
    let sent = session.step(Moment(2_300), hear);
    let is_commit = |output: &&Output| matches!(output, Output::Send(Command::Commit));
    assert_eq!(
        sent.iter().filter(is_commit).count(),
        1,
        "nobody waits for that end"
    );
    let end = || ServiceEvent::Transcript {
        item: None,
        text: None,
        usage: Usage::default(),
    };
    assert_eq!(heard(&told(&mut session, Moment(2_400), generation, end())), []);
    told(&mut session, Moment(2_500), generation, partial("And you?"));
    let second = told(&mut session, Moment(2_600), generation, end());
    assert_eq!(heard(&second), [(2, Ok("And you?".to_owned()))]);
    // Or it never comes, and the next one has its own.
    session.step(
        Moment(3_000),
        Input::Hear {
            clip: 3,
            samples: samples.clone(),
        },
    );
    told(&mut session, Moment(3_200), generation, partial("So."));
    let third = session.step(Moment(4_700), Input::Tick);
    assert_eq!(heard(&third), [(3, Ok("So.".to_owned()))]);
    session.step(Moment(5_000), Input::Hear { clip: 4, samples });
    told(&mut session, Moment(5_200), generation, partial("Well?"));
    let fourth = told(&mut session, Moment(5_300), generation, end());
    assert_eq!(heard(&fourth), [(4, Ok("Well?".to_owned()))]);
    assert!(session.is_idle());
}

#[test]
fn a_clip_without_words_does_not_wait_for_an_end_that_was_taken_for_that_of_another() {
    let (mut session, generation) = up(Dialect::Gemini);
    let hear = |clip: u64| Input::Hear {
        clip,
        samples: vec![1; 1_600].into(),
    };
    let words = |text: &str| ServiceEvent::Partial {
        item: None,
        text: text.to_owned(),
        whole: false,
    };
    let end = || ServiceEvent::Transcript {
        item: None,
        text: None,
        usage: Usage::default(),
    };
    let heard = |out: &[Output]| -> Vec<(u64, Option<String>)> {
        let heard = out.iter().filter_map(|output| match output {
            Output::Heard { clip, result } => {
                Some((*clip, result.as_ref().ok().map(|(words, _)| words.clone())))
            }
            _ => None,
        });
        heard.collect()
    };
    // The first has words and no end; the second is a cough, and the end is its own.
    session.step(Moment(100), hear(1));
    told(&mut session, Moment(500), generation, words("Good morning."));
    session.step(Moment(2_000), Input::Tick);
    session.step(Moment(2_100), hear(2));
    assert_eq!(heard(&told(&mut session, Moment(2_400), generation, end())), []);
    assert_eq!(session.wakes_at(), Some(Moment(5_400)));
    let cough = session.step(Moment(5_400), Input::Tick);
    assert_eq!(heard(&cough), [(2, Some(String::new()))]);
    // Where that end was of the one before after all, words that come late are had.
    session.step(Moment(6_000), hear(3));
    told(&mut session, Moment(6_200), generation, words("So."));
    session.step(Moment(7_700), Input::Tick);
    session.step(Moment(8_000), hear(4));
    told(&mut session, Moment(8_100), generation, end());
    told(&mut session, Moment(10_900), generation, words("And you?"));
    let last = told(&mut session, Moment(11_000), generation, end());
    assert_eq!(heard(&last), [(4, Some("And you?".to_owned()))]);
    assert!(session.is_idle());
}

#[test]
fn what_was_taken_before_the_end_is_on_the_bill_of_the_text() {
    let (mut session, generation) = up(Dialect::Gemini);
    let now = Moment(100);
    let used = |sound_out: u64| Usage {
        sound_out,
        ..Usage::default()
    };
    say(&mut session, now, 1);
    let sounded = ServiceEvent::Sound {
        response: None,
        samples: vec![1; 240],
        marks: Vec::new(),
    };
    told(&mut session, now, generation, sounded);
    told(
        &mut session,
        now,
        generation,
        ServiceEvent::Spent { usage: used(30) },
    );
    let end = ServiceEvent::Ended {
        response: None,
        outcome: ResponseOutcome::Whole,
        usage: used(12),
    };
    let over = told(&mut session, now, generation, end);
    let said = Output::Said {
        number: 1,
        result: Ok(used(42)),
    };
    assert!(over.contains(&said), "{over:?}");
}

#[test]
fn what_was_heard_of_is_not_said_again_after_a_reconnect_and_what_was_not_is() {
    let (mut session, generation) = up(Dialect::OpenAi);
    let now = Moment(100);
    say(&mut session, now, 1);
    told(&mut session, now, generation, began(1));
    told(&mut session, now, generation, sound(1));
    say(&mut session, now, 2);
    let broken = session.step(
        now,
        Input::Gone {
            generation,
            fault: lost(),
        },
    );
    assert_eq!(ends_of(&broken), [(1, false)], "it was heard in part");
    assert!(broken.contains(&Output::Open { generation: 3 }), "{broken:?}");
    let again = set_up(&mut session, now, 3);
    assert_eq!(utters(&again), [2]);
    assert_eq!(
        told(&mut session, now, generation, sound(1)),
        [],
        "of the old connection"
    );
}

#[test]
fn a_clip_is_sent_again_after_a_reconnect_and_its_words_come_once() {
    let (mut session, generation) = up(Dialect::OpenAi);
    let samples: Arc<[i16]> = vec![0; 24_000].into();
    let hear = |session: &mut Session, clip| {
        let samples = samples.clone();
        session.step(Moment(100), Input::Hear { clip, samples })
    };
    let sent = hear(&mut session, 7);
    assert_eq!(sent.last(), Some(&Output::Send(Command::Commit)));
    assert_eq!(sent.len(), 6, "five pieces of 200 ms and the commit");
    let broken = session.step(
        Moment(200),
        Input::Gone {
            generation,
            fault: lost(),
        },
    );
    assert_eq!(ends_of(&broken), []);
    let again = set_up(&mut session, Moment(300), 3);
    assert!(again.contains(&Output::Send(Command::Commit)));
    let committed = ServiceEvent::Committed {
        item: "i1".to_owned(),
    };
    told(&mut session, Moment(310), 3, committed);
    let words = || ServiceEvent::Transcript {
        item: Some("i1".to_owned()),
        text: Some("Hello there.".to_owned()),
        usage: Usage::default(),
    };
    let heard = told(&mut session, Moment(320), 3, words());
    assert_eq!(ends_of(&heard), [(7, true)]);
    let forget = Command::Forget {
        item: "i1".to_owned(),
    };
    assert!(
        heard.contains(&Output::Send(forget)),
        "it need not keep it: {heard:?}"
    );
    assert_eq!(ends_of(&told(&mut session, Moment(330), 3, words())), []);
}

#[test]
fn transcripts_out_of_order_find_their_clips() {
    let (mut session, generation) = up(Dialect::OpenAi);
    for clip in [1, 2] {
        let samples: Arc<[i16]> = vec![0; 24_000].into();
        session.step(Moment(100), Input::Hear { clip, samples });
        let item = format!("i{clip}");
        told(
            &mut session,
            Moment(100),
            generation,
            ServiceEvent::Committed { item },
        );
    }
    let mut heard = Vec::new();
    for item in ["i2", "i1"] {
        let words = ServiceEvent::Transcript {
            item: Some(item.to_owned()),
            text: Some(item.to_owned()),
            usage: Usage::default(),
        };
        for output in told(&mut session, Moment(100), generation, words) {
            if let Output::Heard { clip, result } = output {
                heard.push((clip, result.expect("words").0));
            }
        }
    }
    assert_eq!(heard, [(2, "i2".to_owned()), (1, "i1".to_owned())]);
}

#[test]
fn a_key_that_is_refused_ends_everything_at_once_and_is_not_tried_again_soon() {
    let mut session = Session::new(brief(Dialect::OpenAi));
    say(&mut session, Moment(0), 1);
    let fault = ServiceFault::new(FaultKind::Key, "the key is refused");
    let refused = session.step(Moment(10), Input::Gone { generation: 1, fault });
    assert_eq!(ends_of(&refused), [(1, false)]);
    assert!(matches!(
        refused.last(),
        Some(Output::Standing { works: false, .. })
    ));
    let later = say(&mut session, Moment(5_000), 2);
    assert_eq!(
        ends_of(&later),
        [(2, false)],
        "at once, so that somebody else can say it"
    );
    let much_later = say(&mut session, Moment(61_000), 3);
    assert!(matches!(much_later[..], [Output::Open { .. }]), "{much_later:?}");
}

#[test]
fn one_that_falls_silent_is_given_up_and_connected_anew() {
    let (mut session, generation) = up(Dialect::OpenAi);
    say(&mut session, Moment(100), 1);
    say(&mut session, Moment(100), 2);
    told(&mut session, Moment(100), generation, began(1));
    assert!(session.wakes_at().is_some_and(|at| at <= Moment(6_200)));
    let late = session.step(Moment(6_200), Input::Tick);
    assert_eq!(ends_of(&late), [(1, false)]);
    assert!(late.contains(&Output::Close { generation }));
    assert!(late.iter().any(|output| matches!(output, Output::Open { .. })));
}

#[test]
fn a_connection_is_changed_before_its_hour_is_over_and_between_two_texts() {
    let (mut session, generation) = up(Dialect::OpenAi);
    let hour = Moment(55 * 60_000 + 20_000);
    // Somebody is answered once a minute.
    for minute in 1..56 {
        let (now, number) = (Moment(minute * 60_000 - 1_000), 100 + minute);
        assert_eq!(utters(&say(&mut session, now, number)), [number]);
        told(&mut session, now, generation, began(number));
        told(&mut session, now, generation, sound(number));
        told(&mut session, now, generation, ended(number));
    }
    say(&mut session, Moment(55 * 60_000 - 10), 1);
    told(&mut session, Moment(55 * 60_000 - 5), generation, began(1));
    told(&mut session, Moment(55 * 60_000 + 3_000), generation, sound(1));
    let hour = Moment(hour.0 - 15_000);
    assert_eq!(session.step(hour, Input::Tick), [], "it finishes first");
    say(&mut session, hour, 2);
    let over = told(&mut session, hour, generation, ended(1));
    assert_eq!(ends_of(&over), [(1, true)]);
    assert!(over.contains(&Output::Close { generation }), "{over:?}");
    let opened = over.iter().find_map(|output| match output {
        Output::Open { generation } => Some(*generation),
        _ => None,
    });
    let again = set_up(&mut session, hour, opened.expect("another"));
    assert_eq!(utters(&again), [2]);
}

#[test]
fn a_session_that_goes_away_is_taken_up_by_its_handle() {
    let (mut session, generation) = up(Dialect::Gemini);
    let handle = Some("h1".to_owned());
    told(
        &mut session,
        Moment(20),
        generation,
        ServiceEvent::Resumable {
            handle: handle.clone(),
        },
    );
    let left = Span::seconds(5);
    let going = told(
        &mut session,
        Moment(30),
        generation,
        ServiceEvent::GoingAway { left },
    );
    assert_eq!(going, [Output::Close { generation }]);
    let opened = say(&mut session, Moment(40), 1);
    let Some(Output::Open { generation }) = opened.last().cloned() else {
        panic!("{opened:?}");
    };
    let told = session.step(Moment(50), Input::Opened { generation });
    assert_eq!(told, [Output::Send(Command::SetUp { resume: handle })]);
    let refused = session.step(
        Moment(60),
        Input::Gone {
            generation,
            fault: lost(),
        },
    );
    let Some(Output::Open { generation }) = refused.last().cloned() else {
        panic!("{refused:?}");
    };
    let told = session.step(Moment(70), Input::Opened { generation });
    assert_eq!(
        told,
        [Output::Send(Command::SetUp { resume: None })],
        "it is begun anew"
    );
}

#[test]
fn whoever_is_not_used_is_let_go_and_comes_back() {
    let (mut session, generation) = up(Dialect::OpenAi);
    let quiet = session.step(Moment(91_000), Input::Tick);
    assert_eq!(quiet, [Output::Close { generation }]);
    let hung_up = Input::Gone {
        generation,
        fault: lost(),
    };
    assert_eq!(session.step(Moment(91_001), hung_up), []);
    assert!(matches!(
        say(&mut session, Moment(95_000), 1)[..],
        [Output::Open { .. }]
    ));
}

#[test]
fn frames_that_come_twice_count_once() {
    let (mut session, generation) = up(Dialect::OpenAi);
    let now = Moment(100);
    say(&mut session, now, 1);
    told(&mut session, now, generation, began(1));
    let twice = Reading {
        id: Some("event_9".to_owned()),
        events: vec![sound(1)],
    };
    let input = Input::Told {
        generation,
        reading: twice,
    };
    assert_eq!(session.step(now, input.clone()).len(), 1);
    assert_eq!(session.step(now, input), []);
}

#[test]
fn a_service_that_says_far_more_than_it_was_given_is_stopped() {
    let (mut session, generation) = up(Dialect::OpenAi);
    let now = Moment(100);
    say(&mut session, now, 1);
    told(&mut session, now, generation, began(1));
    let mut outputs = Vec::new();
    for _ in 0..40 {
        let long = ServiceEvent::Sound {
            response: Some("r1".to_owned()),
            samples: vec![1; 24_000],
            marks: Vec::new(),
        };
        outputs.extend(told(&mut session, now, generation, long));
    }
    assert_eq!(ends_of(&outputs), [(1, false)]);
    assert!(outputs.contains(&Output::Departed { number: 1 }));
}
