use std::time::Duration;

use serde_json::{Value, json};

use super::{Document, Entry, Reach, ServerConfig, read};

fn environment(name: &str) -> Option<String> {
    (name == "TOKEN").then(|| "s3cret-token".to_owned())
}

fn document(value: Value) -> Document {
    read(value.to_string().as_bytes(), &environment).unwrap()
}

fn one(value: Value) -> Result<ServerConfig, String> {
    let mut document = document(json!({"mcpServers": {"files": value}}));
    match document.servers.remove("files").unwrap().1 {
        Entry::Wanted(config) => Ok(*config),
        Entry::Disabled => Err("disabled".to_owned()),
        Entry::Refused(why) => Err(why),
    }
}

#[test]
fn the_usual_shape_is_read_with_its_defaults() {
    let config =
        one(json!({"type": "stdio", "command": "npx", "args": ["-y", "pkg"], "env": {"K": "${TOKEN}"}}))
            .unwrap();
    let Reach::Process {
        command,
        args,
        env,
        cwd,
    } = &config.reach
    else {
        panic!("not a process");
    };
    assert_eq!(
        (command.as_str(), args.as_slice(), cwd),
        ("npx", &["-y".to_owned(), "pkg".to_owned()][..], &None)
    );
    assert_eq!(env["K"], "s3cret-token");
    assert_eq!((config.in_replies, config.in_thoughts), (true, false));
    assert_eq!(config.timeout, Duration::from_secs(20));
    assert!(config.allow.is_empty() && config.deny.is_empty());
}

#[test]
fn our_own_keys_are_read() {
    let config = one(json!({
        "url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"},
        "allow": ["a", "*"], "deny": ["b"], "use": ["thoughts"], "timeoutSeconds": 5,
    }))
    .unwrap();
    let Reach::Http { headers, .. } = &config.reach else {
        panic!("not HTTP");
    };
    assert_eq!(headers["Authorization"], "Bearer s3cret-token");
    assert!(config.allow.is_empty(), "a star allows all");
    assert_eq!((config.in_replies, config.in_thoughts), (false, true));
    assert_eq!(config.timeout, Duration::from_secs(5));
}

#[test]
fn a_refusal_names_the_server_the_key_the_type_and_the_remedy() {
    let cases = [
        (json!({"command": 5}), "`command`", "a number"),
        (json!({"command": "x", "args": "y"}), "`args`", "a string"),
        (json!({"command": "x", "args": [1]}), "`args`", "a number"),
        (
            json!({"command": "x", "env": {"K": true}}),
            "`env.K`",
            "true or false",
        ),
        (json!({"command": "x", "env": []}), "`env`", "a list"),
        (
            json!({"command": "x", "timeoutSeconds": "5"}),
            "`timeoutSeconds`",
            "a string",
        ),
        (
            json!({"command": "x", "timeoutSeconds": 0}),
            "`timeoutSeconds`",
            "from 1 to 300",
        ),
        (json!({"command": "x", "allow": "read"}), "`allow`", "a string"),
        (
            json!({"command": "x", "use": ["speech"]}),
            "`use`",
            "replies and thoughts",
        ),
        (
            json!({"command": "x", "disabled": "no"}),
            "`disabled`",
            "a string",
        ),
        (json!({"command": "x", "tiemout": 5}), "`tiemout`", "not known"),
        (json!({"command": "x", "url": "http://y"}), "`url`", "both"),
        (json!({"command": "x", "headers": {}}), "`headers`", "env"),
        (json!({"url": "https://y", "cwd": "/"}), "`cwd`", "command"),
        (json!({"url": "ftp://y"}), "`url`", "https"),
        (json!({"url": "https://y", "type": "sse"}), "`type`", "streamable"),
        (json!({}), "`command`", "neither"),
        (json!([]), "a list", "object"),
        (json!({"command": ""}), "`command`", "empty"),
    ];
    for (value, names, says) in cases {
        let refusal = one(value.clone()).unwrap_err();
        assert!(refusal.contains("“files”"), "{refusal}");
        assert!(
            refusal.contains(names) && refusal.contains(says),
            "{value}: {refusal}"
        );
    }
}

#[test]
fn a_missing_variable_refuses_the_server_and_names_the_variable() {
    let refusal = one(json!({"command": "x", "env": {"K": "${NOWHERE}"}})).unwrap_err();
    assert!(
        refusal.contains("NOWHERE") && refusal.contains("`env.K`"),
        "{refusal}"
    );
}

#[test]
fn a_server_that_is_disabled_needs_nothing_else() {
    assert_eq!(
        one(json!({"disabled": true, "command": "${NOWHERE}"})).unwrap_err(),
        "disabled"
    );
}

#[test]
fn one_bad_server_does_not_stop_the_others() {
    let document = document(json!({"mcpServers": {"bad": {"command": 1}, "good": {"command": "x"}}}));
    assert!(matches!(document.servers["bad"].1, Entry::Refused(_)));
    assert!(matches!(document.servers["good"].1, Entry::Wanted(_)));
}

#[test]
fn a_broken_file_is_told_with_its_line_and_column() {
    let problem = read(b"{\n  \"mcpServers\": {,}\n}", &environment).err().unwrap();
    assert!(problem.contains("line 2, column 18"), "{problem}");
    for text in ["[]", "{\"mcpServers\": []}"] {
        assert!(
            read(text.as_bytes(), &environment)
                .err()
                .unwrap()
                .contains("a list")
        );
    }
}

#[test]
fn an_unknown_key_beside_the_servers_is_remarked_upon_and_passed_over() {
    let document = document(json!({"servers": {}, "mcpServers": {"good": {"command": "x"}}}));
    assert!(document.remark.unwrap().contains("`servers`"));
    assert_eq!(document.servers.len(), 1);
}

#[test]
fn secrets_are_in_no_refusal_and_in_no_debug_output() {
    let config = one(json!({"command": "x", "args": ["${TOKEN}"], "env": {"K": "literal-secret"}})).unwrap();
    let printed = format!("{config:?}");
    assert!(
        !printed.contains("s3cret") && !printed.contains("literal"),
        "{printed}"
    );
    assert_eq!(
        config.secrets.hide("s3cret-token literal-secret"),
        "[hidden] [hidden]"
    );
    for bad in [
        json!({"command": "x", "env": {"K": "literal-secret"}, "url": "https://literal-secret"}),
        json!({"command": "x", "type": "literal-secret"}),
        json!({"url": "literal-secret"}),
        json!({"url": "https://x", "headers": "literal-secret"}),
        json!({"command": "x", "timeoutSeconds": "literal-secret"}),
    ] {
        let refusal = one(bad).unwrap_err();
        assert!(!refusal.contains("literal-secret"), "{refusal}");
    }
}
