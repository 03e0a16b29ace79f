//! What is allowed in any 24 hours is not exceeded: posts, pictures, clips and GIFs; and fresh thoughts keep the gap.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Effect, JournalEvent, RoomWish};
use vocabulary::{MediaKind, Moment, Span, TurnId};

use super::super::Report;
use super::replay::DAY;
use super::thought_turns;
use crate::trace::{Stepped, Trace};

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let thoughts = thought_turns(trace);
    let mut considered: Option<Moment> = None;
    let mut posts: Vec<Moment> = Vec::new();
    let mut sent: BTreeSet<TurnId> = BTreeSet::new();
    let mut media: BTreeMap<MediaKind, Vec<Moment>> = BTreeMap::new();
    for step in &trace.steps {
        let at = step.now.moment;
        for effect in &step.effects {
            match effect {
                Effect::Room(_, RoomWish::Send(delivery))
                    if thoughts.contains(&delivery.turn) && sent.insert(delivery.turn) =>
                {
                    let most = step.settings.initiative.max_posts_per_day;
                    let lately = within_a_day(&posts, at);
                    if lately >= most {
                        let what =
                            format!("a post is sent after {lately} in 24 hours, and {most} are allowed");
                        report.add("posts_per_day", at, what);
                    }
                }
                Effect::Journal(entry) => match &entry.event {
                    JournalEvent::InitiativePost { .. } => posts.push(at),
                    JournalEvent::AmbientRunStarted {
                        trial: false,
                        revisits: false,
                        ..
                    } => {
                        let gap = Span::minutes(step.settings.initiative.min_minutes_between_posts);
                        if considered.is_some_and(|before| at.since(before) < gap) {
                            let what = format!("a fresh thought {:?} after the last one", considered);
                            report.add("gap_between_thoughts", at, what);
                        }
                        considered = Some(at);
                    }
                    JournalEvent::AmbientMediaWanted { kind, .. }
                    | JournalEvent::ReplyMediaWanted { kind, .. } => {
                        let had = media.entry(*kind).or_default();
                        let for_reply = matches!(entry.event, JournalEvent::ReplyMediaWanted { .. });
                        let (allowed, most) = limit(*kind, for_reply, step);
                        if !allowed || within_a_day(had, at) >= most {
                            let what = format!("a {} too many: {most} are allowed", kind.noun());
                            report.add("media_per_day", at, what);
                        }
                        had.push(at);
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }
}

fn within_a_day(moments: &[Moment], now: Moment) -> u64 {
    let lately = moments.iter().rev().take_while(|at| now.since(**at) < DAY);
    lately.count() as u64
}

fn limit(kind: MediaKind, for_reply: bool, step: &Stepped) -> (bool, u64) {
    let discovery = &step.settings.discovery;
    match kind {
        MediaKind::Image if for_reply => (discovery.allow_reply_images, discovery.max_images_per_day),
        MediaKind::Video if for_reply => (false, 0),
        MediaKind::Image => (discovery.allow_image_posts, discovery.max_images_per_day),
        MediaKind::Video => (discovery.allow_video_posts, discovery.max_videos_per_day),
        MediaKind::Gif => (discovery.allow_reply_gifs, discovery.max_gifs_per_day),
    }
}
