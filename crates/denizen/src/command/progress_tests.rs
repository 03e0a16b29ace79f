use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::super::colour::Colour;
use super::{Busy, Outlet, Progress, busy_line, line};

/// What was written, for whoever looks at it afterwards.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("nobody panicked").clone()).expect("text")
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const PLAIN: Outlet = Outlet::Terminal(Colour::OFF);

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn a_line_says_how_far_it_is_how_fast_it_goes_and_how_long_it_takes() {
    let begun = Duration::ZERO;
    assert_eq!(line("importing", 12, None, begun, PLAIN), "importing: 12");
    assert_eq!(
        line("importing", 120, None, seconds(60), PLAIN),
        "importing: 120, 2.0/s"
    );
    assert_eq!(
        line("importing", 50, Some(200), seconds(5), Outlet::Lines),
        "importing: 50 of 200 (25 %), 10/s, 15 s left"
    );
    assert_eq!(
        line("importing", 50, Some(200), seconds(125), PLAIN),
        "importing [======                  ] 50 of 200 (25 %), 0.4/s, 6 min 15 s left"
    );
    assert_eq!(
        line("importing", 300, Some(200), begun, PLAIN),
        "importing [========================] 200 of 200 (100 %)"
    );
    assert_eq!(line("importing", 0, Some(0), begun, PLAIN), "importing: 0");
}

#[test]
fn on_a_terminal_one_line_is_written_over_and_taken_away() {
    let paper = Paper::default();
    let mut progress = Progress::on("copying", PLAIN, Box::new(paper.clone()));
    for tenth in 0..10 {
        progress.at_time(tenth, Some(10), Duration::from_millis(tenth as u64 * 100));
    }
    progress.done();
    let text = paper.text();
    assert!(!text.contains('\n'), "{text:?}");
    assert!(
        !text.contains("0 of 10 (0 %)"),
        "what is quick needs no word: {text:?}"
    );
    assert_eq!(text.matches("\r\x1b[2Kcopying [").count(), 7, "{text:?}");
    assert!(text.ends_with("\r\x1b[2K"), "{text:?}");
}

#[test]
fn elsewhere_there_is_a_line_every_five_seconds_and_nothing_else() {
    let paper = Paper::default();
    let mut progress = Progress::on("copying", Outlet::Lines, Box::new(paper.clone()));
    for second in 0..=11 {
        progress.at_time(second as usize, None, seconds(second));
    }
    progress.done();
    assert_eq!(paper.text(), "copying: 5, 1.0/s\ncopying: 10, 1.0/s\n");
}

#[test]
fn who_wants_no_progress_gets_none_but_what_must_be_known() {
    let paper = Paper::default();
    let mut progress = Progress::on("copying", Outlet::Nowhere, Box::new(paper.clone()));
    progress.at_time(1, Some(2), seconds(60));
    progress.remark("the disk is slow");
    progress.done();
    drop(Busy::on(
        "thinking".into(),
        Outlet::Nowhere,
        Box::new(paper.clone()),
    ));
    assert_eq!(paper.text(), "the disk is slow\n");
}

#[test]
fn what_takes_nobody_knows_how_long_turns_a_spoke() {
    assert_eq!(busy_line("thinking", seconds(3), 1, PLAIN), "/ thinking (3 s)");
    assert_eq!(
        busy_line("thinking", seconds(65), 1, Outlet::Lines),
        "thinking: 1 min 5 s so far"
    );
    let coloured = busy_line("thinking", seconds(3), 0, Outlet::Terminal(Colour::ON));
    assert_eq!(coloured, "\x1b[36m|\x1b[0m thinking (3 s)");
    let paper = Paper::default();
    drop(Busy::on("thinking".into(), PLAIN, Box::new(paper.clone())));
    assert!(paper.text().ends_with("\r\x1b[2K"), "the line is taken away");
}

#[test]
fn what_is_read_tells_how_much_of_it_was() {
    let paper = Paper::default();
    let mut progress = Progress::on("reading", Outlet::Nowhere, Box::new(paper));
    let mut read = String::new();
    progress
        .reading("words".as_bytes(), 5)
        .read_to_string(&mut read)
        .expect("it can be read");
    assert_eq!(read, "words");
}
