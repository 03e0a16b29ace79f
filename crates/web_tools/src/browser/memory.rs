//! What a browser has started, and how much memory all that takes; Linux says so, elsewhere nobody does.

use std::fs;
use std::path::Path;

/// Kilobytes that belong to the processes of a group alone, shared libraries left aside.
pub(super) fn of_group(group: i32) -> u64 {
    let in_group = |process: &i32| group_of(&told(*process, "stat")) == Some(group);
    let members = processes().into_iter().filter(in_group);
    members
        .map(|process| own_kilobytes(&told(process, "status")))
        .sum()
}

/// Processes that were started with a folder in their command line, whatever group they are in now.
pub(super) fn started_in(folder: &Path) -> Vec<i32> {
    let folder = folder.to_string_lossy();
    let mentions = |process: &i32| told(*process, "cmdline").contains(&*folder);
    processes().into_iter().filter(mentions).collect()
}

fn processes() -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

fn told(process: i32, what: &str) -> String {
    let told = fs::read(format!("/proc/{process}/{what}")).unwrap_or_default();
    String::from_utf8_lossy(&told).into_owned()
}

/// The group in a line of `/proc/PID/stat`: the third field after the name, which may hold anything.
fn group_of(stat: &str) -> Option<i32> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(2)?.parse().ok()
}

fn own_kilobytes(status: &str) -> u64 {
    let kilobytes = |line: &str| line.split_whitespace().nth(1)?.parse::<u64>().ok();
    status
        .lines()
        .filter(|line| line.starts_with("RssAnon:") || line.starts_with("RssShmem:"))
        .filter_map(kilobytes)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_spaces_and_brackets_does_not_hide_the_group() {
        assert_eq!(group_of("42 (a) b (c)) S 1 77 9 0 -1"), Some(77));
        assert_eq!(group_of(""), None);
    }

    #[test]
    fn what_a_process_has_for_itself_is_added_up() {
        let status = "VmRSS:\t  900 kB\nRssAnon:\t  300 kB\nRssFile:\t  500 kB\nRssShmem:\t  100 kB\n";
        assert_eq!(own_kilobytes(status), 400);
    }
}
