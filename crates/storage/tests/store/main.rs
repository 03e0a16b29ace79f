//! The store as the shell uses it, on real files.

mod asks;
mod attachments;
mod canary;
mod captures;
mod community;
mod crash;
mod damage;
mod forgetting;
mod gems;
mod given;
mod journal;
mod killed;
mod memory_crash;
mod messages;
mod opening;
mod reactions;
mod recording;
mod resume;
mod search;
mod settings;
mod sweep;
mod town;
mod wrong_clock;
