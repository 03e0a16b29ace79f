use vocabulary::{Author, AuthorKind, CommunityId, PersonId};

use super::{Access, NotHandedOver, NotTaken, Standing, name_key};
use crate::access::{Caller, Role};

pub(in crate::access) fn author(name: &str) -> Author {
    Author {
        id: PersonId::new(name_key(name, &CommunityId::from("local"))),
        name: name.to_owned(),
        kind: AuthorKind::Person,
    }
}

fn participant(access: &Access) -> Caller {
    let (credential, _) = access.issue(Role::Participant, "a guest", None).unwrap();
    Caller {
        credential: credential.id,
        role: Role::Participant,
        parent: None,
    }
}

#[test]
fn a_name_that_looks_like_anothers_is_not_taken_and_ones_own_is() {
    let access = Access::in_memory(&[]);
    let (alice, mallory) = (participant(&access), participant(&access));
    access.claim(&author("Alice"), &alice).unwrap();
    for alike in [
        "Ａlice", "Аlice", "A1ice", "Alicé", "aLICÉ", "𝐀lice", "Alice.", "A lice",
    ] {
        let refused = access.claim(&author(alike), &mallory);
        assert!(
            matches!(&refused, Err(NotTaken::Another(_))),
            "{alike}: {refused:?}"
        );
        access.claim(&author(alike), &alice).unwrap();
    }
    access.claim(&author("Alina"), &mallory).unwrap();
    let elsewhere = Author {
        id: PersonId::from("club:alice"),
        ..author("Alice")
    };
    assert_eq!(access.standing(&elsewhere, &mallory), Standing::Nobodys);
}

#[test]
fn a_name_is_handed_over_with_what_looks_like_it() {
    let access = Access::in_memory(&[]);
    let (old, new) = (participant(&access), participant(&access));
    for name in ["Alice", "Alicé", "Bob"] {
        access.claim(&author(name), &old).unwrap();
    }
    assert!(access.revoke(&old.credential).unwrap());
    let home = CommunityId::from("local");
    let given = access.hand_over(&home, " alice ", &new.credential).unwrap();
    assert_eq!((given.name.as_str(), &given.owner), ("Alice", &new.credential));
    for (name, whose) in [
        ("Alice", Standing::Yours),
        ("Alicé", Standing::Yours),
        ("Bob", Standing::Anothers("Bob".into())),
    ] {
        assert_eq!(access.standing(&author(name), &new), whose, "{name}");
    }
    assert!(matches!(
        access.hand_over(&home, "Bob", &old.credential),
        Err(NotHandedOver::UnknownCredential)
    ));
    let (reader, _) = access.issue(Role::Reader, "the monitor", None).unwrap();
    assert!(matches!(
        access.hand_over(&home, "Bob", &reader.id),
        Err(NotHandedOver::CannotWrite)
    ));
    access.hand_over(&home, "Zoe", &new.credential).unwrap();
    assert_eq!(access.standing(&author("zoe"), &new), Standing::Yours);
}
