use super::*;

fn split(stream: &[u8]) -> Vec<(UnitKind, Vec<u8>)> {
    units(stream).map(|(kind, unit)| (kind, unit.to_vec())).collect()
}

#[test]
fn units_are_split_at_start_codes_of_three_and_of_four_bytes() {
    let stream = [0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 2, 0, 0, 0, 1, 0x65, 3];
    let expected = vec![
        (UnitKind::SequenceParameters, vec![0x67, 1]),
        (UnitKind::PictureParameters, vec![0x68, 2]),
        (UnitKind::KeySlice, vec![0x65, 3]),
    ];
    assert_eq!(split(&stream), expected);
}

#[test]
fn padding_and_what_stands_before_the_first_start_code_are_no_unit() {
    assert_eq!(
        split(&[9, 9, 0, 0, 1, 0x41, 7, 0, 0]),
        vec![(UnitKind::Slice, vec![0x41, 7])]
    );
    assert_eq!(split(&[1, 2, 3]), vec![]);
    assert_eq!(split(&[0, 0, 1]), vec![]);
    assert_eq!(split(&[0, 0, 1, 0, 0, 1, 0, 0, 0]), vec![]);
    assert_eq!(split(&[]), vec![]);
}
