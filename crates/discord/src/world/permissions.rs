//! What somebody may do in a channel, computed as Discord computes it.

use std::ops::BitOr;

use crate::wire::{Overwrite, Snowflake};

/// Rights, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions(u64);

impl Permissions {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(u64::MAX);
    pub const ADMINISTRATOR: Self = Self(1 << 3);
    pub const MANAGE_GUILD: Self = Self(1 << 5);
    pub const ADD_REACTIONS: Self = Self(1 << 6);
    pub const VIEW_CHANNEL: Self = Self(1 << 10);
    pub const SEND_MESSAGES: Self = Self(1 << 11);
    pub const MANAGE_MESSAGES: Self = Self(1 << 13);
    pub const EMBED_LINKS: Self = Self(1 << 14);
    pub const ATTACH_FILES: Self = Self(1 << 15);
    pub const READ_HISTORY: Self = Self(1 << 16);
    pub const EXTERNAL_EMOJI: Self = Self(1 << 18);
    pub const CONNECT: Self = Self(1 << 20);
    pub const SPEAK: Self = Self(1 << 21);
    pub const MANAGE_THREADS: Self = Self(1 << 34);
    pub const CREATE_THREADS: Self = Self(1 << 35);
    pub const SEND_IN_THREADS: Self = Self(1 << 38);

    pub fn of(bits: u64) -> Self {
        Self(bits)
    }

    pub fn bits(self) -> u64 {
        self.0
    }

    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Only what both have.
    pub fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn changed(self, deny: u64, allow: u64) -> Self {
        Self((self.0 & !deny) | allow)
    }
}

impl BitOr for Permissions {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Somebody's rights in a channel. `everyone` is the server's id, which is that of the role that all have; `person` is none
/// where it is asked what a role may do.
pub(super) fn in_channel(
    base: Permissions,
    overwrites: &[Overwrite],
    everyone: Snowflake,
    roles: &[Snowflake],
    person: Option<Snowflake>,
) -> Permissions {
    if base.has(Permissions::ADMINISTRATOR) {
        return Permissions::ALL;
    }
    let of_role = |role: Snowflake| {
        overwrites
            .iter()
            .find(move |over| !over.is_of_person && over.of == role)
    };
    let mut rights = base;
    if let Some(over) = of_role(everyone) {
        rights = rights.changed(over.deny, over.allow);
    }
    let (mut deny, mut allow) = (0, 0);
    for over in roles
        .iter()
        .filter(|role| **role != everyone)
        .filter_map(|role| of_role(*role))
    {
        deny |= over.deny;
        allow |= over.allow;
    }
    rights = rights.changed(deny, allow);
    if let Some(over) = overwrites
        .iter()
        .find(|over| over.is_of_person && Some(over.of) == person)
    {
        rights = rights.changed(over.deny, over.allow);
    }
    // Who does not see a channel can do nothing there.
    if rights.has(Permissions::VIEW_CHANNEL) {
        rights
    } else {
        Permissions::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> Snowflake {
        Snowflake::new(number).expect("an id")
    }

    fn over(of: u64, is_of_person: bool, allow: Permissions, deny: Permissions) -> Overwrite {
        Overwrite {
            of: id(of),
            is_of_person,
            allow: allow.bits(),
            deny: deny.bits(),
        }
    }

    const SEE: Permissions = Permissions::VIEW_CHANNEL;
    const SAY: Permissions = Permissions::SEND_MESSAGES;
    const NO: Permissions = Permissions::NONE;

    #[test]
    fn the_nearer_exception_wins() {
        let overwrites = [
            over(10, false, NO, SAY),
            over(30, false, SAY, NO),
            over(5, true, NO, SAY),
        ];
        let rights =
            |roles: &[Snowflake], person| in_channel(SEE | SAY, &overwrites, id(10), roles, Some(id(person)));
        assert!(!rights(&[], 6).has(SAY), "everybody is denied it");
        assert!(rights(&[id(30)], 6).has(SAY), "the role has it");
        assert!(!rights(&[id(30)], 5).has(SAY), "the person has not");
    }

    #[test]
    fn of_two_roles_the_one_that_allows_wins() {
        let overwrites = [over(30, false, SAY, NO), over(31, false, NO, SAY)];
        assert!(in_channel(SEE, &overwrites, id(10), &[id(31), id(30)], None).has(SAY));
    }

    #[test]
    fn who_does_not_see_a_channel_can_do_nothing_and_administrators_everything() {
        let hidden = [over(10, false, NO, SEE)];
        assert_eq!(in_channel(SEE | SAY, &hidden, id(10), &[], None), NO);
        assert_eq!(
            in_channel(Permissions::ADMINISTRATOR, &hidden, id(10), &[], None),
            Permissions::ALL
        );
    }
}
