//! A stranger's MP4, looked over before its reader believes it: boxes must lie within each other, and there must not be
//! more samples than bytes. The reader itself is given so much work and no more.

use std::io::{self, Read, Seek, SeekFrom};

/// Boxes that hold boxes, as the reader follows them.
const CONTAINERS: [&[u8; 4]; 12] = [
    b"moov", b"trak", b"mdia", b"minf", b"stbl", b"dinf", b"edts", b"mvex", b"moof", b"traf", b"udta",
    b"ilst",
];
/// How deep boxes may lie in each other.
const DEPTH_MAX: usize = 12;
/// Boxes of a file at most.
const BOXES_MAX: u64 = 1_000_000;
/// Samples of a file at most: thirty days of film, and a gigabyte of tables.
const SAMPLES_MAX: u64 = 80_000_000;
const HEADER: u64 = 8;

/// Looks a file over, and goes back to its beginning. The error says what is wrong, for a person.
pub(super) fn look_over(file: &mut (impl Read + Seek), bytes: u64) -> Result<(), String> {
    let mut looking = Looking {
        file,
        boxes: 0,
        samples: 0,
        samples_max: bytes.min(SAMPLES_MAX),
    };
    looking.go_through(0, bytes, 0)?;
    let back = looking.file.seek(SeekFrom::Start(0));
    back.map(|_| ()).map_err(|error| error.to_string())
}

struct Looking<'a, F> {
    file: &'a mut F,
    boxes: u64,
    samples: u64,
    samples_max: u64,
}

impl<F: Read + Seek> Looking<'_, F> {
    fn go_through(&mut self, mut at: u64, end: u64, depth: usize) -> Result<(), String> {
        if depth > DEPTH_MAX {
            return Err("its boxes lie too deep in each other".to_owned());
        }
        // What is too short to be a box is filling.
        while end.saturating_sub(at) >= HEADER {
            self.boxes += 1;
            if self.boxes > BOXES_MAX {
                return Err(format!("it has more than {BOXES_MAX} boxes"));
            }
            let header: [u8; 8] = self.read(at)?;
            let (size, kind) = header.split_first_chunk::<4>().expect("eight bytes");
            let (size, header) = match u32::from_be_bytes(*size) {
                1 => (u64::from_be_bytes(self.read(at + HEADER)?), 2 * HEADER),
                // The last box of a file may say so instead of its size.
                0 if depth == 0 => return Ok(()),
                size => (u64::from(size), HEADER),
            };
            let next = at.checked_add(size).filter(|next| size >= header && *next <= end);
            let next = next.ok_or_else(|| {
                format!(
                    "a box in it ({}) says that it has {size} bytes, and lies at byte {at} of {end}",
                    kind.escape_ascii()
                )
            })?;
            self.look_into(kind, at + header, next, depth)?;
            at = next;
        }
        Ok(())
    }

    fn look_into(&mut self, kind: &[u8], at: u64, end: u64, depth: usize) -> Result<(), String> {
        match kind {
            b"stsz" => {
                let [each, count]: [u32; 2] = self.numbers(at + 4)?;
                // Sizes of their own take room, which the reader looks at; one size for all takes none.
                self.count(if each == 0 { 0 } else { count })
            }
            b"trun" => {
                let [count]: [u32; 1] = self.numbers(at + 4)?;
                self.count(count)
            }
            // Some begin with a version, and some do not.
            b"meta" => {
                let [_, kind]: [u32; 2] = self.numbers(at)?;
                let is_plain = kind.to_be_bytes() == *b"hdlr";
                self.go_through(if is_plain { at } else { at + 4 }, end, depth + 1)
            }
            kind if CONTAINERS.iter().any(|container| kind == container.as_slice()) => {
                self.go_through(at, end, depth + 1)
            }
            _ => Ok(()),
        }
    }

    fn count(&mut self, samples: u32) -> Result<(), String> {
        self.samples += u64::from(samples);
        match self.samples > self.samples_max {
            true => Err(format!(
                "it says that it has {} frames, more than it has room for",
                self.samples
            )),
            false => Ok(()),
        }
    }

    fn numbers<const COUNT: usize>(&mut self, at: u64) -> Result<[u32; COUNT], String> {
        let mut numbers = [0; COUNT];
        for (number, at) in numbers.iter_mut().zip((at..).step_by(4)) {
            *number = u32::from_be_bytes(self.read(at)?);
        }
        Ok(numbers)
    }

    fn read<const COUNT: usize>(&mut self, at: u64) -> Result<[u8; COUNT], String> {
        let mut bytes = [0; COUNT];
        let read = self.file.seek(SeekFrom::Start(at));
        read.and_then(|_| self.file.read_exact(&mut bytes))
            .map_err(|error| error.to_string())?;
        Ok(bytes)
    }
}

/// A reader that ends after so many calls: whoever goes round in a circle is told that the file is over.
pub(super) struct Patient<F> {
    file: F,
    calls_left: u64,
}

impl<F> Patient<F> {
    /// Enough for each byte of a file to be read by itself several times.
    pub fn with(file: F, bytes: u64) -> Self {
        const CALLS_MAX: u64 = 200_000_000;
        let calls_left = bytes.saturating_mul(4).saturating_add(10_000).min(CALLS_MAX);
        Self { file, calls_left }
    }

    fn call(&mut self) -> io::Result<&mut F> {
        match self.calls_left.checked_sub(1) {
            Some(left) => {
                self.calls_left = left;
                Ok(&mut self.file)
            }
            None => Err(io::Error::other("its tables lead in a circle")),
        }
    }
}

impl<F: Read> Read for Patient<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.call()?.read(into)
    }
}

impl<F: Seek> Seek for Patient<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.call()?.seek(to)
    }

    // Seeking nowhere would let a buffer go.
    fn stream_position(&mut self) -> io::Result<u64> {
        self.call()?.stream_position()
    }
}

#[cfg(test)]
#[path = "mp4_boxes_tests.rs"]
mod tests;
