//! Sees to it that there are pages to embed: without a built `ui/dist`, one that says how to build them.

use std::path::Path;
use std::{env, fs, io};

const NOT_BUILT: &str = "<!doctype html>
<html lang=\"en\">
<head><meta charset=\"utf-8\"><title>Denizen</title></head>
<body>
<h1>The pages were not built</h1>
<p>Denizen is running, and its HTTP API answers under <a href=\"/api/health\">/api</a>. To get the pages, run <code>make ui</code> and build Denizen again.</p>
</body>
</html>
";

fn main() -> io::Result<()> {
    let crate_folder = env::var_os("CARGO_MANIFEST_DIR")
        .ok_or_else(|| io::Error::other("cargo names the crate's folder"))?;
    let ui = Path::new(&crate_folder).join("../../ui");
    wait_until_built(&ui)?;
    let pages = ui.join("dist");
    let index = pages.join("index.html");
    if !index.exists() {
        fs::create_dir_all(&pages)?;
        fs::write(&index, NOT_BUILT)?;
    }
    println!("cargo::rerun-if-changed={}", pages.display());
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// `tools/first-pages.sh` builds them beside the first crates, and holds a lock until they are there.
fn wait_until_built(ui: &Path) -> io::Result<()> {
    match fs::File::open(ui.join(".pages.lock")) {
        Ok(lock) => lock.lock_shared(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
