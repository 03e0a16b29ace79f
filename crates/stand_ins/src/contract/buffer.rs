//! What every buffer of captured turns must do.

use std::collections::BTreeSet;

use runtime::ports::{BufferCount, TurnBuffer, WhoseTurns};
use vocabulary::{CapturedTurn, CommunityId, Forget, GemId, PersonId, RoomId, SessionId};

use super::BufferHome;
use super::given::{keys, person, place, turn};

fn turns(ids: impl IntoIterator<Item = u32>) -> Vec<CapturedTurn> {
    ids.into_iter()
        .map(|id| turn(&format!("t{id:05}"), &format!("words {id}")))
        .collect()
}

fn ids(turns: &[CapturedTurn]) -> Vec<String> {
    turns.iter().map(|turn| turn.id.to_string()).collect()
}

async fn count(buffer: &dyn TurnBuffer) -> (usize, usize) {
    let BufferCount { waiting, held, .. } = buffer.count(&WhoseTurns::All).await.unwrap();
    (waiting, held)
}

pub async fn turns_leave_in_the_order_they_came(mut home: impl BufferHome) {
    home.buffer().push(&turns([5, 3, 9])).await.unwrap();
    home.buffer().push(&turns([1, 8])).await.unwrap();
    home.reopen().await;
    home.buffer().push(&turns([2])).await.unwrap();
    assert_eq!(
        home.buffer().claim(&WhoseTurns::All, 100).await.unwrap(),
        turns([5, 3, 9, 1, 8, 2])
    );
}

pub async fn a_turn_that_was_put_before_is_not_put_again(home: impl BufferHome) {
    let buffer = home.buffer();
    buffer.push(&turns([1, 2, 1])).await.unwrap();
    let mut changed = turns([2]);
    changed[0].text = "other words".to_owned();
    buffer.push(&changed).await.unwrap();
    assert_eq!(count(buffer).await, (2, 0));
    assert_eq!(buffer.claim(&WhoseTurns::All, 1).await.unwrap(), turns([1]));
    buffer.push(&turns([1, 2, 3])).await.unwrap();
    assert_eq!(count(buffer).await, (2, 1));
    assert_eq!(buffer.claim(&WhoseTurns::All, 10).await.unwrap(), turns([2, 3]));
}

pub async fn a_claim_takes_the_oldest_that_nobody_holds(home: impl BufferHome) {
    let buffer = home.buffer();
    buffer.push(&turns(1..=5)).await.unwrap();
    assert_eq!(buffer.claim(&WhoseTurns::All, 2).await.unwrap(), turns([1, 2]));
    assert_eq!(buffer.claim(&WhoseTurns::All, 2).await.unwrap(), turns([3, 4]));
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), turns([1, 2, 3, 4]));
    assert_eq!(buffer.claim(&WhoseTurns::All, 2).await.unwrap(), turns([5]));
    assert!(buffer.claim(&WhoseTurns::All, 2).await.unwrap().is_empty());
    assert_eq!(count(buffer).await, (0, 5));
}

pub async fn claims_at_the_same_time_never_share_a_turn(home: impl BufferHome) {
    let buffer = home.buffer();
    buffer.push(&turns(0..60)).await.unwrap();
    let rival = home.rival().await;
    let other = rival.as_deref().unwrap_or(buffer);
    let mut claimed = Vec::new();
    for _ in 0..5 {
        let (ours, theirs, ours_too) = tokio::join!(
            buffer.claim(&WhoseTurns::All, 4),
            other.claim(&WhoseTurns::All, 4),
            buffer.claim(&WhoseTurns::All, 4)
        );
        claimed.extend([ours, theirs, ours_too].into_iter().flat_map(Result::unwrap));
    }
    let distinct: BTreeSet<String> = ids(&claimed).into_iter().collect();
    assert_eq!((claimed.len(), distinct.len()), (60, 60));
}

pub async fn what_another_process_holds_is_not_ours(home: impl BufferHome) {
    let Some(rival) = home.rival().await else {
        return;
    };
    let buffer = home.buffer();
    buffer.push(&turns(1..=4)).await.unwrap();
    assert_eq!(rival.claim(&WhoseTurns::All, 2).await.unwrap(), turns([1, 2]));
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), turns([3, 4]));
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), turns([3, 4]));
    assert_eq!(rival.held(&WhoseTurns::All).await.unwrap(), turns([1, 2]));
    rival.settle(&keys(&["t00001"])).await.unwrap();
    assert_eq!(rival.held(&WhoseTurns::All).await.unwrap(), turns([2]));
    assert!(buffer.claim(&WhoseTurns::All, 9).await.unwrap().is_empty());
}

pub async fn what_was_held_before_a_restart_is_held_after_it(mut home: impl BufferHome) {
    home.buffer().push(&turns(1..=5)).await.unwrap();
    home.buffer().claim(&WhoseTurns::All, 3).await.unwrap();
    home.buffer().settle(&keys(&["t00002"])).await.unwrap();
    home.reopen().await;
    assert_eq!(home.buffer().held(&WhoseTurns::All).await.unwrap(), turns([1, 3]));
    assert_eq!(
        home.buffer().claim(&WhoseTurns::All, 9).await.unwrap(),
        turns([4, 5])
    );
    assert_eq!(count(home.buffer()).await, (0, 4));
}

pub async fn settled_turns_leave_for_good(mut home: impl BufferHome) {
    home.buffer().push(&turns(1..=4)).await.unwrap();
    home.buffer().claim(&WhoseTurns::All, 3).await.unwrap();
    home.buffer()
        .settle(&keys(&["t00001", "t00003", "unknown"]))
        .await
        .unwrap();
    home.buffer().settle(&keys(&["t00001"])).await.unwrap();
    home.buffer().push(&turns(1..=4)).await.unwrap();
    assert_eq!(home.buffer().held(&WhoseTurns::All).await.unwrap(), turns([2]));
    assert_eq!(count(home.buffer()).await, (1, 1));
    home.reopen().await;
    home.buffer().push(&turns([1, 3])).await.unwrap();
    assert_eq!(
        home.buffer().claim(&WhoseTurns::All, 9).await.unwrap(),
        turns([4])
    );
}

pub async fn a_turn_that_is_edited_leaves_with_its_new_words(home: impl BufferHome) {
    let buffer = home.buffer();
    buffer.push(&turns(1..=3)).await.unwrap();
    buffer.claim(&WhoseTurns::All, 1).await.unwrap();
    for turn in keys(&["t00001", "t00002", "unknown"]) {
        buffer.edit(&turn, "new words").await.unwrap();
    }
    let mut expected = turns(1..=3);
    expected[0].text = "new words".to_owned();
    expected[1].text = "new words".to_owned();
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), expected[..1]);
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), expected[1..]);
}

pub async fn forgetting_takes_held_and_waiting_turns_alike(mut home: impl BufferHome) {
    home.buffer().push(&turns(1..=6)).await.unwrap();
    home.buffer().claim(&WhoseTurns::All, 3).await.unwrap();
    let what = Forget::Turns(keys(&["t00002", "t00005", "unknown"]));
    assert_eq!(home.buffer().forget(&what).await.unwrap(), 2);
    assert_eq!(home.buffer().forget(&what).await.unwrap(), 0);
    home.reopen().await;
    assert_eq!(home.buffer().held(&WhoseTurns::All).await.unwrap(), turns([1, 3]));
    assert_eq!(
        home.buffer().claim(&WhoseTurns::All, 9).await.unwrap(),
        turns([4, 6])
    );
}

/// Turns that differ in one thing each, and what is left of them after a wish.
pub async fn each_kind_of_wish_takes_what_it_names_and_nothing_else(home: impl BufferHome) {
    let mut various = turns(1..=5);
    various[1].speaker = person("bob");
    various[2].session = SessionId::new("session-2");
    various[3].place = place("home", "attic");
    various[4].place = place("away", "lobby");
    let buffer = home.buffer();
    buffer.push(&various).await.unwrap();
    buffer.claim(&WhoseTurns::All, 2).await.unwrap();
    let wishes = [
        (Forget::Gems(vec![GemId::new("t00001")]), 0, vec![1, 2, 3, 4, 5]),
        (Forget::Session(SessionId::new("session-2")), 1, vec![1, 2, 4, 5]),
        (
            Forget::Room {
                community: CommunityId::new("home"),
                room: RoomId::new("attic"),
            },
            1,
            vec![1, 2, 5],
        ),
        (alice(Some("home")), 1, vec![2, 5]),
        (alice(None), 1, vec![2]),
    ];
    for (what, went, left) in wishes {
        assert_eq!(buffer.forget(&what).await.unwrap(), went, "{what:?}");
        let (waiting, held) = count(buffer).await;
        assert_eq!(waiting + held, left.len(), "{what:?}");
    }
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), various[1..2]);
}

fn alice(community: Option<&str>) -> Forget {
    Forget::Person {
        person: PersonId::new("alice"),
        name: "ALICE".to_owned(),
        community: community.map(CommunityId::new),
    }
}

pub async fn a_forgotten_turn_does_not_come_back(home: impl BufferHome) {
    let buffer = home.buffer();
    buffer.push(&turns(1..=2)).await.unwrap();
    buffer.claim(&WhoseTurns::All, 1).await.unwrap();
    assert_eq!(buffer.forget(&alice(None)).await.unwrap(), 2);
    buffer.push(&turns(1..=3)).await.unwrap();
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), turns([3]));
}

pub async fn texts_of_any_kind_come_back_as_they_were(mut home: impl BufferHome) {
    let texts = [
        "Grüße, 你好, مرحبا, 👩‍👩‍👧 e\u{301}",
        "\"quotes\" \\ back\nline\ttab\r\u{7f}",
        "nul \0 inside",
        "",
        " leading and trailing ",
        &"long ".repeat(20_000),
    ];
    let pushed: Vec<CapturedTurn> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| turn(&format!("ключ {number} \"{{}}:*"), text))
        .collect();
    home.buffer().push(&pushed).await.unwrap();
    home.reopen().await;
    assert_eq!(home.buffer().claim(&WhoseTurns::All, 99).await.unwrap(), pushed);
    assert_eq!(home.buffer().held(&WhoseTurns::All).await.unwrap(), pushed);
}

pub async fn nothing_asked_for_is_nothing_done(home: impl BufferHome) {
    let buffer = home.buffer();
    buffer.push(&[]).await.unwrap();
    buffer.settle(&[]).await.unwrap();
    assert_eq!(buffer.forget(&Forget::Turns(Vec::new())).await.unwrap(), 0);
    assert!(
        buffer.claim(&WhoseTurns::All, 5).await.unwrap().is_empty()
            && buffer.held(&WhoseTurns::All).await.unwrap().is_empty()
    );
    buffer.push(&turns([1])).await.unwrap();
    assert!(buffer.claim(&WhoseTurns::All, 0).await.unwrap().is_empty());
    assert_eq!(count(buffer).await, (1, 0));
    assert!(!buffer.describe().is_empty());
}

pub async fn many_turns_fit(home: impl BufferHome) {
    let buffer = home.buffer();
    for start in (0..5_000).step_by(1_000) {
        buffer.push(&turns(start..start + 1_000)).await.unwrap();
    }
    assert_eq!(count(buffer).await, (5_000, 0));
    let mut claimed = Vec::new();
    for _ in 0..8 {
        claimed.extend(buffer.claim(&WhoseTurns::All, 700).await.unwrap());
    }
    assert_eq!(ids(&claimed), ids(&turns(0..5_000)));
}

/// Turns of two communities, in turn.
fn of_two(ids: impl IntoIterator<Item = u32>) -> Vec<CapturedTurn> {
    let mut turns = turns(ids);
    for turn in turns.iter_mut().skip(1).step_by(2) {
        turn.place.community = CommunityId::new("attic");
    }
    turns
}

pub async fn communities_never_get_each_others_turns(mut home: impl BufferHome) {
    let attic = CommunityId::new("attic");
    let of_attic = WhoseTurns::Of(attic.clone());
    let of_others = WhoseTurns::NotOf(vec![attic.clone()]);
    let all = of_two(1..=6);
    let is_of = |whose: &WhoseTurns| -> Vec<CapturedTurn> {
        let fitting = all.iter().filter(|turn| whose.covers(&turn.place.community));
        fitting.cloned().collect()
    };
    home.buffer().push(&all).await.unwrap();
    let buffer = home.buffer();
    let mut waiting = buffer.waiting().await.unwrap();
    waiting.sort();
    let mut both = vec![attic.clone(), all[0].place.community.clone()];
    both.sort();
    assert_eq!(waiting, both);
    assert_eq!(buffer.claim(&of_attic, 2).await.unwrap(), is_of(&of_attic)[..2]);
    let BufferCount { waiting, held, .. } = buffer.count(&of_attic).await.unwrap();
    assert_eq!((waiting, held), (1, 2));
    let BufferCount { waiting, held, .. } = buffer.count(&of_others).await.unwrap();
    assert_eq!((waiting, held), (3, 0));
    assert_eq!(buffer.claim(&of_others, 9).await.unwrap(), is_of(&of_others));
    assert_eq!(buffer.claim(&of_others, 9).await.unwrap(), []);
    assert_eq!(buffer.waiting().await.unwrap(), std::slice::from_ref(&attic));
    home.reopen().await;
    let buffer = home.buffer();
    assert_eq!(buffer.held(&of_attic).await.unwrap(), is_of(&of_attic)[..2]);
    assert_eq!(buffer.held(&of_others).await.unwrap(), is_of(&of_others));
    assert_eq!(buffer.forget(&Forget::Community(attic)).await.unwrap(), 3);
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), is_of(&of_others));
    assert_eq!(buffer.waiting().await.unwrap(), []);
}
