use super::{Seen, WatchedFile};

#[test]
fn a_change_is_seen_once_even_within_the_same_moment_and_length() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    let mut file = WatchedFile::new(path.clone());
    assert_eq!(file.look(), Some(Seen::Nothing));
    assert_eq!(file.look(), None);
    std::fs::write(&path, "{\"a\":1}").unwrap();
    assert_eq!(file.look(), Some(Seen::Text(b"{\"a\":1}".to_vec())));
    assert_eq!(file.look(), None);
    std::fs::write(&path, "{\"a\":2}").unwrap();
    assert_eq!(file.look(), Some(Seen::Text(b"{\"a\":2}".to_vec())));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(file.look(), Some(Seen::Nothing));
}

#[test]
fn what_is_no_file_or_too_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = WatchedFile::new(folder.path().to_owned());
    assert!(matches!(file.look(), Some(Seen::Unreadable(_))));
    let path = folder.path().join("mcp.json");
    std::fs::write(&path, vec![b' '; 300 * 1024]).unwrap();
    assert!(matches!(WatchedFile::new(path).look(), Some(Seen::Unreadable(why)) if why.contains("256 kB")));
}

#[cfg(unix)]
#[test]
fn a_file_that_everybody_may_write_is_refused_with_the_remedy() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    std::fs::write(&path, "{}").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    assert!(
        matches!(WatchedFile::new(path).look(), Some(Seen::Unreadable(why)) if why.contains("chmod o-w"))
    );
}
