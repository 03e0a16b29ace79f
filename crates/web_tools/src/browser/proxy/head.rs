//! What a browser asks of its proxy: a tunnel to a host, or a request that is passed on.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};
use url::Url;

/// Browsers send a few hundred bytes; cookies of a fresh profile are few.
const HEAD_BYTES_MAX: usize = 32 << 10;
const BODY_BYTES_MAX: usize = 4 << 20;

/// The start of a connection: a head, and what came with it.
#[derive(Debug)]
pub(super) struct Head {
    bytes: Vec<u8>,
    /// Where the head ends, its empty line included.
    end: usize,
}

/// What is wanted.
#[derive(Debug)]
pub(super) enum Wish {
    /// Bytes in both directions.
    Tunnel { host: String, port: u16 },
    /// One request, in the form a server takes.
    Forward {
        host: String,
        port: u16,
        request: Vec<u8>,
        body_bytes: usize,
    },
}

impl Wish {
    pub(super) fn target(&self) -> (&str, u16) {
        match self {
            Self::Tunnel { host, port } | Self::Forward { host, port, .. } => (host, *port),
        }
    }
}

impl Head {
    pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let mut bytes = Vec::with_capacity(2 << 10);
        let mut piece = [0; 2 << 10];
        loop {
            let read = from.read(&mut piece).await?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let searched = bytes.len().saturating_sub(3);
            bytes.extend_from_slice(&piece[..read]);
            let found = bytes[searched..].windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(found) = found {
                let end = searched + found + 4;
                return Ok(Self { bytes, end });
            }
            if bytes.len() > HEAD_BYTES_MAX {
                return Err(bad("its head is too long"));
            }
        }
    }

    /// What came after the head.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.end..]
    }

    pub(super) fn wish(&self) -> io::Result<Wish> {
        let text = std::str::from_utf8(&self.bytes[..self.end]).map_err(|_| bad("its head is no text"))?;
        let mut lines = text.split("\r\n");
        let mut first = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (first.next(), first.next(), first.next(), first.next())
        else {
            return Err(bad("its first line is none"));
        };
        if !version.starts_with("HTTP/1.") {
            return Err(bad("it does not speak HTTP/1"));
        }
        if method == "CONNECT" {
            let url = Url::parse(&format!("https://{target}/")).map_err(|_| bad("it names no host"))?;
            let (host, port) = host_of(&url)?;
            return Ok(Wish::Tunnel { host, port });
        }
        let url = Url::parse(target).map_err(|_| bad("it names no address"))?;
        if url.scheme() != "http" {
            return Err(bad("it wants something else than http"));
        }
        let (host, port) = host_of(&url)?;
        let (request, body_bytes) = forwarded(method, &url, lines)?;
        Ok(Wish::Forward {
            host,
            port,
            request,
            body_bytes,
        })
    }
}

/// The head as a server takes it: one request, after which the connection closes.
fn forwarded<'a>(
    method: &str,
    url: &Url,
    lines: impl Iterator<Item = &'a str>,
) -> io::Result<(Vec<u8>, usize)> {
    let mut body_bytes = 0;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut request = format!("{method} {}{query} HTTP/1.1\r\n", url.path());
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(|| bad("a header has no name"))?;
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "content-length" => {
                body_bytes = value
                    .trim()
                    .parse()
                    .ok()
                    .filter(|bytes| *bytes <= BODY_BYTES_MAX)
                    .ok_or_else(|| bad("its body is too large"))?;
            }
            "transfer-encoding" => return Err(bad("the length of its body is not known")),
            _ => {}
        }
        let hop_by_hop = ["connection", "keep-alive", "upgrade", "te", "trailer"].contains(&name.as_str());
        if !hop_by_hop && !name.starts_with("proxy-") {
            request.push_str(line);
            request.push_str("\r\n");
        }
    }
    request.push_str("Connection: close\r\n\r\n");
    Ok((request.into_bytes(), body_bytes))
}

fn host_of(url: &Url) -> io::Result<(String, u16)> {
    let host = match url.host() {
        // Without the brackets of an address in an address.
        Some(url::Host::Ipv6(address)) => address.to_string(),
        Some(host) => host.to_string(),
        None => return Err(bad("it names no host")),
    };
    let port = url
        .port_or_known_default()
        .ok_or_else(|| bad("it names no port"))?;
    Ok((host, port))
}

fn bad(why: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("a request of the browser is not passed on: {why}"),
    )
}
