//! Fetches a catalogue from an address that the operator has given.

use std::time::Duration;

use fetching::service::{ServiceClients, is_loopback};
use reqwest::Url;
use tokio::time::timeout;

use crate::attempt::bounded;
use crate::catalogue::CATALOGUE_BYTES_MAX;

const PATIENCE: Duration = Duration::from_secs(30);

/// The text at an address. Whoever could change it on its way could change what a budget counts, so it comes by https,
/// or from this machine.
pub async fn fetch_catalogue(address: &str) -> Result<String, String> {
    let url = Url::parse(address).map_err(|error| format!("it is not an address ({error})"))?;
    if url.scheme() != "https" && !is_loopback(address) {
        return Err(
            "only https can be trusted with prices. Write https://, or fetch it yourself and give the file"
                .to_owned(),
        );
    }
    let clients = ServiceClients::default();
    let getting = async {
        let sent = clients.for_address(address).get(url).send().await;
        let response = sent.map_err(|error| match error.is_connect() {
            true => "it cannot be reached".to_owned(),
            false => "the connection broke".to_owned(),
        })?;
        let status = response.status();
        if !status.is_success() {
            return Err(format!("it answers with status {}", status.as_u16()));
        }
        let body = bounded(response, CATALOGUE_BYTES_MAX + 1).await;
        if body.len() > CATALOGUE_BYTES_MAX {
            return Err(format!("it has more than {CATALOGUE_BYTES_MAX} bytes"));
        }
        String::from_utf8(body).map_err(|_| "it is not text".to_owned())
    };
    match timeout(PATIENCE, getting).await {
        Ok(found) => found,
        Err(_) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
    }
}
