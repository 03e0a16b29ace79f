use super::asked::Asked;
use crate::offline::screen_testing::request;

#[test]
fn what_was_measured_and_noted_is_read_out_of_the_sections() {
    let request = request(
        "activity=moving score=0.0123 region=\"in the top left\" trigger=interval size=1280x720",
        "(40 s ago, Alice's screen) Text on the screen: “main.rs”.\n(12 s ago, unchanged for 2 min, a screen) Another.",
    );
    assert_eq!(
        Asked::read(&request),
        Asked {
            region: "in the top left".to_owned(),
            is_static: false,
            size: "1280x720".to_owned(),
            notes: vec!["Text on the screen: “main.rs”.".to_owned(), "Another.".to_owned()],
        }
    );
}

#[test]
fn a_request_without_sections_says_nothing() {
    let mut bare = request("", "");
    bare.sections.clear();
    assert_eq!(Asked::read(&bare), Asked::default());
    assert_eq!(Asked::read(&bare).newest(), None);
}

#[test]
fn a_change_nowhere_has_no_region_and_torn_text_is_survived() {
    let asked = |measured: &str| Asked::read(&request(measured, ""));
    let still = asked("activity=static score=0.0000 region=\"nowhere\" trigger=idle_interval size=640x360");
    assert!(still.is_static && still.region.is_empty());
    assert_eq!(asked("region=\"on the le").region, "on the le");
    for torn in ["=", "region", "region=", "\"=\"=\"", "a=b=c"] {
        let _ = asked(torn);
    }
}
