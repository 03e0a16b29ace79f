//! The scripts that Redis runs: each is one indivisible step on the lists, whoever else is at it.

use redis::Script;

/// All of them, hashed once.
pub(super) struct Scripts {
    pub push: Script,
    pub claim: Script,
    pub alive: Script,
    pub held: Script,
    pub strangers: Script,
    pub replace: Script,
    pub find: Script,
    pub remove: Script,
    pub waiting: Script,
    pub count: Script,
}

impl Scripts {
    pub(super) fn new() -> Self {
        Self {
            push: Script::new(include_str!("scripts/push.lua")),
            claim: Script::new(include_str!("scripts/claim.lua")),
            alive: Script::new(include_str!("scripts/alive.lua")),
            held: Script::new(include_str!("scripts/held.lua")),
            strangers: Script::new(include_str!("scripts/strangers.lua")),
            replace: Script::new(include_str!("scripts/replace.lua")),
            find: Script::new(include_str!("scripts/find.lua")),
            remove: Script::new(include_str!("scripts/remove.lua")),
            waiting: Script::new(include_str!("scripts/waiting.lua")),
            count: Script::new(include_str!("scripts/count.lua")),
        }
    }
}
