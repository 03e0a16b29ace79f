//! What the lines about its own thoughts mean, in plain words.

use mind::journal::JournalEvent;
use mind::reasons::{InitiativeSkip, RunOutcome, SourceRemover};
use vocabulary::WallTime;
use vocabulary::text::counted;

use crate::words::{dollars, span, with_detail};

/// The sentence for a line about its own thoughts, what it can reach and what people put under messages; none for any other.
pub(super) fn sentence(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::AmbientTickDecided {
            gate,
            revisits,
            roll,
            below,
            repeated,
            ..
        } => {
            let rolled = match (roll, below) {
                (Some(roll), Some(below)) => format!(" It rolled {roll}, and needed less than {below}."),
                _ => String::new(),
            };
            match gate {
                Some(gate) if *repeated > 0 => format!(
                    "No thought of its own for {} more: {}.{rolled}",
                    ticks(*repeated),
                    gate.words()
                ),
                Some(gate) => format!("No thought of its own this minute: {}.{rolled}", gate.words()),
                None if *revisits => "Nothing stood against looking at the thought it holds.".to_owned(),
                None => format!("Nothing stood against looking for a thought of its own.{rolled}"),
            }
        }
        JournalEvent::AmbientRunStarted {
            trial,
            revisits,
            channels,
        } => {
            let what = match revisits {
                true => "what to make of the thought it holds",
                false => "whether there is something worth saying",
            };
            let trial = if *trial {
                " This is a trial: nothing is posted."
            } else {
                ""
            };
            format!(
                "Denizen begins to think by itself: {what}, in {}.{trial}",
                counted(*channels, "channel")
            )
        }
        JournalEvent::AmbientChannelsUnknown { rooms } => {
            let names: Vec<String> = rooms.iter().map(|room| format!("“{room}”")).collect();
            format!(
                "Of permissions.replies.discoveryChannelIds it leaves out what does not exist: {}.",
                names.join(", ")
            )
        }
        JournalEvent::AmbientRunGathered {
            items,
            candidates,
            sources,
            sources_failed,
            facts,
            abandoned,
            took,
        } => {
            let failed = match sources_failed {
                0 => String::new(),
                failed => format!(", {failed} of them in vain"),
            };
            let late = if *abandoned {
                " Not everything came in time."
            } else {
                ""
            };
            format!(
                "It read {}{failed}: {} came, {candidates} were chosen. Memory gave {}. That took {}.{late}",
                counted(*sources, "source"),
                counted(*items, "item"),
                counted(*facts, "fact"),
                span(*took)
            )
        }
        JournalEvent::AmbientRunEnded {
            outcome,
            took,
            calls,
            tokens,
            cost_micro_dollars,
        } => {
            let calls = counted(usize::try_from(*calls).unwrap_or(usize::MAX), "model call");
            let money = cost_micro_dollars.map_or_else(String::new, |cost| format!(", {}", dollars(cost)));
            format!(
                "{} after {}: {calls}, {tokens} tokens{money}.",
                ended(*outcome),
                span(*took)
            )
        }
        JournalEvent::InitiativePost {
            characters,
            links,
            media,
            reply_to,
            revisions,
            held_for,
            ..
        } => {
            let mut with = vec![counted(*characters, "character")];
            if !links.is_empty() {
                with.push(counted(links.len(), "link"));
            }
            if let Some(media) = media {
                with.push(format!("a {}", media.noun()));
            }
            if reply_to.is_some() {
                with.push("as a reply".to_owned());
            }
            let held = match revisions {
                0 => String::new(),
                _ => format!(" The thought was held for {}.", span(*held_for)),
            };
            format!(
                "Denizen posted something of its own accord: {}.{held}",
                with.join(", ")
            )
        }
        JournalEvent::InitiativeSkip { reason, detail, .. } => {
            let head = match reason {
                InitiativeSkip::Held => "Nothing was posted yet".to_owned(),
                _ => "Nothing was posted".to_owned(),
            };
            with_detail(&format!("{head}: {}.", reason.words()), detail)
        }
        JournalEvent::AmbientMediaWanted { kind, model, .. } => match model.as_str() {
            "" => format!("A {} is looked for to go with the post.", kind.noun()),
            model => format!(
                "A {} is wanted to go with the post, made by {model}.",
                kind.noun()
            ),
        },
        JournalEvent::AmbientMediaMade {
            kind,
            provider,
            bytes,
            cost_micro_dollars,
            took,
            ..
        }
        | JournalEvent::ReplyMediaMade {
            kind,
            provider,
            bytes,
            cost_micro_dollars,
            took,
            ..
        } => {
            let money = cost_micro_dollars.map_or_else(String::new, |cost| format!(", {}", dollars(cost)));
            format!(
                "The {} is there after {}, by {provider}: {} kB{money}.",
                kind.noun(),
                span(*took),
                bytes.div_ceil(1_000)
            )
        }
        JournalEvent::AmbientMediaFailed { kind, detail, .. } => with_detail(
            &format!("There is no {}; the words go out without it.", kind.noun()),
            detail,
        ),
        JournalEvent::ReplyMediaWanted { kind, model, .. } => match model.as_str() {
            "" => format!("A {} is looked for; the reply waits for it.", kind.noun()),
            model => format!(
                "A {} is being made by {model}; the reply waits for it.",
                kind.noun()
            ),
        },
        JournalEvent::ReplyMediaFailed { kind, detail, .. } => with_detail(
            &format!(
                "There is no {}; the model is told why, so that it can say so.",
                kind.noun()
            ),
            detail,
        ),
        JournalEvent::AmbientOutcomeCounted { reactions, replies } => format!(
            "Its own post has {} and {} now.",
            counted(*reactions, "reaction"),
            match replies {
                1 => "1 reply".to_owned(),
                many => format!("{many} replies"),
            }
        ),
        JournalEvent::AmbientSourceAdded { source, reason } => {
            with_detail(&format!("Denizen reads {source} from now on."), reason)
        }
        JournalEvent::AmbientSourceRemoved { source, by } => match by {
            SourceRemover::Operator => format!("{source} is not read any more: the operator removed it."),
            SourceRemover::Denizen => format!("{source} is not read any more: Denizen removed it."),
        },
        JournalEvent::CapabilitiesChanged { tools, media } => {
            let list = |names: Vec<String>| match names.is_empty() {
                true => "nothing".to_owned(),
                false => names.join(", "),
            };
            let media = media.iter().map(|kind| kind.noun().to_owned()).collect();
            format!(
                "Out there it can use {}, and have made: {}.",
                list(tools.clone()),
                list(media)
            )
        }
        JournalEvent::QuietBegun { person, until } => {
            let who = person
                .as_ref()
                .map_or("Whoever looks after Denizen", |person| person.as_str());
            match until {
                Some(until) => format!(
                    "{who} wants nothing said in this room until {} UTC.",
                    clock(*until)
                ),
                None => format!("{who} wants nothing said in this room until somebody ends that."),
            }
        }
        JournalEvent::QuietEnded { person } => match person {
            Some(person) => format!("Denizen may speak in this room again: {person} wants it."),
            None => "Denizen may speak in this room again: the quiet is over.".to_owned(),
        },
        JournalEvent::ReactionSent { emoji, why, .. } => with_detail(
            &format!("Denizen put {emoji} under the message instead of words."),
            why,
        ),
        JournalEvent::ReactionChanged { person, added } => match added {
            true => format!("{person} put a reaction under the message."),
            false => format!("{person} took a reaction back."),
        },
        _ => return None,
    })
}

fn clock(at: WallTime) -> String {
    let minutes = at.0.div_euclid(60_000).rem_euclid(24 * 60);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

fn ticks(ticks: u64) -> String {
    counted(usize::try_from(ticks).unwrap_or(usize::MAX), "minute")
}

fn ended(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Posted => "It thought, and posted",
        RunOutcome::Held => "It thought, and keeps the thought",
        RunOutcome::Dropped => "It thought, and let it be",
        RunOutcome::Failed => "It could not think it through",
        RunOutcome::Interrupted => "The thought was interrupted",
        RunOutcome::Trial => "The trial is over",
    }
}
