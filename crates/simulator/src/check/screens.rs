//! What must hold of shared screens: a note waits for nothing but its cooldown and the one before it, none outlives its
//! watch, and nobody is talked over.

use std::collections::{BTreeMap, BTreeSet};

use mind::watch::commentary::QUIET_WINDOW;
use mind::{Effect, Input, JournalEvent, RoomEvent, RoomWish};
use settings::ThresholdMode;
use vocabulary::{AskId, Moment, PersonId, RoomId, ShareId, Span, TurnId};

use super::Report;
use crate::trace::{Stepped, Trace};

#[derive(Default)]
struct Room {
    watched: Option<ShareId>,
    seen_a_frame: bool,
    /// Asks for notes of the watch that goes on.
    notes_under_way: BTreeSet<AskId>,
    last_attempt: Option<Moment>,
    /// When notes were taken and comments considered, within the last hour or so.
    notes: Vec<Moment>,
    comments: Vec<Moment>,
    failures: u64,
    last_heard: Option<Moment>,
    /// Somebody spoke, where it is in the voice of the room; none where it is not.
    voice: Option<Voice>,
    /// Who does not want to be listened to.
    unheard: BTreeSet<PersonId>,
    turns_open: BTreeSet<TurnId>,
}

/// Who is heard in the voice of a room that Denizen is in.
#[derive(Default)]
struct Voice {
    /// Since when they speak.
    speaking: BTreeMap<PersonId, Moment>,
    last_heard: Option<Moment>,
}

/// A speech whose end nobody told of is over by then.
const SPEECH_MAX: Span = Span::seconds(29);

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut rooms: BTreeMap<RoomId, Room> = BTreeMap::new();
    let mut unpaid = false;
    for step in &trace.steps {
        heard(step, &mut rooms);
        // Told once a day, of whatever room it was.
        unpaid |= step.journal().any(|entry| {
            let event = &entry.event;
            matches!(
                event,
                JournalEvent::SpendingRefused { .. } | JournalEvent::ModelRestBegun { .. }
            )
        });
        if !unpaid {
            change_is_noted_at_once(step, &mut rooms, report);
        }
        for effect in &step.effects {
            // It leaves: what it writes from now on is said over nobody.
            if let Effect::Room(id, RoomWish::LeaveVoice) = effect {
                rooms.entry(id.clone()).or_default().voice = None;
            }
        }
        for effect in &step.effects {
            if let Effect::Journal(entry) = effect
                && let Some(id) = &entry.scope.room
            {
                let room = rooms.entry(id.clone()).or_default();
                follow(step, room, &entry.event, entry.scope.turn, report);
            }
        }
    }
}

fn heard(step: &Stepped, rooms: &mut BTreeMap<RoomId, Room>) {
    let news = step
        .journal()
        .any(|entry| matches!(entry.event, JournalEvent::MessageReceived { .. }));
    if let Input::Room(room, event) = &step.input {
        heard_aloud(rooms.entry(room.clone()).or_default(), event, step.now.moment);
    }
    if let Input::Shell(mind::ShellEvent::Restarted { .. }) = &step.input {
        rooms.values_mut().for_each(|room| room.voice = None);
    }
    let room = match &step.input {
        // A message that is told a second time is no news.
        Input::Room(_, RoomEvent::MessageArrived(message)) if news => &message.room,
        Input::Room(room, RoomEvent::TypingChanged { typing: true, .. }) => room,
        _ => return,
    };
    rooms.entry(room.clone()).or_default().last_heard = Some(step.now.moment);
}

fn heard_aloud(room: &mut Room, event: &RoomEvent, now: Moment) {
    match event {
        // Where nobody understands speech, what is typed stands in for it.
        RoomEvent::VoiceJoined { hears: true, .. } => {
            room.voice.get_or_insert_default();
        }
        RoomEvent::VoiceLeft { .. } => room.voice = None,
        _ => {}
    }
    if let RoomEvent::ListeningChosen { person, listen } = event {
        match listen {
            true => room.unheard.remove(person),
            false => room.unheard.insert(person.clone()),
        };
    }
    let Some(voice) = &mut room.voice else { return };
    match event {
        RoomEvent::SpeechStarted { person } if !room.unheard.contains(person) => {
            voice.speaking.insert(person.clone(), now);
        }
        RoomEvent::SpeechEnded { person } if voice.speaking.remove(person).is_some() => {
            voice.last_heard = Some(now);
        }
        RoomEvent::PersonLeft { person } | RoomEvent::ListeningChosen { person, .. } => {
            voice.speaking.remove(person);
        }
        _ => {}
    }
}

/// Whether nobody is talked over: aloud where it is in the voice of the room, else in its text.
fn is_quiet(room: &Room, now: Moment) -> bool {
    let quiet = |heard: Option<Moment>| heard.is_none_or(|heard| now.since(heard) >= QUIET_WINDOW);
    match &room.voice {
        Some(voice) => {
            let speaks = |since: &Moment| now.since(*since) < SPEECH_MAX;
            !voice.speaking.values().any(speaks) && quiet(voice.last_heard)
        }
        None => quiet(room.last_heard),
    }
}

/// Whoever speaks, and whatever else is going on: only the cooldown, the calls of an hour, a note that is being taken and an
/// empty purse may hold a note back.
fn change_is_noted_at_once(step: &Stepped, rooms: &mut BTreeMap<RoomId, Room>, report: &mut Report) {
    let Input::Room(room, RoomEvent::FrameArrived { share, glimpse }) = &step.input else {
        return;
    };
    let state = rooms.entry(room.clone()).or_default();
    if state.watched.as_ref() != Some(share) {
        return;
    }
    let settings = &step.settings.stream_watch;
    let first = !std::mem::replace(&mut state.seen_a_frame, true);
    let absolute = settings.threshold_mode == ThresholdMode::Absolute;
    let change = glimpse.change;
    let over = change.score >= settings.change_threshold;
    if !(first || change.scene_cut || absolute && over) {
        return;
    }
    let cooldown = Span::seconds(settings.change_min_interval_seconds);
    let rested = state
        .last_attempt
        .is_none_or(|last| step.now.moment.since(last) >= cooldown);
    let all = settings.max_calls_per_hour;
    let at_once = (all - all / 3) / 4;
    let may = within_an_hour(&state.notes, step.now.moment) < at_once;
    let free = state.notes_under_way.is_empty() && rested && may && state.failures == 0;
    let noted = step
        .journal()
        .any(|entry| matches!(entry.event, JournalEvent::NoteStarted { .. }));
    if free && !noted {
        let what = format!("frame {} of {room} changed and was not noted", glimpse.frame);
        report.add("change_noted_at_once", step.now.moment, what);
    }
}

fn within_an_hour(calls: &[Moment], now: Moment) -> u64 {
    let recent = calls
        .iter()
        .rev()
        .take_while(|at| now.since(**at) < Span::hours(1));
    recent.count() as u64
}

fn calls_are_within_their_hour(room: &Room, now: Moment, allowed: u64, report: &mut Report) {
    let calls = within_an_hour(&room.notes, now) + within_an_hour(&room.comments, now);
    if calls > allowed {
        let what = format!("{calls} calls in an hour, and {allowed} are allowed");
        report.add("screen_calls_an_hour", now, what);
    }
}

fn follow(step: &Stepped, room: &mut Room, event: &JournalEvent, turn: Option<TurnId>, report: &mut Report) {
    let at = step.now.moment;
    let settings = &step.settings.stream_watch;
    match event {
        JournalEvent::WatchStarted { share, .. } => {
            room.watched = Some(share.clone());
            room.seen_a_frame = false;
        }
        JournalEvent::WatchEnded { .. } => {
            room.watched = None;
            room.notes_under_way.clear();
        }
        JournalEvent::NoteStarted { ask, .. } => {
            let cooldown = Span::seconds(settings.change_min_interval_seconds);
            if room.last_attempt.is_some_and(|last| at.since(last) < cooldown) {
                report.add("note_cooldown", at, format!("ask {ask} comes too soon"));
            }
            room.last_attempt = Some(at);
            room.notes_under_way.insert(*ask);
            room.notes.push(at);
            calls_are_within_their_hour(room, at, settings.max_calls_per_hour, report);
        }
        JournalEvent::NoteTaken { ask, .. } => {
            if !room.notes_under_way.remove(ask) {
                report.add(
                    "note_of_its_watch",
                    at,
                    format!("ask {ask} belongs to no watch that goes on"),
                );
            }
            room.failures = 0;
        }
        JournalEvent::NoteFailed { ask, .. } => {
            room.notes_under_way.remove(ask);
            room.failures += 1;
        }
        JournalEvent::AskCancelled { ask, .. } => {
            room.notes_under_way.remove(ask);
        }
        JournalEvent::TurnOpened { .. } => {
            room.turns_open.extend(turn);
        }
        JournalEvent::TurnEnded { .. } => {
            room.turns_open.retain(|open| Some(*open) != turn);
        }
        JournalEvent::CommentaryStarted { ask, .. } => {
            if !is_quiet(room, at) || !room.turns_open.is_empty() || room.watched.is_none() {
                report.add(
                    "nobody_talked_over",
                    at,
                    format!("ask {ask} considers a comment meanwhile"),
                );
            }
            room.comments.push(at);
            calls_are_within_their_hour(room, at, settings.max_calls_per_hour, report);
            if !settings.autonomous_commentary_enabled {
                report.add("commentary_off", at, format!("ask {ask} considers a comment"));
            }
        }
        _ => {}
    }
}
