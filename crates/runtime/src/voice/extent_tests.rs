use bytes::Bytes;
use vocabulary::Span;

use super::{Extent, samples};
use crate::ports::{SoundFrame, SpokenSound};

/// 20 ms of a sentence.
fn frame(sentence: usize, characters: Option<usize>) -> SpokenSound {
    SpokenSound {
        frame: SoundFrame {
            samples: Bytes::from(vec![0; 1_920]),
            at: Span::ZERO,
        },
        sentence,
        characters,
    }
}

fn extent(frames: &[(usize, Option<usize>)]) -> Extent {
    let mut extent = Extent::default();
    extent.sentence("One two.");
    extent.sentence("Three.");
    for (sentence, characters) in frames {
        extent.frame(&frame(*sentence, *characters));
    }
    extent
}

#[test]
fn without_timings_whole_sentences_count() {
    let mut extent = extent(&[(0, None), (0, None), (1, None), (1, None)]);
    let at = |extent: &Extent, ms| extent.characters_at(samples(Span(ms)));
    assert_eq!(at(&extent, 0), 0);
    assert_eq!(at(&extent, 39), 0, "the first sentence is not over");
    assert_eq!(at(&extent, 40), "One two.".len());
    assert_eq!(at(&extent, 79), "One two.".len());
    assert_eq!(at(&extent, 80), "One two.".len(), "more of the second may come");
    extent.whole();
    assert_eq!(at(&extent, 80), "One two. Three.".len());
}

#[test]
fn with_timings_words_count() {
    let extent = extent(&[(0, Some(3)), (0, None), (0, Some(8)), (1, Some(2))]);
    let at = |ms| extent.characters_at(samples(Span(ms)));
    assert_eq!(at(20), 3);
    assert_eq!(at(40), 3, "a frame that tells nothing adds nothing");
    assert_eq!(at(60), 8);
    assert_eq!(at(80), "One two. ".len() + 2);
}

#[test]
fn a_sentence_of_which_nothing_is_sayable_is_passed_over() {
    let mut extent = extent(&[(1, None)]);
    extent.whole();
    assert_eq!(extent.characters_at(samples(Span(20))), "One two. Three.".len());
    assert_eq!(extent.of_frames(5), samples(Span(20)));
    assert_eq!(extent.of_frames(0), 0);
}
