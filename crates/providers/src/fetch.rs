//! Fetches a catalogue from an address that the operator has given.

use std::time::Duration;

use fetching::service::{ServiceClients, is_loopback};
use reqwest::Url;
use tokio::time::timeout;

use crate::aside::ask_aside;
use crate::catalogue::{CATALOGUE_BYTES_MAX, Provider};

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
        let request = clients.for_address(address).get(url);
        let asked = ask_aside(
            request,
            (Provider::Compatible, address, None),
            CATALOGUE_BYTES_MAX + 1,
        )
        .await;
        let body = asked.map_err(|why| why.to_string())?;
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
