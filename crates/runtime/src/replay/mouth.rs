//! What the voice of a room would have answered in a replay: Denizen is let in, and is heard at the pace of speech.

use mind::{Input, RoomEvent, RoomWish};
use vocabulary::{DeliveryId, Moment, RoomId, Span, VoiceLoss};

/// How long a character takes to be said, about.
const A_CHARACTER: Span = Span(60);

/// What is being said.
#[derive(Debug, Default)]
pub(super) struct Mouth {
    saying: Option<Saying>,
}

#[derive(Debug)]
struct Saying {
    delivery: DeliveryId,
    began: Moment,
    ends: Moment,
    characters: usize,
}

impl Mouth {
    /// What comes of a wish, and when.
    pub fn answer(&mut self, at: Moment, room: &RoomId, wish: RoomWish) -> Vec<(Moment, Input)> {
        let event = |at: Moment, event: RoomEvent| (at, Input::Room(room.clone(), event));
        match wish {
            RoomWish::JoinVoice => vec![event(
                at,
                RoomEvent::VoiceJoined {
                    hears: true,
                    speaks: true,
                    sounds: Vec::new(),
                },
            )],
            RoomWish::LeaveVoice => {
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
                let mut come = Vec::new();
                if self
                    .saying
                    .as_ref()
                    .is_none_or(|saying| saying.delivery != delivery)
                {
                    let started = RoomEvent::PlaybackStarted {
                        delivery: delivery.clone(),
                    };
                    come.push(event(at, started));
                    self.saying = Some(Saying {
                        delivery: delivery.clone(),
                        began: at,
                        ends: at,
                        characters: 0,
                    });
                }
                if let Some(saying) = &mut self.saying {
                    let characters = sentence.chars().count();
                    saying.characters += characters;
                    saying.ends = saying.ends.max(at) + Span(A_CHARACTER.0 * characters as u64);
                    if last {
                        let cut_after = None;
                        let ended = RoomEvent::PlaybackEnded { delivery, cut_after };
                        come.push(event(saying.ends, ended));
                    }
                }
                come
            }
            RoomWish::StopSpeaking => {
                let Some(saying) = self.saying.take() else {
                    return Vec::new();
                };
                let said = usize::try_from(at.since(saying.began).0 / A_CHARACTER.0).unwrap_or(usize::MAX);
                let ended = RoomEvent::PlaybackEnded {
                    delivery: saying.delivery,
                    cut_after: Some(said.min(saying.characters)),
                };
                vec![event(at, ended)]
            }
            _ => Vec::new(),
        }
    }
}
