use media::{Picture, jpeg};

use super::*;

fn flat(brightness: u8) -> Vec<u8> {
    let picture = Picture {
        width: 80,
        height: 60,
        y: vec![brightness; 80 * 60],
        u: vec![128; 40 * 30],
        v: vec![128; 40 * 30],
    };
    jpeg::encode(&picture, 90).expect("a JPEG")
}

#[test]
fn an_eye_scores_every_picture_against_the_one_before() {
    let mut eye = Eyes.open();
    let mut look = |brightness| eye.look(PictureKind::Jpeg, &flat(brightness)).expect("a picture");
    let first = look(20);
    assert_eq!((first.width, first.height, first.change.score), (80, 60, 0.0));
    assert_eq!(look(20).change.score, 0.0);
    let cut = look(200).change;
    assert!(cut.scene_cut && cut.score > 0.6, "{cut:?}");
    assert!(!look(200).change.scene_cut);
}

#[test]
fn every_share_has_an_eye_of_its_own() {
    let (mut one, mut other) = (Eyes.open(), Eyes.open());
    assert!(one.look(PictureKind::Jpeg, &flat(20)).is_ok());
    let first = other.look(PictureKind::Jpeg, &flat(200)).expect("a picture");
    assert_eq!(first.change.score, 0.0);
}

#[test]
fn what_is_no_such_picture_is_said_in_a_sentence_and_changes_nothing() {
    let mut eye = Eyes.open();
    assert!(eye.look(PictureKind::Jpeg, &flat(20)).is_ok());
    for (kind, bytes) in [
        (PictureKind::Png, flat(200)),
        (PictureKind::Jpeg, vec![1, 2, 3]),
        (PictureKind::Webp, vec![]),
    ] {
        let Undecodable(why) = eye.look(kind, &bytes).expect_err("it is none");
        assert!(why.starts_with("The picture") && why.ends_with('.'), "{why}");
    }
    let next = eye.look(PictureKind::Jpeg, &flat(20)).expect("a picture");
    assert_eq!(next.change.score, 0.0);
}
