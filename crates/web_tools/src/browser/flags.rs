//! How the browser is started: without a window, without anything it does not need to show a page, and with one way
//! to the network.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Once;

/// Nothing of these is needed to read a page; some would talk to devices or past the proxy.
const FEATURES_OFF: &str = "--disable-features=Translate,OptimizationHints,OptimizationGuideModelDownloading,\
    MediaRouter,DialMediaRouteProvider,AutofillServerCommunication,CertificateTransparencyComponentUpdater,\
    InterestFeedContentSuggestions,WebRtcHideLocalIpsWithMdns,DnsOverHttps,AsyncDns,SpareRendererForSitePerProcess,\
    BackForwardCache,Prerender2,WebUSB,WebBluetooth,WebSerial,DirectSockets,InterestCohort,GlobalMediaControls,\
    HttpsUpgrades,HttpsFirstBalancedModeAutoEnable";

const ALWAYS: [&str; 41] = [
    "--headless=new",
    // Commands come over a pipe: no port is opened that others could speak to, and when the pipe closes, the browser ends.
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-blink-features=WebUSB,WebHID,Serial,WebBluetooth,WebNFC,DirectSockets,SharedWorker,Presentation,PaymentRequest",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-3d-apis",
    "--disable-hang-monitor",
    "--disable-infobars",
    "--disable-logging",
    "--disable-notifications",
    "--disable-speech-api",
    "--disable-print-preview",
    "--disable-prompt-on-repost",
    "--disable-quic",
    "--disable-remote-fonts",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--disk-cache-size=1048576",
    "--media-cache-size=1",
    "--blink-settings=imagesEnabled=false",
    "--autoplay-policy=user-gesture-required",
    // Heeded by headless shells; the whole browser takes it from its preferences.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--js-flags=--max-old-space-size=384",
    "--renderer-process-limit=2",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--window-size=1280,1600",
];

/// Everything that is said to the browser when it is started.
pub(super) fn flags(profile: &Path, proxy: SocketAddr) -> Vec<String> {
    let mut flags: Vec<String> = ALWAYS.iter().map(|flag| (*flag).to_owned()).collect();
    flags.push(FEATURES_OFF.to_owned());
    flags.push(format!("--user-data-dir={}", profile.display()));
    flags.push(format!("--proxy-server=http://{proxy}"));
    // By itself the browser goes past a proxy to reach this machine.
    flags.push("--proxy-bypass-list=<-loopback>".to_owned());
    // Names are the proxy's business: what would resolve one here finds nothing.
    flags.push(format!(
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {}",
        proxy.ip()
    ));
    if is_root() {
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            tracing::warn!(
                "the browser runs without its own sandbox, because Denizen runs as root: run Denizen as a user of its own"
            );
        });
        flags.push("--no-sandbox".to_owned());
    }
    flags
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
