//! A picture that is made, or a GIF that is found, to go with a reply. The model calls for it as for any tool; the words
//! wait for it, and where there is none the model is told why, so that it can say so.

use serde_json::Value;
use vocabulary::text::plain_line;
use vocabulary::{MediaId, MediaKind, MediaOutcome, MediaWish, ModelAnswer, Moment, Span, ToolCall};

use super::turn::Turn;
use super::{Replies, ReplyContext};
use crate::media::MediaUse;
use crate::prompt::media_of;
use crate::prompt::outside::defused;
use crate::step_context::StepContext;
use crate::step_context::flight::Owner;
use crate::step_context::making::{Commission, waited_for};
use crate::tool_loop::Inside;

/// Longest wish.
const PROMPT_CHARS_MAX: usize = 900;
/// What a model is told of why there is none: it may be the words of whoever was to make it.
const REASON_CHARS_MAX: usize = 240;
const ONE_EACH: &str = "one picture or GIF goes with a reply, and this one has it already";
const NO_WORDS: &str = "say in words what is to be seen";

/// What an answer may have made, each kind with what is in the way.
pub(super) struct Wishes {
    refused: Vec<(MediaKind, Option<String>)>,
    until: Moment,
    has_one: bool,
    /// What is to be made.
    pub wish: Option<MediaWish>,
}

impl Wishes {
    /// Looks what the calls of an answer could get.
    pub fn of(
        turn: &Turn,
        answer: &ModelAnswer,
        context: &ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Self {
        let mut refused: Vec<(MediaKind, Option<String>)> = Vec::new();
        let wanted = answer.tool_calls.iter().filter_map(|call| media_of(&call.name));
        for (kind, _) in wanted {
            if !refused.iter().any(|(known, _)| *known == kind) {
                let scope = turn.scope(context.room);
                refused.push((kind, step.media_unaffordable(kind, MediaUse::Reply, &scope)));
            }
        }
        Self {
            refused,
            until: waited_for(step.moment(), patience(step)),
            has_one: turn.making.is_some() || !turn.attachments.is_empty(),
            wish: None,
        }
    }

    /// What is answered to a call; none where it wants something else.
    pub fn answer(&mut self, call: &ToolCall) -> Option<Inside> {
        let (kind, argument) = media_of(&call.name)?;
        let words = call.arguments.get(argument).and_then(Value::as_str);
        let prompt = plain_line(words.unwrap_or_default(), PROMPT_CHARS_MAX);
        let refused = self.refused.iter().find(|(known, _)| *known == kind);
        Some(match refused.and_then(|(_, why)| why.clone()) {
            _ if self.has_one || self.wish.is_some() => Inside::Refused(ONE_EACH.to_owned()),
            _ if prompt.is_empty() => Inside::Refused(NO_WORDS.to_owned()),
            Some(why) => Inside::Refused(why),
            None => {
                self.wish = Some(MediaWish { kind, prompt });
                Inside::Later(self.until)
            }
        })
    }
}

/// How long a room waits for one.
fn patience(step: &StepContext<'_>) -> Span {
    let media = &step.settings.media;
    Span::seconds(media.reply_timeout_seconds.min(media.timeout_seconds))
}

/// Has it made. The room sees that something is coming.
pub(super) fn order(
    turn: &mut Turn,
    wish: MediaWish,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    let (making, cause) = step.order_media(Commission {
        wish,
        goes_with: MediaUse::Reply,
        owner: Owner::Replies(context.room.clone()),
        patience: patience(step),
        scope: turn.scope(context.room),
    });
    turn.cause = cause;
    turn.making = Some(making);
    context.outbox.show_typing(context.room, true, step);
}

/// What was made for a turn of a room is here; none: it has not come in time.
pub(crate) fn media_ended(
    replies: &mut Replies,
    media: MediaId,
    outcome: Option<MediaOutcome>,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    let waits = |turn: &mut Turn| turn.making.as_ref().is_some_and(|making| making.media == media);
    let Some(mut turn) = replies.turn.take_if(waits) else {
        return;
    };
    match outcome {
        Some(outcome) => take_in(&mut turn, outcome, context, step),
        None => lose(&mut turn, "it took too long", context, step),
    }
    replies.go_on_when_answered(turn, context, step);
}

fn take_in(turn: &mut Turn, outcome: MediaOutcome, context: &ReplyContext<'_>, step: &mut StepContext<'_>) {
    let Some(making) = turn.making.take() else { return };
    let noun = making.kind.noun();
    let (made, cause) = making.ended(outcome, MediaUse::Reply, turn.scope(context.room), step);
    turn.cause = cause;
    match made {
        Ok(made) => {
            turn.attachments.push(made.attachment);
            let text = format!(
                "The {noun} is there and goes with your reply by itself, so write no link or markup for it. Write your words now, and mind that people see the {noun} with them."
            );
            tell(turn, &text, false, context, step);
        }
        Err(why) => tell_of_none(turn, noun, &why, context, step),
    }
}

/// It is not waited for any more, and the call gets its result.
pub(super) fn lose(turn: &mut Turn, why: &str, context: &ReplyContext<'_>, step: &mut StepContext<'_>) {
    let Some(making) = turn.making.take() else { return };
    turn.cause = making.given_up(why, MediaUse::Reply, turn.scope(context.room), step);
    tell_of_none(turn, making.kind.noun(), why, context, step);
}

fn tell_of_none(
    turn: &mut Turn,
    noun: &str,
    why: &str,
    context: &ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    let why = plain_line(&defused(why), REASON_CHARS_MAX);
    let text = format!("There is no {noun}: {why}. Say so in your reply, in your own words.");
    tell(turn, &text, true, context, step);
}

fn tell(turn: &mut Turn, text: &str, failed: bool, context: &ReplyContext<'_>, step: &mut StepContext<'_>) {
    let scope = turn.scope(context.room);
    turn.cause = turn
        .tools
        .brought(text, failed, scope, step)
        .unwrap_or(turn.cause);
}
