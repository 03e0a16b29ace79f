use proptest::prelude::*;

use super::{block, pack, unpack};

/// A line of the journal, as it is written.
const LINE: &str = r#"{"seq":1586,"moment":3530,"wall":1795123682410,"community":"garden","room":"potting-shed","turn":104,"cause":1585,"messages":["01a1f5b5-9c57-709a-9150-e18402b66d74"],"name":"text_turn_ended","data":{"outcome":"sent","took":18,"llm1Ms":1,"followupMs":null}}"#;

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
fn a_line_of_the_journal_takes_half_the_room_and_comes_back_as_it_was() {
    for _ in 0..3 {
        let packed = pack(&[LINE]).expect("it is long enough");
        assert!(packed.len() * 2 < LINE.len(), "{} bytes", packed.len());
        assert_eq!(unpack(&packed), Ok([LINE.to_owned()]));
    }
}

#[test]
fn what_is_very_short_stays_as_it_is() {
    assert_eq!(pack(&["a short text", "and another"]), None);
}

#[test]
fn what_was_packed_before_there_was_a_dictionary_is_unpacked() {
    let text = format!("{} {}\n{LINE}{LINE}", LINE.len(), LINE.len());
    let packed = lz4_flex::block::compress_prepend_size(text.as_bytes());
    assert_eq!(unpack(&packed), Ok([LINE.to_owned(), LINE.to_owned()]));
}

/// Whoever changes the dictionary cannot read what was packed with it: another one gets another number.
#[test]
fn the_dictionary_is_what_it_always_was() {
    let sum = block::DICTIONARY
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
    assert_eq!((block::DICTIONARY.len(), sum), (29_647, 0xd042_08a8_bdd5_0f7e));
}

#[test]
fn another_number_of_texts_is_told() {
    let packed = pack(&[&"x".repeat(2_000), "y"]).expect("it is long");
    assert!(unpack::<1>(&packed).is_err());
}

/// Texts of pieces that come again, near and far, some of them out of the dictionary.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z ]{0,40}",
        "\\PC{0,20}",
        (0..block::DICTIONARY.len() - 200, 0_usize..200).prop_map(|(at, length)| {
            String::from_utf8_lossy(&block::DICTIONARY[at..at + length]).into_owned()
        }),
        (0_usize..30_000).prop_map(|length| "0123456789abcdef?".repeat(length / 17)),
    ];
    let pieces = proptest::collection::vec(piece, 1..8);
    (pieces, proptest::collection::vec(0_usize..8, 0..24)).prop_map(|(pieces, order)| {
        let chosen = order
            .into_iter()
            .map(|which| pieces[which % pieces.len()].as_str());
        chosen.collect()
    })
}

proptest! {
    #[test]
    fn whatever_is_packed_comes_back_as_it_was(one in text(), other in text()) {
        if let Some(packed) = pack(&[&one, &other]) {
            prop_assert_eq!(unpack(&packed), Ok([one, other]));
        }
    }

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
