//! Replies of a small model: what it is asked with, the look-up that the words of a message ask for, and how its answer
//! is read.

use vocabulary::{AuthorKind, Finish, Message, ModelAnswer, RoomId, Span, ToolSpec, Usage};

use super::ReplyContext;
use super::burst::{Burst, Trigger};
use super::gate::is_initiative_channel;
use super::tools::{reply_budget, reply_offer, run_tools};
use super::turn::Turn;
use super::wished::{Wished, wished};
use crate::admission::AdmissionReason;
use crate::journal::JournalEvent;
use crate::prompt::{Profile, speaker};
use crate::reply::{Cast, Reading, read_plain};
use crate::step_context::StepContext;

/// How the next reply is asked for.
pub(super) fn profile(step: &StepContext<'_>) -> Profile {
    Profile::of(step.settings, step.outside.reply_model.as_ref())
}

/// Whether that is as suits a small model.
pub(super) fn is_plain(step: &StepContext<'_>) -> bool {
    profile(step) != Profile::Full
}

/// Why a burst that nobody said to Denizen is not put to a small model. Whether to join in is more than such a model can
/// tell; and in real rooms one in twenty such lines was meant for the one who had just spoken.
pub(super) fn stays_out(burst: &Burst, room: &RoomId, step: &StepContext<'_>) -> Option<&'static str> {
    let classifier_tells = AdmissionReason::AskClassifier;
    let is_open = |trigger: &Trigger| {
        let signal = &trigger.signal;
        trigger.forced
            || signal.triggered
            || trigger.reason == classifier_tells
            || signal.picks_up_own_word()
            || (is_initiative_channel(room, step.settings) && signal.is_for_nobody())
    };
    let out = is_plain(step) && !burst.triggers.iter().any(is_open);
    out.then_some("nobody said it to Denizen, and a small model is not asked whether to join in")
}

/// Whether a small model is left the choice although Denizen was named: it was only spoken of.
pub(super) fn may_be_left(burst: &Burst, step: &StepContext<'_>) -> bool {
    let mut owed = burst.triggers.iter().filter(|trigger| trigger.forced);
    is_plain(step) && !burst.is_wished() && owed.all(|trigger| trigger.signal.only_speaks_of_denizen())
}

/// What the words of a turn ask for; nothing, once something was looked up for it.
pub(super) fn wished_by(turn: &Turn, context: &ReplyContext<'_>, step: &StepContext<'_>) -> Wished {
    let budget = reply_budget(step.settings);
    let is_fresh = turn.tools.steps == 0 && turn.tools.may_go_on(&budget, step.moment());
    if !is_fresh || !turn.address.triggered {
        return Wished::Nothing;
    }
    let identity = &step.settings.identity;
    let aliases = identity.aliases.iter().map(String::as_str);
    let names: Vec<&str> = [identity.name.as_str()].into_iter().chain(aliases).collect();
    let tools = reply_offer(context, step);
    let said: Vec<&str> = turn
        .current(context.log.log())
        .into_iter()
        .map(|message| message.text.as_str())
        .collect();
    wished(&said.join(" "), &names, &tools)
}

/// Says in the journal that a reply is asked for plainly, makes the look-up that its words ask for, and says which tools
/// go with the question; none while something is being looked up.
pub(super) fn prepare(
    turn: &mut Turn,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) -> Option<Vec<ToolSpec>> {
    let wished = wished_by(turn, context, step);
    if let Profile::Plain(because) = profile(step)
        && turn.tools.steps == 0
        && turn.failures == 0
    {
        let event = JournalEvent::PlainProfileTaken { because };
        turn.cause = step.ledger.write(turn.scope(context.room), event);
    }
    match wished {
        Wished::LookUp(call) => {
            turn.tools.offer(
                reply_offer(context, step),
                &reply_budget(step.settings),
                step.moment(),
            );
            // The words have made the call, and not a model: it goes the way of every call.
            let asked = ModelAnswer {
                provider: String::new(),
                model: String::new(),
                text: String::new(),
                carried: None,
                tool_calls: vec![call],
                finish: Finish::ToolCalls,
                cap: None,
                usage: Usage::default(),
                first_text: None,
                took: Span::ZERO,
                tries: 0,
            };
            run_tools(turn, &asked, context, step);
            None
        }
        Wished::Named(tools) => Some(tools),
        Wished::Nothing => Some(Vec::new()),
    }
}

/// The people of the script that a small model was shown, but for Denizen itself.
pub(super) fn others_in(context: &ReplyContext<'_>, step: &StepContext<'_>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for message in context.log.window(step.settings) {
        let name = speaker(&message.author.name);
        if message.author.kind != AuthorKind::Denizen && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Reads what a small model wrote.
pub(super) fn read_as_script(
    turn: &Turn,
    answer: &ModelAnswer,
    context: &ReplyContext<'_>,
    step: &StepContext<'_>,
) -> Reading {
    let target: Option<&Message> = turn.burst.target(context.log.log());
    let cast = Cast {
        own_name: &step.settings.identity.name,
        others: &others_in(context, step),
        answered: target.map(|message| message.author.name.as_str()),
    };
    let question = target.map_or("", |message| message.text.as_str());
    read_plain(&answer.text, cast, question, turn.forced)
}
