//! Every checker of folding can fail: a sound run is doctored, and the right property must be found broken.

use mind::{Effect, JournalEntry, JournalEvent};
use vocabulary::{AskPurpose, JournalSeq, TurnSeq};

use super::check;
use crate::scenario::read;
use crate::trace::{SessionSketch, Trace};

/// Sixty-one turns of which ten are folded with a note, one that is taken back, and a session that ends.
fn sound() -> Trace {
    let text = r#"## T
```settings
{"permissions": {"allowInitiativeReplies": false}}
```
```script
00:00 carol says "forget this"
00:00 carol deletes last
every 1s: bob says "remark {n}" until turn 60
note by james "the first map"
01:10 alice says "Denizen, what now?"
01:18 note by james "the second map"
01:30 alice says "Denizen, and now?"
01:50 session ends
summariser answers after 5s "Bob made remarks."
```
```journal
voice_context_compaction_started
voice_context_compaction_completed
voice_context_compaction_skipped
voice_context_notes_dropped
voice_context_session_ended
```
"#;
    let scenarios = read("page.md", text).expect("the page is right");
    scenarios[0].run().expect("nothing is wrong with this run")
}

fn entries(trace: &mut Trace) -> impl Iterator<Item = &mut JournalEntry> {
    let effects = trace.steps.iter_mut().flat_map(|step| &mut step.effects);
    effects.filter_map(|effect| match effect {
        Effect::Journal(entry) => Some(&mut **entry),
        _ => None,
    })
}

fn line<'a>(trace: &'a mut Trace, name: &str) -> &'a mut JournalEvent {
    let entry = entries(trace).find(|entry| entry.event.name() == name);
    &mut entry.unwrap_or_else(|| panic!("there is no {name}")).event
}

fn is_line(effect: &Effect, name: &str) -> bool {
    matches!(effect, Effect::Journal(entry) if entry.event.name() == name)
}

/// Takes the first such line out.
fn without(trace: &mut Trace, name: &str) {
    let mut steps = trace.steps.iter_mut();
    let step = steps.find(|step| step.effects.iter().any(|effect| is_line(effect, name)));
    let step = step.unwrap_or_else(|| panic!("there is no {name}"));
    let place = step.effects.iter().position(|effect| is_line(effect, name));
    step.effects.remove(place.expect("it was just found"));
    number_anew(trace);
}

/// Repeats the first such line, right behind itself.
fn twice(trace: &mut Trace, name: &str) {
    let mut steps = trace.steps.iter_mut();
    let step = steps.find(|step| step.effects.iter().any(|effect| is_line(effect, name)));
    let step = step.unwrap_or_else(|| panic!("there is no {name}"));
    let place = step.effects.iter().position(|effect| is_line(effect, name));
    let place = place.expect("it was just found");
    let copy = step.effects[place].clone();
    step.effects.insert(place + 1, copy);
    number_anew(trace);
}

fn number_anew(trace: &mut Trace) {
    let mut seq = JournalSeq(0);
    for entry in entries(trace) {
        entry.seq = seq.take_next();
        entry.scope.cause = None;
    }
}

/// The sessions as they are after each step, from the first with a summary on.
fn summarised(trace: &mut Trace) -> impl Iterator<Item = &mut SessionSketch> {
    let sessions = trace.steps.iter_mut().flat_map(|step| &mut step.sessions);
    sessions.skip_while(|session| session.cursor == 0)
}

const STARTED: &str = "voice_context_compaction_started";
const COMPLETED: &str = "voice_context_compaction_completed";
const SKIPPED: &str = "voice_context_compaction_skipped";

#[track_caller]
fn finds(property: &str, doctor: impl FnOnce(&mut Trace)) {
    let mut trace = sound();
    doctor(&mut trace);
    let found: Vec<&str> = check(&trace).iter().map(|violation| violation.property).collect();
    assert!(found.contains(&property), "expected {property}, found {found:?}");
}

#[test]
fn a_turn_that_is_neither_summarised_nor_there_is_found() {
    finds("turns_summarised_or_verbatim", |trace| {
        for session in trace.steps.iter_mut().flat_map(|step| &mut step.sessions) {
            session.verbatim.retain(|number| *number != 30);
        }
    });
}

#[test]
fn a_turn_that_is_summarised_and_still_there_is_found() {
    finds("turns_summarised_or_verbatim", |trace| {
        summarised(trace).for_each(|session| session.verbatim.insert(0, 3));
    });
}

#[test]
fn a_cursor_that_moves_over_turns_it_was_not_sent_is_found() {
    finds("turns_summarised_or_verbatim", |trace| {
        summarised(trace).for_each(|session| session.verbatim.retain(|number| *number >= 12));
    });
}

#[test]
fn turns_dropped_without_a_word_are_found() {
    finds("turns_summarised_or_verbatim", |trace| {
        summarised(trace).for_each(|session| {
            let gone = session.verbatim.len().min(2);
            drop(session.verbatim.drain(..gone));
        });
    });
}

#[test]
fn a_message_that_is_no_turn_is_found() {
    finds("turns_numbered_in_order", |trace| {
        let sessions = trace.steps.iter_mut().flat_map(|step| &mut step.sessions);
        sessions.skip(20).for_each(|session| session.turns -= 1);
    });
}

#[test]
fn a_cursor_that_goes_back_or_moves_unsaid_is_found() {
    finds("cursor_only_advances", |trace| {
        if let Some(session) = summarised(trace).nth(1) {
            session.cursor = 4;
        }
    });
    finds("cursor_only_advances", |trace| {
        summarised(trace).skip(1).for_each(|session| session.cursor += 1);
    });
}

#[test]
fn a_note_that_is_lost_is_found() {
    // As a queue that is cleared on success loses what came meanwhile.
    finds("notes_folded_or_held", |trace| {
        summarised(trace).for_each(|session| session.notes.clear());
    });
    finds("notes_folded_or_held", |trace| {
        without(trace, "voice_context_notes_dropped")
    });
}

#[test]
fn a_note_that_is_folded_and_kept_is_found() {
    finds("notes_folded_or_held", |trace| {
        summarised(trace).for_each(|session| session.notes.insert(0, 0));
    });
}

#[test]
fn success_without_anything_done_is_found() {
    finds("success_means_progress", |trace| {
        if let JournalEvent::CompactionCompleted {
            cursor,
            folded_note_count,
            ..
        } = line(trace, COMPLETED)
        {
            (*cursor, *folded_note_count) = (TurnSeq(0), 0);
        }
    });
}

#[test]
fn runs_that_do_not_pair_up_are_found() {
    finds("runs_end_once", |trace| without(trace, STARTED));
    finds("runs_end_once", |trace| without(trace, COMPLETED));
    finds("runs_end_once", |trace| twice(trace, STARTED));
    finds("runs_end_once", |trace| twice(trace, COMPLETED));
}

#[test]
fn a_run_that_is_never_given_up_is_found() {
    finds("runs_end_in_time", |trace| {
        let ended = trace
            .steps
            .iter()
            .position(|step| step.effects.iter().any(|effect| is_line(effect, COMPLETED)));
        for step in &mut trace.steps[ended.expect("the run ends")..] {
            step.now.moment.0 += 90_000;
        }
        let step = &mut trace.steps[ended.expect("the run ends") - 1];
        step.now.moment.0 += 90_000;
    });
}

#[test]
fn two_summaries_at_a_time_are_found() {
    finds("one_ask_at_a_time", |trace| {
        let folds = |effect: &Effect| matches!(effect, Effect::Ask(asking) if asking.request.purpose == AskPurpose::ContextCompaction);
        let mut steps = trace.steps.iter_mut();
        let step = steps
            .find(|step| step.effects.iter().any(folds))
            .expect("one is asked for");
        let copy = step.effects.iter().find(|effect| folds(effect)).cloned();
        step.effects.extend(copy);
    });
}

#[test]
fn a_reply_that_waits_for_a_summary_is_found() {
    finds("replies_never_wait_for_folding", |trace| {
        let replies = |effect: &Effect| matches!(effect, Effect::Ask(asking) if asking.request.purpose == AskPurpose::TextReply);
        let begun = trace
            .steps
            .iter()
            .position(|step| step.effects.iter().any(|effect| is_line(effect, STARTED)));
        let begun = begun.expect("a run is begun");
        let effects = std::mem::take(&mut trace.steps[begun].effects);
        let (later, now) = effects.into_iter().partition(|effect| replies(effect));
        trace.steps[begun].effects = now;
        let later: Vec<Effect> = later;
        trace.steps[begun + 1].effects.splice(0..0, later);
    });
}

#[test]
fn a_summary_over_its_limit_is_found() {
    finds("summary_capped", |trace| {
        summarised(trace).for_each(|session| session.summary_chars = 1_201);
    });
    finds("summary_capped", |trace| {
        if let JournalEvent::CompactionCompleted { summary_chars, .. } = line(trace, COMPLETED) {
            *summary_chars = 1_201;
        }
    });
}

#[test]
fn folded_turns_that_stay_in_the_prompt_are_found() {
    finds("folded_turns_leave_the_prompt", |trace| {
        for effect in trace.steps.iter_mut().flat_map(|step| &mut step.effects) {
            if let Effect::Ask(asking) = effect {
                let mut sections = asking.request.sections.iter_mut();
                if let Some(recent) = sections.find(|section| section.name == "recent_messages") {
                    recent.text.insert_str(0, "[12:00] Bob: remark 3\n");
                }
            }
        }
    });
}

#[test]
fn skips_that_are_not_folded_are_found() {
    finds("skips_folded", |trace| twice(trace, SKIPPED));
}

#[test]
fn a_summary_that_is_not_offered_at_the_end_is_found() {
    finds("summary_offered_at_the_end", |trace| {
        for step in &mut trace.steps {
            step.effects
                .retain(|effect| !matches!(effect, Effect::OfferToMemory { .. }));
        }
    });
}

#[test]
fn a_turn_that_a_prompt_hides_is_found() {
    finds("prompts_hold_the_whole_window", |trace| {
        let effects = trace.steps.iter_mut().flat_map(|step| &mut step.effects);
        let replies = effects.filter_map(|effect| match effect {
            Effect::Ask(asking) if asking.request.purpose == AskPurpose::TextReply => Some(asking),
            _ => None,
        });
        for section in replies.flat_map(|asking| &mut asking.request.sections) {
            if section.name == "recent_messages" {
                section.text = section.text.lines().skip(1).collect::<Vec<_>>().join("\n");
            }
        }
    });
}
