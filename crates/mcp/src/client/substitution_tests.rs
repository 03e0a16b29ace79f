use super::fill;

fn environment(name: &str) -> Option<String> {
    match name {
        "TOKEN" => Some("s3cret-token".to_owned()),
        "EMPTY" => Some(String::new()),
        _ => None,
    }
}

fn filled(text: &str) -> Result<String, String> {
    fill(text, &environment, &mut Vec::new())
}

#[test]
fn a_variable_is_put_where_it_is_named_and_remembered_as_a_secret() {
    let mut taken = Vec::new();
    let text = fill("Bearer ${TOKEN}!", &environment, &mut taken).unwrap();
    assert_eq!(text, "Bearer s3cret-token!");
    assert_eq!(taken, ["s3cret-token"]);
}

#[test]
fn text_without_a_variable_stays_as_it_is() {
    assert_eq!(filled("$HOME and } and $5").unwrap(), "$HOME and } and $5");
}

#[test]
fn a_variable_that_is_missing_or_empty_is_named_in_the_refusal() {
    for name in ["NOWHERE", "EMPTY"] {
        let refusal = filled(&format!("x${{{name}}}")).unwrap_err();
        assert!(refusal.contains(name), "{refusal}");
    }
}

#[test]
fn something_can_stand_in_for_a_variable_that_is_missing() {
    assert_eq!(filled("${NOWHERE:-http://x}/y").unwrap(), "http://x/y");
    assert_eq!(filled("${TOKEN:-other}").unwrap(), "s3cret-token");
}

#[test]
fn a_broken_variable_is_refused_without_its_text() {
    for text in ["${TOKEN", "${}", "${sk-live-abc}"] {
        let refusal = filled(text).unwrap_err();
        assert!(!refusal.contains("sk-live"), "{refusal}");
    }
}
