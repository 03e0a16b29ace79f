use std::io::Write;
use std::os::unix::fs::PermissionsExt;

use super::*;

const SECRET: &str = "sk-very-secret-0123456789";

fn nothing(_: &str) -> Option<String> {
    None
}

fn file_with(text: &str, mode: u32) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(text.as_bytes()).expect("written");
    std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(mode)).expect("mode set");
    file
}

#[test]
fn a_missing_file_and_an_empty_environment_give_no_keys() {
    let keys =
        Keys::from_env_and_file(nothing, Path::new("/nonexistent/keys.toml")).expect("no keys are fine");
    assert!(!keys.has(Provider::Anthropic));
}

#[test]
fn a_key_of_the_environment_is_trimmed_and_named_by_its_variable() {
    let env = |name: &str| (name == "GOOGLE_API_KEY").then(|| format!(" {SECRET}\n"));
    let keys = Keys::from_env_and_file(env, Path::new("/nonexistent")).expect("read");
    assert_eq!(keys.expose(Provider::Gemini), Some(SECRET));
    assert_eq!(
        keys.origin(Provider::Gemini),
        Some("GOOGLE_API_KEY is in the environment")
    );
}

#[test]
fn an_empty_variable_is_no_key() {
    let env = |_: &str| Some(String::new());
    let keys = Keys::from_env_and_file(env, Path::new("/nonexistent")).expect("read");
    assert!(!keys.has(Provider::OpenAi));
    assert_eq!(keys.base_url(Provider::OpenAi), None);
}

#[test]
fn a_private_file_gives_keys_and_the_environment_wins_over_it() {
    let file = file_with("anthropic = \"from-file\"\nopenai = \"other\"\n", 0o600);
    let env = |name: &str| (name == "OPENAI_API_KEY").then(|| "from-env".to_owned());
    let keys = Keys::from_env_and_file(env, file.path()).expect("read");
    assert_eq!(keys.expose(Provider::Anthropic), Some("from-file"));
    assert_eq!(keys.expose(Provider::OpenAi), Some("from-env"));
}

#[test]
fn a_file_that_others_can_read_is_refused_with_the_remedy() {
    for mode in [0o640, 0o604, 0o644] {
        let file = file_with(&format!("anthropic = \"{SECRET}\""), mode);
        let error = Keys::from_env_and_file(nothing, file.path()).expect_err("readable by others");
        assert!(matches!(error, KeysError::ReadableByOthers { .. }), "{error}");
        assert!(error.to_string().contains("chmod 600"), "{error}");
    }
}

#[test]
fn no_error_about_a_file_repeats_what_is_in_it() {
    for text in [
        format!("anthropic = {SECRET}"),
        format!("openai = \"{SECRET} with spaces\""),
        format!("openai = [\"{SECRET}\"]"),
        format!("antropic = \"{SECRET}\""),
    ] {
        let file = file_with(&text, 0o600);
        let error = Keys::from_env_and_file(nothing, file.path()).expect_err("a bad file");
        assert!(!format!("{error} {error:?}").contains(SECRET), "{error:?}");
    }
}

#[test]
fn a_broken_line_is_named_by_its_number() {
    let file = file_with("anthropic = \"a\"\nopenai = oops oops\n", 0o600);
    let error = Keys::from_env_and_file(nothing, file.path()).expect_err("not TOML");
    assert!(error.to_string().contains("line 2"), "{error}");
}

#[test]
fn showing_keys_for_debugging_shows_no_key() {
    let read = |name: &str| match name.ends_with("_HEADERS") {
        true => Some(format!("x-team: {SECRET}")),
        false => Some(SECRET.to_owned()),
    };
    let keys = Keys::from_env_and_file(read, Path::new("/nonexistent")).expect("read");
    let shown = format!("{keys:?} {keys:#?}");
    assert!(shown.contains("Anthropic"), "{shown}");
    assert!(!shown.contains(SECRET), "{shown}");
}

fn env<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
    move |name| {
        let found = pairs.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    }
}

#[test]
fn a_token_lets_denizen_in_where_there_is_no_key_and_a_key_beside_it_is_meant() {
    let token = ("ANTHROPIC_AUTH_TOKEN", SECRET);
    let keys = Keys::from_env_and_file(env(&[token]), Path::new("/nonexistent")).expect("read");
    assert!(keys.has(Provider::Anthropic));
    assert_eq!(keys.expose(Provider::Anthropic), None, "it is no key");
    assert_eq!(keys.header_names(Provider::Anthropic), ["authorization"]);
    assert_eq!(
        keys.origin(Provider::Anthropic),
        Some("ANTHROPIC_AUTH_TOKEN is in the environment")
    );
    let both = [token, ("ANTHROPIC_API_KEY", "sk-key")];
    let keys = Keys::from_env_and_file(env(&both), Path::new("/nonexistent")).expect("read");
    assert_eq!(keys.expose(Provider::Anthropic), Some("sk-key"));
    assert!(keys.header_names(Provider::Anthropic).is_empty());
}

#[test]
fn headers_that_let_nobody_in_are_no_key_and_those_that_do_keep_the_key_back() {
    let tracing = [
        ("OPENAI_CUSTOM_HEADERS", "X-Team: rooms\n\nX-Cost: 7"),
        ("OPENAI_ORG_ID", "org-1"),
    ];
    let keys = Keys::from_env_and_file(env(&tracing), Path::new("/nonexistent")).expect("read");
    assert!(!keys.has(Provider::OpenAi));
    assert_eq!(
        keys.header_names(Provider::OpenAi),
        ["openai-organization", "x-team", "x-cost"]
    );
    let file = file_with(
        &format!("openai = \"sk-elsewhere\"\n[headers.openai]\napi-key = \"{SECRET}\"\n"),
        0o600,
    );
    let keys = Keys::from_env_and_file(nothing, file.path()).expect("read");
    assert!(keys.has(Provider::OpenAi));
    assert_eq!(
        keys.expose(Provider::OpenAi),
        None,
        "the key is for somebody else"
    );
    let scrubbed = keys.scrubbed(Provider::OpenAi, &format!("bad {SECRET} or sk-elsewhere"));
    assert_eq!(scrubbed, "bad [key] or [key]");
    assert!(!format!("{keys:?}").contains(SECRET));
}

#[test]
fn a_header_that_cannot_be_sent_is_named_without_its_value() {
    for line in [
        format!("Host: {SECRET}"),
        format!("no colon {SECRET}"),
        format!("bad name: {SECRET}"),
        format!("x-empty:\nx-fine: {SECRET}"),
        format!("x-control: {SECRET}\u{1}"),
    ] {
        let pairs = [("GEMINI_CUSTOM_HEADERS", line.as_str())];
        let error =
            Keys::from_env_and_file(env(&pairs), Path::new("/nonexistent")).expect_err("a bad header");
        let told = format!("{error} {error:?}");
        assert!(
            told.contains("GEMINI_CUSTOM_HEADERS") && !told.contains(SECRET),
            "{told}"
        );
    }
    let file = file_with(&format!("[headers.mistral]\nx = \"{SECRET}\"\n"), 0o600);
    let error = Keys::from_env_and_file(nothing, file.path()).expect_err("no such provider");
    assert!(!error.to_string().contains(SECRET), "{error}");
}
