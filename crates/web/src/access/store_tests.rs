use vocabulary::CommunityId;

use super::{Access, Caller, NewLink};
use crate::access::Role;
use crate::access::owned::owned_tests::author;
use crate::access::owned::{NAMES_MAX, NotTaken};

fn link(uses: u32, valid_ms: i64) -> NewLink {
    NewLink {
        role: Role::Participant,
        label: "a guest".into(),
        uses,
        valid_ms,
    }
}

#[test]
fn a_link_works_as_often_as_it_says_and_not_after_its_time() {
    let access = Access::in_memory(&[]);
    let twice = access.link(link(2, 60_000)).code;
    assert_eq!(
        access.use_link(&twice),
        Some((Role::Participant, "a guest".to_owned()))
    );
    assert!(access.use_link(&twice).is_some());
    assert!(access.use_link(&twice).is_none());
    let over = access.link(link(1, 0)).code;
    assert!(access.use_link(&over).is_none());
    assert!(access.use_link("guessed").is_none());
}

#[test]
fn credentials_and_names_outlast_a_restart_and_no_secret_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open(folder.path(), &[]).unwrap();
    let (credential, secret) = access.issue(Role::Reader, "the monitor", None);
    let session = access.session(Role::Participant, "a browser");
    let guest = access.who(&session).unwrap();
    access.claim(&author("Alice"), &guest).unwrap();
    let again = Access::open(folder.path(), &[]).unwrap();
    assert_eq!(again.who(&secret).unwrap().role, Role::Reader);
    assert_eq!(again.who(&session), Some(guest.clone()));
    assert_eq!(again.cookie_name(), access.cookie_name());
    assert_ne!(again.instance(), access.instance());
    let stranger = Caller {
        credential: "other".into(),
        role: Role::Participant,
    };
    let refused = again.claim(&author("alice"), &stranger);
    assert!(matches!(refused, Err(NotTaken::Another(name)) if name == "Alice"));
    let text = std::fs::read_to_string(folder.path().join("access.json")).unwrap();
    assert!(!text.contains(&secret) && !text.contains(&session), "{text}");
    assert!(again.revoke(&credential.id) && again.who(&secret).is_none());
    assert!(again.revoke(&guest.credential));
    let refused = again.claim(&author("Alice"), &stranger);
    assert!(
        matches!(refused, Err(NotTaken::Another(_))),
        "the name stays nobody else's"
    );
}

#[test]
fn the_file_is_closed_to_others() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    Access::open(folder.path(), &[])
        .unwrap()
        .session(Role::Reader, "");
    let mode = std::fs::metadata(folder.path().join("access.json"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn somebody_who_is_no_administrator_holds_only_so_many_names() {
    let access = Access::in_memory(&[]);
    let [guest, other] = ["one", "two"].map(|credential| Caller {
        credential: credential.into(),
        role: Role::Participant,
    });
    for number in 0..NAMES_MAX {
        access.claim(&author(&format!("Guest {number}")), &guest).unwrap();
    }
    assert!(matches!(
        access.claim(&author("More"), &guest),
        Err(NotTaken::TooMany { .. })
    ));
    access.claim(&author("More"), &other).unwrap();
    let home = CommunityId::from("local");
    assert!(access.release(&home, "more"));
    assert!(!access.release(&home, "more"));
}

#[test]
fn names_stay_with_a_session_that_becomes_an_administrators() {
    let access = Access::in_memory(&[]);
    let session = access.session(Role::Participant, "");
    let guest = access.who(&session).unwrap();
    access.claim(&author("Alice"), &guest).unwrap();
    access.raise(&guest, Role::Administrator);
    let raised = access.who(&session).unwrap();
    assert_eq!(raised.role, Role::Administrator);
    access.claim(&author("Alice"), &raised).unwrap();
}
