//! Where the browser is on this machine.

use std::env;
use std::path::{Path, PathBuf};

use settings::Settings;

const NAMES: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "chromium-headless-shell",
];

const USUAL_PLACES: [&str; 6] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// The browser of the settings, else the first that is found; or why there is none, and what to do.
pub(crate) fn find(settings: &Settings) -> Result<PathBuf, String> {
    if !cfg!(unix) {
        return Err("the browser is walled in with means that only Unix has".to_owned());
    }
    let named = settings.tools.browser_path.trim();
    if !named.is_empty() {
        let path = PathBuf::from(named);
        return match is_program(&path) {
            // The browser is started in a folder of its own.
            true => Ok(std::path::absolute(&path).unwrap_or(path)),
            false => Err(format!(
                "tools.browserPath is {named}, and no program is there: set it to your Chromium, or empty it to have one looked for"
            )),
        };
    }
    let on_path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&on_path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    on_path
        .chain(USUAL_PLACES.iter().map(PathBuf::from))
        .find(|path| is_program(path))
        .ok_or_else(|| {
            "there is no Chromium on this machine: install it (Debian: apt-get install chromium), or set tools.browserPath"
                .to_owned()
        })
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
