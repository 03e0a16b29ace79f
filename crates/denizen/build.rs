//! Asks the linker to keep one copy of functions that come out the same.
//!
//! Generic code and what is derived is compiled again in each crate that uses it; a quarter of the program was such copies.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |of: &str| var(format!("CARGO_CFG_TARGET_{of}")).unwrap_or_default();
    // There the compiler brings a linker that can do it. Without optimisation a backtrace is to name what was written.
    let folds = target("OS") == "linux" && target("ARCH") == "x86_64" && target("ENV") == "gnu";
    if folds && var("OPT_LEVEL").is_ok_and(|level| level != "0") {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    }
}
