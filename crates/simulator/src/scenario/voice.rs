//! Lines about the voice of a room: who comes and goes, what is said aloud, and what becomes of Denizen's own voice.

use mind::RoomEvent;
use vocabulary::{Span, UnheardReason};

use super::cue::Cue;
use super::rooms::room;
use super::words::Words;
use crate::deed::Deed;
use crate::native_service::NativeService;
use crate::voices::{MouthFault, VoiceDeed, lasts};

/// What somebody does with their voice; none where the line is about something else.
pub(super) fn voice(words: &mut Words<'_>) -> Result<Option<VoiceDeed>, String> {
    Ok(Some(match () {
        () if words.eat("joins voice") => VoiceDeed::Join,
        () if words.eat("leaves voice") => VoiceDeed::Leave,
        () if words.eat("wants to be listened to") => VoiceDeed::Listen(true),
        () if words.eat("does not want to be listened to") => VoiceDeed::Listen(false),
        () if words.eat("plays the sound") => VoiceDeed::Sound(words.expect_quoted()?),
        () if words.eat("speaks over it for") => {
            let lasts = words.expect_span()?;
            let heard = match words.eat("with") {
                true => Ok(words.expect_quoted()?),
                false => Err(UnheardReason::Empty),
            };
            speak(lasts, heard)
        }
        () if words.eat("speaks for") => {
            let lasts = words.expect_span()?;
            if !words.eat("and is not understood:") {
                return Err("expected `speaks for 2s and is not understood: timed_out`".to_owned());
            }
            let word = words.take().unwrap_or_default();
            let reason = UnheardReason::named(word).ok_or_else(|| {
                format!("expected why nothing was understood, such as empty, found {word:?}")
            })?;
            speak(lasts, Err(reason))
        }
        () if words.eat("says late") => {
            let late = words.expect_span()?;
            let text = words.expect_quoted()?;
            VoiceDeed::Speak {
                lasts: lasts(&text),
                heard: Ok(text),
                twice: false,
                late,
                guess: None,
            }
        }
        () if words.eat("says in pieces") => {
            let mut pieces = vec![words.expect_quoted()?];
            while words.eat("and") {
                pieces.push(words.expect_quoted()?);
            }
            VoiceDeed::SpeakOn(pieces)
        }
        () if words.eat("says twice") => {
            let text = words.expect_quoted()?;
            VoiceDeed::Speak {
                lasts: lasts(&text),
                heard: Ok(text),
                twice: true,
                late: Span::ZERO,
                guess: None,
            }
        }
        () => return Ok(None),
    }))
}

fn speak(lasts: Span, heard: Result<String, UnheardReason>) -> VoiceDeed {
    VoiceDeed::Speak {
        lasts,
        heard,
        twice: false,
        late: Span::ZERO,
        guess: None,
    }
}

/// A realtime service does it for Denizen, or cannot.
fn service(words: &mut Words<'_>, works: bool) -> Result<Deed<Cue>, String> {
    let event = RoomEvent::VoiceServiceStands {
        service: "openai:gpt-realtime-1.5".to_owned(),
        event: "response.create".to_owned(),
        works,
        detail: if works { "" } else { "the connection was lost" }.to_owned(),
        native: None,
    };
    Ok(Deed::Told {
        room: room(words)?,
        event,
    })
}

/// What becomes of Denizen's own voice; none where the line is about something else.
pub(super) fn of_denizen(words: &mut Words<'_>) -> Result<Option<Deed<Cue>>, String> {
    Ok(Some(match () {
        () if words.eat("the mouth fails") => Deed::MouthFails(MouthFault::Fails),
        () if words.eat("the mouth breaks off") => Deed::MouthFails(MouthFault::Breaks),
        () if words.eat("nobody understands speech") => Deed::Deafened,
        () if words.eat("the ears are loaded in") => Deed::EarsLoad(words.expect_span()?),
        () if words.eat("the sound fails") => Deed::SoundFails,
        () if words.eat("there is the sound") => Deed::SoundAdded(words.expect_quoted()?),
        () if words.eat("the mouth is silent") => Deed::MouthFails(MouthFault::Silent),
        () if words.eat("the service thinks for itself") => Deed::Told {
            room: room(words)?,
            event: NativeService::stands(true),
        },
        () if words.eat("the service begins anew") => Deed::Told {
            room: room(words)?,
            event: NativeService::knows(2, 4),
        },
        () if words.eat("the service has heard") => {
            let clips = words.expect_number()?;
            Deed::Told {
                room: room(words)?,
                event: NativeService::knows(1, clips),
            }
        }
        () if words.eat("an answer of the service costs") => {
            let price = words.expect_number()?;
            Deed::Told {
                room: room(words)?,
                event: NativeService::costs(price),
            }
        }
        () if words.eat("the service hears and speaks") => service(words, true)?,
        () if words.eat("the service fails") => service(words, false)?,
        () if words.eat("the voice is lost") => Deed::VoiceLost { room: room(words)? },
        () => return Ok(None),
    }))
}
