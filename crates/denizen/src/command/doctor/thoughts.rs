//! Thoughts of its own, and what they and replies reach out with: channels, feeds, tools and media.

use std::time::Duration;

use mind::ambient::sources;
use providers::Finding;
use runtime::ports::ToolStatus;
use settings::{GifProvider, MediaProvider, SearchProvider, Settings};
use tokio::time::{Instant, sleep};
use vocabulary::text::counted;

use super::super::run::LOUNGE;
use super::{bad, good, noted};
use crate::outbound::Outbound;

/// How long all feeds together may take.
const FEEDS_WITHIN: Duration = Duration::from_secs(60);
/// How long MCP servers may take to come up, and how often it is looked.
const SERVERS_WITHIN: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(100);

pub async fn examine(world: &Outbound, settings: &Settings) -> Vec<Finding> {
    let mut findings = vec![thoughts(settings)];
    // What no thought will ever see need not be read.
    if settings.initiative.enabled && !settings.replies.discovery_channel_ids.is_empty() {
        findings.push(feeds(world, settings).await);
    }
    findings.extend(web(world, settings).await);
    findings.extend(servers(world, settings).await);
    findings.extend(media(world, settings));
    findings.extend(super::ending::of_pictures(settings));
    findings
}

fn thoughts(settings: &Settings) -> Finding {
    if !settings.initiative.enabled {
        return good("thoughts", "switched off (initiative.text.enabled)".to_owned());
    }
    let channels = &settings.replies.discovery_channel_ids;
    if channels.is_empty() {
        // Nothing is broken: this is how it comes.
        return Finding {
            remedy: Some(
                "to have it say something by itself: denizen settings set permissions.replies.discoveryChannelIds '[\"lounge\"]'"
                    .to_owned(),
            ),
            ..good("thoughts", "no channel is named, so it posts nothing by itself".to_owned())
        };
    }
    let rooms = [LOUNGE];
    let unknown: Vec<String> = channels
        .iter()
        .filter(|channel| !rooms.contains(&channel.as_str()))
        .map(|channel| format!("“{channel}”"))
        .collect();
    if !unknown.is_empty() {
        return bad(
            "thoughts",
            format!(
                "permissions.replies.discoveryChannelIds names {}, and there is no such room: nothing is posted there",
                unknown.join(", ")
            ),
            &format!(
                "name rooms that exist: denizen settings set permissions.replies.discoveryChannelIds '{rooms:?}'"
            ),
        );
    }
    good("thoughts", format!("may be posted in {}", channels.join(", ")))
}

async fn feeds(world: &Outbound, settings: &Settings) -> Finding {
    let wish = sources::wish(settings, &[], runtime::wall());
    if wish.sources.is_empty() {
        return good("feeds", "no source is named in initiative.discovery".to_owned());
    }
    let reading = world.outbound.discovery.gather(&wish, settings);
    let Ok(found) = tokio::time::timeout(FEEDS_WITHIN, reading).await else {
        return bad(
            "feeds",
            format!(
                "{} took longer than a minute together",
                counted(wish.sources.len(), "source")
            ),
            "try each with `denizen discovery check FAMILY NAME`",
        );
    };
    let failures: Vec<String> = found
        .reports
        .iter()
        .filter_map(|report| Some(format!("{}: {}", report.source, report.failure.as_ref()?)))
        .collect();
    let fresh: usize = found.reports.iter().map(|report| report.fresh).sum();
    if failures.is_empty() {
        let detail = format!(
            "{} can be read, with {}",
            counted(found.reports.len(), "source"),
            counted(fresh, "new item")
        );
        return good("feeds", detail);
    }
    noted(
        "feeds",
        failures.join("; "),
        "correct or remove these in initiative.discovery, or look at the network; thoughts do without them meanwhile",
    )
}

/// What can be looked up. Nobody need be chosen to search, and a browser is only missed where there is none.
async fn web(world: &Outbound, settings: &Settings) -> Vec<Finding> {
    let tools = &settings.tools;
    let judge = |status: ToolStatus| {
        let is_wanted = match status.name.as_str() {
            "web_search" => tools.search_provider != SearchProvider::None,
            "web_scrape" => tools.pages,
            _ => tools.browser && !tools.browser_path.is_empty(),
        };
        match status.ready || !is_wanted {
            true => good(&status.name, status.detail),
            false => bad(
                &status.name,
                status.detail,
                "until then it is done without; see tools in the settings",
            ),
        }
    };
    let all = world.web().status(settings).await;
    all.into_iter().map(judge).collect()
}

async fn servers(world: &Outbound, settings: &Settings) -> Vec<Finding> {
    let since = Instant::now();
    let mut all = world.servers().status(settings).await;
    while all.iter().any(|status| !status.ready) && since.elapsed() < SERVERS_WITHIN {
        if all.iter().all(is_settled) {
            break;
        }
        sleep(LOOK_EVERY).await;
        all = world.servers().status(settings).await;
    }
    let finding = |status: ToolStatus| {
        let what = format!("mcp {}", status.name);
        if status.ready || status.detail.starts_with("disabled") {
            return good(&what, status.detail);
        }
        bad(
            &what,
            status.detail,
            "correct its entry in mcp.json in the data folder, or remove it",
        )
    };
    all.into_iter().map(finding).collect()
}

/// Whoever is chosen to make pictures and clips or to find GIFs must be able to; nobody need be chosen.
fn media(world: &Outbound, settings: &Settings) -> Vec<Finding> {
    let media = &settings.media;
    let chosen = |name: &str| match name {
        "image" => media.image_provider != MediaProvider::None,
        "video" => media.video_provider != MediaProvider::None,
        "gif" => media.gif_provider != GifProvider::None,
        _ => true,
    };
    let all = world.outbound.studio.status(settings).into_iter();
    all.filter(|status| chosen(&status.name))
        .map(|status| match status.ready {
            true => good(&status.name, status.detail),
            false => bad(&status.name, status.detail, "see media in the settings"),
        })
        .collect()
}

/// A server whose first try is over.
fn is_settled(status: &ToolStatus) -> bool {
    status.ready || status.detail != "being connected"
}
