//! A server on a free port of this machine that answers byte for byte what a test wants, sent as slowly as it wants.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fetching::{FetchPolicy, Validators, Wanted};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What becomes of one request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Sent as it is, and the connection is closed.
    Raw(Vec<u8>),
    /// Sent, and then this piece again and again.
    Endless(Vec<u8>, Vec<u8>),
    /// Sent, and then nothing more, with the connection left open.
    Stuck(Vec<u8>),
    /// Closed with a reset.
    Reset,
}

impl Reply {
    pub fn ok(mime: &str, body: &[u8]) -> Self {
        Self::with(&format!("200 OK\r\nContent-Type: {mime}"), body)
    }

    /// A status line, with further headers if it holds any, and a body.
    pub fn with(head: &str, body: &[u8]) -> Self {
        let head = format!(
            "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        Self::Raw([head.as_bytes(), body].concat())
    }

    pub fn redirect(status: u16, to: &str) -> Self {
        Self::with(&format!("{status} Elsewhere\r\nLocation: {to}"), b"")
    }
}

pub struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers by path.
    pub async fn answering(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (requests.clone(), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, seen.clone(), answer.clone()));
            }
        });
        Self { address, requests }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Heads of the requests that came, in order.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("nobody panicked").clone()
    }

    pub fn policy(&self) -> FetchPolicy {
        allowing(&self.address.to_string())
    }
}

pub fn allowing(host: &str) -> FetchPolicy {
    FetchPolicy {
        allowed_private_hosts: vec![host.to_owned()],
    }
}

pub fn wanted(url: &str) -> Wanted {
    Wanted {
        url: url.to_owned(),
        accept: Vec::new(),
        max_bytes: 100_000,
        timeout: Duration::from_secs(20),
        validators: Validators::default(),
    }
}

async fn serve(
    mut stream: TcpStream,
    seen: Arc<Mutex<Vec<String>>>,
    answer: Arc<impl Fn(&str) -> Reply + Send + Sync + 'static>,
) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    seen.lock().expect("nobody panicked").push(head);
    match answer(&path) {
        Reply::Raw(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Reply::Endless(bytes, piece) => {
            let mut sent = stream.write_all(&bytes).await;
            while sent.is_ok() {
                sent = stream.write_all(&piece).await;
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
        Reply::Stuck(bytes) => {
            let _ = stream.write_all(&bytes).await;
            // Until the other side has had enough.
            let _ = stream.read_u8().await;
        }
        Reply::Reset => {
            stream.set_zero_linger().expect("a socket");
        }
    }
}
