//! What people, operators and fate do to the world.

use std::sync::Arc;

use mind::{Input, OperatorWish, RoomEvent, ShellEvent};
use serde_json::Value;
use settings::Settings;
use vocabulary::{AskAllowance, AskPurpose, Message, RoomFacts, RoomId, Span, VoiceLoss, WallTime};

use super::{Happening, World, talking};
use crate::deed::Deed;
use crate::director::Director;
use crate::voices::{VoiceDeed, lasts};

/// The name of a room that does not exist.
const NOWHERE: &str = "nowhere";

impl<D: Director> World<D> {
    /// The same is known of every model.
    fn models_are(&mut self, known: AskAllowance) {
        let known = |purpose| (purpose, known);
        let allowances = AskPurpose::ALL.into_iter().map(known).collect();
        self.step(Input::Shell(ShellEvent::AllowancesChanged { allowances }));
    }

    pub(super) fn carry_out(&mut self, deed: Deed<D::Cue>) {
        if !matches!(deed, Deed::Cue(_)) {
            self.describe_channels();
        }
        match deed {
            Deed::Say(say) if say.spoken && self.voices.holds(&say.room, &say.person.id) => {
                let speak = VoiceDeed::Speak {
                    lasts: lasts(&say.text),
                    heard: Ok(say.text),
                    twice: false,
                    late: Span::ZERO,
                    guess: None,
                };
                talking::voice_deed(self, &say.room, &say.person, &speak);
            }
            Deed::Voice { room, person, deed } => talking::voice_deed(self, &room, &person, &deed),
            Deed::Deafened => self.voices.deaf = true,
            Deed::EarsLoad(takes) => self.voices.loading = takes,
            Deed::SoundFails => self.voices.sound_fails = true,
            Deed::SoundAdded(name) => self.voices.sounds.push(name),
            Deed::MouthFails(fault) => self.voices.faults.push_back(fault),
            Deed::VoiceLost { room } => {
                if self.voices.lost(&room) {
                    let event = RoomEvent::VoiceLeft {
                        reason: VoiceLoss::Lost,
                        detail: "the connection broke".to_owned(),
                    };
                    self.step(Input::Room(room, event));
                }
            }
            Deed::Say(say) => {
                let message = self.platform.write(&say, self.wall());
                self.step(Input::message_arrived(message));
            }
            Deed::Missed(say, ago) => {
                let at = WallTime(self.wall().0.saturating_sub_unsigned(ago.0));
                let message = self.platform.write(&say, at);
                self.step(Input::Room(say.room, RoomEvent::MessageMissed(message)));
            }
            Deed::EditLast { room, person, text } => {
                if let Some(Message { id, .. }) = self.platform.last_of(&room, &person).cloned() {
                    self.platform.edit(&id, &text);
                    self.step(Input::Room(room, RoomEvent::MessageEdited { id, text }));
                }
            }
            Deed::DeleteLast { room, person } => {
                if let Some(Message { id, .. }) = self.platform.last_of(&room, &person).cloned() {
                    self.platform.delete(&id);
                    self.step(Input::Room(room, RoomEvent::MessageDeleted { id }));
                }
            }
            Deed::RepeatLast { room, person, missed } => {
                if let Some(message) = self.platform.last_of(&room, &person).cloned() {
                    self.step(match missed {
                        true => Input::Room(room, RoomEvent::MessageMissed(message)),
                        false => Input::message_arrived(message),
                    });
                }
            }
            Deed::Typing { room, person, typing } => {
                self.step(Input::Room(room, RoomEvent::TypingChanged { person, typing }))
            }
            Deed::Note {
                room,
                shared_by,
                text,
            } => self.step(Input::Room(room, RoomEvent::NoteTaken { shared_by, text })),
            Deed::Screen {
                room,
                person,
                name,
                deed,
            } => {
                if let Some(input) = self.screens.carry_out(&room, &person, &name, &deed) {
                    self.step(input);
                }
            }
            Deed::Told { room, event } => self.step(Input::Room(room, event)),
            Deed::React {
                room,
                person,
                to,
                emoji,
                added,
            } => {
                if let Some(Message { id, .. }) = self.platform.last_of(&room, &to).cloned() {
                    self.step(Input::Room(
                        room,
                        RoomEvent::ReactionChanged {
                            message: id,
                            person,
                            emoji,
                            added,
                        },
                    ));
                }
            }
            Deed::ThinkNow => self.step(Input::Operator(OperatorWish::ThinkNow)),
            Deed::ReplyAgain { room, person } => {
                if let Some(Message { id, .. }) = self.platform.last_of(&room, &person).cloned() {
                    self.step(Input::Operator(OperatorWish::ReplyAgain { room, message: id }));
                }
            }
            Deed::TryModels => self.step(Input::Operator(OperatorWish::ModelsTried)),
            Deed::ReplyModelAnswered => self.step(Input::Operator(OperatorWish::ModelsAnswered {
                purposes: vec![AskPurpose::TextReply],
            })),
            Deed::DropThought => self.step(Input::Operator(OperatorWish::ThoughtDropped)),
            Deed::DropSource(source) => self.step(Input::Operator(OperatorWish::SourceDropped { source })),
            Deed::Capabilities { tools, media } => {
                self.step(Input::Shell(ShellEvent::CapabilitiesChanged { tools, media }))
            }
            Deed::ModelsRead(tokens) => self.models_are(AskAllowance {
                reads_tokens: Some(tokens),
                ..AskAllowance::default()
            }),
            Deed::ModelsNearby => self.models_are(AskAllowance {
                nearby: true,
                ..AskAllowance::default()
            }),
            Deed::Sleep(span) => {
                self.now = self.now + span;
                // Timers are what a machine sees to first when it comes back.
                self.step(Input::Shell(ShellEvent::WakeReached));
            }
            Deed::Set { key, value } => {
                self.set(key, value);
                self.describe_channels();
            }
            Deed::Restart { down_for, repeats } => {
                if !self.keeps_its_mind {
                    self.write_down_and_read_back();
                }
                self.life += 1;
                self.cancelled.clear();
                self.stubborn.clear();
                self.screens.lose_all();
                self.voices.lose_all();
                let up = self.now + down_for;
                self.down_until = Some(up);
                self.agenda.plan(up, Happening::BackUp(down_for, repeats));
            }
            Deed::Cue(cue) => self.director.cue(cue),
        }
    }

    /// The platform tells of the channels that Denizen may post to of its own accord; `NOWHERE` is none of its rooms.
    fn describe_channels(&mut self) {
        let settings = self.settings.clone();
        for id in &settings.replies.discovery_channel_ids {
            let room = RoomId::from(id.as_str());
            if id != NOWHERE && self.described.insert(room.clone()) {
                let facts = RoomFacts::undescribed(room.clone());
                self.step(Input::Room(room, RoomEvent::Described(facts)));
            }
        }
    }

    /// A value out of range leaves the settings as they are; whoever plans one wants to know.
    fn set(&mut self, key: String, value: Value) {
        let mut document = self.document.clone();
        document.set(&key, value);
        let settings = match Settings::read(&document) {
            Ok(settings) => settings,
            Err(errors) => panic!("a planned settings change is wrong: {}", errors[0]),
        };
        self.trace.saved_settings.push(document.clone());
        self.document = document;
        self.settings = Arc::new(settings);
        self.settings_version += 1;
        let version = self.settings_version;
        self.step(Input::Shell(ShellEvent::SettingsChanged {
            version,
            changed: vec![key],
        }));
    }
}
