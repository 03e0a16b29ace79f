//! How many pools of memory a process keeps.
//!
//! The allocator of glibc gives nearly every thread that wants memory a pool of its own, eight for each processor, and
//! what is free in one is of no use to the others. It reads how many there may be from the environment, before a program
//! begins; so a program that is to run for long begins once more, as the same process, with a word about that.

use std::env;
use std::ffi::OsStr;
use std::num::NonZero;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread::available_parallelism;

const FEW: &str = "MALLOC_ARENA_MAX";
/// Whoever says anything of the allocator has thought about it.
const SAID_OTHERWISE: [&str; 2] = [FEW, "GLIBC_TUNABLES"];
/// One pool would have every thread wait for the same lock.
const POOLS_MIN: usize = 2;

/// Begins once more with few pools, where nothing is said about them; returns where that makes no difference, or cannot be
/// done. Before any thread runs and anything is opened.
pub fn keep_few() {
    let is_told = SAID_OTHERWISE.iter().any(|name| env::var_os(name).is_some());
    if is_told || !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return;
    }
    let Ok(program) = env::current_exe() else { return };
    let pools = available_parallelism().map_or(1, NonZero::get) / 2;
    let mut arguments = env::args_os();
    let name = arguments.next();
    let mut again = Command::new(program);
    again
        .arg0(name.as_deref().unwrap_or(OsStr::new("denizen")))
        .args(arguments)
        .env(FEW, pools.max(POOLS_MIN).to_string());
    // What comes back from there is an error alone, and nothing depends on it.
    let _ = again.exec();
}
