//! Decompression as it comes in, never further than the limit: a small body may stand for an endless one.

use std::io::{self, Write};

use flate2::write::MultiGzDecoder;
use flate2::{Decompress, FlushDecompress, Status};

/// Why decoding ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DecodingFault {
    TooLarge,
    Broken(&'static str),
}

/// Takes a body in as it was sent, and holds it as it was meant.
#[derive(Debug)]
pub(crate) enum Decoder {
    Plain(Sink),
    Gzip {
        decoder: MultiGzDecoder<Sink>,
        started: bool,
    },
    Deflate(Inflater),
}

impl Decoder {
    /// For what `Content-Encoding` says; none: it is not one that is understood.
    pub(crate) fn for_encoding(encoding: &str, limit: usize) -> Option<Self> {
        let sink = Sink {
            bytes: Vec::new(),
            limit,
        };
        match encoding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Some(Decoder::Plain(sink)),
            "gzip" | "x-gzip" => Some(Decoder::Gzip {
                decoder: MultiGzDecoder::new(sink),
                started: false,
            }),
            "deflate" => Some(Decoder::Deflate(Inflater {
                inflate: None,
                held: Vec::new(),
                ended: false,
                sink,
            })),
            _ => None,
        }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) -> Result<(), DecodingFault> {
        match self {
            Decoder::Plain(sink) => sink.write_all(chunk).map_err(|_| DecodingFault::TooLarge),
            Decoder::Gzip { decoder, started } => {
                *started |= !chunk.is_empty();
                decoder.write_all(chunk).map_err(gzip_fault)
            }
            Decoder::Deflate(inflater) => inflater.push(chunk),
        }
    }

    /// The whole body; an error where it stopped in the middle.
    pub(crate) fn finish(self) -> Result<Vec<u8>, DecodingFault> {
        match self {
            Decoder::Plain(sink) => Ok(sink.bytes),
            // An empty body is said to be compressed often enough.
            Decoder::Gzip { started: false, .. } => Ok(Vec::new()),
            Decoder::Gzip { decoder, .. } => decoder.finish().map(|sink| sink.bytes).map_err(gzip_fault),
            Decoder::Deflate(inflater) => inflater.finish(),
        }
    }
}

fn gzip_fault(error: io::Error) -> DecodingFault {
    match error.kind() {
        io::ErrorKind::FileTooLarge => DecodingFault::TooLarge,
        _ => DecodingFault::Broken("its gzip is broken or stops in the middle"),
    }
}

/// Bytes up to a limit.
#[derive(Debug)]
pub(crate) struct Sink {
    bytes: Vec<u8>,
    limit: usize,
}

impl Write for Sink {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + chunk.len() > self.limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(chunk);
        Ok(chunk.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// `deflate`, which is zlib by the book and bare by the habit of some servers.
#[derive(Debug)]
pub(crate) struct Inflater {
    inflate: Option<Decompress>,
    /// The first byte, until there are the two that tell zlib from bare.
    held: Vec<u8>,
    ended: bool,
    sink: Sink,
}

const BROKEN_DEFLATE: DecodingFault = DecodingFault::Broken("its deflate is broken or stops in the middle");

impl Inflater {
    fn push(&mut self, chunk: &[u8]) -> Result<(), DecodingFault> {
        if self.inflate.is_some() {
            return self.run(chunk);
        }
        self.held.extend_from_slice(chunk);
        let [first, second, ..] = self.held[..] else {
            return Ok(());
        };
        let zlib = first & 0x0f == 8 && u16::from_be_bytes([first, second]).is_multiple_of(31);
        self.inflate = Some(Decompress::new(zlib));
        let held = std::mem::take(&mut self.held);
        self.run(&held)
    }

    fn run(&mut self, mut chunk: &[u8]) -> Result<(), DecodingFault> {
        let Some(inflate) = &mut self.inflate else {
            return Err(BROKEN_DEFLATE);
        };
        let mut buffer = [0; 16 * 1024];
        while !self.ended {
            let (read, written) = (inflate.total_in(), inflate.total_out());
            let status = inflate
                .decompress(chunk, &mut buffer, FlushDecompress::None)
                .map_err(|_| BROKEN_DEFLATE)?;
            let read = (inflate.total_in() - read) as usize;
            let written = (inflate.total_out() - written) as usize;
            self.sink
                .write_all(&buffer[..written])
                .map_err(|_| DecodingFault::TooLarge)?;
            chunk = &chunk[read..];
            self.ended = status == Status::StreamEnd;
            if read == 0 && written == 0 {
                break;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<u8>, DecodingFault> {
        let untouched = self.inflate.is_none() && self.held.is_empty();
        match self.ended || untouched {
            true => Ok(self.sink.bytes),
            false => Err(BROKEN_DEFLATE),
        }
    }
}

#[cfg(test)]
#[path = "decoding_tests.rs"]
mod tests;
