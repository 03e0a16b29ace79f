use super::shown_path;

#[test]
fn whatever_stands_where_a_share_is_named_is_not_shown() {
    for (path, shown) in [
        ("/api/watch/SECRET/frames", "/api/watch/{share}/frames"),
        ("/api/watch/SECRET/whip", "/api/watch/{share}/whip"),
        ("/api/watch/SECRET", "/api/watch/{share}"),
        ("/api/watch/socket", "/api/watch/socket"),
        ("/api/watch/socket/SECRET", "/api/watch/…"),
        ("/api/watch/frames/SECRET", "/api/watch/…"),
        ("/api/watch/a/frames/SECRET", "/api/watch/…"),
        ("/api/watch/a/b/c/SECRET", "/api/watch/…"),
        (
            "/api/rooms/lounge/shares/SECRET",
            "/api/rooms/lounge/shares/{share}",
        ),
        (
            "/api/rooms/lounge/shares/SECRET/more",
            "/api/rooms/lounge/shares/{share}",
        ),
    ] {
        assert_eq!(shown_path(path), shown, "{path}");
    }
}

#[test]
fn other_paths_are_shown_as_they_are() {
    for path in [
        "/",
        "",
        "/api/rooms/lounge/shares",
        "/api/rooms/lounge/messages/alice-1",
        "/api/watchers",
    ] {
        assert_eq!(shown_path(path), path);
    }
}
