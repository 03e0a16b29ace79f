use super::*;

#[test]
fn exp_golomb_numbers_are_read() {
    // 1 | 010 | 011 | 00100 | 1010 (two signed: 0 and 1)
    let mut bits = Bits::of(&[0b1010_0110, 0b0100_1010]);
    assert_eq!(bits.unsigned(), Some(0));
    assert_eq!(bits.unsigned(), Some(1));
    assert_eq!(bits.unsigned(), Some(2));
    assert_eq!(bits.unsigned(), Some(3));
    assert_eq!(bits.signed(), Some(0));
    assert_eq!(bits.signed(), Some(1));
    assert_eq!(bits.unsigned(), None);
}

#[test]
fn the_longest_number_does_not_overflow_and_a_longer_one_is_none() {
    let mut longest = Bits::of(&[0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff]);
    assert!(longest.unsigned().is_some());
    let mut largest = vec![0u8, 0, 3, 0, 1];
    largest.extend([0xff; 4]);
    assert_eq!(Bits::of(&largest).unsigned(), Some(u32::MAX - 1));
    assert_eq!(Bits::of(&[0, 0, 3, 0, 0, 3, 0xff]).unsigned(), None);
}

#[test]
fn bytes_that_only_guard_against_start_codes_are_left_out() {
    let mut bits = Bits::of(&[0, 0, 3, 1, 0, 0, 3]);
    assert_eq!(bits.number(24), Some(1));
    assert_eq!(bits.number(16), Some(0));
    assert_eq!(bits.flag(), None);
}
