//! The process itself: what it takes of the machine, as Linux tells it.

use std::fs;

use super::exposition::Exposition;

/// Memory is told in pages of this size on the machines that there are.
const PAGE_BYTES: u64 = 4_096;

/// Elsewhere than on Linux nothing of this is known, and it is left out.
pub(super) fn write(to: &mut Exposition) {
    if let Some(pages) = resident_pages() {
        to.gauge("process_resident_memory_bytes", "Memory that the process holds.")
            .only(pages * PAGE_BYTES);
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        to.gauge("process_open_fds", "Files and sockets that are open.")
            .only(open.count() as u64);
    }
    if let Some(most) = most_files() {
        to.gauge("process_max_fds", "Files and sockets that may be open at once.")
            .only(most);
    }
    if let Some(threads) = threads() {
        to.gauge("process_threads", "Threads of the process.")
            .only(threads);
    }
}

fn resident_pages() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
}

fn most_files() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find(|line| line.starts_with("Max open files"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

fn threads() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("Threads:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
