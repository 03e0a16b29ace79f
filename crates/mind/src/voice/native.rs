//! A realtime service that thinks for itself: what it is told to be, when that changes, and what it knows.
//!
//! Denizen only decides whether it answers. What it is told is written anew at each step, and sent where it reads
//! otherwise than before: after a fold, when people come and go, when settings change and when something is forgotten.

use gist::gems::fingerprint;
use serde::{Deserialize, Serialize};
use vocabulary::{AuthorKind, Message, Moment, PersonId, RecallId, SectionFate, ToolSpec, WallTime};

use super::native_prompt::{Standing, StandingBrief, standing};
use super::{Voice, VoiceContext, prepared, want};
use crate::effect::RoomWish;
use crate::input::{Recollection, ServiceEvents, ServiceKnown};
use crate::journal::{JournalEvent, Scope};
use crate::memory::recall::{Wanted, choose};
use crate::prompt::{reply_tools, transcript};
use crate::step_context::StepContext;

/// What is told of a message that somebody typed.
const TOLD_CHARS_MAX: usize = 600;

/// What is known of the conversation that a service keeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct NativeLink {
    pub events: ServiceEvents,
    pub known: ServiceKnown,
    /// What was said before then it has not heard.
    pub since: WallTime,
    /// What is remembered of those who are there.
    pub memory: Vec<String>,
    /// Of whom that was looked up.
    asked_of: Vec<PersonId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<(RecallId, Moment)>,
    /// What it was told, part by part.
    sent: Vec<(String, u64)>,
    /// It is to forget what it was told and has heard.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    anew: bool,
}

impl NativeLink {
    pub fn new(events: ServiceEvents, since: WallTime) -> Self {
        Self {
            events,
            since,
            ..Self::default()
        }
    }

    pub fn waits_for(&self, recall: RecallId) -> bool {
        self.recall.is_some_and(|(open, _)| open == recall)
    }

    /// What the service goes by, for a person.
    pub fn knows(&self) -> String {
        let ServiceKnown {
            items,
            clips,
            heard,
            input_tokens,
            folds,
            ..
        } = &self.known;
        let seconds = heard.0.div_ceil(1_000);
        let (recordings, things) = (counted(*clips, "recording"), counted(*items, "item"));
        let mut words = format!(
            "known to the service: {recordings} of people ({seconds} s) among {things} since it began to listen"
        );
        if let Some(tokens) = input_tokens {
            words += &format!(", {tokens} tokens when it last answered");
        }
        if *folds {
            words += "; it lets go of what is old by itself";
        }
        words
    }
}

fn counted(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// Whether a service thinks for itself here.
pub(super) fn is_on(voice: &Voice) -> bool {
    voice.session.is_in() && voice.session.service.is_some() && voice.session.native.is_some()
}

/// What a service may call: pictures cannot be shown to it.
pub(super) fn offered(step: &StepContext<'_>) -> Vec<ToolSpec> {
    reply_tools(step.settings, false, &[], step.outside)
}

/// What a service is told to be, as things stand.
pub(super) fn told(
    voice: &Voice,
    link: &NativeLink,
    context: &VoiceContext<'_>,
    step: &StepContext<'_>,
) -> Standing {
    standing(&StandingBrief {
        room: context.name,
        settings: step.settings,
        people: &voice.people,
        link,
        summary: context.log.summary_shown(step.settings),
        window: &context.log.window(step.settings),
    })
}

/// Tells the service what it is to be, where that reads otherwise than before.
pub(super) fn refresh(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    if !is_on(voice) {
        return;
    }
    look_people_up(voice, context, step);
    let Some(mut link) = voice.session.native.take() else {
        return;
    };
    let standing = told(voice, &link, context, step);
    let tools = offered(step);
    let names: Vec<String> = tools.iter().map(|tool| tool.name.clone()).collect();
    let parts = standing.sections.iter();
    let mut parts: Vec<(String, u64)> = parts
        .map(|part| (part.name.clone(), fingerprint(&part.text)))
        .collect();
    parts.push(("tools".to_owned(), fingerprint(&names.join(" "))));
    parts.push(("rules".to_owned(), fingerprint(&standing.text)));
    if parts != link.sent || link.anew {
        let before = |name: &str| {
            link.sent
                .iter()
                .find(|(sent, _)| sent == name)
                .map(|(_, print)| *print)
        };
        let mut changed = parts.iter().filter(|(name, print)| before(name) != Some(*print));
        // The whole text changes with each of its parts.
        let all: Vec<String> = changed.by_ref().map(|(name, _)| name.clone()).collect();
        let is_part = |name: &String| name != "rules" || all.len() == 1 || link.sent.is_empty();
        let with_fate = |fate| {
            let sections = standing.sections.iter().filter(|part| part.fate == fate);
            sections.map(|part| part.name.clone()).collect()
        };
        let event = JournalEvent::RealtimeInstructed {
            service: service_of(voice),
            event: link.events.instruct.clone(),
            characters: standing.text.chars().count(),
            changed: all.iter().filter(|name| is_part(name)).cloned().collect(),
            sections_trimmed: with_fate(SectionFate::Trimmed),
            sections_dropped: with_fate(SectionFate::Dropped),
            tools: names,
            anew: link.anew,
        };
        step.ledger.write(Scope::room(context.room), event);
        let wish = RoomWish::InstructService {
            instructions: standing.text,
            tools,
            anew: link.anew,
        };
        want(context.room, wish, step);
        link.sent = parts;
        link.anew = false;
    }
    voice.session.native = Some(link);
}

pub(super) fn service_of(voice: &Voice) -> String {
    let seat = voice.session.service.as_ref();
    seat.map_or_else(String::new, |seat| seat.service.clone())
}

/// What is remembered of people is looked up when others are there than before.
fn look_people_up(voice: &mut Voice, context: &VoiceContext<'_>, step: &mut StepContext<'_>) {
    let there: Vec<PersonId> = voice.people.listened_to().cloned().collect();
    let Some(link) = voice
        .session
        .native
        .as_mut()
        .filter(|link| link.asked_of != there)
    else {
        return;
    };
    link.asked_of.clone_from(&there);
    link.recall = None;
    if there.is_empty() {
        link.memory.clear();
        return;
    }
    let names = voice.people.roster(there.len()).join(", ");
    let scope = Scope::room(context.room);
    let recall = prepared::launch(&names, &there, scope, context, step);
    let now = step.moment();
    if let Some(link) = &mut voice.session.native {
        link.recall = recall.map(|recall| (recall, now));
    }
}

/// What is remembered of those who are there has been looked up; none: not in time.
pub(super) fn recalled(
    voice: &mut Voice,
    recall: RecallId,
    found: Option<Recollection>,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let Some(link) = &mut voice.session.native else {
        return;
    };
    let Some((_, started)) = link.recall.take() else {
        return;
    };
    let took = step.took(started);
    let event = match found {
        Some(found) => {
            let wanted = Wanted {
                user_facts: step.settings.memory.max_voice_facts as usize,
                relevant_facts: 0,
                min_confidence: step.settings.memory.min_confidence,
            };
            let chosen = choose(&found, &Default::default(), wanted, step.now().wall);
            let event = chosen.told(recall, &found, took);
            link.memory = chosen.user_facts;
            event
        }
        None => JournalEvent::RecallAbandoned { recall, after: took },
    };
    step.ledger.write(Scope::room(context.room), event);
}

/// What the service knows is something else; where it began anew, it knows nothing of what was before.
pub(crate) fn knows(
    voice: &mut Voice,
    known: ServiceKnown,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let service = service_of(voice);
    let Some(link) = &mut voice.session.native else {
        return;
    };
    let begins = known.begun != link.known.begun;
    let event = begins.then_some(JournalEvent::RealtimeConversationBegun {
        service,
        begun: known.begun,
        folds: known.folds,
    });
    link.known = known;
    if let Some(event) = event {
        link.since = step.now().wall;
        step.ledger.write(Scope::room(context.room), event);
    }
}

/// People spoke at once.
pub(crate) fn overlapped(
    voice: &Voice,
    people: Vec<PersonId>,
    mixed: bool,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if let Some(link) = &voice.session.native {
        let event = JournalEvent::RealtimeSpeakersOverlapped {
            people,
            mixed,
            event: link.events.hear.clone(),
        };
        step.ledger.write(Scope::room(context.room), event);
    }
}

/// A message stands in the room of which the service has not heard: it is told of it.
pub(crate) fn read(voice: &Voice, message: &Message, context: &VoiceContext<'_>, step: &mut StepContext<'_>) {
    if !is_on(voice) || message.sign {
        return;
    }
    let line = transcript::line_within(message, None, TOLD_CHARS_MAX);
    let what = match message.author.kind {
        AuthorKind::Denizen if message.spoken => "You said, in words that were written for you",
        AuthorKind::Denizen => "You wrote in the text of the room",
        _ => "In the text of the room",
    };
    let text = vocabulary::text::without_marks(&format!("{what}: {line}"));
    want(context.room, RoomWish::TellService { text }, step);
}

/// Something is forgotten, or was taken back: the service may have heard it, and begins anew without it.
pub(super) fn forget(voice: &mut Voice, step: &StepContext<'_>) {
    let wall = step.now().wall;
    if let Some(link) = &mut voice.session.native {
        link.memory.clear();
        link.asked_of.clear();
        link.recall = None;
        link.anew = true;
        link.since = wall;
    }
}

/// Somebody came or went: the service is told, for it cannot see them.
pub(super) fn moved(
    voice: &Voice,
    name: &str,
    came: bool,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if is_on(voice) {
        let what = if came { "came into" } else { "left" };
        let text = format!("{} {what} the voice channel.", transcript::speaker(name));
        want(context.room, RoomWish::TellService { text }, step);
    }
}
