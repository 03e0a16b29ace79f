//! TLS for all clients of this process: the certificates that this machine trusts are read once, and not for each client.

use std::sync::OnceLock;

use reqwest::ClientBuilder;
use rustls::ClientConfig;
use rustls_platform_verifier::ConfigVerifierExt;

use super::install_tls;

/// What a client may speak with a server, the better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaks {
    Http2OrHttp1,
    Http1,
}

/// Gives a client that is being made the TLS of this process.
pub fn with_tls(builder: ClientBuilder, speaks: Speaks) -> ClientBuilder {
    install_tls();
    let builder = match speaks {
        Speaks::Http2OrHttp1 => builder,
        Speaks::Http1 => builder.http1_only(),
    };
    match shared() {
        Some(shared) => builder.tls_backend_preconfigured(offering(shared, speaks)),
        // Where nothing can be read, reqwest tries for itself and says why not.
        None => builder,
    }
}

/// The same certificates; what is offered to a server is each client's own.
fn offering(shared: &ClientConfig, speaks: Speaks) -> ClientConfig {
    let mut config = shared.clone();
    config.alpn_protocols = match speaks {
        Speaks::Http2OrHttp1 => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        Speaks::Http1 => vec![b"http/1.1".to_vec()],
    };
    config
}

fn shared() -> Option<&'static ClientConfig> {
    static SHARED: OnceLock<Option<ClientConfig>> = OnceLock::new();
    SHARED
        .get_or_init(|| ClientConfig::with_platform_verifier().ok())
        .as_ref()
}

#[cfg(test)]
mod tests {
    use rustls::ClientConfig;

    use super::{Speaks, offering, with_tls};

    #[test]
    fn a_client_for_sockets_offers_no_version_that_has_none() {
        super::install_tls();
        let plain = ClientConfig::builder()
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        let sockets = offering(&plain, Speaks::Http1);
        assert_eq!(sockets.alpn_protocols, [b"http/1.1".to_vec()]);
        let requests = offering(&plain, Speaks::Http2OrHttp1);
        assert_eq!(requests.alpn_protocols, [b"h2".to_vec(), b"http/1.1".to_vec()]);
    }

    #[test]
    fn clients_can_be_made_of_what_was_read_once() {
        for speaks in [Speaks::Http1, Speaks::Http2OrHttp1] {
            let made = with_tls(reqwest::Client::builder(), speaks).build();
            assert!(made.is_ok(), "{speaks:?}: {made:?}");
        }
    }
}
