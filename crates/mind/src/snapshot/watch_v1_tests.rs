use super::*;

#[test]
fn a_watch_of_one_piece_keeps_its_notes_and_its_comment_on_the_way() {
    let watch = json!({
        "shares": [], "generation": 2, "nobody": false, "watched": null, "notes": ["seen"], "evicted": [],
        "lastAttempt": 7, "failures": 1, "lastFailure": null, "lastHeard": 9, "calls": 3, "marks": [],
        "commentary": {"considered": true, "speaking": {"turn": 4}},
    });
    let body = from_v1(json!({
        "rooms": {"lounge": {"watch": watch}},
    }));
    let watch = &body["rooms"]["lounge"]["watch"];
    assert_eq!(watch["noteTaker"]["notes"], json!(["seen"]));
    assert_eq!(watch["noteTaker"]["lastAttempt"], 7);
    assert_eq!(watch["commentator"]["speaking"]["turn"], 4);
    assert_eq!(watch["screens"]["generation"], 2);
}
