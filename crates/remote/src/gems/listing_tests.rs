use super::*;

fn shown(at: i64, id: u128) -> Value {
    json!({"id": uuid::Uuid::from_u128(id).to_string(), "payload": {"at": at}})
}

#[test]
fn where_a_page_ended_is_written_and_read() {
    let mark = mark(&[shown(9, 1), shown(7, 2), shown(7, 3)], "at", None);
    assert_eq!((mark.value, mark.shown.len()), (7, 2));
    assert_eq!(Mark::read(&mark.written()), Some(mark));
}

#[test]
fn pages_of_records_of_one_time_remember_all_that_were_shown() {
    let first = mark(&[shown(7, 1), shown(7, 2)], "at", None);
    let second = mark(&[shown(7, 3)], "at", Some(&first));
    assert_eq!(second.shown.len(), 3);
    let third = mark(&[shown(7, 4), shown(6, 5)], "at", Some(&second));
    assert_eq!((third.value, third.shown.len()), (6, 1));
}

#[test]
fn what_is_no_end_of_a_page_is_not_read() {
    for text in ["", "7", "7.", "x.y", "7.not-an-id", "7.0-0; drop"] {
        assert_eq!(Mark::read(text), None, "{text}");
    }
}
