use super::{Options, measure, table};

#[test]
fn a_step_is_measured_in_communities_of_every_size() {
    let options = Options {
        rooms: vec![1, 40],
        rounds: 2,
        steps: 3,
    };
    let rows = measure(&options);
    let rooms: Vec<usize> = rows.iter().map(|row| row.rooms).collect();
    assert_eq!(rooms, [1, 40]);
    assert!(rows[0].lines >= 6 * 3, "every message is judged: {rows:?}");
    assert!(rows.iter().all(|row| row.message.as_nanos() > 0));
    assert!(table(&rows).contains("(1.00×)"));
}
