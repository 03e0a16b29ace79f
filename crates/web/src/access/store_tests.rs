use vocabulary::CommunityId;

use super::{Access, Caller, NewLink, WRITE_AGAIN_AFTER};
use crate::access::Role;
use crate::access::owned::owned_tests::author;
use crate::access::owned::{NAMES_MAX, NotTaken};
use crate::access::sessions::Entry;

fn by_a_link(role: Role) -> Entry {
    Entry {
        role,
        label: "a browser".into(),
        parent: None,
    }
}

fn link(uses: u32, valid_ms: i64) -> NewLink {
    NewLink {
        role: Role::Participant,
        label: "a guest".into(),
        uses,
        valid_ms,
        made_by: None,
    }
}

#[test]
fn a_link_works_as_often_as_it_says_and_not_after_its_time() {
    let access = Access::in_memory(&[]);
    let twice = access.link(link(2, 60_000)).code;
    assert_eq!(
        access.0.links.take(&twice),
        Some((Role::Participant, "a guest".to_owned()))
    );
    assert!(access.0.links.take(&twice).is_some());
    assert!(access.0.links.take(&twice).is_none());
    let over = access.link(link(1, 0)).code;
    assert!(access.0.links.take(&over).is_none());
    assert!(access.0.links.take("guessed").is_none());
}

#[test]
fn credentials_and_names_outlast_a_restart_and_no_secret_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open(folder.path(), &[]).unwrap();
    let (credential, secret) = access.issue(Role::Reader, "the monitor", None).unwrap();
    let session = access.session(&by_a_link(Role::Participant));
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
        parent: None,
    };
    let refused = again.claim(&author("alice"), &stranger);
    assert!(matches!(refused, Err(NotTaken::Another(name)) if name == "Alice"));
    let text = std::fs::read_to_string(folder.path().join("access.json")).unwrap();
    assert!(!text.contains(&secret) && !text.contains(&session), "{text}");
    assert!(again.revoke(&credential.id).unwrap() && again.who(&secret).is_none());
    assert!(again.revoke(&guest.credential).unwrap());
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
        .session(&by_a_link(Role::Reader));
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
        parent: None,
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
    assert!(access.release(&home, "more").unwrap());
    assert!(!access.release(&home, "more").unwrap());
}

/// A folder in which nothing can be written any more, as on a full disk, until `mend`.
fn spoil(folder: &std::path::Path) {
    std::fs::create_dir_all(folder.join("access.json.new/in-the-way")).unwrap();
}

fn mend(folder: &std::path::Path) {
    std::fs::remove_dir_all(folder.join("access.json.new")).unwrap();
}

#[test]
fn what_cannot_be_written_is_not_said_to_be_done() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open(folder.path(), &[]).unwrap();
    let (old, old_secret) = access.issue(Role::Reader, "old", None).unwrap();
    let session = access.session(&by_a_link(Role::Participant));
    let guest = access.who(&session).unwrap();
    access.claim(&author("Alice"), &guest).unwrap();
    spoil(folder.path());
    let problem = access.issue(Role::Reader, "new", None).unwrap_err();
    assert!(problem.to_string().contains("access.json"), "{problem}");
    assert!(access.release(&CommunityId::from("local"), "alice").is_err());
    assert_eq!((access.credentials().len(), access.names().len()), (2, 1));
    // What is taken back opens nothing at once, and says that this does not last.
    assert!(access.revoke(&old.id).is_err());
    assert!(access.who(&old_secret).is_none());
    assert!(access.revoke(&old.id).is_err(), "still not written");
    mend(folder.path());
    assert!(access.revoke(&old.id).unwrap(), "the same again writes it");
    assert!(!access.revoke(&old.id).unwrap());
    let again = Access::open(folder.path(), &[]).unwrap();
    assert!(again.who(&old_secret).is_none());
}

#[tokio::test(start_paused = true)]
async fn what_was_taken_back_is_written_by_itself_once_the_disk_takes_it() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open(folder.path(), &[]).unwrap();
    let (old, secret) = access.issue(Role::Reader, "old", None).unwrap();
    let on_disk = || Access::open(folder.path(), &[]).unwrap().who(&secret).is_some();
    spoil(folder.path());
    assert!(access.revoke(&old.id).is_err() && access.is_unwritten());
    assert!(access.who(&secret).is_none() && on_disk());
    tokio::time::sleep(4 * WRITE_AGAIN_AFTER).await;
    assert!(access.is_unwritten(), "it is tried again and again");
    mend(folder.path());
    tokio::time::sleep(2 * WRITE_AGAIN_AFTER).await;
    assert!(
        !access.is_unwritten() && !on_disk(),
        "nobody has asked for anything"
    );
    assert!(!access.revoke(&old.id).unwrap(), "there is none any more");
}

#[test]
fn a_clock_that_is_wrong_deletes_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open(folder.path(), &[]).unwrap();
    let (token, _) = access.issue(Role::Reader, "over by this clock", Some(0)).unwrap();
    assert!(access.credentials().is_empty(), "it opens nothing by this clock");
    access.session(&by_a_link(Role::Reader));
    access.issue(Role::Reader, "another", None).unwrap();
    let text = std::fs::read_to_string(folder.path().join("access.json")).unwrap();
    assert!(text.contains(&token.id), "another clock may know better: {text}");
}
