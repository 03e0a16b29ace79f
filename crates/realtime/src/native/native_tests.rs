use std::sync::Arc;

use vocabulary::{ToolCall, ToolSpec};

use super::*;
use crate::command::{AnswerPrompt, Held, HistoryLine};
use crate::event::{ResponseOutcome, ServiceEvent, Usage};
use crate::wire::{Dialect, Part};

pub(super) fn brief(dialect: Dialect) -> SessionBrief {
    SessionBrief {
        dialect,
        part: Part::Mind,
        model: "model".to_owned(),
        transcription_model: "ears".to_owned(),
        voice: String::new(),
        language: "en".to_owned(),
        hints: Vec::new(),
    }
}

fn being(text: &str) -> Arc<NativeInstructions> {
    Arc::new(NativeInstructions {
        text: text.to_owned(),
        tools: vec![ToolSpec {
            name: "look_up".to_owned(),
            description: "Looks something up.".to_owned(),
            parameters: serde_json::json!({"type": "object"}),
        }],
    })
}

struct Scene {
    session: NativeSession,
    generation: u64,
    now: u64,
}

impl Scene {
    /// A conversation that is up.
    fn up(dialect: Dialect) -> Self {
        let mut scene = Self {
            session: NativeSession::new(brief(dialect)),
            generation: 1,
            now: 0,
        };
        let opened = scene.does(NativeInput::Instruct(being("Be kind.")));
        assert_eq!(opened, [NativeOutput::Open { generation: 1 }]);
        scene.set_up();
        scene
    }

    fn does(&mut self, input: NativeInput) -> Vec<NativeOutput> {
        let out = self.session.step(Moment(self.now), input);
        for output in &out {
            if let NativeOutput::Open { generation } = output {
                self.generation = *generation;
            }
        }
        out
    }

    fn set_up(&mut self) -> Vec<NativeOutput> {
        let generation = self.generation;
        let mut out = self.does(NativeInput::Opened { generation });
        out.extend(self.told(ServiceEvent::Greeted));
        out.extend(self.told(ServiceEvent::Ready));
        out
    }

    fn told(&mut self, event: ServiceEvent) -> Vec<NativeOutput> {
        let reading = Reading {
            id: None,
            events: vec![event],
        };
        let generation = self.generation;
        self.does(NativeInput::Told { generation, reading })
    }

    fn hears(&mut self, clip: u64, who: &str) -> Vec<NativeOutput> {
        self.does(NativeInput::Hear {
            clip,
            who: who.to_owned(),
            samples: vec![1; 8_000].into(),
            heard: Span(500),
        })
    }

    fn answer(&mut self, number: u64) -> Vec<NativeOutput> {
        let hint = String::new();
        self.does(NativeInput::Answer { number, hint })
    }

    /// It says something, under the name of the answer.
    fn speaks(&mut self, number: u64, samples: usize, words: &str) -> Vec<NativeOutput> {
        let response = self.named(number);
        let mut out = Vec::new();
        if let Some(response) = response.clone() {
            out.extend(self.told(ServiceEvent::Began {
                response: response.clone(),
                number: Some(number),
            }));
            out.extend(self.told(ServiceEvent::Voiced {
                response: Some(response),
                item: format!("i{number}"),
            }));
        }
        out.extend(self.told(ServiceEvent::Sound {
            response: response.clone(),
            samples: vec![1; samples],
            marks: Vec::new(),
        }));
        out.extend(self.told(ServiceEvent::Said {
            response,
            text: words.to_owned(),
        }));
        out
    }

    fn named(&self, number: u64) -> Option<String> {
        self.session.brief.truncates().then(|| format!("r{number}"))
    }

    fn ends(&mut self, number: u64, outcome: ResponseOutcome) -> Vec<NativeOutput> {
        let response = self.named(number);
        self.told(ServiceEvent::Ended {
            response,
            outcome,
            usage: Usage {
                text_in: 10,
                sound_out: 5,
                ..Usage::default()
            },
        })
    }
}

fn sent(outputs: &[NativeOutput]) -> Vec<&Command> {
    let commands = outputs.iter().filter_map(|output| match output {
        NativeOutput::Send(command) => Some(command),
        _ => None,
    });
    commands.collect()
}

fn answers(outputs: &[NativeOutput]) -> Vec<(u64, &AnswerPrompt)> {
    let asked = sent(outputs).into_iter().filter_map(|command| match command {
        Command::Answer { number, prompt } => Some((*number, prompt)),
        _ => None,
    });
    asked.collect()
}

fn overs(outputs: &[NativeOutput]) -> Vec<(u64, bool)> {
    let overs = outputs.iter().filter_map(|output| match output {
        NativeOutput::Over { number, result } => Some((*number, result.is_ok())),
        _ => None,
    });
    overs.collect()
}

fn lost() -> ServiceFault {
    ServiceFault::new(FaultKind::Passing, "the connection was lost")
}

#[test]
fn a_clip_goes_up_after_a_line_that_names_its_speaker_and_nothing_answers_it() {
    let mut scene = Scene::up(Dialect::OpenAi);
    let out = scene.hears(1, "Ada");
    let commands = sent(&out);
    assert!(
        matches!(commands[0], Command::Tell { text, .. } if text == "Ada says:"),
        "{commands:?}"
    );
    assert_eq!(commands.last(), Some(&&Command::Commit));
    assert!(answers(&out).is_empty());
    scene.told(ServiceEvent::Committed {
        item: "c1".to_owned(),
    });
    let heard = scene.told(ServiceEvent::Transcript {
        item: Some("c1".to_owned()),
        text: Some("Good morning.".to_owned()),
        usage: Usage::default(),
    });
    assert!(
        matches!(&heard[0], NativeOutput::Heard { clip: 1, result: Ok((words, _)) } if words == "Good morning.")
    );
    assert!(sent(&heard).is_empty(), "it is kept: {heard:?}");
}

#[test]
fn a_clip_in_which_nobody_said_anything_is_let_go_of_with_its_line() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.hears(1, "Ada");
    scene.told(ServiceEvent::Committed {
        item: "c1".to_owned(),
    });
    let heard = scene.told(ServiceEvent::Transcript {
        item: Some("c1".to_owned()),
        text: Some(" ".to_owned()),
        usage: Usage::default(),
    });
    assert_eq!(sent(&heard).len(), 2, "{heard:?}");
    assert!(
        sent(&heard)
            .iter()
            .all(|command| matches!(command, Command::Forget { .. }))
    );
}

#[test]
fn an_answer_is_sound_and_words_and_ends_once() {
    let mut scene = Scene::up(Dialect::OpenAi);
    assert_eq!(answers(&scene.answer(7)).len(), 1);
    let spoken = scene.speaks(7, 480, "Hello ");
    assert!(
        spoken
            .iter()
            .any(|output| matches!(output, NativeOutput::Sound { number: 7, .. }))
    );
    assert!(
        spoken
            .iter()
            .any(|output| matches!(output, NativeOutput::Words { number: 7, words } if words == "Hello "))
    );
    assert_eq!(overs(&scene.ends(7, ResponseOutcome::Whole)), [(7, true)]);
    assert_eq!(overs(&scene.ends(7, ResponseOutcome::Whole)), []);
    let late = scene.speaks(7, 480, "again");
    assert!(
        !late
            .iter()
            .any(|output| matches!(output, NativeOutput::Sound { .. })),
        "{late:?}"
    );
}

#[test]
fn whoever_speaks_over_it_has_it_cancelled_and_cut_to_what_was_heard() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.answer(7);
    scene.speaks(7, 24_000, "One two three four five six.");
    let out = scene.does(NativeInput::Stop { heard: Span(500) });
    let commands = sent(&out);
    assert!(matches!(commands[0], Command::Cancel { response: Some(response), .. } if response == "r7"));
    assert_eq!(
        commands[1],
        &Command::Truncate {
            item: "i7".to_owned(),
            heard: Span(500)
        }
    );
    let late = scene.speaks(7, 480, "seven");
    assert!(
        !late
            .iter()
            .any(|output| matches!(output, NativeOutput::Sound { .. })),
        "{late:?}"
    );
    // The next one waits until the service is done with this one, and what it cost is told.
    assert!(answers(&scene.answer(8)).is_empty());
    let over = scene.ends(7, ResponseOutcome::Cancelled);
    assert_eq!(overs(&over), [(7, true)]);
    assert_eq!(answers(&over).len(), 1);
    // What the service is told after another connection is what was heard.
    let generation = scene.generation;
    scene.does(NativeInput::Gone {
        generation,
        fault: lost(),
    });
    let again = scene.set_up();
    let history: Vec<_> = sent(&again)
        .into_iter()
        .find_map(|command| match command {
            Command::Begin { history, .. } => Some(history.clone()),
            _ => None,
        })
        .expect("it is begun");
    assert_eq!(
        history,
        [HistoryLine {
            is_own: true,
            text: "One two three".to_owned()
        }]
    );
}

#[test]
fn an_answer_that_ended_before_it_was_heard_is_cut_all_the_same() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.answer(7);
    scene.speaks(7, 48_000, "One two three four.");
    scene.ends(7, ResponseOutcome::Whole);
    let out = scene.does(NativeInput::Stop { heard: Span(1_000) });
    assert_eq!(
        sent(&out),
        [&Command::Truncate {
            item: "i7".to_owned(),
            heard: Span(1_000)
        }]
    );
    assert_eq!(overs(&out), []);
    let again = scene.does(NativeInput::Stop { heard: Span(100) });
    assert_eq!(again, [], "once");
}

#[test]
fn of_an_answer_of_which_nothing_was_heard_it_is_to_know_nothing() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.answer(7);
    scene.speaks(7, 48_000, "One two three four.");
    let out = scene.does(NativeInput::LetGo { number: 7 });
    assert!(
        sent(&out).contains(&&Command::Forget {
            item: "i7".to_owned()
        }),
        "{out:?}"
    );
}

#[test]
fn what_gemini_hears_is_held_until_an_answer_is_wanted_and_only_the_newest_is_sound() {
    let mut scene = Scene::up(Dialect::Gemini);
    assert!(sent(&scene.hears(1, "Ada")).is_empty());
    scene.does(NativeInput::Understood {
        clip: 1,
        words: Some("Good morning.".to_owned()),
    });
    scene.hears(2, "Bob");
    scene.does(NativeInput::Understood {
        clip: 2,
        words: Some("What time is it?".to_owned()),
    });
    let out = scene.answer(1);
    let [(1, prompt)] = answers(&out)[..] else {
        panic!("{out:?}");
    };
    assert_eq!(prompt.held[0], Held::Words("Ada: Good morning.".to_owned()));
    assert!(matches!(&prompt.held[1], Held::Clip { line, .. } if line == "Bob says:"));
    assert_eq!(prompt.held.len(), 2);
}

#[test]
fn gemini_is_told_in_words_how_much_of_it_was_heard_and_its_late_sound_is_nobodys() {
    let mut scene = Scene::up(Dialect::Gemini);
    scene.answer(1);
    scene.speaks(1, 24_000, "One two three four five six.");
    let stopped = scene.does(NativeInput::Stop { heard: Span(500) });
    assert!(
        !sent(&stopped)
            .iter()
            .any(|command| matches!(command, Command::Truncate { .. }))
    );
    let out = scene.answer(2);
    let [(2, prompt)] = answers(&out)[..] else {
        panic!("{out:?}");
    };
    assert!(
        matches!(&prompt.held[0], Held::Words(words) if words.contains("One two three")),
        "{prompt:?}"
    );
    // What still comes is of the answer before.
    let late = scene.speaks(2, 480, "seven");
    assert!(
        !late
            .iter()
            .any(|output| matches!(output, NativeOutput::Sound { .. })),
        "{late:?}"
    );
    scene.told(ServiceEvent::Interrupted);
    assert_eq!(overs(&scene.ends(1, ResponseOutcome::Whole)), [(1, true)]);
    let own = scene.speaks(2, 480, "It is noon.");
    assert!(
        own.iter()
            .any(|output| matches!(output, NativeOutput::Sound { number: 2, .. })),
        "{own:?}"
    );
    assert_eq!(overs(&scene.ends(2, ResponseOutcome::Whole)), [(2, true)]);
}

fn call() -> ToolCall {
    ToolCall {
        id: "call_1".to_owned(),
        name: "look_up".to_owned(),
        arguments: serde_json::json!({"what": "tea"}),
    }
}

fn result() -> ToolResult {
    ToolResult {
        call_id: "call_1".to_owned(),
        name: "look_up".to_owned(),
        text: "Tea is a drink.".to_owned(),
        failed: false,
    }
}

#[test]
fn a_call_is_told_once_and_its_result_goes_back_before_the_next_answer() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.answer(1);
    let response = Some("r1".to_owned());
    scene.told(ServiceEvent::Began {
        response: "r1".to_owned(),
        number: Some(1),
    });
    let called = ServiceEvent::Called {
        response,
        call: call(),
    };
    let first = scene.told(called.clone());
    assert!(matches!(&first[0], NativeOutput::Call { number: 1, .. }));
    assert_eq!(scene.told(called), [], "it is told by two events");
    assert_eq!(overs(&scene.ends(1, ResponseOutcome::Whole)), [(1, true)]);
    let given = scene.does(NativeInput::Results(vec![result()]));
    assert!(matches!(sent(&given)[..], [Command::Results { .. }]), "{given:?}");
    assert_eq!(answers(&scene.answer(2)).len(), 1);
}

#[test]
fn at_gemini_a_result_makes_it_go_on_so_it_is_given_with_the_next_answer() {
    let mut scene = Scene::up(Dialect::Gemini);
    scene.answer(1);
    scene.told(ServiceEvent::Called {
        response: None,
        call: call(),
    });
    let paused = scene.told(ServiceEvent::Paused {
        response: None,
        usage: Usage::default(),
    });
    assert_eq!(overs(&paused), [(1, true)]);
    assert!(sent(&scene.does(NativeInput::Results(vec![result()]))).is_empty());
    let out = scene.answer(2);
    let [(2, prompt)] = answers(&out)[..] else {
        panic!("{out:?}");
    };
    assert_eq!(prompt.results.len(), 1);
    scene.speaks(2, 480, "Tea is a drink.");
    assert_eq!(overs(&scene.ends(2, ResponseOutcome::Whole)), [(2, true)]);
}

#[test]
fn what_came_of_a_call_that_gemini_has_dropped_is_told_in_words_with_the_next_answer() {
    let mut scene = Scene::up(Dialect::Gemini);
    scene.answer(1);
    scene.told(ServiceEvent::Called {
        response: None,
        call: call(),
    });
    scene.told(ServiceEvent::Paused {
        response: None,
        usage: Usage::default(),
    });
    scene.told(ServiceEvent::CallsDropped { ids: vec![call().id] });
    scene.does(NativeInput::Results(vec![result()]));
    let out = scene.answer(2);
    let [(2, prompt)] = answers(&out)[..] else {
        panic!("{out:?}");
    };
    assert!(prompt.results.is_empty(), "it would wait for nothing");
    let is_told = |held: &Held| matches!(held, Held::Words(words) if words.contains("Tea is a drink."));
    assert!(prompt.held.iter().any(is_told), "{prompt:?}");
}

#[test]
fn a_result_that_comes_after_a_reconnect_is_told_in_words() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.answer(1);
    scene.told(ServiceEvent::Began {
        response: "r1".to_owned(),
        number: Some(1),
    });
    scene.told(ServiceEvent::Called {
        response: Some("r1".to_owned()),
        call: call(),
    });
    let generation = scene.generation;
    let gone = scene.does(NativeInput::Gone {
        generation,
        fault: lost(),
    });
    assert_eq!(overs(&gone), [(1, false)], "something of it has come");
    scene.does(NativeInput::Results(vec![result()]));
    let out = scene.set_up();
    assert!(
        sent(&out)
            .iter()
            .any(|command| matches!(command, Command::Tell { text, .. } if text.contains("Tea is a drink."))),
        "{out:?}"
    );
}

#[test]
fn after_a_connection_that_broke_it_is_told_what_was_said_and_nothing_is_said_twice() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.does(NativeInput::Tell("Ada came in.".to_owned()));
    scene.answer(1);
    scene.speaks(1, 480, "Hello Ada.");
    let generation = scene.generation;
    let gone = scene.does(NativeInput::Gone {
        generation,
        fault: lost(),
    });
    assert_eq!(overs(&gone), [(1, false)]);
    scene.answer(2);
    let out = scene.set_up();
    let Some(Command::Begin { being, history, .. }) = sent(&out).first().copied().cloned() else {
        panic!("{out:?}");
    };
    assert_eq!(being.text, "Be kind.");
    let texts: Vec<_> = history.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["Ada came in.", "Hello Ada."]);
    assert_eq!(
        answers(&out)
            .iter()
            .map(|(number, _)| *number)
            .collect::<Vec<_>>(),
        [2]
    );
}

#[test]
fn an_answer_of_which_nothing_has_come_is_asked_for_once_more() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.answer(1);
    for expected in [&[1_u64][..], &[]] {
        let generation = scene.generation;
        scene.does(NativeInput::Gone {
            generation,
            fault: lost(),
        });
        let out = scene.set_up();
        let asked: Vec<_> = answers(&out).iter().map(|(number, _)| *number).collect();
        assert_eq!(asked, expected);
    }
}

#[test]
fn a_session_that_goes_away_is_taken_up_by_its_handle_and_told_what_it_missed() {
    let mut scene = Scene::up(Dialect::Gemini);
    scene.does(NativeInput::Tell("Ada came in.".to_owned()));
    scene.answer(1);
    scene.speaks(1, 480, "Hello Ada.");
    scene.ends(1, ResponseOutcome::Whole);
    scene.told(ServiceEvent::Resumable {
        handle: Some("h1".to_owned()),
    });
    scene.does(NativeInput::Tell("Bob came in.".to_owned()));
    scene.answer(2);
    scene.speaks(2, 480, "Hello Bob.");
    scene.ends(2, ResponseOutcome::Whole);
    let going = scene.told(ServiceEvent::GoingAway {
        left: Span::seconds(5),
    });
    assert!(
        going
            .iter()
            .any(|output| matches!(output, NativeOutput::Close { .. })),
        "{going:?}"
    );
    scene.answer(3);
    let out = scene.set_up();
    let Some(Command::Begin { resume, history, .. }) = sent(&out).first().copied().cloned() else {
        panic!("{out:?}");
    };
    assert_eq!((resume.as_deref(), history.len()), (Some("h1"), 0));
    let [(3, prompt)] = answers(&out)[..] else {
        panic!("{out:?}");
    };
    let words = |held: &Held| match held {
        Held::Words(words) => words.clone(),
        Held::Clip { line, .. } => line.clone(),
    };
    assert_eq!(
        prompt.held.iter().map(words).collect::<Vec<_>>(),
        ["Bob came in.", "(You said: Hello Bob.)"]
    );
}

#[test]
fn before_its_hour_is_over_a_conversation_is_carried_over_to_another_connection() {
    let mut scene = Scene::up(Dialect::OpenAi);
    // Somebody talks with it every ten minutes, and connections last for an hour.
    for number in 1..=5 {
        scene.now += Span::minutes(10).0;
        let asked = scene.answer(number);
        assert_eq!(
            answers(&asked).len(),
            1,
            "on the connection that is there: {asked:?}"
        );
        scene.speaks(number, 480, &format!("Answer {number}."));
        scene.ends(number, ResponseOutcome::Whole);
    }
    scene.now += Span::minutes(6).0;
    let changes = scene.does(NativeInput::Tick);
    assert!(
        changes
            .iter()
            .any(|output| matches!(output, NativeOutput::Close { .. })),
        "{changes:?}"
    );
    scene.answer(6);
    let out = scene.set_up();
    let Some(Command::Begin { being, history, .. }) = sent(&out).first().copied().cloned() else {
        panic!("{out:?}");
    };
    assert_eq!(being.text, "Be kind.");
    let told = format!("{history:?}");
    assert!(
        (1..=5).all(|number| told.contains(&format!("Answer {number}."))),
        "{told}"
    );
    let [(6, _)] = answers(&out)[..] else {
        panic!("{out:?}");
    };
}

#[test]
fn other_instructions_are_told_once() {
    let mut scene = Scene::up(Dialect::OpenAi);
    assert_eq!(scene.does(NativeInput::Instruct(being("Be kind."))), []);
    let out = scene.does(NativeInput::Instruct(being("Be brief.")));
    assert!(matches!(sent(&out)[..], [Command::Instruct { being }] if being.text == "Be brief."));
}

#[test]
fn a_complaint_about_something_beside_does_not_end_the_answer_and_one_about_it_does() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.answer(1);
    let complaint = |about: &str| {
        ServiceEvent::Fault(ServiceFault {
            about: Some(about.to_owned()),
            ..ServiceFault::new(FaultKind::Refused, "no")
        })
    };
    assert_eq!(overs(&scene.told(complaint("denizen_aside"))), []);
    assert_eq!(overs(&scene.told(complaint("denizen_answer_1"))), [(1, false)]);
    assert_eq!(answers(&scene.answer(2)).len(), 1);
}

#[test]
fn an_agent_that_does_not_tell_its_end_is_over_when_it_falls_silent() {
    let mut scene = Scene::up(Dialect::ElevenLabsAgent);
    scene.hears(1, "Ada");
    scene.does(NativeInput::Understood {
        clip: 1,
        words: Some("What time is it?".to_owned()),
    });
    let out = scene.answer(1);
    let [(1, prompt)] = answers(&out)[..] else {
        panic!("{out:?}");
    };
    assert_eq!(prompt.held, [Held::Words("Ada: What time is it?".to_owned())]);
    scene.speaks(1, 480, "It is noon.");
    assert_eq!(scene.session.wakes_at(), Some(Moment(2_000)));
    scene.now = 2_000;
    assert_eq!(overs(&scene.does(NativeInput::Tick)), [(1, true)]);
}

#[test]
fn an_answer_that_waits_for_words_and_for_a_connection_wakes_at_no_time_that_has_passed() {
    let mut session = NativeSession::new(brief(Dialect::ElevenLabsAgent));
    let clip = NativeInput::Hear {
        clip: 1,
        who: "Ada".to_owned(),
        samples: vec![1; 8_000].into(),
        heard: Span(500),
    };
    session.step(Moment(0), clip);
    let hint = String::new();
    session.step(Moment(9_000), NativeInput::Answer { number: 1, hint });
    let tick = session.step(Moment(9_000), NativeInput::Tick);
    assert_eq!(tick, []);
    assert!(
        session.wakes_at().is_some_and(|at| at > Moment(9_000)),
        "{:?}",
        session.wakes_at()
    );
}

#[test]
fn a_limit_that_is_reached_is_waited_for_as_long_as_the_service_says() {
    let mut scene = Scene::up(Dialect::OpenAi);
    scene.told(ServiceEvent::Limits {
        remaining: 0,
        resets_in: Some(Span::seconds(30)),
    });
    scene.answer(1);
    let busy = ServiceFault::new(FaultKind::Busy, "too much was asked for");
    assert_eq!(overs(&scene.told(ServiceEvent::Fault(busy))), [(1, false)]);
    assert_eq!(scene.session.wakes_at(), Some(Moment(30_000)));
}

#[test]
fn what_it_knows_is_counted_and_begins_anew() {
    let mut scene = Scene::up(Dialect::OpenAi);
    let known = |out: &[NativeOutput]| {
        let known = out.iter().rev().find_map(|output| match output {
            NativeOutput::Known(known) => Some(known.clone()),
            _ => None,
        });
        known.expect("it is told")
    };
    let heard = known(&scene.hears(1, "Ada"));
    assert_eq!(
        (heard.begun, heard.items, heard.clips, heard.heard),
        (1, 1, 1, Span(500))
    );
    let anew = scene.does(NativeInput::BeginAnew);
    assert!(
        anew.iter()
            .any(|output| matches!(output, NativeOutput::Close { .. }))
    );
    let begun = known(&scene.set_up());
    assert_eq!((begun.begun, begun.items, begun.clips), (2, 0, 0));
}
