//! How far something long has come: one line that is written over on a terminal, a line now and then elsewhere, and
//! nothing where it is not wanted.

use std::borrow::Cow;
use std::io::{IsTerminal, Read, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::colour::Colour;

const ON_A_TERMINAL: Duration = Duration::from_millis(100);
const ELSEWHERE: Duration = Duration::from_secs(5);
/// What is quicker than that needs no word, on a terminal.
const QUICK: Duration = Duration::from_millis(300);
/// Rates of less than that are guesses.
const RATE_FROM: Duration = Duration::from_secs(1);
const BAR: usize = 24;
const SPOKES: [char; 4] = ['|', '/', '-', '\\'];

static HUSHED: AtomicBool = AtomicBool::new(false);

/// Nothing is told of progress from now on: the operator said so, or a program reads.
pub fn hush() {
    HUSHED.store(true, Ordering::Relaxed);
}

/// Where progress is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outlet {
    /// One line, written over.
    Terminal(Colour),
    /// A line now and then.
    Lines,
    Nowhere,
}

impl Outlet {
    fn of_stderr() -> Self {
        let dumb = std::env::var_os("TERM").is_some_and(|kind| kind == "dumb");
        match (HUSHED.load(Ordering::Relaxed), stderr().is_terminal() && !dumb) {
            (true, _) => Outlet::Nowhere,
            (false, true) => Outlet::Terminal(Colour::of_stderr()),
            (false, false) => Outlet::Lines,
        }
    }

    fn pause(self) -> Duration {
        match self {
            Outlet::Terminal(_) => ON_A_TERMINAL,
            Outlet::Lines | Outlet::Nowhere => ELSEWHERE,
        }
    }

    /// When the first word comes: what is quick needs none.
    fn first_after(self) -> Duration {
        match self {
            Outlet::Terminal(_) => QUICK,
            Outlet::Lines | Outlet::Nowhere => ELSEWHERE,
        }
    }

    fn tell(self, out: &mut dyn Write, line: &str) {
        // Whoever does not read it does not miss it.
        let _ = match self {
            Outlet::Terminal(_) => write!(out, "\r\x1b[2K{line}").and_then(|()| out.flush()),
            Outlet::Lines => writeln!(out, "{line}"),
            Outlet::Nowhere => Ok(()),
        };
    }

    fn clear(self, out: &mut dyn Write) {
        if let Outlet::Terminal(_) = self {
            let _ = out.write_all(b"\r\x1b[2K").and_then(|()| out.flush());
        }
    }
}

/// Told on standard error, so that standard output stays what was asked for.
pub struct Progress {
    what: &'static str,
    outlet: Outlet,
    out: Box<dyn Write + Send>,
    began: Instant,
    /// When it was told last, since it began.
    told: Option<Duration>,
}

impl Progress {
    pub fn new(what: &'static str) -> Self {
        Self::on(what, Outlet::of_stderr(), Box::new(stderr()))
    }

    fn on(what: &'static str, outlet: Outlet, out: Box<dyn Write + Send>) -> Self {
        Self {
            what,
            outlet,
            out,
            began: Instant::now(),
            told: None,
        }
    }

    /// What is being done from now on.
    pub fn now(&mut self, what: &'static str) {
        if self.what != what {
            self.what = what;
            self.began = Instant::now();
            self.told = None;
        }
    }

    /// So far, of so many where that is known. Not every call is told.
    pub fn at(&mut self, done: usize, total: Option<usize>) {
        self.at_time(done, total, self.began.elapsed());
    }

    fn at_time(&mut self, done: usize, total: Option<usize>, since: Duration) {
        let due = match self.told {
            None => since >= self.outlet.first_after(),
            Some(told) => since.saturating_sub(told) >= self.outlet.pause(),
        };
        if due {
            self.told = Some(since);
            let line = line(self.what, done, total, since, self.outlet);
            self.outlet.tell(&mut *self.out, &line);
        }
    }

    /// Something a person should know, in between.
    pub fn remark(&mut self, text: &str) {
        self.outlet.clear(&mut *self.out);
        let _ = writeln!(self.out, "{text}");
    }

    /// Takes the line away, or leaves those that were written.
    pub fn done(mut self) {
        self.outlet.clear(&mut *self.out);
    }

    /// Reads what tells how much of it was read, of so many bytes.
    pub fn reading<R: Read>(&mut self, from: R, bytes: usize) -> Reading<'_, R> {
        Reading {
            from,
            read: 0,
            bytes,
            progress: self,
        }
    }
}

/// Something that is read, with how far.
pub struct Reading<'a, R> {
    from: R,
    read: usize,
    bytes: usize,
    progress: &'a mut Progress,
}

impl<R: Read> Read for Reading<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.read += read;
        self.progress.at(self.read, Some(self.bytes));
        Ok(read)
    }
}

/// Something is being done, and nobody knows how long it takes: told until it is dropped.
pub struct Busy {
    shared: Arc<BusyShared>,
    teller: Option<JoinHandle<()>>,
}

struct BusyShared {
    what: Mutex<Cow<'static, str>>,
    over: Mutex<bool>,
    ended: Condvar,
}

impl Busy {
    pub fn with(what: impl Into<Cow<'static, str>>) -> Self {
        Self::on(what.into(), Outlet::of_stderr(), Box::new(stderr()))
    }

    fn on(what: Cow<'static, str>, outlet: Outlet, mut out: Box<dyn Write + Send>) -> Self {
        let shared = Arc::new(BusyShared {
            what: Mutex::new(what),
            over: Mutex::new(false),
            ended: Condvar::new(),
        });
        let telling = shared.clone();
        let teller = (outlet != Outlet::Nowhere).then(|| {
            std::thread::spawn(move || {
                telling.tell(outlet, &mut *out);
                outlet.clear(&mut *out);
            })
        });
        Self { shared, teller }
    }

    /// What is being done from now on.
    pub fn now(&self, what: impl Into<Cow<'static, str>>) {
        *self.shared.what.lock().unwrap_or_else(PoisonError::into_inner) = what.into();
    }
}

impl BusyShared {
    fn tell(&self, outlet: Outlet, out: &mut dyn Write) {
        let began = Instant::now();
        let mut pause = outlet.first_after();
        let mut turn = 0;
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        while !*over {
            let (woken, waited) = self
                .ended
                .wait_timeout(over, pause)
                .unwrap_or_else(PoisonError::into_inner);
            over = woken;
            if waited.timed_out() && !*over {
                let what = self.what.lock().unwrap_or_else(PoisonError::into_inner).clone();
                outlet.tell(out, &busy_line(&what, began.elapsed(), turn, outlet));
                turn += 1;
                pause = outlet.pause();
            }
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        *self.shared.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.ended.notify_all();
        if let Some(teller) = self.teller.take() {
            let _ = teller.join();
        }
    }
}

fn busy_line(what: &str, since: Duration, turn: usize, outlet: Outlet) -> String {
    match outlet {
        Outlet::Terminal(colour) => {
            let spoke = SPOKES[turn % SPOKES.len()].to_string();
            format!("{} {what} ({})", colour.lit(&spoke), length(since))
        }
        Outlet::Lines | Outlet::Nowhere => format!("{what}: {} so far", length(since)),
    }
}

fn line(what: &str, done: usize, total: Option<usize>, since: Duration, outlet: Outlet) -> String {
    let pace = pace(done, total, since);
    let Some(total) = total.filter(|total| *total > 0) else {
        return format!("{what}: {done}{pace}");
    };
    let done = done.min(total);
    let percent = done * 100 / total;
    let Outlet::Terminal(colour) = outlet else {
        return format!("{what}: {done} of {total} ({percent} %){pace}");
    };
    let full = done * BAR / total;
    format!(
        "{what} [{}{}] {done} of {total} ({percent} %){pace}",
        colour.lit(&"=".repeat(full)),
        " ".repeat(BAR - full)
    )
}

/// How fast it goes, and how long it will take at that.
fn pace(done: usize, total: Option<usize>, since: Duration) -> String {
    if since < RATE_FROM || done == 0 {
        return String::new();
    }
    let rate = done as f64 / since.as_secs_f64();
    let told = match rate {
        rate if rate >= 10.0 => format!(", {rate:.0}/s"),
        rate => format!(", {rate:.1}/s"),
    };
    match total.filter(|total| *total > done) {
        Some(total) => {
            let left = Duration::from_secs_f64((total - done) as f64 / rate);
            format!("{told}, {} left", length(left))
        }
        None => told,
    }
}

/// `7 s`, `2 min 5 s`, `3 h 20 min`.
fn length(span: Duration) -> String {
    let seconds = span.as_secs_f64().ceil() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

#[cfg(test)]
#[path = "progress_tests.rs"]
mod tests;
