//! Figures of platforms beside this process's own rooms: the gateway, what is asked of it, and calls.

use std::collections::BTreeMap;

use runtime::ports::{PlatformStanding, PlatformState, ShardStanding};

use super::exposition::Exposition;

pub(super) fn write(platforms: &[PlatformStanding], to: &mut Exposition) {
    // Of a platform that nobody is connected to there is nothing to tell.
    let platforms: Vec<&PlatformStanding> = platforms
        .iter()
        .filter(|platform| platform.state != PlatformState::Off)
        .collect();
    if !platforms.is_empty() {
        gateway(&platforms, to);
        requests(&platforms, to);
        sound(&platforms, to);
    }
}

fn gateway(platforms: &[&PlatformStanding], to: &mut Exposition) {
    let mut family = to.gauge("denizen_gateway_shards", "Shards, connected or not.");
    for (platform, name) in named(platforms) {
        let live = platform.shards.iter().filter(|shard| shard.connected).count();
        let down = platform.shards.len() - live;
        family.with(&[("platform", name), ("connected", "true")], live as u64);
        family.with(&[("platform", name), ("connected", "false")], down as u64);
    }
    let mut family = to.gauge("denizen_gateway_servers", "Servers that the bot is in.");
    for (platform, name) in named(platforms) {
        family.with(&[("platform", name)], platform.servers as u64);
    }
    let mut family = to.gauge(
        "denizen_gateway_starts_left",
        "Sessions that may still be begun today.",
    );
    for (platform, name) in named(platforms) {
        family.with(&[("platform", name)], platform.starts_left);
    }
    let mut family = to.gauge(
        "denizen_gateway_heartbeat_seconds",
        "How long the slowest shard's last heartbeat took.",
    );
    for (platform, name) in named(platforms) {
        let slowest = platform.shards.iter().filter_map(|shard| shard.latency_ms).max();
        family.seconds(&[("platform", name)], slowest.unwrap_or_default());
    }
    type Count = (&'static str, &'static str, fn(&ShardStanding) -> u64);
    let counts: [Count; 5] = [
        ("denizen_gateway_events_total", "Events that came in.", |shard| {
            shard.events
        }),
        (
            "denizen_gateway_reconnects_total",
            "Connections that were lost or given up.",
            |shard| shard.reconnects,
        ),
        (
            "denizen_gateway_resumes_total",
            "Sessions that went on after a lost connection.",
            |shard| shard.resumes,
        ),
        (
            "denizen_gateway_sessions_total",
            "Sessions that were begun.",
            |shard| shard.sessions,
        ),
        (
            "denizen_gateway_zombies_total",
            "Connections that were open and dead.",
            |shard| shard.zombies,
        ),
    ];
    for (family, help, count) in counts {
        let mut family = to.counter(family, help);
        for (platform, name) in named(platforms) {
            let sum = platform.shards.iter().map(count).sum();
            family.with(&[("platform", name)], sum);
        }
    }
    let mut family = to.counter(
        "denizen_gateway_malformed_events_total",
        "Events that could not be read and were left out, by the name they came under.",
    );
    for (platform, name) in named(platforms) {
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for (event, times) in platform.shards.iter().flat_map(|shard| &shard.malformed) {
            *sums.entry(event).or_default() += times;
        }
        for (event, times) in sums {
            family.with(&[("platform", name), ("event", event)], times);
        }
    }
}

fn requests(platforms: &[&PlatformStanding], to: &mut Exposition) {
    let mut family = to.counter(
        "denizen_requests_total",
        "Requests to a platform that came back, every try counted, by what became of them.",
    );
    for (platform, name) in named(platforms) {
        let counts = &platform.requests;
        let well = counts.sent.saturating_sub(counts.limited + counts.failed);
        for (outcome, times) in [
            ("ok", well),
            ("limited", counts.limited),
            ("failed", counts.failed),
        ] {
            family.with(&[("platform", name), ("outcome", outcome)], times);
        }
    }
    let mut family = to.counter(
        "denizen_request_waits_total",
        "Requests that were held back so that a limit was kept.",
    );
    for (platform, name) in named(platforms) {
        family.with(&[("platform", name)], platform.requests.waited);
    }
    let mut family = to.counter(
        "denizen_request_wait_seconds_total",
        "How long requests were held back, together.",
    );
    for (platform, name) in named(platforms) {
        family.seconds(&[("platform", name)], platform.requests.waited_ms);
    }
    let mut family = to.gauge("denizen_requests_waiting", "Requests that wait for their turn.");
    for (platform, name) in named(platforms) {
        family.with(&[("platform", name)], platform.requests.waiting as u64);
    }
}

fn sound(platforms: &[&PlatformStanding], to: &mut Exposition) {
    let mut family = to.gauge("denizen_calls", "Calls that Denizen is in.");
    for (platform, name) in named(platforms) {
        family.with(&[("platform", name)], platform.calls.len() as u64);
    }
    type Count = (&'static str, &'static str, fn(&PlatformStanding) -> u64);
    let counts: [Count; 6] = [
        ("denizen_calls_entered_total", "Calls that were entered.", |one| {
            one.sound.calls
        }),
        (
            "denizen_call_packets_heard_total",
            "Packets of sound that came.",
            |one| one.sound.heard,
        ),
        (
            "denizen_call_packets_sent_total",
            "Packets of sound that went out.",
            |one| one.sound.sent,
        ),
        (
            "denizen_call_undecryptable_frames_total",
            "Frames that should have been readable and were not.",
            |one| one.sound.undecryptable,
        ),
        (
            "denizen_call_undecryptable_people_total",
            "People of whom frames were not readable, call by call.",
            |one| one.sound.undecryptable_people,
        ),
        (
            "denizen_call_rekeys_total",
            "Times the keys of a call changed.",
            |one| one.sound.rekeys,
        ),
    ];
    for (family, help, count) in counts {
        let mut family = to.counter(family, help);
        for (platform, name) in named(platforms) {
            family.with(&[("platform", name)], count(platform));
        }
    }
}

fn named<'a>(
    platforms: &'a [&'a PlatformStanding],
) -> impl Iterator<Item = (&'a PlatformStanding, &'static str)> {
    platforms.iter().map(|platform| (*platform, platform.platform))
}
