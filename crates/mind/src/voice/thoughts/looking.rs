//! A silence has lasted: it is seen whether something may be thought of, what fits is looked up, and a model is asked.

use settings::Settings;
use vocabulary::{AskPurpose, AuthorKind, Moment, PersonId, RecallId, Span};

use super::brief::{HeldBrief, ThoughtBrief};
use super::ending::{end, expire};
use super::gates::{ThoughtQuestion, shut};
use super::{Pass, Stage, VoiceThoughts};
use crate::effect::{Wake, WakeReason};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::memory::recall::{choose, shown_turns};
use crate::parcel::ThoughtAloud;
use crate::prompt::Profile;
use crate::reasons::{VoiceThoughtGate, VoiceThoughtOutcome};
use crate::replies::may_be_answered;
use crate::spending::Reservation;
use crate::step_context::StepContext;
use crate::step_context::flight::{Launched, Owner, Question, launch};
use crate::voice::looking_up::wanted;
use crate::voice::prompt::{Asked, VoiceBrief, voice_request};
use crate::voice::{Voice, VoiceContext, prepared};
use crate::watch::prompt::note_lines;

/// What stands in the way for a moment is looked at again after this.
const LOOKS_AGAIN: Span = Span::seconds(10);
/// … and what lasts until somebody does something about it, after this.
const LASTS: Span = Span::minutes(5);
/// Questions in vain double the time to the next one, so often at most.
const DOUBLED_MAX: u64 = 6;
/// Messages whose words say what is talked about.
const WORDS_OF: usize = 6;

/// When it is next seen whether something may be thought of; none while there is no silence.
pub(in crate::voice) fn next_look(voice: &Voice, settings: &Settings) -> Option<Wake> {
    let thoughts = &voice.thoughts;
    let silent = voice.session.is_in() && !voice.people.somebody_speaks() && !voice.mouth.is_open();
    if !silent || thoughts.pass.is_some() {
        return None;
    }
    let wanted = &settings.voice_thoughts;
    let gap = Span::seconds(wanted.min_seconds_between);
    let rests = thoughts
        .considered
        .map_or(Moment(0), |at| at + patience(gap, thoughts));
    let at = (silence_began(voice) + Span::seconds(wanted.silence_seconds))
        .max(voice.people.words_awaited_until().unwrap_or_default())
        .max(thoughts.not_before)
        .max(rests)
        .max(thoughts.rests_until());
    let reason = WakeReason::VoiceThoughtDue;
    Some(Wake { at, reason })
}

/// A model that answers in vain is asked less and less often.
fn patience(gap: Span, thoughts: &VoiceThoughts) -> Span {
    Span(gap.0 << thoughts.failures.min(DOUBLED_MAX))
}

/// Since when nobody has said or done anything.
fn silence_began(voice: &Voice) -> Moment {
    voice.session.last_activity().max(voice.thoughts.stirred)
}

/// Looks whether something may be thought of, once everybody has been silent for long enough.
pub(in crate::voice) fn look(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let now = step.moment();
    expire(voice, context, step);
    if next_look(voice, step.settings).is_none_or(|wake| wake.at > now) {
        return;
    }
    let began = silence_began(voice);
    if voice.thoughts.silence != began {
        voice.thoughts.silence = began;
        // What lasts for the session is told once in it.
        voice.thoughts.noted.retain(|gate| gate.lasts());
    }
    let silence = now.since(began);
    if let Some(gate) = shut(&question(voice, context, step)) {
        let again = match gate {
            VoiceThoughtGate::ReplyUnderWay => now + LOOKS_AGAIN,
            VoiceThoughtGate::AttentionActive => step.active_until.unwrap_or(now + LOOKS_AGAIN),
            _ => now + LASTS,
        };
        voice.thoughts.not_before = again.max(now + Span(1));
        return note(voice, gate, silence, None, context, step);
    }
    let reconsiders = voice.thoughts.held.is_some();
    let mut rolled = None;
    if !reconsiders {
        let (roll, below) = (step.dice.roll(), step.settings.voice_thoughts.eagerness);
        rolled = Some((roll, below));
        if roll >= below {
            let gap = Span::seconds(step.settings.voice_thoughts.min_seconds_between);
            voice.thoughts.not_before = now + gap;
            return note(voice, VoiceThoughtGate::Eagerness, silence, rolled, context, step);
        }
    }
    begin(voice, silence, reconsiders, rolled, context, step);
}

pub(super) fn question(voice: &Voice, context: &VoiceContext<'_>, step: &StepContext<'_>) -> ThoughtQuestion {
    let (settings, thoughts) = (step.settings, &voice.thoughts);
    let listened_to = listened_to(voice);
    let may_hear = |person: &&PersonId| !context.is_quiet && may_be_answered(context.room, person, settings);
    let expected = step.thoughts.expected(settings.llm.max_output_tokens);
    ThoughtQuestion {
        enabled: settings.voice_thoughts.enabled,
        has_voice: voice.has_voice(settings),
        eagerness: settings.voice_thoughts.eagerness,
        people: voice.people.count(),
        listened_to: listened_to.len(),
        permitted: listened_to.iter().filter(may_hear).count(),
        answers: voice.has_work() || context.answers_in_text,
        active: step.exchange.is_some() || step.active_until.is_some(),
        said: thoughts.said,
        max: settings.voice_thoughts.max_per_session,
        unanswered: thoughts.unanswered,
        budget: step
            .thoughts
            .refuses(expected, &settings.initiative_budget, step.moment()),
    }
}

/// People who are there and want to be listened to.
fn listened_to(voice: &Voice) -> Vec<PersonId> {
    voice.people.listened_to().cloned().collect()
}

/// Writes down why nothing is thought of: once in a silence for each reason.
fn note(
    voice: &mut Voice,
    gate: VoiceThoughtGate,
    silence: Span,
    roll: Option<(u64, u64)>,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if voice.thoughts.noted.contains(&gate) {
        return;
    }
    voice.thoughts.noted.push(gate);
    let event = JournalEvent::VoiceThoughtStopped {
        gate,
        silence,
        roll: roll.map(|(roll, _)| roll),
        below: roll.map(|(_, below)| below),
    };
    step.ledger.write(Scope::room(context.room), event);
    step.aloud.push(ThoughtAloud::Looked {
        room: context.room.clone(),
        gate: Some(gate),
        revisits: voice.thoughts.held.is_some(),
        roll,
        turn: None,
    });
}

fn begin(
    voice: &mut Voice,
    silence: Span,
    reconsiders: bool,
    roll: Option<(u64, u64)>,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let turn = step.counters.turn.take_next();
    let event = JournalEvent::VoiceThoughtStarted { silence, reconsiders };
    let cause = step.ledger.write(Scope::room(context.room).turn(turn), event);
    step.aloud.push(ThoughtAloud::Looked {
        room: context.room.clone(),
        gate: None,
        revisits: reconsiders,
        roll,
        turn: Some(turn),
    });
    voice.thoughts.considered = Some(step.moment());
    let mut pass = Pass {
        turn,
        started: step.moment(),
        silence,
        reconsiders,
        stage: Stage::Recalling {
            recall: RecallId::default(),
        },
        ask: None,
        found: Recollection::default(),
        text: String::new(),
        cause,
    };
    let newest = context.log.log().newest(WORDS_OF);
    let said = newest.filter(|message| message.author.kind == AuthorKind::Person);
    let words: Vec<&str> = said.map(|message| message.text.as_str()).collect();
    let (words, people) = (words.join(" "), listened_to(voice));
    match prepared::launch(&words, &people, pass.scope(context.room), context, step) {
        Some(recall) => {
            pass.stage = Stage::Recalling { recall };
            voice.thoughts.pass = Some(pass);
        }
        None => ask(voice, pass, context, step),
    }
}

/// What was looked up for it is here; none: it has not come in time.
pub(in crate::voice) fn recalled(
    voice: &mut Voice,
    recall: RecallId,
    found: Option<Recollection>,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let Some(mut pass) = voice.thoughts.pass.take_if(|pass| pass.waits_for(recall)) else {
        return;
    };
    let took = step.took(pass.started);
    let event = match found {
        Some(found) => {
            pass.found = found;
            let facts = choose(
                &pass.found,
                &Default::default(),
                wanted(&pass.found, step.settings),
                step.now().wall,
            );
            facts.told(recall, &pass.found, took)
        }
        None => JournalEvent::RecallAbandoned { recall, after: took },
    };
    pass.cause = step.ledger.write(pass.scope(context.room), event);
    ask(voice, pass, context, step);
}

/// Asks the model, if the budgets take it.
fn ask(voice: &mut Voice, mut pass: Pass, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let now = step.moment();
    let window = context.log.window(step.settings);
    let shown = shown_turns(
        &pass.found,
        window.iter().copied().chain(&pass.found.messages),
        step.ledger.community(),
    );
    let facts = choose(
        &pass.found,
        &shown,
        wanted(&pass.found, step.settings),
        step.now().wall,
    );
    let held = voice.thoughts.held.as_ref().filter(|_| pass.reconsiders);
    let screen_notes = note_lines(context.watch.notes(), step.now().wall);
    let profile = Profile::of(step.settings, step.outside.reply_model.as_ref());
    let brief = VoiceBrief {
        room: context.name,
        now: step.now(),
        settings: step.settings,
        summary: context.log.summary_shown(step.settings),
        window,
        current: Vec::new(),
        asked: Asked::Thought(ThoughtBrief {
            silence: pass.silence,
            is_plain: matches!(profile, Profile::Plain(_)),
            held: held.map(|held| HeldBrief {
                text: &held.text,
                reason: &held.reason,
                held_for: now.since(held.created),
                look: held.looks + 1,
                changes: &held.changes,
            }),
        }),
        people: &voice.people,
        session: &voice.session,
        last_heard: voice.mouth.last_heard,
        user_facts: &facts.user_facts,
        relevant_facts: &facts.relevant_facts,
        relevant: &pass.found.messages,
        screen_notes: &screen_notes,
        screen: None,
        tools: Vec::new(),
        prompt_tokens: step.prompt_tokens(AskPurpose::VoiceThought, step.settings.llm.max_output_tokens),
    };
    let request = voice_request(&brief);
    let reservation = Reservation::of(&step.most_of(&request));
    let budget = &step.settings.initiative_budget;
    if let Some(gate) = step.thoughts.refuses(reservation, budget, now) {
        voice.thoughts.not_before = now + LASTS;
        return end(
            voice,
            pass,
            VoiceThoughtOutcome::Failed,
            gate.words(),
            context,
            step,
        );
    }
    let fare = match step.afford(&request, pass.scope(context.room)) {
        Ok(fare) => fare,
        Err(why) => {
            voice.thoughts.not_before = why.until().max(now + LOOKS_AGAIN);
            let words = why.words(now);
            return end(voice, pass, VoiceThoughtOutcome::Failed, &words, context, step);
        }
    };
    let question = Question {
        owner: Owner::Voice(context.room.clone()),
        scope: pass.scope(context.room),
        room: context.room.clone(),
        turn: Some(pass.turn),
        fare,
        attempt: 1,
        request,
    };
    let Launched { ask, cause } = launch(question, step);
    step.thoughts.reserve(ask, pass.turn, reservation, now);
    pass.cause = cause;
    pass.ask = Some(ask);
    pass.stage = Stage::Asking { ask };
    // What it was told is in the question now; the rest would only fill the snapshots.
    pass.found = Recollection::default();
    voice.thoughts.pass = Some(pass);
    // It never delays: what is folded now is there for the next question.
    context.log.consider(step);
}
