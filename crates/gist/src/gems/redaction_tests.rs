//! What counts as a secret, and all that only looks like one.

use proptest::prelude::*;

use super::redact;

#[test]
fn secrets_are_taken_out_and_named() {
    for (text, expected) in [
        ("key sk-abcdefghij1234567890ABCD!", "key [redacted: api key]!"),
        ("sk-ant-api03-AbCd1234_efgh-5678ijkl", "[redacted: api key]"),
        ("sk-proj-a1B2c3D4e5F6g7H8i9J0.", "[redacted: api key]."),
        (
            "use ghp_16C7e42F292c6912E7710c838347Ae178B4a now",
            "use [redacted: api key] now",
        ),
        (
            "github_pat_11ABCDEFG0abcdefghijkl_MNOPQRSTUVWXYZ012345",
            "[redacted: api key]",
        ),
        ("AWS: AKIAIOSFODNN7EXAMPLE", "AWS: [redacted: api key]"),
        ("xoxb-123456789012-abcdefABCDEF", "[redacted: api key]"),
        (
            "(AIzaSyA1234567890abcdefghijklmnopqrstuv)",
            "([redacted: api key])",
        ),
        ("glpat-abcdEFGH1234ijklMNOP", "[redacted: api key]"),
        ("hf_abcdefghijklmnopqrstuvwxyz12345678", "[redacted: api key]"),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
            "[redacted: token]",
        ),
        (
            "Authorization: Bearer 7f4a7c15f39cc0605ced",
            "Authorization: Bearer [redacted: token]",
        ),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY----- ok",
            "[redacted: private key] ok",
        ),
        (
            "here -----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn",
            "here [redacted: private key]",
        ),
        ("password: hunter2", "password: [redacted: password]"),
        (
            "Password = \"correct horse battery\"",
            "Password = \"[redacted: password]\"",
        ),
        (
            "my password is hunter2, ok?",
            "my password is [redacted: password], ok?",
        ),
        (
            "the wifi password is swordfish.",
            "the wifi password is [redacted: password].",
        ),
        (
            "my password is Tr0ub4dor&3 and yours?",
            "my password is [redacted: password] and yours?",
        ),
        (
            "DB_PASSWORD=s3cr3t ./run",
            "DB_PASSWORD=[redacted: password] ./run",
        ),
        (
            "{\"password\": \"letmein\"}",
            "{\"password\": \"[redacted: password]\"}",
        ),
        ("API_KEY=9f86d081884c7d65", "API_KEY=[redacted: api key]"),
        (
            "my api key is 9f86d081884c7d65",
            "my api key is [redacted: api key]",
        ),
        ("my PIN is 4711", "my PIN is [redacted: password]"),
        ("PIN code: 123456", "PIN code: [redacted: password]"),
        ("Passwort: geheim99", "Passwort: [redacted: password]"),
        (
            "postgres://app:s3cret@db:5432/x",
            "postgres://app:[redacted: password]@db:5432/x",
        ),
        (
            "card 4111 1111 1111 1111 exp 12/28",
            "card [redacted: card number] exp 12/28",
        ),
        ("5500-0000-0000-0004", "[redacted: card number]"),
        ("amex 378282246310005.", "amex [redacted: card number]."),
        (
            "IBAN DE89 3704 0044 0532 0130 00 please",
            "IBAN [redacted: account number] please",
        ),
        ("GB82WEST12345698765432", "[redacted: account number]"),
        (
            "seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow",
            "seed phrase: [redacted: seed phrase]",
        ),
    ] {
        let redacted = redact(text);
        assert_eq!(redacted.text, expected);
        assert_eq!(redacted.secrets, 1, "{text}");
    }
}

#[test]
fn ordinary_words_and_numbers_are_left_alone() {
    for text in [
        "I forgot my password again",
        "the password is wrong",
        "my password is too short",
        "is the password stored in the vault?",
        "the password is required.",
        "Password: required",
        "password manager: bitwarden",
        "passwords are a pain: everybody reuses them",
        "use a passphrase, not a password",
        "the secret: add more butter",
        "his secret is patience",
        "the token: a small brass coin",
        "each token is about four characters",
        "pin 3 is ground",
        "I pinned it: 1234 looks fine",
        "the bearer of bad news, as always",
        "fixed in 8e1cbad, see 736c504c1e2a6b0f2b4c77d7a1f3d1a9c3b5e7f9",
        "gem d3ef29a2-5fda-8d62-b24f-ec3f41b5cb1e",
        "call me at +49 170 1234567 or (555) 010-9999",
        "+1 4111 1111 1111 1111",
        "mail alice@example.com about https://example.com/a?b=c",
        "https://example.com:8080/x@y",
        "sk-learn-compatible-estimators-and-more are fine",
        "message 1187654321098765432 in room 934567890123456789",
        "4111 1111 1111 1112 fails the checksum",
        "0000 0000 0000 0000",
        "1771848000000 ms, 1771848000000000 us",
        "DE89 3704 0044 0532 0130 01",
        "the year 2026, at 10:30, costs 1,200.50",
        "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
        "password: ********",
        "password: <your password>",
        "DB_PASSWORD=$SECRET",
        "I lost my seed phrase and cried about it for a very long time in my room",
        "der Schlüssel liegt unter der Matte",
        "東京に引っ越しました",
    ] {
        let redacted = redact(text);
        assert_eq!((redacted.text.as_str(), redacted.secrets), (text, 0));
    }
}

#[test]
fn several_secrets_are_counted_one_by_one() {
    let redacted = redact("password: hunter2 and card 4111111111111111, Bearer abcdefgh12345678");
    assert_eq!(redacted.secrets, 3);
    assert_eq!(
        redacted.text,
        "password: [redacted: password] and card [redacted: card number], Bearer [redacted: token]"
    );
}

proptest! {
    #[test]
    fn redacting_twice_changes_nothing(text in any::<String>()) {
        let once = redact(&text);
        let twice = redact(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert_eq!(twice.secrets, 0);
    }

    #[test]
    fn redacting_twice_changes_nothing_amid_words_that_announce_secrets(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "password", "is", ":", "=", " ", "\n", "\"", "hunter2", "token", "Bearer", "api key", "://", "u:", "@",
                "sk-abcdefghij1234567890ABCD", "4111 1111 1111 1111", "[redacted: ", "]", "pin", "1234", "é", "secret",
                "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "GB82WEST12345698765432", "seed phrase",
            ]),
            0..14,
        ),
    ) {
        let once = redact(&parts.concat());
        let twice = redact(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert_eq!(twice.secrets, 0);
    }
}
