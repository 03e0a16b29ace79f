//! A server on a free port of this machine that answers byte for byte what a test wants.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What becomes of one request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Sent as it is, and the connection is closed.
    Raw(Vec<u8>),
    /// Sent after a while.
    Later(Duration, Vec<u8>),
    /// Nothing more is sent, with the connection left open.
    Stuck,
    /// Sent, and then this piece again and again.
    Endless(Vec<u8>, Vec<u8>),
    /// Closed with a reset.
    Reset,
}

impl Reply {
    pub fn ok(mime: &str, body: impl AsRef<[u8]>) -> Self {
        Self::with(&format!("200 OK\r\nContent-Type: {mime}"), body)
    }

    /// A status line, with further headers if it holds any, and a body.
    pub fn with(head: &str, body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let head = format!(
            "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        Self::Raw([head.as_bytes(), body].concat())
    }

    pub fn redirect(to: &str) -> Self {
        Self::with(&format!("302 Elsewhere\r\nLocation: {to}"), b"")
    }
}

pub struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    most_at_once: Arc<AtomicUsize>,
}

impl Server {
    /// Answers by the head of the request, which begins with `GET /path`.
    pub async fn answering(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let server = Self {
            address: listener.local_addr().expect("an address"),
            requests: Arc::default(),
            most_at_once: Arc::default(),
        };
        let (seen, most) = (server.requests.clone(), server.most_at_once.clone());
        let (answer, open) = (Arc::new(answer), Arc::new(AtomicUsize::new(0)));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, most, answer, open) = (seen.clone(), most.clone(), answer.clone(), open.clone());
                tokio::spawn(async move {
                    most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    serve(stream, &seen, &*answer).await;
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        server
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Heads of the requests that came, in order.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("nobody panicked").clone()
    }

    pub fn paths(&self) -> Vec<String> {
        let path = |head: &String| head.split(' ').nth(1).unwrap_or_default().to_owned();
        self.requests().iter().map(path).collect()
    }

    /// Most requests that were under way at the same time.
    pub fn most_at_once(&self) -> usize {
        self.most_at_once.load(Ordering::SeqCst)
    }
}

async fn serve(mut stream: TcpStream, seen: &Mutex<Vec<String>>, answer: &impl Fn(&str) -> Reply) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let reply = answer(&head);
    seen.lock().expect("nobody panicked").push(head);
    match reply {
        Reply::Raw(bytes) => send(&mut stream, &bytes).await,
        Reply::Later(wait, bytes) => {
            tokio::time::sleep(wait).await;
            send(&mut stream, &bytes).await;
        }
        Reply::Stuck => {
            // Until the other side has had enough.
            let _ = stream.read_u8().await;
        }
        Reply::Endless(bytes, piece) => {
            let mut sent = stream.write_all(&bytes).await;
            while sent.is_ok() {
                sent = stream.write_all(&piece).await;
            }
        }
        Reply::Reset => stream.set_zero_linger().expect("a socket"),
    }
}

async fn send(stream: &mut TcpStream, bytes: &[u8]) {
    let _ = stream.write_all(bytes).await;
    let _ = stream.shutdown().await;
}
