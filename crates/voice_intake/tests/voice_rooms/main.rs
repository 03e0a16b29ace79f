//! Voice rooms with their clock: people and Denizen in one process.

mod browsers;
mod peer;
mod presence;
mod speaking;

use audio::{FRAME, Frame, pcm};
use runtime::ports::{SoundFrame, VoiceComing};
use tokio::sync::mpsc;
use vocabulary::{Author, AuthorKind, PersonId, RoomId, Span};
use voice_intake::{Halls, Lobby};

fn lounge() -> RoomId {
    RoomId::new("lounge")
}

fn author(name: &str) -> Author {
    Author {
        id: PersonId::new(format!("local:{name}")),
        name: name.to_owned(),
        kind: AuthorKind::Person,
    }
}

fn halls() -> (Halls, mpsc::Receiver<VoiceComing>) {
    let (told, coming) = mpsc::channel(8);
    (Halls::new(Lobby::new(), told), coming)
}

fn tone(number: usize) -> Frame {
    let loudness = 1_000 + number as i16;
    std::array::from_fn(|at| if at % 100 < 50 { loudness } else { -loudness })
}

fn sound(frame: &Frame, at: usize) -> SoundFrame {
    let mut samples = Vec::with_capacity(2 * FRAME);
    pcm::write(frame, &mut samples);
    SoundFrame {
        samples: samples.into(),
        at: Span(at as u64 * 20),
    }
}
