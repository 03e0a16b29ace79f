//! What is sent: one text per delivery id, no silence and no envelope in it, nothing for messages taken back.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Delivery, Effect, JournalEvent, RoomWish};
use vocabulary::{DeliveryId, MessageId, Moment, TurnId};

use super::Report;
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut sent: BTreeMap<DeliveryId, Delivery> = BTreeMap::new();
    let mut limits: BTreeMap<TurnId, usize> = BTreeMap::new();
    let mut deleted: BTreeSet<MessageId> = BTreeSet::new();
    let mut begun: BTreeSet<TurnId> = BTreeSet::new();
    for step in &trace.steps {
        let at = step.now.moment;
        let limit = step.settings.activity.max_message_characters as usize;
        for effect in &step.effects {
            match effect {
                Effect::Journal(entry) => match &entry.event {
                    JournalEvent::MessageDeleted { .. } => {
                        deleted.extend(entry.scope.messages.iter().cloned())
                    }
                    JournalEvent::DeliveryStarted { .. } => {
                        let Some(turn) = entry.scope.turn else { continue };
                        let about = &entry.scope.messages;
                        // A thought of its own is about nobody's message.
                        if begun.insert(turn)
                            && !about.is_empty()
                            && about.iter().all(|id| deleted.contains(id))
                        {
                            let what = format!("turn {turn} answers only messages that were taken back");
                            report.add("deleted_stay_unanswered", at, what);
                        }
                    }
                    _ => {}
                },
                Effect::Room(_, RoomWish::Send(delivery)) => {
                    if delivery.attachments.is_empty() {
                        words(&delivery.text, "a message", at, report);
                    }
                    if delivery.text.trim().is_empty() && delivery.attachments.is_empty() {
                        report.add("nothing_empty_sent", at, format!("{} is empty", delivery.id));
                    }
                    match sent.get(&delivery.id) {
                        Some(earlier) if earlier == delivery => {}
                        Some(_) => {
                            let what = format!("{} is sent with other contents", delivery.id);
                            report.add("one_text_per_delivery", at, what);
                        }
                        None => {
                            // A reply is cut once; a limit that is changed before its last piece is sent is for the next one.
                            let limit = *limits.entry(delivery.turn).or_insert(limit);
                            if delivery.text.chars().count() > limit {
                                let what = format!("{} is longer than {limit}", delivery.id);
                                report.add("message_length", at, what);
                            }
                            sent.insert(delivery.id.clone(), delivery.clone());
                        }
                    }
                }
                Effect::Room(_, RoomWish::ShowDraft { text, .. }) => words(text, "a draft", at, report),
                _ => {}
            }
        }
    }
}

/// Neither the ways to say silence nor the form of a typed answer ever reach a room.
fn words(text: &str, kind: &str, at: Moment, report: &mut Report) {
    const TOKENS: [&str; 5] = ["[skip]", "[no_reply]", "[no reply]", "[silence]", "<skip>"];
    // Without one of these there is neither.
    let may_be = text.bytes().any(|byte| matches!(byte, b'{' | b'[' | b'<'));
    let lower = if may_be {
        text.to_lowercase()
    } else {
        String::new()
    };
    let squeezed: String = lower.split_whitespace().collect();
    let typed = squeezed.contains("{\"action\"") || squeezed == "{" || squeezed.starts_with("{\"act");
    if typed || TOKENS.iter().any(|token| lower.contains(token)) {
        let beginning: String = text.chars().take(60).collect();
        report.add("silence_unseen", at, format!("{kind} says {beginning:?}"));
    }
    // What is left of a silence in bold type, or of a code block that never came.
    if text
        .chars()
        .all(|letter| letter.is_whitespace() || "*_`{}[]".contains(letter))
    {
        report.add("silence_unseen", at, format!("{kind} holds only marks: {text:?}"));
    }
}
