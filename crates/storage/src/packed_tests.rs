use proptest::prelude::*;

use super::{pack, unpack};

#[test]
fn what_repeats_itself_takes_little_room_and_comes_back_as_it_was() {
    let request = "Alice asked where box number 7 is. ".repeat(200);
    let body = format!("{{\"messages\":\"{request}\"}}");
    let packed = pack(&[&request, &body, ""]).expect("it is long");
    assert!(packed.len() * 20 < request.len() + body.len());
    assert_eq!(
        unpack(&packed).expect("it is whole"),
        [request, body, String::new()]
    );
}

#[test]
fn what_is_short_stays_readable_by_hand() {
    assert_eq!(pack(&["a short text", "and another"]), None);
}

#[test]
fn another_number_of_texts_is_told() {
    let packed = pack(&[&"x".repeat(2_000), "y"]).expect("it is long");
    assert!(unpack::<1>(&packed).is_err());
}

proptest! {
    #[test]
    fn damaged_bytes_are_told_and_end_nothing(at in 0usize..200, byte: u8, cut in 0usize..200) {
        let text: String = (0..400).map(|number| format!("{number} says something, ")).collect();
        let mut packed = pack(&[&text]).expect("it is long");
        let at = at % packed.len();
        packed[at] = byte;
        packed.truncate(packed.len() - cut);
        let _ = unpack::<1>(&packed);
    }
}
