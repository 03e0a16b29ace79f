use super::*;

fn line(by: &str, to: &[&str]) -> Traced {
    Traced {
        by: PersonId::from(by),
        to: to.iter().map(|to| PersonId::from(*to)).collect(),
        minute: 0,
        asks: false,
        calls: to.iter().map(|to| PersonId::from(*to)).collect(),
        look: Look::default(),
        words: Slots::default(),
    }
}

#[test]
fn only_the_last_lines_are_kept() {
    let mut trace = Trace::default();
    for number in 0..LINES_KEPT + 5 {
        trace.observe(line(&number.to_string(), &[]));
    }
    let kept: Vec<&str> = trace.newest_first().map(|line| line.by.as_str()).collect();
    assert_eq!(
        (kept.len(), kept[0], kept[LINES_KEPT - 1]),
        (LINES_KEPT, "44", "5")
    );
}

#[test]
fn somebody_who_is_forgotten_leaves_no_line_and_no_ear() {
    let mut trace = Trace::default();
    trace.observe(line("ann", &["bob"]));
    trace.observe(line("bob", &["ann", "0"]));
    trace.forget(&PersonId::from("ann"));
    let kept: Vec<&Traced> = trace.newest_first().collect();
    assert_eq!(kept, [&line("bob", &["0"])]);
}

#[test]
fn minutes_are_whole() {
    assert_eq!([59_999, 60_000, -1].map(|at| minute_of(WallTime(at))), [0, 1, -1]);
}
