//! Loudspeakers beside open microphones: what comes back is nobody's words.

use audio::wav::Recording;

use super::*;

fn voice(file: &[u8]) -> Vec<Frame> {
    let recording = Recording::read(file).expect("a recording");
    let sound = recording.at(audio::RATE).expect("a common rate");
    sound.as_chunks::<FRAME>().0.to_vec()
}

fn bob() -> Vec<Frame> {
    voice(include_bytes!("../../../../audio/fixtures/bob.wav"))
}

fn ann() -> Vec<Frame> {
    voice(include_bytes!("../../../../audio/fixtures/ann.wav"))
}

fn quieter(frame: &Frame) -> Frame {
    frame.map(|sample| sample / 4)
}

fn both(one: &Frame, other: &Frame) -> Frame {
    std::array::from_fn(|at| one[at].saturating_add(other[at]))
}

fn loudness(frames: &[SoundFrame]) -> u64 {
    let samples = frames.iter().flat_map(|frame| frame.samples.chunks_exact(2));
    samples
        .map(|sample| u64::from(i16::from_le_bytes([sample[0], sample[1]]).unsigned_abs()))
        .sum()
}

/// Denizen says what Bob's voice says; Ann's microphone hears what her loudspeaker plays 200 ms later, and what she says.
/// What Denizen's ears are given of her, and how loud all that came was.
fn overheard(door: Door, says: impl Fn(usize) -> Option<Frame>, echoes: bool) -> (u64, u64) {
    overheard_by(&[door], says, echoes)
}

/// The same for somebody who comes anew by one door after the other.
fn overheard_by(doors: &[Door], says: impl Fn(usize) -> Option<Frame>, echoes: bool) -> (u64, u64) {
    const DELAY: usize = 10;
    let mut stage = Stage::new();
    let (stay, mut events) = stage.hall.seat(0);
    let enter = |stage: &mut Stage, door| {
        let author = Author {
            id: person("ann"),
            name: "ann".to_owned(),
            kind: AuthorKind::Person,
        };
        let arrival = Arrival {
            door,
            ..stage.arrival()
        };
        let entered = stage.hall.enter(author, session("ann"), arrival, 0);
        entered.expect("room").ear
    };
    let ears: Vec<_> = doors.iter().map(|door| enter(&mut stage, *door)).collect();
    let ear = ears.last().expect("a door");
    let mut track = std::iter::from_fn(|| events.try_recv().ok())
        .find_map(|event| match event {
            VoiceEvent::Track { frames, .. } => Some(frames),
            _ => None,
        })
        .expect("a track");
    let words = bob();
    let _extent = stage.play(stay, &words);
    let mut loudspeaker: Vec<Frame> = Vec::new();
    let (mut heard, mut came) = (Vec::new(), Vec::new());
    for at in 0..words.len() + 40 {
        loudspeaker.push(ear.take().map_or([0; FRAME], |frame| *frame));
        let echo = loudspeaker
            .get(at.wrapping_sub(DELAY))
            .map(quieter)
            .filter(|_| echoes);
        let own = says(at);
        let frame = both(&echo.unwrap_or([0; FRAME]), &own.unwrap_or([0; FRAME]));
        came.push(sound(&frame));
        stage.say("ann", &frame).expect("in time");
        stage.tick();
        heard.extend(std::iter::from_fn(|| track.try_recv().ok()));
    }
    (loudness(&heard), loudness(&came))
}

#[test]
fn denizens_own_voice_out_of_somebodys_loudspeaker_does_not_reach_its_ears() {
    let (heard, came) = overheard(Door::Program, |_| None, true);
    assert!(came > 1_000_000 && heard < came / 50, "{heard} of {came}");
    // A browser is trusted until its first echo.
    let (heard, came) = overheard(Door::Browser, |_| None, true);
    assert!(heard < came / 4, "{heard} of {came}");
}

#[test]
fn by_another_device_somebody_is_not_trusted_for_what_the_one_before_took_away() {
    let (heard, came) = overheard_by(&[Door::Browser, Door::Program], |_| None, true);
    assert!(came > 1_000_000 && heard < came / 50, "{heard} of {came}");
}

#[test]
fn whoever_speaks_over_it_is_heard_with_and_without_an_echo() {
    let words = ann();
    for door in [Door::Program, Door::Browser] {
        for echoes in [false, true] {
            let (heard, came) = overheard(door, |at| words.get(at).copied(), echoes);
            assert!(
                heard > came * 3 / 4,
                "{door:?}, echoes {echoes}: {heard} of {came}"
            );
        }
    }
}
