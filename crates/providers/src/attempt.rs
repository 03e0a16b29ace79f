//! One try: a request goes out, a stream comes back, or trouble does.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder, Response};
use runtime::ports::{Delta, Patience, RawResponse};
use tokio::sync::mpsc;
use tokio::time::Instant;
use vocabulary::{Finish, Usage};

use crate::catalogue::Provider;
use crate::error_body::ErrorReport;
use crate::nearby::{Nearby, Wait, patiently};
use crate::retry_after;
use crate::sse::{Event, SseParser};
use crate::trouble::{Party, Trouble};
use crate::wire::{Decoded, Decoder, StreamTrouble};

/// More of a stream than this is not an answer for a room.
const STREAM_BYTES_MAX: usize = 16 << 20;
const ERROR_BYTES_MAX: usize = 64 << 10;
const ANTHROPIC_VERSION: &str = "2026-10-21";

/// All that a try needs.
pub(crate) struct Attempt<'a> {
    pub(crate) client: &'a Client,
    pub(crate) party: Party<'a>,
    pub(crate) deltas: &'a mpsc::Sender<Delta>,
    pub(crate) raw: &'a RawResponse,
    pub(crate) patience: Patience,
    /// The answer was asked for in pieces.
    pub(crate) streams: bool,
    /// How long an answer that has begun may be without words: some think for a while, and say nothing meanwhile.
    pub(crate) quiet: Duration,
    /// Who is asked, where they are in the house and are waited for as long as they work.
    pub(crate) nearby: Option<Nearby<'a>>,
}

/// How far the answer has come, over all tries.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// When the first piece of text was passed on; from then on there is no second try.
    pub(crate) first_text: Option<Instant>,
    /// Requests that went out.
    pub(crate) tries: u32,
    /// What the provider has counted of this try.
    counted: Usage,
    /// What it counted of each of the tries before, which failed.
    lost: Vec<Usage>,
}

impl Progress {
    /// A try has failed.
    pub(crate) fn fail(&mut self) {
        let counted = std::mem::take(&mut self.counted);
        if counted != Usage::default() {
            self.lost.push(counted);
        }
    }

    /// What the tries that failed took, as far as somebody has counted.
    pub(crate) fn lost(&self) -> &[Usage] {
        &self.lost
    }
}

impl Attempt<'_> {
    pub(crate) async fn run(
        &self,
        body: Bytes,
        decoder: Decoder,
        progress: &mut Progress,
    ) -> Result<Decoded, Trouble> {
        let request = self.client.post(self.party.url).body(body);
        let accepted = match self.streams {
            true => "text/event-stream",
            false => "application/json",
        };
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, accepted);
        let beginning = Wait {
            by: Instant::now() + self.patience.first_byte,
            since: Instant::now(),
            usual: self.patience.first_byte,
            begun: false,
        };
        let sending = authorised(request, self.party).send();
        let response = match patiently(sending, beginning, self.nearby).await {
            Some(sent) => sent.map_err(|error| self.party.unreachable(error))?,
            None => return Err(self.party.no_first_byte(beginning.since.elapsed())),
        };
        if !response.status().is_success() {
            return Err(self.explain(response).await);
        }
        let decoded = match media_type(&response).as_str() {
            "application/json" => {
                let chunks = Chunks::of(response, beginning, self);
                self.whole(chunks, decoder, progress).await?
            }
            // Not everyone names the type; what comes decides then.
            "text/event-stream" | "" => {
                let chunks = Chunks::of(response, beginning, self);
                self.stream(chunks, decoder, progress).await?
            }
            other => {
                let what = format!("it sent {other}, which is neither JSON nor a stream of events");
                self.raw.push(&bounded(response, ERROR_BYTES_MAX).await);
                return Err(self.party.malformed(&what));
            }
        };
        // What has said nothing is told apart from an answer, for whatever reason it stopped.
        if decoded.finish == Finish::Refused
            && decoded.text.trim().is_empty()
            && decoded.tool_calls.is_empty()
        {
            return Err(self.party.refused("it stopped for safety without a word"));
        }
        Ok(decoded)
    }

    async fn stream(
        &self,
        mut chunks: Chunks<'_>,
        mut decoder: Decoder,
        progress: &mut Progress,
    ) -> Result<Decoded, Trouble> {
        let mut parser = SseParser::default();
        let mut events = Vec::new();
        let mut received = 0;
        let mut said = 0;
        while !decoder.is_over() {
            let chunk = match chunks.next().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                // Some leave the connection open when all is said.
                Err(_) if decoder.is_whole() => break,
                Err(trouble) => return Err(trouble),
            };
            self.raw.push(&chunk);
            received += chunk.len();
            if received > STREAM_BYTES_MAX {
                return Err(self.party.malformed("it does not stop"));
            }
            parser
                .push(&chunk, &mut events)
                .map_err(|error| self.party.malformed(&error.to_string()))?;
            self.take(&mut events, &mut decoder, &mut said, progress).await?;
            if said > 0 {
                chunks.has_begun();
            }
        }
        parser.finish(&mut events);
        self.take(&mut events, &mut decoder, &mut said, progress).await?;
        if received == 0 {
            return Err(match chunks.broken {
                Some(error) => self.party.unreachable(error),
                None => self.party.malformed("it sent nothing"),
            });
        }
        self.finish(decoder, said, progress).await
    }

    /// An answer that was not streamed, whether we asked for that or not.
    async fn whole(
        &self,
        mut chunks: Chunks<'_>,
        mut decoder: Decoder,
        progress: &mut Progress,
    ) -> Result<Decoded, Trouble> {
        let mut body = Vec::new();
        while let Some(chunk) = chunks.next().await? {
            body.extend_from_slice(&chunk);
            if body.len() > STREAM_BYTES_MAX {
                return Err(self.party.malformed("it does not stop"));
            }
        }
        self.raw.push(&body);
        let mut events = vec![Event {
            name: String::new(),
            data: String::from_utf8_lossy(&body).into_owned(),
        }];
        let mut said = 0;
        self.take(&mut events, &mut decoder, &mut said, progress).await?;
        self.finish(decoder, said, progress).await
    }

    async fn take(
        &self,
        events: &mut Vec<Event>,
        decoder: &mut Decoder,
        said: &mut usize,
        progress: &mut Progress,
    ) -> Result<(), Trouble> {
        for event in events.drain(..) {
            if decoder.is_over() {
                break;
            }
            let taken = decoder.take(&event);
            progress.counted = decoder.usage();
            let text = taken.map_err(|trouble| self.judge(trouble))?;
            *said += text.len();
            self.say(text, progress).await;
        }
        Ok(())
    }

    /// What the decoder held back until the end is said too.
    async fn finish(
        &self,
        decoder: Decoder,
        said: usize,
        progress: &mut Progress,
    ) -> Result<Decoded, Trouble> {
        let decoded = decoder.finish().map_err(|trouble| self.judge(trouble))?;
        // An answer that turned out to begin later than what was passed on has no more to say.
        let rest = decoded.text.get(said..).unwrap_or_default();
        self.say(rest.to_owned(), progress).await;
        Ok(decoded)
    }

    async fn say(&self, text: String, progress: &mut Progress) {
        if text.is_empty() {
            return;
        }
        progress.first_text.get_or_insert_with(Instant::now);
        // Whoever no longer listens to the pieces may still want the whole.
        let _ = self.deltas.send(Delta(text)).await;
    }

    fn judge(&self, trouble: StreamTrouble) -> Trouble {
        match trouble {
            StreamTrouble::Malformed(what) => self.party.malformed(&what),
            StreamTrouble::Refused(what) => self.party.refused(&what),
            StreamTrouble::Reported(report) => self.party.judge(None, &report, None),
            StreamTrouble::WindowFull => self.party.window_full(),
        }
    }

    async fn explain(&self, response: Response) -> Trouble {
        let status = response.status().as_u16();
        let wait = retry_after::from_headers(status, response.headers(), jiff::Timestamp::now());
        let body = bounded(response, ERROR_BYTES_MAX).await;
        self.raw.push(&body);
        self.party
            .judge(Some(status), &ErrorReport::from_body(&body), wait)
    }
}

/// The pieces of an answer as they come, each within its time.
struct Chunks<'a> {
    response: Response,
    /// Within which the first one must be there.
    beginning: Wait,
    /// When the last one came.
    last: Option<Instant>,
    /// Something was said.
    has_words: bool,
    /// Why the connection broke.
    broken: Option<reqwest::Error>,
    quiet: Duration,
    patience: Patience,
    party: Party<'a>,
    nearby: Option<Nearby<'a>>,
}

impl<'a> Chunks<'a> {
    fn of(response: Response, beginning: Wait, attempt: &Attempt<'a>) -> Self {
        Self {
            response,
            beginning,
            last: None,
            has_words: false,
            broken: None,
            quiet: attempt.quiet,
            patience: attempt.patience,
            party: attempt.party,
            nearby: attempt.nearby,
        }
    }

    /// Something was said.
    fn has_begun(&mut self) {
        if !self.has_words
            && let Some(nearby) = self.nearby
        {
            nearby.began(self.beginning.since.elapsed());
        }
        self.has_words = true;
    }

    /// The next piece; none at the end. A connection that breaks is judged like one that ends: by whether the answer was
    /// whole.
    async fn next(&mut self) -> Result<Option<Bytes>, Trouble> {
        let stall = match self.has_words {
            true => self.patience.stall,
            false => self.quiet,
        };
        let by = self.last.map_or(self.beginning.by, |last| last + stall);
        let wait = match self.last.filter(|_| self.has_words) {
            Some(last) => Wait {
                by,
                since: last,
                usual: stall,
                begun: true,
            },
            None => Wait { by, ..self.beginning },
        };
        let Some(chunk) = patiently(self.response.chunk(), wait, self.nearby).await else {
            return Err(match self.last {
                None => self.party.no_first_byte(self.beginning.since.elapsed()),
                Some(last) => self.party.stalled(last.elapsed()),
            });
        };
        self.last = Some(Instant::now());
        Ok(chunk.unwrap_or_else(|error| {
            self.broken = Some(error);
            None
        }))
    }
}

/// Puts the key where the provider wants it; it never stands in an address or a body.
pub(crate) fn authorised(request: RequestBuilder, party: Party<'_>) -> RequestBuilder {
    let request = match party.provider {
        Provider::Anthropic => request.header("anthropic-version", ANTHROPIC_VERSION),
        _ => request,
    };
    let Some(key) = party.key else {
        return request;
    };
    let (name, value) = match party.provider {
        Provider::Gemini => ("x-goog-api-key", key.to_owned()),
        _ => (AUTHORIZATION.as_str(), format!("Bearer {key}")),
    };
    let mut value =
        HeaderValue::from_str(&value).expect("keys are checked to be printable when they are read");
    value.set_sensitive(true);
    request.header(name, value)
}

fn media_type(response: &Response) -> String {
    let value = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let kind = value.unwrap_or("").split(';').next().unwrap_or("");
    let short: String = kind.trim().chars().take(60).collect();
    short.to_lowercase()
}

/// The body, or as much of it as came and fits.
pub(crate) async fn bounded(mut response: Response, bytes_max: usize) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = bytes_max - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() >= room {
            break;
        }
    }
    body
}
