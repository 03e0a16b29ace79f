//! The table that is built in, and tables that are not whole.

use super::rows::TableFault;
use super::*;

fn cosine(one: &str, other: &str) -> f32 {
    let (one, other) = (Table::builtin().embed(one), Table::builtin().embed(other));
    one.iter().zip(&other).map(|(one, other)| one * other).sum()
}

/// Two rows of two dimensions: `a` and `##b`.
fn tiny() -> Vec<u8> {
    let mut bytes = b"DZTABLE1".to_vec();
    for number in [2_u32, 2, 4, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([0.5_f32, 0.25].iter().flat_map(|scale| scale.to_le_bytes()));
    bytes.extend([0_u32, 3, 4].iter().flat_map(|offset| offset.to_le_bytes()));
    bytes.extend([2_i8, 0, 0, -4].map(|step| step as u8));
    bytes.extend(b"##ba");
    bytes
}

#[test]
fn the_table_that_is_built_in_is_whole_and_knows_common_words() {
    let table = Table::builtin();
    assert_eq!(table.embed("dog").len(), table.dimensions());
    assert!(table.pieces("dog").is_some_and(|pieces| pieces.len() == 1));
    assert!(table.pieces("zxqwvkj").is_some_and(|pieces| pieces.len() > 1));
}

#[test]
fn texts_that_mean_the_same_are_closer_than_others() {
    for (text, near, far) in [
        ("I adopted a puppy", "my new dog", "the stock market fell"),
        (
            "she lost her job",
            "unemployed and looking for work",
            "a recipe for bread",
        ),
        ("painting a sunset", "art and drawing", "the car needs petrol"),
    ] {
        assert!(
            cosine(text, near) > cosine(text, far) + 0.1,
            "{text}: {} {}",
            cosine(text, near),
            cosine(text, far)
        );
    }
}

#[test]
fn vectors_have_length_one_and_texts_without_words_none() {
    for text in [
        "dog",
        "The quick brown fox!",
        "猫",
        "Привет, мир",
        "zxqwvkj",
        "42",
    ] {
        let length: f32 = Table::builtin()
            .embed(text)
            .iter()
            .map(|value| value * value)
            .sum();
        assert!((length - 1.0).abs() < 1e-4, "{text}: {length}");
    }
    for text in ["", "…", "?!", "   "] {
        assert!(
            Table::builtin().embed(text).iter().all(|value| *value == 0.0),
            "{text}"
        );
    }
}

#[test]
fn words_of_other_scripts_are_alike_when_they_are_spelt_alike() {
    assert!(cosine("собака", "собаки") > 0.4);
    assert!(cosine("собака", "погода") < 0.4);
    assert!(cosine("猫が好き", "猫が好き") > 0.99);
}

#[test]
fn rows_are_found_by_their_keys() {
    let bytes = tiny();
    let rows = Rows::read(&bytes).expect("it is whole");
    assert_eq!((rows.find(false, "a"), rows.find(true, "b")), (Some(1), Some(0)));
    assert_eq!(
        (rows.find(false, "b"), rows.find(true, "a"), rows.find(false, "")),
        (None, None, None)
    );
    assert_eq!(rows.longest(false, "abba"), Some((1, 1)));
    assert_eq!(
        (rows.longest(true, "abba"), rows.longest(true, "bab")),
        (None, Some((0, 1)))
    );
    let mut sum = [0.0, 0.0];
    rows.add(0, &mut sum);
    rows.add(1, &mut sum);
    assert_eq!(sum, [1.0, -1.0]);
    assert_eq!(rows.usual_length(), 1.0);
}

#[test]
fn a_table_that_is_not_whole_is_refused() {
    let whole = tiny();
    assert!(matches!(
        Rows::read(&whole[..whole.len() - 1]),
        Err(TableFault::Cut { .. })
    ));
    assert_eq!(
        Rows::read(b"something else entirely").err(),
        Some(TableFault::NotATable)
    );
    assert_eq!(Rows::read(b"DZTABLE1").err(), Some(TableFault::NotATable));
    let mut mixed_up = whole.clone();
    let keys = whole.len() - 4..;
    mixed_up[keys].copy_from_slice(b"zzza");
    assert_eq!(
        Rows::read(&mixed_up).err(),
        Some(TableFault::KeysOutOfOrder { row: 1 })
    );
    assert!(TableFault::NotATable.to_string().contains("no table"));
}

#[test]
fn every_piece_of_the_table_is_found_where_it_stands() {
    let table = Table::builtin();
    let keys: Vec<&[u8]> = (0..).map_while(|row| table.rows.key(row)).collect();
    assert!(keys.len() > 20_000, "{}", keys.len());
    for (row, key) in keys.into_iter().enumerate() {
        let key = std::str::from_utf8(key).expect("keys are ASCII");
        let (within, piece) = match key.strip_prefix("##") {
            Some(piece) if !piece.is_empty() => (true, piece),
            _ => (false, key),
        };
        assert_eq!(table.rows.find(within, piece), Some(row), "{key}");
    }
}
