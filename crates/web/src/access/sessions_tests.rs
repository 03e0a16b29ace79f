use super::{Entry, SESSIONS_MAX, SESSIONS_PER_TOKEN_MAX};
use crate::access::owned::owned_tests::author;
use crate::access::{Access, Role};
use crate::guard::Token;

fn by_a_link(role: Role) -> Entry {
    Entry {
        role,
        label: "a browser".into(),
        parent: None,
    }
}

/// A token of a role: its id, and what it lets a browser be.
fn by_a_token(access: &Access, role: Role) -> (String, Entry) {
    let (token, secret) = access.issue(role, "a token", None).unwrap();
    let entry = access.entry_by(&access.who(&secret).unwrap());
    (token.id, entry)
}

#[test]
fn a_role_that_rises_has_a_secret_that_nobody_has_seen_and_the_names_of_before() {
    let access = Access::in_memory(&[]);
    for raise in [
        by_a_link(Role::Administrator),
        by_a_token(&access, Role::Administrator).1,
    ] {
        let old = access.come_in(None, &by_a_link(Role::Participant));
        let guest = access.who(&old).unwrap();
        access.claim(&author("Alice"), &guest).unwrap();
        let new = access.come_in(Some((&old, guest.clone())), &raise);
        assert_ne!(new, old);
        assert!(access.who(&old).is_none() && access.lasts(&guest).is_none());
        let raised = access.who(&new).unwrap();
        assert_eq!(raised.role, Role::Administrator);
        access.claim(&author("Alice"), &raised).unwrap();
        // A lesser link takes nothing away.
        let same = access.come_in(Some((&new, raised)), &by_a_link(Role::Reader));
        assert_eq!(same, new);
        assert!(
            access
                .release(&vocabulary::CommunityId::from("local"), "alice")
                .unwrap()
        );
    }
}

#[test]
fn a_session_ends_with_the_token_it_was_made_from() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open(folder.path(), &[]).unwrap();
    let (id, entry) = by_a_token(&access, Role::Reader);
    let session = access.come_in(None, &entry);
    let reader = access.who(&session).unwrap();
    let endings = access.0.ended.subscribe();
    let again = Access::open(folder.path(), &[]).unwrap();
    assert_eq!(again.who(&session), Some(reader.clone()));
    assert!(access.revoke(&id).unwrap());
    assert!(access.who(&session).is_none() && access.lasts(&reader).is_none());
    assert!(endings.has_changed().unwrap(), "whoever listens is told");
    assert!(access.credentials().is_empty());
    // The same for one whose time is over.
    let (_, secret) = access.issue(Role::Reader, "short", Some(40)).unwrap();
    let session = access.come_in(None, &access.entry_by(&access.who(&secret).unwrap()));
    std::thread::sleep(std::time::Duration::from_millis(60));
    assert!(access.who(&session).is_none());
}

#[test]
fn a_session_ends_when_what_was_given_from_outside_is_another() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = ["the-first-token-of-all", "the-second-token-of-all"].map(|text| Token::new(text).unwrap());
    let open = |token| Access::open(folder.path(), &[("DENIZEN_TOKEN", token)]).unwrap();
    let access = open(&tokens[0]);
    let owner = access.who(tokens[0].as_str()).unwrap();
    let session = access.come_in(None, &access.entry_by(&owner));
    assert!(open(&tokens[0]).who(&session).is_some());
    assert!(open(&tokens[1]).who(&session).is_none());
}

#[test]
fn sessions_of_before_end_with_the_token_that_their_label_names() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open(folder.path(), &[]).unwrap();
    let (id, entry) = by_a_token(&access, Role::Participant);
    let session = access.come_in(None, &entry);
    let file = folder.path().join("access.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let before = text.replace(&format!("\"parent\": \"{id}\","), "");
    assert_ne!(before, text);
    std::fs::write(&file, before).unwrap();
    let again = Access::open(folder.path(), &[]).unwrap();
    assert!(again.who(&session).is_some());
    assert!(again.revoke(&id).unwrap() && again.who(&session).is_none());
}

#[test]
fn a_token_has_one_session_however_often_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open(folder.path(), &[]).unwrap();
    let (id, entry) = by_a_token(&access, Role::Participant);
    let first = access.come_in(None, &entry);
    assert_eq!(access.come_in(None, &entry), first);
    assert_eq!(access.credentials().len(), 2);
    // Names are the token's, so another session has no others.
    let session = access.who(&first).unwrap();
    access.claim(&author("Bob"), &session).unwrap();
    access.revoke(&session.credential).unwrap();
    let second = access.come_in(None, &entry);
    assert_ne!(second, first, "a session that was left is not found again");
    access
        .claim(&author("Bob"), &access.who(&second).unwrap())
        .unwrap();
    assert_eq!(access.names()[0].1.owner, id);
    // Each start forgets the secret it had, and there are only so many starts.
    for _ in 0..2 * SESSIONS_PER_TOKEN_MAX {
        Access::open(folder.path(), &[]).unwrap().come_in(None, &entry);
    }
    let kept = Access::open(folder.path(), &[]).unwrap().credentials().len();
    assert_eq!(kept, 1 + SESSIONS_PER_TOKEN_MAX);
}

#[test]
fn nobody_pushes_out_somebody_who_may_do_more() {
    let access = Access::in_memory(&[]);
    let administrator = access.come_in(None, &by_a_link(Role::Administrator));
    for _ in 0..=SESSIONS_MAX {
        access.come_in(None, &by_a_link(Role::Reader));
    }
    assert!(access.who(&administrator).is_some());
    assert_eq!(access.credentials().len(), SESSIONS_MAX);
}

#[test]
fn a_browser_whose_role_rises_takes_nothing_from_others_who_came_by_the_same_token() {
    let access = Access::in_memory(&[]);
    let (_, secret) = access.issue(Role::Participant, "everybody's", None).unwrap();
    let bot = access.who(&secret).unwrap();
    let entry = access.entry_by(&bot);
    let shared = access.come_in(None, &entry);
    let bob = access.who(&shared).unwrap();
    access.claim(&author("Bob"), &bob).unwrap();
    let raised = access.come_in(Some((&shared, bob.clone())), &by_a_link(Role::Administrator));
    assert_eq!(access.who(&raised).unwrap().role, Role::Administrator);
    assert_eq!(access.who(&shared), Some(bob.clone()), "Bob is still in");
    for caller in [bob, bot] {
        access.claim(&author("Bob"), &caller).unwrap();
    }
    // A token that stands where a session should is not used up either.
    access.come_in(
        Some((&secret, access.who(&secret).unwrap())),
        &by_a_link(Role::Administrator),
    );
    assert!(access.who(&secret).is_some());
}
