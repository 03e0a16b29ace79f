//! What an answer is based on: what fits is looked up before, often while somebody still speaks, and by tools.

use settings::Settings;
use vocabulary::{
    Glimpse, MessageId, ModelAnswer, RecallId, Span, ToolCall, ToolResult, ToolRunId, ToolSpec,
};

use super::answering::generate;
use super::deciding::{current, words_of};
use super::plain::is_plain;
use super::turn::{VoiceStage, VoiceTurn};
use super::{Voice, VoiceContext, native, prepared, thoughts};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::memory::recall::{Chosen, Wanted, choose, is_small_talk, shown_turns};
use crate::prompt::{LOOK_TOOL, reply_tools};
use crate::reasons::FrameAttached;
use crate::replies::prompt::shown_messages;
use crate::step_context::StepContext;
use crate::step_context::flight::Owner;
use crate::tool_loop::{Inside, ToolBudget, Workplace};
use crate::watch::screen_question::asks_about_screen;

/// Look-ups while everybody waits in silence take no longer.
const TOOL_TIME: Span = Span::seconds(12);
const LOOKED: &str = "The current picture of the screen is attached to what was said.";

/// Looks up what fits, where that was not done while they still spoke.
pub(super) fn recall(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let person = turn.answered().map(|utterance| utterance.person.clone());
    let words = words_of(&turn.utterances, context);
    let ready = person
        .as_ref()
        .and_then(|person| voice.prepared.take(person, &words, step.moment()));
    match ready {
        Some(Ok(found)) => {
            turn.found = found;
            generate(voice, turn, context, step)
        }
        Some(Err((recall, started))) => {
            turn.stage = VoiceStage::Recalling { recall, started };
            voice.turn = Some(turn);
        }
        None => {
            let people: Vec<_> = person.into_iter().collect();
            match prepared::launch(&words, &people, turn.scope(context.room), context, step) {
                Some(recall) => {
                    let started = step.moment();
                    turn.stage = VoiceStage::Recalling { recall, started };
                    voice.turn = Some(turn);
                }
                None => generate(voice, turn, context, step),
            }
        }
    }
}

/// What was looked for is here; none: it has not come in time.
pub(crate) fn recalled(
    voice: &mut Voice,
    recall: RecallId,
    found: Option<Recollection>,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if voice.thoughts.waits_for(recall) {
        return thoughts::recalled(voice, recall, found, context, step);
    }
    let of_people = voice.session.native.as_ref();
    if of_people.is_some_and(|link| link.waits_for(recall)) {
        return native::recalled(voice, recall, found, context, step);
    }
    let waits = |turn: &mut VoiceTurn| matches!(turn.stage, VoiceStage::Recalling { recall: open, .. } if open == recall);
    let Some(mut turn) = voice.turn.take_if(waits) else {
        return prepared_recalled(voice, recall, found, context, step);
    };
    let VoiceStage::Recalling { started, .. } = turn.stage else {
        return;
    };
    let took = step.took(started);
    let event = match found {
        Some(found) => {
            turn.found = found;
            facts_for(&turn, context, step).told(recall, &turn.found, took)
        }
        None => JournalEvent::RecallAbandoned { recall, after: took },
    };
    turn.cause = step.ledger.write(turn.scope(context.room), event);
    generate(voice, turn, context, step);
}

/// What was looked for while somebody spoke is here, or has not come in time.
fn prepared_recalled(
    voice: &mut Voice,
    recall: RecallId,
    found: Option<Recollection>,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let took = voice.prepared.took(recall, step.moment());
    let event = match &found {
        Some(found) => JournalEvent::RecallCompleted {
            recall,
            messages: found.messages.len(),
            user_facts: found.of_people.len(),
            relevant_facts: found.facts.len(),
            unsure: 0,
            took,
            failure: found.failure.clone(),
        },
        None => JournalEvent::RecallAbandoned { recall, after: took },
    };
    step.ledger.write(Scope::room(context.room), event);
    voice.prepared.recalled(recall, found);
}

pub(super) fn facts_for(turn: &VoiceTurn, context: &VoiceContext<'_>, step: &StepContext<'_>) -> Chosen {
    let window = context.log.window(step.settings);
    let shown = shown_messages(is_plain(step), &window, &turn.found.messages);
    let shown = shown_turns(&turn.found, shown, step.ledger.community());
    let name = &step.settings.identity.name;
    let messages = current(&turn.utterances, context);
    let small_talk = messages.iter().all(|message| is_small_talk(&message.text, name));
    let mut wanted = wanted(&turn.found, step.settings);
    if small_talk {
        wanted.relevant_facts = 0;
    }
    choose(&turn.found, &shown, wanted, step.now().wall)
}

/// How much of what was found a prompt is told: half of it of people, and what they do not need of what fits.
pub(super) fn wanted(found: &Recollection, settings: &Settings) -> Wanted {
    let facts = settings.memory.max_voice_facts as usize;
    let user_facts = found.of_people.len().min(facts / 2);
    Wanted {
        user_facts,
        relevant_facts: facts - user_facts,
        min_confidence: settings.memory.min_confidence,
    }
}

/// The current frame, where a turn is about the screen: somebody asks about it, or the model wanted to look.
pub(super) fn frame_for(
    turn: &mut VoiceTurn,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) -> Option<(Glimpse, String)> {
    let (glimpse, shared_by) = context.watch.in_view()?;
    let called = |id: &MessageId| {
        let mut utterances = turn.utterances.iter();
        utterances.any(|utterance| utterance.direct && utterance.message == *id)
    };
    let current = current(&turn.utterances, context);
    let mut current = current.iter();
    let asked = current.any(|message| asks_about_screen(&message.text, called(&message.id)));
    let because = FrameAttached::because(turn.looks_at_screen, asked)?;
    let event = JournalEvent::FrameAttached {
        frame: glimpse.frame,
        because,
    };
    let shared_by = shared_by.to_owned();
    turn.cause = step.ledger.write(turn.scope(context.room), event);
    Some((glimpse, shared_by))
}

pub(super) fn offered(context: &VoiceContext<'_>, step: &StepContext<'_>) -> Vec<ToolSpec> {
    // Pictures cannot be said.
    reply_tools(
        step.settings,
        context.watch.in_view().is_some(),
        &[],
        step.outside,
    )
}

pub(super) fn budget(step: &StepContext<'_>) -> ToolBudget {
    ToolBudget {
        steps: step.settings.reply_followup.max_tool_steps,
        calls: step.settings.reply_followup.max_tool_calls,
        time: TOOL_TIME,
    }
}

pub(super) fn run_tools(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    answer: &ModelAnswer,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let offered = offered(context, step);
    let people = turn.utterances.iter().map(|utterance| utterance.person.clone());
    let place = Workplace {
        owner: Owner::Voice(context.room.clone()),
        room: context.room,
        turn: turn.id,
        scope: turn.scope(context.room),
        view: step.view(context.room, people.collect()),
        offered: &offered,
    };
    let mut looks = false;
    let mut inside = |call: &ToolCall| {
        (call.name == LOOK_TOOL).then(|| {
            looks = true;
            Inside::Done(LOOKED.to_owned())
        })
    };
    let newest = turn
        .tools
        .take_up(answer, &place, &budget(step), &mut inside, step);
    turn.cause = newest.unwrap_or(turn.cause);
    turn.looks_at_screen |= looks;
    turn.stage = VoiceStage::RunningTools {};
    go_on_when_answered(voice, turn, context, step);
}

/// A tool that the turn waits for has ended.
pub(crate) fn tool_ended(
    voice: &mut Voice,
    run: ToolRunId,
    result: &ToolResult,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let Some(mut turn) = voice.turn.take_if(|turn| turn.tools.waits_for(run)) else {
        return;
    };
    let newest = turn.tools.tool_ended(run, result, turn.scope(context.room), step);
    turn.cause = newest.unwrap_or(turn.cause);
    go_on_when_answered(voice, turn, context, step);
}

/// Asks the model again once every call of the round has its result.
pub(super) fn go_on_when_answered(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if turn.tools.close_round() {
        generate(voice, turn, context, step);
    } else {
        voice.turn = Some(turn);
    }
}
