//! The whole connection as one stream of zlib, as Discord compresses it: a message ends with a flush.

use flate2::{Decompress, FlushDecompress, Status};

/// Where a message ends.
const FLUSH: [u8; 4] = [0, 0, 0xff, 0xff];
const STEP: usize = 64 * 1024;

#[derive(Debug)]
pub(super) struct Inflating {
    stream: Decompress,
    waiting: Vec<u8>,
    most: usize,
}

/// The stream is damaged, or a message too large: nothing after it can be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken;

impl Inflating {
    /// No message may be longer than `most` bytes, before or after.
    pub fn new(most: usize) -> Self {
        Self {
            stream: Decompress::new(true),
            waiting: Vec::new(),
            most,
        }
    }

    /// None: the message goes on.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Option<String>, Broken> {
        if self.waiting.len() + bytes.len() > self.most {
            return Err(Broken);
        }
        self.waiting.extend_from_slice(bytes);
        if !self.waiting.ends_with(&FLUSH) {
            return Ok(None);
        }
        let compressed = std::mem::take(&mut self.waiting);
        let mut text = Vec::with_capacity(STEP);
        let mut read = 0;
        loop {
            if text.len() == text.capacity() {
                text.reserve(STEP);
            }
            let before = (self.stream.total_in(), text.len());
            let status = self
                .stream
                .decompress_vec(&compressed[read..], &mut text, FlushDecompress::Sync)
                .map_err(|_| Broken)?;
            // No more than was given.
            read += (self.stream.total_in() - before.0) as usize;
            if text.len() > self.most || status == Status::StreamEnd {
                return Err(Broken);
            }
            let is_full = text.len() == text.capacity();
            let moved = (self.stream.total_in(), text.len()) != before;
            if read == compressed.len() && !is_full {
                break;
            }
            if !moved && !is_full {
                return Err(Broken);
            }
        }
        String::from_utf8(text).map(Some).map_err(|_| Broken)
    }
}

#[cfg(test)]
mod hostile_tests {
    use flate2::{Compress, Compression, FlushCompress};
    use proptest::prelude::*;

    use super::*;

    /// Texts as a server would send them.
    fn deflated(texts: &[String]) -> Vec<Vec<u8>> {
        let mut stream = Compress::new(Compression::default(), true);
        let deflate = |text: &String| {
            let mut out = Vec::with_capacity(text.len() + 1_000);
            stream
                .compress_vec(text.as_bytes(), &mut out, FlushCompress::Sync)
                .expect("room enough");
            out
        };
        texts.iter().map(deflate).collect()
    }

    #[test]
    fn messages_come_out_as_they_went_in_whole_and_in_pieces() {
        let texts = ["{}".to_owned(), "long ".repeat(100_000), "ä".to_owned()];
        let mut stream = Inflating::new(10_000_000);
        for (text, bytes) in texts.iter().zip(deflated(&texts)) {
            let (first, rest) = bytes.split_at(bytes.len() / 2);
            assert_eq!(stream.push(first), Ok(None));
            assert_eq!(stream.push(rest).as_ref(), Ok(&Some(text.clone())));
        }
    }

    #[test]
    fn a_small_message_that_becomes_a_large_one_is_not_read() {
        let bomb = deflated(&["0".repeat(50_000_000)]);
        assert!(bomb[0].len() < 100_000);
        assert_eq!(Inflating::new(1_000_000).push(&bomb[0]), Err(Broken));
        assert_eq!(Inflating::new(10).push(&[1; 11]), Err(Broken));
    }

    proptest! {
        #![proptest_config(hostile::cases(200))]

        #[test]
        fn damaged_streams_are_read_without_a_panic(
            bytes in hostile::wounded(deflated(&["{\"op\":10}".repeat(50), "{}".to_owned()])),
        ) {
            let mut stream = Inflating::new(1_000_000);
            let mut bytes = bytes;
            bytes.extend(FLUSH);
            let _ = stream.push(&bytes);
            let _ = stream.push(&bytes);
        }
    }
}
