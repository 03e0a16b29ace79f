//! Asks the linker to keep one copy of functions that come out the same, and to write down briefly what is to be moved at the start.
//!
//! Generic code and what is derived is compiled again in each crate that uses it; a quarter of the program was such copies.
//! What is moved takes five megabytes otherwise.

use std::env::var;
use std::process::Command;

/// The first C library whose loader reads the brief form.
const READS_BRIEF_RELOCATIONS: (u32, u32) = (2, 36);

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |of: &str| var(format!("CARGO_CFG_TARGET_{of}")).unwrap_or_default();
    // There the compiler brings a linker that can do both. Without optimisation a backtrace is to name what was written.
    let brings_a_linker = target("OS") == "linux" && target("ARCH") == "x86_64" && target("ENV") == "gnu";
    if !brings_a_linker || var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    let is_built_for_here = var("HOST").ok() == var("TARGET").ok();
    if is_built_for_here && c_library().is_some_and(|version| version >= READS_BRIEF_RELOCATIONS) {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of this machine's C library. What is built here is for machines with one that is as new.
fn c_library() -> Option<(u32, u32)> {
    let said = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let said = String::from_utf8(said.stdout).ok()?;
    let (major, minor) = said.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
