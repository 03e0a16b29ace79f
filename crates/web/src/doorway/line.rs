//! One connection: the place it holds, what it is about, and bytes that must go out in time.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep};

use super::places::Places;

/// Whoever takes nothing of what is sent for so long is gone.
const WRITE_DEADLINE: Duration = Duration::from_secs(60);

/// What a connection is about; who is first in this order goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SeatState {
    /// It has not asked anything yet.
    Silent = 0,
    /// It was answered, and has not asked again.
    Idle = 1,
    /// It is being answered.
    Answered = 2,
}

/// The place of one connection.
pub(crate) struct Seat {
    number: u64,
    pub(super) address: IpAddr,
    pub(super) came: Instant,
    state: AtomicU8,
    admitted: AtomicBool,
    leave: Notify,
    places: Weak<Places>,
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seat")
            .field("number", &self.number)
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

impl Seat {
    pub(super) fn new(number: u64, address: IpAddr, places: Weak<Places>) -> Self {
        Self {
            number,
            address,
            came: Instant::now(),
            state: AtomicU8::new(SeatState::Silent as u8),
            admitted: AtomicBool::new(false),
            leave: Notify::new(),
            places,
        }
    }

    /// Where the connection comes from: of a network of IPv6 all count as one.
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// Whoever is connected has shown a credential.
    pub fn admit(&self) {
        self.admitted.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_admitted(&self) -> bool {
        self.admitted.load(Ordering::Relaxed)
    }

    pub(super) fn state(&self) -> SeatState {
        match self.state.load(Ordering::Relaxed) {
            0 => SeatState::Silent,
            1 => SeatState::Idle,
            _ => SeatState::Answered,
        }
    }

    pub(super) fn set(&self, state: SeatState) {
        self.state.store(state as u8, Ordering::Relaxed);
    }

    pub(super) fn ask_to_leave(&self) {
        self.leave.notify_one();
    }

    pub(super) async fn asked_to_leave(&self) {
        self.leave.notified().await;
    }
}

/// A request that is being answered, until all of the answer is on its way.
pub(super) struct Answering(Option<Arc<Seat>>);

impl Answering {
    pub fn begin(seat: &Arc<Seat>) -> Self {
        seat.set(SeatState::Answered);
        Self(Some(seat.clone()))
    }

    /// There is no end but that of the connection.
    pub fn for_good(mut self) {
        if let Some(seat) = self.0.take() {
            seat.admit();
        }
    }

    pub fn with(self, body: Body) -> AnswerBody {
        AnswerBody {
            body,
            _answering: self,
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        if let Some(seat) = &self.0 {
            seat.set(SeatState::Idle);
        }
    }
}

/// The body of an answer.
pub(super) struct AnswerBody {
    body: Body,
    _answering: Answering,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection that keeps its place until it is closed.
pub(super) struct Line {
    stream: TcpStream,
    seat: Arc<Seat>,
    /// Runs while nothing of what is sent is taken.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Line {
    pub fn new(stream: TcpStream, seat: Arc<Seat>) -> Self {
        Self {
            stream,
            seat,
            stalled: None,
        }
    }

    fn in_time<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let deadline = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(WRITE_DEADLINE)));
        match deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(places) = self.seat.places.upgrade() {
            places.leave(self.seat.number);
        }
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
