use std::collections::BTreeSet;

use super::tool_name;

#[test]
fn a_plain_name_is_the_server_and_the_tool() {
    assert_eq!(tool_name("files", "read_file"), "files__read_file");
}

#[test]
fn every_name_is_one_that_model_apis_take() {
    for (server, tool) in [
        ("my files", "lesen/ä"),
        ("s", &*"x".repeat(200)),
        ("é", ""),
        (&*"s".repeat(80), "t"),
    ] {
        let name = tool_name(server, tool);
        assert!(name.len() <= 64, "{name}");
        assert!(
            name.chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'),
            "{name}"
        );
    }
}

#[test]
fn different_tools_have_different_names_and_keep_them() {
    let pairs = [
        ("a", "b__c"),
        ("a__b", "c"),
        ("a", "_b"),
        ("a_", "b"),
        ("my files", "x"),
        ("my_files", "x"),
        ("s", &*format!("{}1", "x".repeat(90))),
        ("s", &*format!("{}2", "x".repeat(90))),
    ];
    let names: BTreeSet<String> = pairs
        .iter()
        .map(|(server, tool)| tool_name(server, tool))
        .collect();
    assert_eq!(names.len(), pairs.len());
    assert_eq!(tool_name("my files", "x"), tool_name("my files", "x"));
}
