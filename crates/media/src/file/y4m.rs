//! YUV4MPEG2: a line of text, then for every frame a line of text and its planes as they are.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use super::{Frame, Opened, VideoError, unplayable};
use crate::Picture;
use crate::levels::{stretch_chroma, stretch_luma};
use crate::pictures::{MAX_PIXELS, MAX_SIDE};
use crate::scale::shrink;

/// The longest line of text that is read.
const MAX_LINE: u64 = 1024;

pub(super) fn open(path: &Path, rate: f64) -> Result<Opened, VideoError> {
    let unreadable = |problem| VideoError::Unreadable {
        path: path.to_owned(),
        problem,
    };
    let file = File::open(path).map_err(unreadable)?;
    let bytes = file.metadata().map_err(unreadable)?.len();
    let mut reader = Y4mReader::new(BufReader::new(file), rate).map_err(|detail| unplayable(path, detail))?;
    let expected = bytes / (reader.frame_bytes() + "FRAME\n".len()) as u64;
    let path = path.to_owned();
    let frames = std::iter::from_fn(move || {
        let next = reader.next_frame().transpose()?;
        Some(next.map_err(|detail| unplayable(&path, detail)))
    });
    Ok(Opened {
        frames: Box::new(frames),
        expected: Some(expected),
    })
}

/// Reads frames from anything that gives bytes: a file, a pipe.
#[derive(Debug)]
pub struct Y4mReader<R> {
    reader: R,
    header: Header,
    frames: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct Header {
    width: usize,
    height: usize,
    rate: f64,
    colours: Colours,
    full_range: bool,
}

/// How many colours there are: for two by two pixels, for two beside each other, for every pixel, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colours {
    Quarter,
    Half,
    All,
    None,
}

impl<R: BufRead> Y4mReader<R> {
    /// Reads the header; `rate` counts where it has none.
    pub fn new(mut reader: R, rate: f64) -> Result<Self, String> {
        let line = line(&mut reader)?.ok_or("it is empty")?;
        let header = Header::parse(&line, rate)?;
        Ok(Self {
            reader,
            header,
            frames: 0,
        })
    }

    /// The next frame, with the levels of pictures; none at the end.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, String> {
        let Some(line) = line(&mut self.reader)? else {
            return Ok(None);
        };
        if !line.starts_with("FRAME") {
            return Err(format!("frame {} does not begin with FRAME", self.frames));
        }
        let time = Duration::from_secs_f64(self.frames as f64 / self.header.rate);
        let picture = self.picture().map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => format!("frame {} is cut short", self.frames),
            _ => error.to_string(),
        })?;
        self.frames += 1;
        Ok(Some(Frame { time, picture }))
    }

    fn picture(&mut self) -> std::io::Result<Picture> {
        let Header { width, height, .. } = self.header;
        let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
        let mut y = self.plane(width * height)?;
        let [mut u, mut v] = match self.header.colour_size() {
            None => [(); 2].map(|()| vec![128; half_width * half_height]),
            Some((from_width, from_height)) => {
                let u = self.plane(from_width * from_height)?;
                let v = self.plane(from_width * from_height)?;
                [u, v].map(|plane| match self.header.colours {
                    Colours::Quarter => plane,
                    _ => shrink(&plane, from_width, from_height, half_width, half_height),
                })
            }
        };
        if !self.header.full_range {
            stretch_luma(&mut y);
            stretch_chroma(&mut u);
            stretch_chroma(&mut v);
        }
        Ok(Picture {
            width,
            height,
            y,
            u,
            v,
        })
    }

    fn plane(&mut self, bytes: usize) -> std::io::Result<Vec<u8>> {
        let mut plane = vec![0; bytes];
        self.reader.read_exact(&mut plane)?;
        Ok(plane)
    }

    fn frame_bytes(&self) -> usize {
        let colours = self
            .header
            .colour_size()
            .map_or(0, |(width, height)| 2 * width * height);
        self.header.width * self.header.height + colours
    }
}

impl Header {
    fn parse(line: &str, rate: f64) -> Result<Self, String> {
        let mut parts = line.split_ascii_whitespace();
        if parts.next() != Some("YUV4MPEG2") {
            return Err("it does not begin with YUV4MPEG2".to_owned());
        }
        let (mut width, mut height) = (0, 0);
        let mut header = Self {
            width: 0,
            height: 0,
            rate,
            colours: Colours::Quarter,
            full_range: false,
        };
        for part in parts {
            let Some((first, value)) = part.split_at_checked(1) else {
                continue;
            };
            match first {
                "W" => width = value.parse().unwrap_or(0),
                "H" => height = value.parse().unwrap_or(0),
                "F" => header.rate = parse_rate(value).unwrap_or(rate),
                "C" => header.colours = Colours::parse(value)?,
                "X" if value == "COLORRANGE=FULL" => header.full_range = true,
                _ => {}
            }
        }
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) || width * height > MAX_PIXELS {
            return Err(format!(
                "its frames are {width} by {height}; they may have 1 to {MAX_SIDE} pixels on a side and {MAX_PIXELS} in all"
            ));
        }
        Ok(Self {
            width,
            height,
            ..header
        })
    }

    fn colour_size(&self) -> Option<(usize, usize)> {
        match self.colours {
            Colours::Quarter => Some((self.width.div_ceil(2), self.height.div_ceil(2))),
            Colours::Half => Some((self.width.div_ceil(2), self.height)),
            Colours::All => Some((self.width, self.height)),
            Colours::None => None,
        }
    }
}

impl Colours {
    fn parse(name: &str) -> Result<Self, String> {
        match name {
            "420" | "420jpeg" | "420mpeg2" | "420paldv" => Ok(Colours::Quarter),
            "422" => Ok(Colours::Half),
            "444" => Ok(Colours::All),
            "mono" => Ok(Colours::None),
            _ => Err(format!(
                "its colours are {name}, which is not read here; convert it with ffmpeg -pix_fmt yuv420p"
            )),
        }
    }
}

fn parse_rate(value: &str) -> Option<f64> {
    let (frames, seconds) = value.split_once(':')?;
    let rate = frames.parse::<f64>().ok()? / seconds.parse::<f64>().ok()?;
    (rate.is_finite() && rate > 0.0).then_some(rate)
}

fn line(reader: &mut impl BufRead) -> Result<Option<String>, String> {
    let mut line = Vec::new();
    let read = reader.take(MAX_LINE).read_until(b'\n', &mut line);
    if read.map_err(|error| error.to_string())? == 0 {
        return Ok(None);
    }
    if line.pop() != Some(b'\n') {
        return Err("a header has no end".to_owned());
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
#[path = "y4m_tests.rs"]
mod y4m_tests;
