//! Retention and clocks that jump: nothing is deleted because a clock is wrong.

use settings::StorageSettings;
use vocabulary::{Span, WallTime};

use crate::given::{DAY_MS, Home, added, batch_of, count, home, message};
use crate::sweep::{TODAY, daily, keep, sweep_at};

fn days(days: i64) -> WallTime {
    WallTime(TODAY.0 + days * DAY_MS)
}

fn thirty_days() -> StorageSettings {
    StorageSettings {
        keep_messages_days: 30,
        ..keep()
    }
}

/// Fifty messages, said when the clock said so.
async fn fifty_messages(home: &Home, first: usize, at: WallTime) {
    for number in first..first + 50 {
        let mut message = message(&format!("m{number}"), "whale");
        message.at = at;
        home.commit(batch_of([added(message)])).await;
    }
}

async fn messages(home: &Home) -> i64 {
    count(&home.look().await, "SELECT count(*) FROM messages")
}

#[tokio::test]
async fn one_start_with_a_wrong_clock_deletes_nothing() {
    let home = home();
    daily(&home, &[100]).await;
    fifty_messages(&home, 1, TODAY).await;
    let before = sweep_at(&home, &thirty_days(), TODAY, Span::ZERO).await;
    assert_eq!(before.doubt, None);
    let wrong = sweep_at(&home, &thirty_days(), days(60), Span::ZERO).await;
    assert_eq!((wrong.rows, messages(&home).await), (0, 50));
    let told = wrong.doubt.expect("it says so").to_string();
    assert!(told.contains("forward by 60 days"), "{told}");
    assert!(told.contains("denizen doctor --trust-clock"), "{told}");
    let right = sweep_at(&home, &thirty_days(), days(1), Span::hours(1)).await;
    assert_eq!((right.doubt, messages(&home).await), (None, 50));
}

#[tokio::test]
async fn a_database_from_before_the_time_was_kept_goes_by_what_it_has_recorded() {
    let home = home();
    daily(&home, &[100]).await;
    let look = home.look().await;
    look.execute_batch("DROP INDEX memory_gems_lasting").unwrap();
    look.execute_batch(
        "DROP TABLE known_time; ALTER TABLE messages DROP COLUMN sign; ALTER TABLE asks DROP COLUMN packed;
         ALTER TABLE asks DROP COLUMN packed_answer; ALTER TABLE states DROP COLUMN packed;
         DROP TABLE due; DROP TABLE journal_stretches; ALTER TABLE inputs RENAME TO i; ALTER TABLE journal RENAME TO j;
         DROP INDEX journal_by_turn;
         CREATE TABLE inputs (key INTEGER PRIMARY KEY, community, seq, moment, wall, input, UNIQUE (community, seq));
         INSERT INTO inputs SELECT NULL, community, seq, moment, wall, input FROM i;
         CREATE TABLE journal (key INTEGER PRIMARY KEY, community, seq, moment, wall, room, turn, name, cause, line,
             UNIQUE (community, seq));
         INSERT INTO journal SELECT NULL, community, seq, 0, wall, room, turn, name, NULL, line FROM j;
         CREATE TABLE journal_about (community, message, seq);
         DROP TABLE i; DROP TABLE j; PRAGMA user_version = 4;",
    )
    .unwrap();
    let Home { store, folder } = home;
    drop((look, store));
    let store = storage::Sqlite::open(folder.path()).unwrap();
    let home = Home { store, folder };
    let wrong = sweep_at(&home, &keep(), days(400), Span::ZERO).await;
    assert!(wrong.doubt.is_some());
    // What is old by the time that is sure goes all the same.
    assert_eq!(count(&home.look().await, "SELECT count(*) FROM journal"), 31);
}

#[tokio::test]
async fn a_server_that_was_off_for_long_deletes_what_is_old_after_a_day_or_when_it_is_told_to() {
    let home = home();
    fifty_messages(&home, 1, TODAY).await;
    sweep_at(&home, &thirty_days(), TODAY, Span::ZERO).await;
    sweep_at(&home, &thirty_days(), days(60), Span::ZERO).await;
    for hour in 1..24_i64 {
        let wall = WallTime(days(60).0 + hour * 3_600_000);
        sweep_at(&home, &thirty_days(), wall, Span::hours(1)).await;
    }
    assert_eq!(messages(&home).await, 50);
    let believed = sweep_at(&home, &thirty_days(), days(61), Span::hours(1)).await;
    assert_eq!((believed.doubt, messages(&home).await), (None, 0));

    fifty_messages(&home, 100, days(61)).await;
    assert!(
        sweep_at(&home, &thirty_days(), days(200), Span::ZERO)
            .await
            .doubt
            .is_some()
    );
    assert!(home.store.clock_doubt().await.unwrap().is_some());
    home.store.believe_clock(days(200)).await.unwrap();
    assert_eq!(home.store.clock_doubt().await.unwrap(), None);
    sweep_at(&home, &thirty_days(), days(200), Span::ZERO).await;
    assert_eq!(messages(&home).await, 0);
}

#[tokio::test]
async fn what_was_said_while_the_clock_was_set_back_is_not_old_when_it_is_right_again() {
    let home = home();
    fifty_messages(&home, 1, days(-1)).await;
    sweep_at(&home, &thirty_days(), days(-1), Span::ZERO).await;
    // The battery is empty: it is 1970.
    let back = sweep_at(&home, &thirty_days(), WallTime(5_000), Span::ZERO).await;
    assert!(back.doubt.is_some_and(|doubt| doubt.to_string().contains("back")));
    fifty_messages(&home, 100, WallTime(6_000)).await;
    let right = sweep_at(&home, &thirty_days(), TODAY, Span::hours(1)).await;
    assert_eq!((right.doubt, messages(&home).await), (None, 100));
    // They go with those that were said before them.
    for day in 1..=30 {
        sweep_at(&home, &thirty_days(), days(day), Span::hours(24)).await;
    }
    assert_eq!(messages(&home).await, 0);
}
