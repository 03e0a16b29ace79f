//! How the cycle stands, for its page.

use settings::Settings;
use vocabulary::{MediaKind, Moment, Now, RoomId, Span};

use super::gate_docs::gate_docs;
use super::gates::{self, AmbientGate, Verdict};
use super::gathering::interests_of;
use super::view::{
    AmbientView, AttentionView, BudgetView, CandidateView, ChannelView, MediaMeter, Meter, Saved, Stop,
    ThoughtView, ToolView,
};
use super::{Ambient, RoomsInView, pool, ticking};
use crate::media::{MediaUse, limit, not_set_up};
use crate::prompt::thought_tool_list;
use crate::step_context::Capabilities;

impl Ambient {
    pub fn view(
        &self,
        rooms: RoomsInView<'_>,
        now: Now,
        settings: &Settings,
        outside: &Capabilities,
    ) -> AmbientView {
        let moment = now.moment;
        let exchange = rooms.exchange(moment, settings);
        let trial = self.run.as_ref().filter(|run| run.trial);
        let pool = pool::lively(settings, rooms);
        let screen = rooms.screen(&pool).is_some();
        AmbientView {
            enabled: settings.initiative.enabled,
            attention: AttentionView {
                state: if exchange.is_some() { "active" } else { "ambient" }.to_owned(),
                ends_in: exchange.map(|exchange| exchange.ends_in),
                room: exchange.map(|exchange| exchange.room.clone()),
            },
            next_tick_in: self.ticker.next_tick_in(moment),
            stopped_by: self.stopped_by(rooms, now, settings),
            eagerness: settings.initiative.eagerness,
            channels: channels(settings, rooms),
            thought: self.held.thought().map(|held| ThoughtView {
                text: held.text.clone(),
                room: held.room.clone(),
                media: held.media.clone(),
                reason: held.reason.clone(),
                created_at: held.created_at,
                expires_at: vocabulary::WallTime(
                    now.wall.0 + i64::try_from(held.expires.since(moment).0).unwrap_or(i64::MAX),
                ),
                history: held.history.clone(),
                room_moved_on: held.messages_since > 0,
            }),
            aloud: rooms.held_aloud(),
            run: self
                .run
                .as_ref()
                .filter(|run| !run.trial)
                .map(|run| run.view(None, "")),
            trial: trial.map(|run| run.view(None, "")).or_else(|| self.trial.clone()),
            receipts: self.receipts.newest_first(),
            budget: self.budget_view(now, settings),
            posts_per_day: self
                .books
                .posts
                .meter(settings.initiative.max_posts_per_day, moment),
            media: self.media_meters(moment, settings, outside),
            posts: self.books.posts.views(),
            sources: self.books.sources.views(settings),
            candidates: self
                .books
                .candidates
                .iter()
                .cloned()
                .map(CandidateView::from)
                .collect(),
            gates: gate_docs(),
            interests: interests_of(&pool, rooms, settings),
            tools: thought_tool_list(settings, screen, outside)
                .into_iter()
                .map(|(name, origin, offered)| ToolView {
                    name,
                    origin,
                    offered: offered.is_ok(),
                    why_not: offered.err().unwrap_or_default(),
                })
                .collect(),
        }
    }

    fn stopped_by(&self, rooms: RoomsInView<'_>, now: Now, settings: &Settings) -> Option<Stop> {
        let question = self.question(rooms, &self.spending, now, settings);
        let gate = match gates::decide(&question) {
            Verdict::Stop(gate) => gate,
            Verdict::Fresh if settings.initiative.eagerness == 0 => AmbientGate::Eagerness,
            Verdict::Fresh | Verdict::Revisit => return None,
        };
        let moment = now.moment;
        let (calls, ..) = self.spending.meters(&settings.initiative_budget, moment);
        let left =
            |whole: Span, passed: Option<Span>| passed.map(|passed| Span(whole.0.saturating_sub(passed.0)));
        let opens_in = match gate {
            AmbientGate::DailyCap => self.books.posts.meter(0, moment).frees_in,
            AmbientGate::BudgetCalls | AmbientGate::BudgetTokens | AmbientGate::BudgetCost => calls.frees_in,
            AmbientGate::AttentionActive => rooms.exchange(moment, settings).map(|exchange| exchange.ends_in),
            AmbientGate::HeldTooYoung => left(question.rest, question.held),
            AmbientGate::Gap => left(ticking::gap(settings), question.considered),
            AmbientGate::Disabled
            | AmbientGate::NoChannels
            | AmbientGate::UnknownChannels
            | AmbientGate::RoomBusy
            | AmbientGate::ThinkingAlready
            | AmbientGate::Eagerness => None,
        };
        Some(Stop {
            gate: gate.name().to_owned(),
            words: gate.words().to_owned(),
            opens_in,
        })
    }

    fn media_meters(&self, now: Moment, settings: &Settings, outside: &Capabilities) -> Vec<MediaMeter> {
        let book = &self.media;
        let meter = |kind| {
            let (used, frees_in) = book.had(kind, now);
            let why_not = not_set_up(kind, MediaUse::Thought, settings, &outside.media);
            MediaMeter {
                kind,
                meter: Meter {
                    used,
                    limit: limit(kind, settings),
                    frees_in,
                },
                why_not: why_not
                    .or_else(|| book.used_up(kind, now, settings))
                    .unwrap_or_default(),
            }
        };
        MediaKind::ALL.into_iter().map(meter).collect()
    }

    fn budget_view(&self, now: Now, settings: &Settings) -> BudgetView {
        let (calls, tokens, cost, unpriced_calls) =
            self.spending.meters(&settings.initiative_budget, now.moment);
        let (tokens_of_a_thought, cost_of_a_thought) = self.spending.mean(now.moment);
        let saved = self
            .receipts
            .stopped(now.moment)
            .into_iter()
            .map(|(gate, ticks)| Saved {
                gate: gate.name().to_owned(),
                words: gate.words().to_owned(),
                ticks,
                tokens: tokens_of_a_thought.map(|mean| mean.saturating_mul(ticks)),
                cost: cost_of_a_thought.map(|mean| mean.saturating_mul(ticks)),
            });
        BudgetView {
            calls,
            tokens,
            cost,
            unpriced_calls,
            saved: saved.collect(),
            cost_of_a_thought,
            tokens_of_a_thought,
        }
    }
}

fn channels(settings: &Settings, rooms: RoomsInView<'_>) -> Vec<ChannelView> {
    let named = settings.replies.discovery_channel_ids.iter();
    named
        .map(|id| {
            let room = RoomId::new(id.as_str());
            let unknown = rooms.room(&room).is_none().then_some(pool::UNKNOWN);
            let why = pool::refusal(&room, settings).or(unknown);
            ChannelView {
                eligible: why.is_none(),
                why: why.unwrap_or_default().to_owned(),
                room,
            }
        })
        .collect()
}
