//! Bare connections to checked addresses, for a caller that forwards bytes instead of fetching.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;

use crate::lookup::{Lookup, LookupFault, SystemLookup, all_addresses, public_addresses};
use crate::{FetchPolicy, refusal_of};

/// Opens a connection to a host, to an address that was checked.
pub async fn connect(host: &str, port: u16, policy: &FetchPolicy) -> io::Result<TcpStream> {
    connect_by(Arc::new(SystemLookup), host, port, policy).await
}

pub(crate) async fn connect_by(
    lookup: Arc<dyn Lookup>,
    host: &str,
    port: u16,
    policy: &FetchPolicy,
) -> io::Result<TcpStream> {
    let connecting = async {
        let addresses = addresses_of(&*lookup, host, port, policy)
            .await
            .map_err(io_fault)?;
        let mut last = None;
        for address in addresses {
            match TcpStream::connect((address, port)).await {
                Ok(stream) => return Ok(stream),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| io::Error::other(format!("{host} has no address"))))
    };
    let late = || io::Error::new(io::ErrorKind::TimedOut, format!("{host}:{port} did not answer"));
    tokio::time::timeout(CONNECT_TIMEOUT, connecting)
        .await
        .unwrap_or_else(|_| Err(late()))
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

async fn addresses_of(
    lookup: &dyn Lookup,
    host: &str,
    port: u16,
    policy: &FetchPolicy,
) -> Result<Vec<IpAddr>, LookupFault> {
    let exempt = policy.exempts(host, port);
    if let Ok(address) = host.trim_matches(['[', ']']).parse::<IpAddr>() {
        return match refusal_of(address) {
            Some(why) if !exempt => Err(LookupFault::NotPublic {
                host: address.to_string(),
                address,
                why,
            }),
            _ => Ok(vec![address]),
        };
    }
    match exempt {
        true => all_addresses(lookup, host).await,
        false => public_addresses(lookup, host).await,
    }
}

fn io_fault(fault: LookupFault) -> io::Error {
    let kind = match fault {
        LookupFault::NotPublic { .. } => io::ErrorKind::PermissionDenied,
        LookupFault::Unknown { .. } => io::ErrorKind::NotFound,
    };
    io::Error::new(kind, fault)
}

#[cfg(test)]
#[path = "connecting_tests.rs"]
mod tests;
