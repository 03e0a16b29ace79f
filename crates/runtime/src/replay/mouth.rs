//! What the voice of a room would have answered in a replay: Denizen is let in as it was then, and is heard at the pace
//! at which it spoke.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Input, JournalEvent, RoomEvent, RoomWish};
use vocabulary::{DeliveryId, Moment, RoomId, Span, VoiceLoss};

use crate::ports::Recording;

/// How long a character takes to be said, about, and a sentence to be heard: where nothing was said then.
const A_CHARACTER: Span = Span(60);
const FIRST_SOUND: Span = Span(300);

/// What is being said, and what is known of the voice.
#[derive(Debug)]
pub(super) struct Mouth {
    saying: BTreeMap<RoomId, Saying>,
    /// Rooms whose voice it is in.
    inside: BTreeSet<RoomId>,
    /// How Denizen was let in, and when.
    let_in: Vec<(Moment, RoomId, RoomEvent)>,
    /// How long that took, a sentence took to be heard, and a character to be said.
    comes_after: Span,
    first_sound: Span,
    a_character: Span,
}

#[derive(Debug)]
struct Saying {
    delivery: DeliveryId,
    began: Moment,
    ends: Moment,
    characters: usize,
    /// All of it is there.
    closed: bool,
}

impl Mouth {
    /// The voice as it was in a recording.
    pub fn of(recording: &Recording) -> Self {
        let let_in = recording
            .inputs
            .iter()
            .filter_map(|recorded| match &recorded.input {
                Input::Room(room, event @ RoomEvent::VoiceJoined { .. }) => {
                    Some((recorded.now.moment, room.clone(), event.clone()))
                }
                _ => None,
            });
        let (mut wanted, mut comings, mut sounds, mut paces) = (BTreeMap::new(), vec![], vec![], vec![]);
        for entry in &recording.journal {
            match &entry.event {
                JournalEvent::VoiceSessionRequested { .. } => {
                    wanted.insert(entry.scope.room.clone(), entry.moment);
                }
                JournalEvent::VoiceSessionStarted { .. } => {
                    let since = wanted.remove(&entry.scope.room);
                    comings.extend(since.map(|since| entry.moment.since(since)));
                }
                JournalEvent::VoiceAnswerHeard {
                    first_sentence,
                    heard,
                    ..
                } => sounds.push(Span(heard.0.saturating_sub(first_sentence.0))),
                JournalEvent::ReplySpoken {
                    heard_characters,
                    cut: false,
                    took,
                    ..
                } if *heard_characters > 0 => paces.push(Span(took.0 / *heard_characters as u64)),
                _ => {}
            }
        }
        Self {
            saying: BTreeMap::new(),
            inside: BTreeSet::new(),
            let_in: let_in.collect(),
            comes_after: middle(comings).unwrap_or(Span::ZERO),
            first_sound: middle(sounds).unwrap_or(FIRST_SOUND),
            a_character: Span(middle(paces).unwrap_or(A_CHARACTER).0.max(1)),
        }
    }

    /// Whether Denizen is in the voice of a room.
    pub fn is_in(&self, room: &RoomId) -> bool {
        self.inside.contains(room)
    }

    /// From when on it is heard in a room after a moment; none where that is not so.
    pub fn heard_from(&self, room: &RoomId, at: Moment) -> Option<Moment> {
        let saying = self.saying.get(room)?;
        let is_over = saying.closed && saying.ends <= at;
        (!is_over).then(|| saying.began.max(at))
    }

    /// What comes of a wish, and when.
    pub fn answer(&mut self, at: Moment, room: &RoomId, wish: RoomWish) -> Vec<(Moment, Input)> {
        let event = |at: Moment, event: RoomEvent| (at, Input::Room(room.clone(), event));
        match wish {
            RoomWish::JoinVoice => {
                self.inside.insert(room.clone());
                vec![event(at + self.comes_after, self.joined(at, room))]
            }
            RoomWish::LeaveVoice => {
                self.inside.remove(room);
                let left = RoomEvent::VoiceLeft {
                    reason: VoiceLoss::Asked,
                    detail: String::new(),
                };
                vec![event(at, left)]
            }
            RoomWish::PlaySound { name } => vec![event(at, RoomEvent::SoundPlayed { person: None, name })],
            RoomWish::Speak {
                delivery,
                sentence,
                last,
                ..
            } => {
                let (began, a_character) = (at + self.first_sound, self.a_character);
                let is_new = |saying: &Saying| saying.delivery != delivery;
                let mut come = Vec::new();
                if self.saying.get(room).is_none_or(is_new) {
                    let delivery = delivery.clone();
                    let started = RoomEvent::PlaybackStarted {
                        delivery: delivery.clone(),
                    };
                    come.push(event(began, started));
                    let saying = Saying {
                        delivery,
                        began,
                        ends: began,
                        characters: 0,
                        closed: false,
                    };
                    self.saying.insert(room.clone(), saying);
                }
                if let Some(saying) = self.saying.get_mut(room) {
                    let characters = sentence.chars().count();
                    saying.characters += characters;
                    saying.ends = saying.ends.max(at) + Span(a_character.0 * characters as u64);
                    saying.closed = last;
                    if last {
                        let cut_after = None;
                        let ended = RoomEvent::PlaybackEnded { delivery, cut_after };
                        come.push(event(saying.ends, ended));
                    }
                }
                come
            }
            RoomWish::StopSpeaking => {
                let Some(saying) = self.saying.remove(room) else {
                    return Vec::new();
                };
                let said = at.since(saying.began).0 / self.a_character.0;
                let said = usize::try_from(said).unwrap_or(usize::MAX);
                let ended = RoomEvent::PlaybackEnded {
                    delivery: saying.delivery,
                    cut_after: Some(said.min(saying.characters)),
                };
                vec![event(at, ended)]
            }
            _ => Vec::new(),
        }
    }

    /// With the ears and the voice that it had there next, or last.
    fn joined(&self, at: Moment, room: &RoomId) -> RoomEvent {
        let mut of_room = self.let_in.iter().filter(|(_, there, _)| there == room);
        let newest = of_room.clone().next_back();
        let known = of_room.find(|(then, ..)| *then >= at).or(newest);
        known.map_or_else(
            || RoomEvent::VoiceJoined {
                hears: true,
                speaks: true,
                sounds: Vec::new(),
            },
            |(.., joined)| joined.clone(),
        )
    }
}

/// The one in the middle.
fn middle(mut spans: Vec<Span>) -> Option<Span> {
    spans.sort_unstable();
    spans.get(spans.len() / 2).copied()
}
