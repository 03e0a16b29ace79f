use super::*;

fn without(body: &str) -> Option<String> {
    let body = without_temperature(&Bytes::copy_from_slice(body.as_bytes()))?;
    Some(String::from_utf8(body.to_vec()).expect("still text"))
}

#[test]
fn the_field_is_taken_out_and_the_words_of_people_stay() {
    assert_eq!(
        without(r#"{"model":"m","temperature":0.8,"messages":["a ,\"temperature\":1, b"]}"#).as_deref(),
        Some(r#"{"model":"m","messages":["a ,\"temperature\":1, b"]}"#)
    );
    assert_eq!(
        without(r#"{"model":"m","temperature":0}"#).as_deref(),
        Some(r#"{"model":"m"}"#)
    );
}

#[test]
fn a_body_without_the_field_has_nothing_to_take_out() {
    assert_eq!(
        without(r#"{"model":"m","messages":["my ,\"temperature\":39, help"]}"#),
        None
    );
}
