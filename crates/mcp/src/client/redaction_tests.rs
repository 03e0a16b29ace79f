use super::Secrets;

#[test]
fn a_secret_is_hidden_wherever_it_stands() {
    let secrets = Secrets::new(["Bearer abcdef123".to_owned()]);
    assert_eq!(
        secrets.hide("wrong key abcdef123, sent: Bearer abcdef123"),
        "wrong key [hidden], sent: [hidden]"
    );
}

#[test]
fn short_values_are_not_taken_for_secrets() {
    assert_eq!(Secrets::new(["1".to_owned()]).hide("1 of 10"), "1 of 10");
}

#[test]
fn a_secret_within_a_longer_one_does_not_leave_the_rest_of_it() {
    let secrets = Secrets::new(["abcdef".to_owned(), "abcdefghij".to_owned()]);
    assert_eq!(secrets.hide("abcdefghij"), "[hidden]");
}

#[test]
fn secrets_do_not_print_themselves() {
    let secrets = Secrets::new(["abcdef123".to_owned()]);
    assert!(!format!("{secrets:?}").contains("abcdef"));
}
