//! The whole table of what is offered when, and what keeps the rest away.

use expect_test::{Expect, expect};
use serde_json::json;
use settings::Settings;
use vocabulary::{OutsideTool, Span, ToolOrigin, ToolSpec};

use super::{reply_tools, thought_tool_list, thought_tools};
use crate::step_context::Capabilities;

fn tool(name: &str, server: Option<&str>) -> OutsideTool {
    OutsideTool {
        spec: ToolSpec {
            name: name.to_owned(),
            description: server.unwrap_or("web").to_owned(),
            parameters: json!({"type": "object"}),
        },
        origin: server.map_or(ToolOrigin::Web, |server| ToolOrigin::Mcp {
            server: server.to_owned(),
        }),
        in_replies: true,
        in_thoughts: true,
        deadline: Span::seconds(20),
    }
}

/// Everything that can be out there.
fn all() -> Capabilities {
    let web = ["web_search", "web_scrape", "browser_browse"].map(|name| tool(name, None));
    let quiet = OutsideTool {
        in_thoughts: false,
        ..tool("wiki_edit", Some("wiki"))
    };
    let silent = OutsideTool {
        in_replies: false,
        ..tool("wiki_read", Some("wiki"))
    };
    Capabilities {
        tools: web.into_iter().chain([quiet, silent]).collect(),
        ..Capabilities::default()
    }
}

fn settings(change: impl FnOnce(&mut Settings)) -> Settings {
    let mut settings = Settings::default();
    change(&mut settings);
    settings
}

fn names(tools: &[ToolSpec]) -> String {
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    names.join(" ")
}

/// The page's list; what it says is offered is what is offered.
fn check(settings: &Settings, screen_in_view: bool, outside: &Capabilities, expect: &Expect) {
    let list = thought_tool_list(settings, screen_in_view, outside);
    let lines: Vec<String> = list
        .iter()
        .map(|(name, origin, offered)| match offered {
            Ok(()) => format!("{name} ({origin})"),
            Err(why) => format!("{name} ({origin}) not: {why}"),
        })
        .collect();
    expect.assert_eq(&lines.join("\n"));
    let offered: Vec<&str> = list
        .iter()
        .filter(|(_, _, offered)| offered.is_ok())
        .map(|(name, ..)| name.as_str())
        .collect();
    assert_eq!(
        names(&thought_tools(settings, screen_in_view, outside)),
        offered.join(" ")
    );
}

#[test]
fn a_thought_has_every_tool_that_its_settings_allow() {
    check(
        &Settings::default(),
        true,
        &all(),
        &expect![[r#"
        memory_search (denizen)
        look_at_screen (denizen)
        web_search (web)
        web_scrape (web)
        browser_browse (web)
        discovery_source_add (denizen)
        discovery_source_remove (denizen)
        discovery_source_list (denizen)
        wiki_edit (wiki) not: the entry of wiki in mcp.json keeps it out of thoughts
        wiki_read (wiki)"#]],
    );
}

#[test]
fn each_switch_takes_its_own_tools_away_and_says_so() {
    let off = settings(|settings| {
        settings.memory.enabled = false;
        settings.initiative.allow_active_curiosity = false;
        settings.discovery.allow_self_curation = false;
    });
    check(
        &off,
        false,
        &all(),
        &expect![[r#"
        memory_search (denizen) not: memory.enabled is off
        look_at_screen (denizen) not: no screen is to be seen now
        web_search (web) not: initiative.text.allowActiveCuriosity is off
        web_scrape (web) not: initiative.text.allowActiveCuriosity is off
        browser_browse (web) not: initiative.text.allowActiveCuriosity is off
        discovery_source_add (denizen) not: initiative.discovery.allowSelfCuration is off
        discovery_source_remove (denizen) not: initiative.discovery.allowSelfCuration is off
        discovery_source_list (denizen) not: initiative.discovery.allowSelfCuration is off
        wiki_edit (wiki) not: the entry of wiki in mcp.json keeps it out of thoughts
        wiki_read (wiki) not: initiative.text.allowActiveCuriosity is off"#]],
    );
}

#[test]
fn what_the_shell_has_not_is_not_offered() {
    check(
        &Settings::default(),
        false,
        &Capabilities::default(),
        &expect![[r#"
        memory_search (denizen)
        look_at_screen (denizen) not: no screen is to be seen now
        web_search (web) not: tools.searchProvider is none
        web_scrape (web) not: it is not ready: its entry under the tools' status says why
        browser_browse (web) not: it is not ready: its entry under the tools' status says why
        discovery_source_add (denizen)
        discovery_source_remove (denizen)
        discovery_source_list (denizen)"#]],
    );
    let shut = settings(|settings| {
        settings.tools.search_provider = settings::SearchProvider::Searxng;
        settings.tools.pages = false;
        settings.tools.browser = false;
    });
    check(
        &shut,
        false,
        &Capabilities::default(),
        &expect![[r#"
        memory_search (denizen)
        look_at_screen (denizen) not: no screen is to be seen now
        web_search (web) not: it is not ready: its entry under the tools' status says why
        web_scrape (web) not: tools.pages is off
        browser_browse (web) not: tools.browser is off
        discovery_source_add (denizen)
        discovery_source_remove (denizen)
        discovery_source_list (denizen)"#]],
    );
}

#[test]
fn without_a_budget_there_is_nothing_to_offer() {
    let steps = settings(|settings| settings.initiative.max_tool_steps = 0);
    let calls = settings(|settings| settings.initiative.max_tool_calls = 0);
    for (settings, key) in [(steps, "maxToolSteps"), (calls, "maxToolCalls")] {
        assert_eq!(names(&thought_tools(&settings, true, &all())), "");
        for (_, _, offered) in thought_tool_list(&settings, true, &all()) {
            assert_eq!(offered, Err(format!("initiative.text.{key} is 0")));
        }
    }
}

#[test]
fn every_combination_of_switches_offers_exactly_what_it_should() {
    for bits in 0..32_u32 {
        let bit = |at: u32| bits & (1 << at) != 0;
        let (memory, curiosity, curation, screen, there) = (bit(0), bit(1), bit(2), bit(3), bit(4));
        let settings = settings(|settings| {
            settings.memory.enabled = memory;
            settings.initiative.allow_active_curiosity = curiosity;
            settings.discovery.allow_self_curation = curation;
        });
        let outside = if there { all() } else { Capabilities::default() };
        let mut wanted = Vec::new();
        wanted.extend(memory.then_some("memory_search"));
        wanted.extend(screen.then_some("look_at_screen"));
        if curiosity && there {
            wanted.extend(["web_search", "web_scrape", "browser_browse"]);
        }
        if curation {
            wanted.extend([
                "discovery_source_add",
                "discovery_source_remove",
                "discovery_source_list",
            ]);
        }
        wanted.extend((curiosity && there).then_some("wiki_read"));
        assert_eq!(
            names(&thought_tools(&settings, screen, &outside)),
            wanted.join(" "),
            "{bits:05b}"
        );
        let mut wanted = vec!["search_messages"];
        wanted.extend(memory.then_some("memory_search"));
        wanted.extend(screen.then_some("look_at_screen"));
        if there {
            wanted.extend(["web_search", "web_scrape", "browser_browse", "wiki_edit"]);
        }
        assert_eq!(
            names(&reply_tools(&settings, screen, &[], &outside)),
            wanted.join(" "),
            "{bits:05b}"
        );
    }
}

#[test]
fn a_server_cannot_pose_as_another_tool() {
    let poser = Some("poser");
    let outside = Capabilities {
        tools: vec![
            tool("memory_search", poser),
            tool("web_search", poser),
            tool("discovery_source_add", poser),
            tool("search_messages", poser),
            tool("wiki_read", Some("wiki")),
            tool("wiki_read", poser),
            tool("teleport", None),
        ],
        ..Capabilities::default()
    };
    check(
        &Settings::default(),
        false,
        &outside,
        &expect![[r#"
        memory_search (denizen)
        look_at_screen (denizen) not: no screen is to be seen now
        web_search (web) not: tools.searchProvider is none
        web_scrape (web) not: it is not ready: its entry under the tools' status says why
        browser_browse (web) not: it is not ready: its entry under the tools' status says why
        discovery_source_add (denizen)
        discovery_source_remove (denizen)
        discovery_source_list (denizen)
        memory_search (poser) not: another tool is called memory_search, too
        web_search (poser) not: another tool is called web_search, too
        discovery_source_add (poser) not: another tool is called discovery_source_add, too
        search_messages (poser) not: another tool is called search_messages, too
        wiki_read (wiki)
        wiki_read (poser) not: another tool is called wiki_read, too"#]],
    );
    let offered = reply_tools(&Settings::default(), false, &[], &outside);
    assert_eq!(names(&offered), "search_messages memory_search wiki_read");
    assert!(offered.iter().all(|tool| tool.description != "poser"));
}

#[test]
fn a_source_is_added_with_its_family_its_name_and_a_reason() {
    let offered = thought_tools(&Settings::default(), false, &Capabilities::default());
    let required = |name: &str| {
        let tool = offered.iter().find(|tool| tool.name == name).expect("offered");
        tool.parameters["required"].to_string()
    };
    assert_eq!(required("discovery_source_add"), r#"["family","name","reason"]"#);
    assert_eq!(required("discovery_source_remove"), r#"["family","name"]"#);
    assert_eq!(required("discovery_source_list"), "[]");
    let families = &offered
        .iter()
        .find(|tool| tool.name == "discovery_source_add")
        .expect("offered")
        .parameters["properties"]["family"]["enum"];
    assert_eq!(
        families.to_string(),
        r#"["reddit","hacker_news","youtube","rss","x"]"#
    );
}
