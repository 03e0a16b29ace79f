//! The question of a run: what it knows at this moment, put into one request.

use vocabulary::{AskPurpose, MediaKind, ModelRequest};

use super::channels::{ChannelSummary, summarise};
use super::gathering::Facts;
use super::prompt::{AmbientBrief, HeldBrief, ambient_request};
use super::run::{Run, RunContext};
use super::{pool, sources};
use crate::media::MediaUse;
use crate::prompt::thought_tools;
use crate::step_context::StepContext;
use crate::tool_loop::{TOOL_WALL_TIME, ToolBudget};
use crate::watch::prompt::ScreenShown;

/// Makes the request, and gives the messages it shows their handles.
pub(super) fn request(run: &mut Run, context: &RunContext<'_>, step: &StepContext<'_>) -> ModelRequest {
    let (settings, now) = (step.settings, step.now());
    let books = &*context.books;
    let names = pool::names(settings, context.rooms);
    let channels = channels(run, &names, context, step);
    let own = books.sources.own_ones();
    let standings: Vec<_> = sources::wish(settings, &own, now.wall)
        .sources
        .into_iter()
        .map(|source| {
            let tally = books.sources.tallies.iter().find(|(known, _)| *known == source);
            let tally = tally.map(|(_, tally)| tally.clone()).unwrap_or_default();
            let is_own = own.contains(&source);
            (source, tally, is_own)
        })
        .collect();
    let facts = Facts::of(&run.recalled, settings.memory.min_confidence);
    let screen = context.rooms.screen(&run.pool);
    // A look-up takes another question, to make something of it.
    let tools = match step.thoughts.calls_left(&settings.initiative_budget, now.moment) {
        0 | 1 => Vec::new(),
        _ => thought_tools(settings, screen.is_some(), step.outside),
    };
    let tools = run.tools.offer(tools, &tool_budget(step), now.moment);
    let held = context.held.filter(|_| run.revisits);
    let can_be_had = |kind: &MediaKind| step.media_refused(*kind, MediaUse::Thought).is_none();
    let media: Vec<MediaKind> = MediaKind::ALL.into_iter().filter(can_be_had).collect();
    ambient_request(&AmbientBrief {
        settings,
        now: now.wall,
        held: held.map(|held| HeldBrief {
            text: &held.text,
            channel: pool::name_of(&held.room, &names),
            media: held.media.as_ref(),
            reason: &held.reason,
            held_for: now.moment.since(held.created),
            expires_in: held.expires.since(now.moment),
            revisions: held.revisions as usize,
            messages_since: held.messages_since,
        }),
        channels: &channels,
        feed: &run.candidates,
        sources: &standings,
        interests: &run.interests,
        memory: &facts.memory,
        guidance: &facts.guidance,
        behaviour: &facts.behaviour,
        media: &media,
        posts_left_today: settings
            .initiative
            .max_posts_per_day
            .saturating_sub(books.posts.meter(0, now.moment).used),
        frame: screen
            .as_ref()
            .filter(|_| run.looks_at_screen)
            .map(|(glimpse, shared_by)| ScreenShown { shared_by, glimpse }),
        tools,
        tool_turns: &run.tools.turns,
        prompt_tokens: step.prompt_tokens(AskPurpose::AmbientThought, settings.llm.max_output_tokens),
        budget_divisor: run.budget_divisor,
    })
}

/// The channels of the pool as they are told of, each message with a handle.
fn channels(
    run: &mut Run,
    names: &[pool::NamedRoom],
    context: &RunContext<'_>,
    step: &StepContext<'_>,
) -> Vec<ChannelSummary> {
    let count = step.settings.initiative.lookback_messages as usize;
    let mut summaries = Vec::new();
    run.handles.clear();
    for room in &run.pool {
        let seen = context.rooms.room(room);
        let newest = seen
            .as_ref()
            .map(|seen| seen.newest(count, step.settings))
            .unwrap_or_default();
        let name = pool::name_of(room, names);
        let mut summary = summarise(name, &newest, step.now().wall, run.handles.len() + 1);
        summary.before = seen.as_ref().map_or("", |seen| seen.summary).to_owned();
        let handles = summary.handles.iter().cloned();
        run.handles
            .extend(handles.map(|(handle, id)| (handle, room.clone(), id)));
        summaries.push(summary);
    }
    summaries
}

/// What the look-ups of one thought may use.
pub(super) fn tool_budget(step: &StepContext<'_>) -> ToolBudget {
    ToolBudget {
        steps: step.settings.initiative.max_tool_steps,
        calls: step.settings.initiative.max_tool_calls,
        time: TOOL_WALL_TIME,
    }
}
