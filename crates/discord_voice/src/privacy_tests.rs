//! A group that is begun anew.

use super::*;

/// A point of the curve, and a name.
fn sender() -> Vec<u8> {
    [&[0x40, 65, 4], &[9; 64][..], &[0, 1, 6], b"double"].concat()
}

fn has_group(group: &PrivateGroup) -> bool {
    group.session.as_ref().is_some_and(|it| it.group().is_some())
}

#[test]
fn who_proposes_changes_is_known_to_a_group_that_is_begun_anew() {
    let mut group = PrivateGroup::new(1, 20);
    let said = sender();
    // Before the server has said how private the call is, too.
    group.hear(Moment(0), GroupMessage::ExternalSender(&said), &[1]);
    group.begin(1);
    assert!(has_group(&group));
    // As after a message that costs the group.
    group.session = None;
    group.invalid(0);
    assert!(has_group(&group));
    // Another session of the server has another one.
    group.begin(0);
    group.begin(1);
    assert!(!has_group(&group));
}
