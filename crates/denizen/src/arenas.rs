//! How many pools of memory a process keeps.
//!
//! The allocator of glibc gives nearly every thread that wants memory a pool of its own, eight for each processor, and
//! what is free in one is of no use to the others. It reads how many there may be from the environment, before a program
//! begins; so a program that is to run for long begins once more, as the same process, with a word about that.

use std::env;
use std::ffi::OsStr;
use std::num::NonZero;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::thread::available_parallelism;

const FEW: &str = "MALLOC_ARENA_MAX";
/// A loader may keep what is for the allocator from a program with more rights than whoever starts it. This it lets through, so
/// that nothing begins again and again.
const BEGAN_AGAIN: &str = "DENIZEN_BEGAN_AGAIN";
/// Whoever says anything of the allocator has thought about it.
const SAID_BEFORE: [&str; 3] = [FEW, "GLIBC_TUNABLES", BEGAN_AGAIN];
/// One pool would have every thread wait for the same lock.
const POOLS_MIN: usize = 2;

/// Begins once more with few pools, where nothing is said about them; returns where that makes no difference, or cannot be
/// done. Before any thread runs and anything is opened.
pub fn keep_few() {
    let is_told = SAID_BEFORE.iter().any(|name| env::var_os(name).is_some());
    if is_told || !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return;
    }
    let Ok(program) = env::current_exe() else { return };
    if is_loader(&program) {
        return;
    }
    let pools = available_parallelism().map_or(1, NonZero::get) / 2;
    let mut arguments = env::args_os();
    let name = arguments.next();
    let mut again = Command::new(program);
    again
        .arg0(name.as_deref().unwrap_or(OsStr::new("denizen")))
        .args(arguments)
        .env(FEW, pools.max(POOLS_MIN).to_string())
        .env(BEGAN_AGAIN, "1");
    // What comes back from there is an error alone, and nothing depends on it.
    let _ = again.exec();
}

/// Whether this is what loads programs: started by its name with ours behind it, it counts as the program, and would not know
/// our arguments.
fn is_loader(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("ld-") || name.starts_with("ld.so")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_loads_programs_is_told_from_a_program() {
        for loader in ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-2.31.so", "/usr/bin/ld.so"] {
            assert!(is_loader(Path::new(loader)), "{loader}");
        }
        for program in ["/opt/denizen", "/opt/ld-1/denizen", "/opt/denizen (deleted)", "/"] {
            assert!(!is_loader(Path::new(program)), "{program}");
        }
    }
}
