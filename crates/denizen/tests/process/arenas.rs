//! A process that runs for long keeps few pools of memory, unless somebody has said how many.

use crate::support::Home;

/// What a process was told of pools, and what it calls itself.
fn told(process: u32) -> (Option<String>, String) {
    let environment = std::fs::read(format!("/proc/{process}/environ")).expect("it runs");
    let environment = String::from_utf8_lossy(&environment);
    let mut variables = environment.split('\0');
    let pools = variables.find_map(|line| line.strip_prefix("MALLOC_ARENA_MAX="));
    let name = std::fs::read_to_string(format!("/proc/{process}/comm")).expect("it runs");
    (pools.map(str::to_owned), name.trim().to_owned())
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[tokio::test]
async fn a_room_runs_with_few_pools_of_memory_as_the_process_that_was_started() {
    let mut process = Home::new().start().await;
    let (pools, name) = told(process.id());
    let pools: usize = pools.expect("it is told how many").parse().expect("a number");
    assert!(pools >= 2, "{pools}");
    assert_eq!(name, "denizen");
    assert_eq!(process.terminate().await.code(), Some(0), "{}", process.log());
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[tokio::test]
async fn whoever_says_how_many_pools_there_may_be_is_heeded() {
    let home = Home::new().with_env("MALLOC_ARENA_MAX", "5");
    let process = home.start().await;
    assert_eq!(told(process.id()).0.as_deref(), Some("5"));
    let tuned = Home::new().with_env("GLIBC_TUNABLES", "glibc.malloc.arena_max=3");
    let process = tuned.start().await;
    assert_eq!(told(process.id()).0, None);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[tokio::test]
async fn whoever_began_again_does_not_do_so_once_more_although_nothing_is_said_of_pools() {
    let home = Home::new().with_env("DENIZEN_BEGAN_AGAIN", "1");
    let process = home.start().await;
    assert_eq!(told(process.id()).0, None);
}
