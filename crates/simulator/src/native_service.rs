//! A realtime service that answers by itself: its words and its sound, as well as it behaves, and badly where it does not.

use std::collections::BTreeMap;

use mind::{RoomEvent, ServiceEvents, ServiceKnown};
use vocabulary::{AskId, AskOutcome, DeliveryId, RoomId, Span};

use crate::director::AskPlan;

/// What a service does wrong that answers by itself, beside what every model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeFault {
    /// It has words, and no sound.
    Silent,
    /// Its words come when all of its sound has.
    WordsLast,
    /// Words come once more when it is over.
    WordsAfter,
    /// Sound comes although it was told to stop.
    SoundAfterStop,
    /// It says twice that it is heard.
    StartsTwice,
    /// Its sound is done long before anybody says that it is over.
    EndsEarly,
}

impl NativeFault {
    pub const ALL: [NativeFault; 6] = [
        NativeFault::Silent,
        NativeFault::WordsLast,
        NativeFault::WordsAfter,
        NativeFault::SoundAfterStop,
        NativeFault::StartsTwice,
        NativeFault::EndsEarly,
    ];
}

/// The answers that a service gives by itself.
#[derive(Clone, Debug, Default)]
pub struct NativeService {
    /// It thinks for itself in every room that Denizen comes into.
    pub thinks: bool,
    /// How often its conversation was begun.
    begun: u64,
    answers: BTreeMap<AskId, (RoomId, DeliveryId, Option<NativeFault>)>,
}

/// A piece of an answer: when, what of it is said, and whether that is all.
pub type SoundPiece = (Span, String, bool);

impl NativeService {
    /// It answers; what is heard of it, and when.
    pub fn answer(
        &mut self,
        ask: AskId,
        place: (RoomId, DeliveryId),
        fault: Option<NativeFault>,
        plan: &mut AskPlan,
    ) -> Vec<SoundPiece> {
        self.answers.insert(ask, (place.0, place.1, fault));
        let said: String = plan.pieces.iter().map(|(_, text)| text.as_str()).collect();
        let mut sound: Vec<SoundPiece> = plan
            .pieces
            .iter()
            .map(|(after, text)| (*after, text.clone(), false))
            .collect();
        let end = plan.ends.first().cloned();
        if let Some((after, AskOutcome::Answered(answer))) = &end {
            let rest = answer.text.strip_prefix(said.as_str()).unwrap_or("").to_owned();
            sound.push((*after, rest, true));
        } else if let Some((after, _)) = &end {
            sound.push((*after, String::new(), true));
        }
        match fault {
            Some(NativeFault::Silent) => sound.clear(),
            Some(NativeFault::WordsLast) => {
                let last = end.map_or(Span::ZERO, |(after, _)| after);
                for (after, _) in &mut plan.pieces {
                    *after = last;
                }
            }
            Some(NativeFault::WordsAfter) => {
                let again: Vec<(Span, String)> = plan
                    .pieces
                    .iter()
                    .map(|(after, text)| (Span(after.0 + 20_000), text.clone()))
                    .collect();
                plan.pieces.extend(again);
                plan.ignores_cancel = true;
            }
            Some(NativeFault::EndsEarly) => {
                for (after, _) in &mut plan.ends {
                    *after = Span(after.0 + 15_000);
                }
            }
            Some(NativeFault::SoundAfterStop | NativeFault::StartsTwice) | None => {}
        }
        sound
    }

    /// Where an answer is heard, and what is wrong with it.
    pub fn of(&self, ask: AskId) -> Option<&(RoomId, DeliveryId, Option<NativeFault>)> {
        self.answers.get(&ask)
    }

    /// It begins to listen in a room that Denizen came into, or once more.
    pub fn begins(&mut self) -> RoomEvent {
        self.begun += 1;
        RoomEvent::VoiceServiceKnows(ServiceKnown {
            begun: self.begun,
            ..ServiceKnown::default()
        })
    }

    /// It has heard so many recordings of three seconds each since it began for that time.
    pub fn knows(begun: u64, clips: u64) -> RoomEvent {
        RoomEvent::VoiceServiceKnows(ServiceKnown {
            begun,
            items: 2 * clips,
            clips,
            heard: Span::seconds(3 * clips),
            ..ServiceKnown::default()
        })
    }

    /// An answer of its costs so many millionths of a dollar at most.
    pub fn costs(micro_dollars: u64) -> RoomEvent {
        RoomEvent::VoiceServiceKnows(ServiceKnown {
            begun: 1,
            answer_micro_dollars: Some(micro_dollars),
            ..ServiceKnown::default()
        })
    }

    /// It hears and speaks, or cannot.
    pub fn stands(works: bool) -> RoomEvent {
        RoomEvent::VoiceServiceStands {
            service: "openai:gpt-realtime-1.5".to_owned(),
            event: "response.create".to_owned(),
            works,
            detail: if works { "" } else { "the connection was lost" }.to_owned(),
            native: Some(ServiceEvents {
                instruct: "session.update".to_owned(),
                hear: "input_audio_buffer.commit".to_owned(),
                heard: "conversation.item.input_audio_transcription.completed".to_owned(),
                words: "response.output_audio_transcript.delta".to_owned(),
                stop: "conversation.item.truncate".to_owned(),
            }),
        }
    }
}
