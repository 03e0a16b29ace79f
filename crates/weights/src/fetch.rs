//! One file over HTTP: on from where it was broken off, and never longer than it may be.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use fetching::service::{client_builder, innermost};
use reqwest::header::RANGE;
use reqwest::{Client, Response, StatusCode, redirect};

/// A server that says nothing for so long is given up.
const SILENCE_MAX: Duration = Duration::from_secs(30);
const REDIRECTS_MAX: usize = 5;

/// No key is sent, so redirects may be followed: the big hosts hand files out from elsewhere.
pub(crate) fn client() -> Client {
    client_builder(false)
        .redirect(redirect::Policy::limited(REDIRECTS_MAX))
        .read_timeout(SILENCE_MAX)
        .build()
        .expect("the TLS provider is installed")
}

/// Downloads to a file, after what is there of it already; why not, for a person. `had` is told the bytes so far.
pub(crate) async fn download(
    client: &Client,
    url: &str,
    to: &Path,
    bytes: u64,
    mut had: impl FnMut(u64),
) -> Result<(), String> {
    let there = std::fs::metadata(to).map_or(0, |found| found.len());
    if there == bytes {
        return Ok(());
    }
    let mut response = match there {
        0 => ask(client, url, 0).await?,
        // Longer than it may be, or a server that does not go on: from the beginning.
        _ if there > bytes => ask(client, url, 0).await?,
        _ => match ask(client, url, there).await? {
            refused if refused.status() == StatusCode::RANGE_NOT_SATISFIABLE => ask(client, url, 0).await?,
            response => response,
        },
    };
    let status = response.status();
    if !status.is_success() {
        return Err(format!("the server says {status}"));
    }
    let goes_on = status == StatusCode::PARTIAL_CONTENT;
    let mut so_far = if goes_on { there } else { 0 };
    let cannot_write = |error: std::io::Error| format!("{} cannot be written: {error}", to.display());
    let mut file = match goes_on {
        true => OpenOptions::new().append(true).open(to),
        false => File::create(to),
    }
    .map_err(cannot_write)?;
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        so_far += chunk.len() as u64;
        if so_far > bytes {
            // What is too long can never become right.
            drop(file);
            let _ = std::fs::remove_file(to);
            return Err(format!("it is longer than the {bytes} bytes it should have"));
        }
        file.write_all(&chunk).map_err(cannot_write)?;
        had(so_far);
    }
    file.sync_all().map_err(cannot_write)?;
    match so_far == bytes {
        true => Ok(()),
        false => Err(format!(
            "it ended after {so_far} of {bytes} bytes; the next try goes on from there"
        )),
    }
}

async fn ask(client: &Client, url: &str, from: u64) -> Result<Response, String> {
    let request = client.get(url);
    let request = match from {
        0 => request,
        from => request.header(RANGE, format!("bytes={from}-")),
    };
    request.send().await.map_err(|error| broken(&error))
}

fn broken(error: &reqwest::Error) -> String {
    innermost(error)
}
