//! The walls between the rooms of the house: who may depend on whom. A rule without a failing check decays.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What each pure crate may depend on, tests aside. `schemars` only where somebody asks for descriptions.
const ALLOWED: &[(&str, &[&str])] = &[
    (
        "vocabulary",
        &[
            "memchr",
            "schemars",
            "serde",
            "serde_json",
            "unicode-normalization",
        ],
    ),
    (
        "settings",
        &[
            "denizen-vocabulary",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
        ],
    ),
    (
        "gist",
        &[
            "denizen-vocabulary",
            "schemars",
            "serde",
            "serde_json",
            "unicode-normalization",
            "jiff",
        ],
    ),
    (
        "mind",
        &[
            "denizen-vocabulary",
            "denizen-settings",
            "denizen-gist",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
            "minijinja",
            "unicode-normalization",
            "jiff",
        ],
    ),
    (
        "explain",
        &[
            "denizen-vocabulary",
            "denizen-settings",
            "denizen-mind",
            "schemars",
            "serde",
        ],
    ),
    ("recall", &["denizen-vocabulary", "unicode-normalization"]),
    ("audio", &["earshot", "opus", "thiserror"]),
    (
        "simulator",
        &[
            "denizen-vocabulary",
            "denizen-settings",
            "denizen-mind",
            "serde",
            "serde_json",
            "thiserror",
        ],
    ),
];
/// What crates may depend on that do touch the world, but must stay leaves: codecs, sockets, and nothing of the house's but its nouns.
const LEAVES: &[(&str, &[&str])] = &[
    (
        "media",
        &[
            "denizen-vocabulary",
            "image-webp",
            "openh264",
            "png",
            "re_mp4",
            "thiserror",
            "turbojpeg",
            "zune-jpeg",
        ],
    ),
    ("reach", &["thiserror", "tokio", "tracing"]),
];
/// Adapters meet in the runtime and never know each other.
const ADAPTERS: [&str; 15] = [
    "discord_calls",
    "web_tools",
    "discord_rooms",
    "discovery",
    "mcp",
    "providers",
    "ocr",
    "realtime",
    "remote",
    "screen_intake",
    "speech",
    "storage",
    "studio",
    "voice_intake",
    "web",
];
/// They speak a platform's wire for adapters, and know neither them nor the ports they fulfil.
const WIRES: [&str; 2] = ["discord", "discord_voice"];

fn dependencies(name: &str) -> BTreeSet<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../{name}/Cargo.toml"));
    let text = fs::read_to_string(&manifest).expect("every crate has a manifest");
    let section = text
        .split("\n[dependencies]\n")
        .nth(1)
        .expect("every crate has dependencies");
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split(['.', '=', ' ']).next())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn crates_depend_on_what_they_are_allowed_and_nothing_else() {
    for (name, allowed) in ALLOWED.iter().chain(LEAVES) {
        let found = dependencies(name);
        assert!(!found.is_empty(), "{name}: no dependency was read");
        let foreign: Vec<&String> = found
            .iter()
            .filter(|found| !allowed.contains(&found.as_str()))
            .collect();
        assert!(foreign.is_empty(), "{name} depends on {foreign:?}");
    }
}

#[test]
fn the_pure_crates_ban_clocks_threads_files_sockets_and_unordered_maps() {
    for (name, _) in ALLOWED {
        let bans = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../{name}/clippy.toml"));
        let text = fs::read_to_string(&bans).unwrap_or_else(|_| panic!("{name} has no clippy.toml"));
        for banned in [
            "Instant::now",
            "SystemTime::now",
            "thread::sleep",
            "thread::spawn",
            "fs::File",
            "fs::read_to_string",
            "fs::write",
            "net::TcpStream",
            "net::UdpSocket",
            "process::Command",
            "HashMap",
            "HashSet",
        ] {
            assert!(text.contains(banned), "{name} does not ban {banned}");
        }
    }
}

#[test]
fn adapters_do_not_know_each_other() {
    for name in ADAPTERS.into_iter().chain(WIRES) {
        let found = dependencies(name);
        assert_eq!(
            found.contains("denizen-runtime"),
            ADAPTERS.contains(&name),
            "an adapter fulfils ports of the runtime, and {name} does or does not"
        );
        for other in ADAPTERS.iter().filter(|other| **other != name) {
            assert!(
                !found.contains(&format!("denizen-{other}")),
                "{name} depends on {other}"
            );
        }
    }
}

#[test]
fn a_call_knows_nothing_of_the_bot_that_is_in_it() {
    let found = dependencies("discord_voice");
    let of_the_house: Vec<&String> = found.iter().filter(|name| name.starts_with("denizen-")).collect();
    assert_eq!(of_the_house, ["denizen-fetching", "denizen-vocabulary"]);
}

#[test]
fn only_the_double_plays_the_server_of_an_encrypted_call() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in fs::read_dir(crates).expect("the folder of crates") {
        let name = folder.expect("a crate").file_name();
        let name = name.to_str().expect("a plain name");
        let asks = dependencies(name).iter().any(|it| it.starts_with("openmls"));
        assert_eq!(asks, name == "discord_double", "{name}");
    }
}

#[test]
fn signal_work_knows_nothing_of_the_house_but_its_nouns() {
    let found = dependencies("media");
    let of_the_house: Vec<&String> = found.iter().filter(|name| name.starts_with("denizen-")).collect();
    assert_eq!(of_the_house, ["denizen-vocabulary"]);
    assert!(!found.contains("tokio"), "media decodes; whoever calls it waits");
}

#[test]
fn whoever_fetches_from_strangers_knows_nothing_of_the_house() {
    let found = dependencies("fetching");
    assert!(!found.is_empty(), "fetching: no dependency was read");
    let of_the_house: Vec<&String> = found.iter().filter(|name| name.starts_with("denizen-")).collect();
    assert!(of_the_house.is_empty(), "{of_the_house:?}");
}

/// Crates that must not ship in the product: tests and figures only.
const NEVER_SHIPPED: [&str; 5] = [
    "denizen-bench",
    "denizen-discord-double",
    "denizen-hostile",
    "denizen-realtime-double",
    "denizen-stand-ins",
];

#[test]
fn nothing_that_ships_depends_on_benches_or_stand_ins() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut looked_at = 0;
    for folder in fs::read_dir(crates).expect("the folder of crates") {
        let name = folder
            .expect("a crate")
            .file_name()
            .into_string()
            .expect("a plain name");
        let for_tests = [
            "bench",
            "discord_double",
            "realtime_double",
            "stand_ins",
            "hostile",
        ];
        if for_tests.contains(&name.as_str()) {
            continue;
        }
        looked_at += 1;
        for banned in NEVER_SHIPPED {
            assert!(!dependencies(&name).contains(banned), "{name} ships {banned}");
        }
    }
    assert!(looked_at > 15, "only {looked_at} crates were looked at");
}

#[test]
fn nothing_depends_on_the_benches() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in fs::read_dir(crates).expect("the folder of crates") {
        let manifest = folder.expect("a crate").path().join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("every crate has a manifest");
        let named = text.lines().any(|line| line.starts_with("denizen-bench"));
        assert!(!named, "{} depends on the benches", manifest.display());
    }
}

#[test]
fn pure_crates_describe_themselves_only_when_asked() {
    for name in ["vocabulary", "settings", "mind"] {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../{name}/Cargo.toml"));
        let text = fs::read_to_string(&manifest).expect("every crate has a manifest");
        assert!(
            text.contains("schemars = { workspace = true, optional = true }"),
            "{name}"
        );
        assert!(!text.contains("default = [\"describe\"]"), "{name}");
    }
}
