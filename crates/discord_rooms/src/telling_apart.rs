//! Whose name can be taken for somebody else's: nicknames are free, so whoever goes by Denizen's name or another member's
//! is shown with the name of their account, which is unique.

use discord::text::NamesHere;
use discord::wire::{Member, Snowflake, User};
use vocabulary::names::{Care, is_same, looks_like, passes_for};

use crate::reading::{Reading, shown};

/// Somebody with an account, as far as it was told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Account<'a> {
    pub id: Snowflake,
    /// Unique on Discord; empty where it was left out.
    pub name: &'a str,
    /// A bot, or a webhook: those call themselves what they like.
    pub is_program: bool,
}

impl<'a> Account<'a> {
    pub fn of(user: &'a User) -> Self {
        Self {
            id: user.id,
            name: &user.name,
            is_program: user.is_bot || user.is_system,
        }
    }
}

impl Reading<'_> {
    /// A name that is nobody else's here.
    pub fn told_apart(&self, account: Account<'_>, name: &str) -> String {
        let name = shown(name);
        if Some(account.id) == self.own {
            return name;
        }
        let is_own = self.is_denizens(&name);
        if !is_own && !self.is_anothers(account, &name) {
            return name;
        }
        match account {
            Account { is_program: true, .. } => format!("{name} (another bot)"),
            Account { name: "", .. } => format!("{name} (somebody else)"),
            Account { name: unique, .. } if is_own && self.is_denizens(unique) => {
                format!("{name} ({}, somebody else)", shown(unique))
            }
            Account { name: unique, .. } if unique == name => name,
            Account { name: unique, .. } => format!("{name} ({})", shown(unique)),
        }
    }

    /// Whether a name can be taken for one that Denizen goes by here.
    fn is_denizens(&self, name: &str) -> bool {
        let account = self.own.and_then(|own| self.world.names(self.guild).person(own));
        let own = [self.called, account.as_deref()];
        own.into_iter()
            .flatten()
            .any(|own| passes_for(name, own, Care::Own))
    }

    /// Whether a name can be taken for that of another known member, or for one with its account behind it.
    fn is_anothers(&self, account: Account<'_>, name: &str) -> bool {
        let Some(guild) = self.guild else { return false };
        let within = name.strip_suffix(')').and_then(|name| name.rsplit_once('('));
        let is_theirs = |member: &Member| {
            let Some(user) = member.user.as_ref().filter(|user| user.id != account.id) else {
                return false;
            };
            let called = member.nick.as_deref().unwrap_or_else(|| user.shown());
            let takes = |theirs: &str| is_same(name, theirs) || looks_like(name, theirs);
            takes(called)
                || takes(&user.name)
                || within.is_some_and(|(_, within)| is_same(within, &user.name))
        };
        self.world.people(guild).any(is_theirs)
    }
}

/// Names as they stand in a text, told apart like those of authors.
impl NamesHere for Reading<'_> {
    fn person(&self, id: Snowflake) -> Option<String> {
        let name = self.world.names(self.guild).person(id)?;
        let known = self.guild.and_then(|guild| self.world.member(guild, id));
        Some(match known.and_then(|member| member.user.as_ref()) {
            Some(user) => self.told_apart(Account::of(user), &name),
            None => name,
        })
    }

    fn channel(&self, id: Snowflake, here: Snowflake) -> Option<String> {
        self.world.names(self.guild).channel(id, here)
    }

    fn role(&self, id: Snowflake) -> Option<String> {
        self.world.names(self.guild).role(id)
    }

    fn mentioned(&self, user: &User, name: String) -> String {
        self.told_apart(Account::of(user), &name)
    }
}
