use super::*;
use crate::speakable::{Tongue, speakable};

fn sound(rate: u32, milliseconds: usize, marks: &[(f64, usize)]) -> Sound {
    Sound {
        rate,
        samples: vec![1_000; rate as usize * milliseconds / 1_000],
        marks: marks.to_vec(),
    }
}

#[test]
fn sound_of_any_rate_becomes_frames_of_one_length_that_follow_each_other() {
    let said = speakable("Hello.", &Tongue::default());
    for rate in [8_000, 16_000, 22_050, 24_000, 44_100, 48_000] {
        let mut framer = Framer::default();
        let mut sentence = SentenceSound::new(3, &said);
        let mut frames = sentence.push(sound(rate, 70, &[]), &mut framer).unwrap();
        frames.extend(sentence.push(sound(rate, 40, &[]), &mut framer).unwrap());
        frames.extend(sentence.finish(&mut framer));
        assert_eq!(frames.len(), 6, "at {rate}: 110 ms and what fills them up");
        for (place, frame) in frames.iter().enumerate() {
            assert_eq!(frame.frame.samples.len(), 1_920);
            assert_eq!(frame.frame.at, Span(place as u64 * 20));
            assert_eq!((frame.sentence, frame.characters), (3, None));
        }
    }
}

#[test]
fn a_further_sentence_begins_after_a_pause_and_counts_on() {
    let said = speakable("Hello.", &Tongue::default());
    let mut framer = Framer::default();
    assert!(framer.pause(0).is_empty(), "nothing is before the first");
    let mut first = SentenceSound::new(0, &said);
    first.push(sound(48_000, 40, &[]), &mut framer).unwrap();
    let pause = framer.pause(1);
    assert_eq!(pause.len(), 6);
    assert_eq!(pause[0].frame.at, Span(40));
    let mut second = SentenceSound::new(1, &said);
    let frames = second.push(sound(48_000, 20, &[]), &mut framer).unwrap();
    assert_eq!((frames[0].frame.at, frames[0].sentence), (Span(160), 1));
}

#[test]
fn marks_say_how_far_into_the_writing_each_frame_is() {
    let said = speakable("**Five** is $5.", &Tongue::default());
    assert_eq!(said.text(), "Five is five dollars.");
    let mut framer = Framer::default();
    let mut sentence = SentenceSound::new(0, &said);
    // By 20 ms "Five", by 40 ms "Five is", by 60 ms "Five is five".
    let marks = [(0.02, 4), (0.04, 7), (0.06, 12)];
    let mut frames = sentence.push(sound(48_000, 60, &marks), &mut framer).unwrap();
    frames.extend(sentence.push(sound(48_000, 10, &[]), &mut framer).unwrap());
    frames.extend(sentence.finish(&mut framer));
    let reached: Vec<_> = frames.iter().map(|frame| frame.characters).collect();
    assert_eq!(
        reached,
        [Some(8), Some(11), Some(11), Some(15)],
        "an amount is said whole or not"
    );
}

#[test]
fn a_rate_that_no_sound_has_is_told() {
    let said = speakable("Hello.", &Tongue::default());
    let mut sentence = SentenceSound::new(0, &said);
    assert!(
        sentence
            .push(sound(10, 1_000, &[]), &mut Framer::default())
            .is_err()
    );
}
