//! Opening: folders, permissions, locks, other processes, copies, and files that are not what they should be.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use runtime::ports::{MessageQuery, Store, StoreError};
use settings::Document;
use storage::Sqlite;
use tempfile::TempDir;
use vocabulary::MessageId;

use crate::given::{Home, added, assert_sound, batch_of, community, home, look_into, message, room};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn refusal(data_dir: &Path) -> String {
    Sqlite::open(data_dir).expect_err("it must not open").to_string()
}

/// A folder that this user cannot make anything in, even where the user may do nearly everything.
fn forbidden(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("forbidden");
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o500)).unwrap();
    match fs::File::create(path.join("probe")) {
        Ok(_) => PathBuf::from("/proc/self"),
        Err(_) => path,
    }
}

#[tokio::test]
async fn the_folder_and_everything_in_it_are_the_owners_alone() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("deep/data");
    let store = Sqlite::open(&data).unwrap();
    let _lock = Sqlite::lock(&data).unwrap();
    store
        .commit(&community(), batch_of([added(message("m1", "text"))]))
        .await
        .unwrap();
    assert_eq!(mode(&data), 0o700);
    for file in ["denizen.db", "denizen.db-wal", "denizen.db-shm", "denizen.lock"] {
        assert_eq!(mode(&data.join(file)), 0o600, "{file}");
    }
    drop(store);
    fs::set_permissions(data.join("denizen.db"), fs::Permissions::from_mode(0o644)).unwrap();
    let _again = Sqlite::open(&data).unwrap();
    assert_eq!(mode(&data.join("denizen.db")), 0o600);
}

#[tokio::test]
async fn a_folder_that_is_there_already_keeps_its_mode() {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let _store = Sqlite::open(folder.path()).unwrap();
    assert_eq!(mode(folder.path()), 0o755);
}

#[test]
fn only_one_may_run_on_a_folder_until_it_is_done() {
    let folder = TempDir::new().unwrap();
    let first = Sqlite::lock(folder.path()).unwrap();
    let refused = Sqlite::lock(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::Busy { .. }));
    let told = refused.to_string();
    let (path, process) = (
        folder.path().display().to_string(),
        format!("process {}", std::process::id()),
    );
    assert!(
        told.contains(&path) && told.contains(&process) && told.contains("--data"),
        "{told}"
    );
    drop(first);
    let _second = Sqlite::lock(folder.path()).unwrap();
}

#[tokio::test]
async fn commands_read_and_save_settings_while_the_server_runs() {
    let Home {
        store: server,
        folder,
    } = home();
    let _lock = Sqlite::lock(folder.path()).unwrap();
    server
        .commit(&community(), batch_of([added(message("m1", "text"))]))
        .await
        .unwrap();
    let reading = Sqlite::open_read_only(folder.path()).unwrap();
    assert!(
        reading
            .message(&community(), &MessageId::new("m1"))
            .await
            .unwrap()
            .is_some()
    );
    server
        .commit(&community(), batch_of([added(message("m2", "text"))]))
        .await
        .unwrap();
    assert!(
        reading
            .message(&community(), &MessageId::new("m2"))
            .await
            .unwrap()
            .is_some()
    );
    let refused = reading
        .save_settings(None, 0, Document::default())
        .await
        .unwrap_err()
        .to_string();
    assert!(refused.contains("reading only"), "{refused}");
    let command = Sqlite::open(folder.path()).unwrap();
    assert_eq!(
        command.save_settings(None, 0, Document::default()).await.unwrap(),
        1
    );
    assert_eq!(server.base_settings().await.unwrap().version, 1);
}

#[tokio::test]
async fn a_database_can_be_read_when_no_server_runs() {
    let Home { store, folder } = home();
    store
        .commit(&community(), batch_of([added(message("m1", "text"))]))
        .await
        .unwrap();
    drop(store);
    let reading = Sqlite::open_read_only(folder.path()).unwrap();
    assert!(
        reading
            .message(&community(), &MessageId::new("m1"))
            .await
            .unwrap()
            .is_some()
    );
}

#[test]
fn reading_where_nothing_is_says_what_to_do() {
    let folder = TempDir::new().unwrap();
    let told = Sqlite::open_read_only(folder.path()).unwrap_err().to_string();
    assert!(
        told.contains("denizen.db") && told.contains("Start the server once"),
        "{told}"
    );
    assert!(!folder.path().join("denizen.db").exists());
}

#[test]
fn a_database_of_a_newer_denizen_is_refused_by_writers_and_readers() {
    let Home { store, folder } = home();
    drop(store);
    look_into(folder.path())
        .pragma_update(None, "user_version", 999)
        .unwrap();
    for refused in [Sqlite::open(folder.path()), Sqlite::open_read_only(folder.path())] {
        assert!(
            matches!(refused, Err(StoreError::TooNew { found: 999, .. })),
            "{refused:?}"
        );
    }
}

#[test]
fn a_file_in_place_of_the_folder_is_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("data");
    fs::write(&file, "not a folder").unwrap();
    for told in [refusal(&file), Sqlite::lock(&file).unwrap_err().to_string()] {
        assert!(
            told.contains("is a file, not a folder") && told.contains("--data"),
            "{told}"
        );
    }
    let beneath = refusal(&file.join("deeper"));
    assert!(beneath.contains("cannot make the folder"), "{beneath}");
}

#[test]
fn a_folder_that_may_not_be_written_is_named() {
    let folder = TempDir::new().unwrap();
    let forbidden = forbidden(&folder);
    let told = refusal(&forbidden);
    let path = forbidden.display().to_string();
    assert!(
        told.contains(&path) && told.contains("Check who owns the folder"),
        "{told}"
    );
    let told = Sqlite::lock(&forbidden).unwrap_err().to_string();
    assert!(told.contains(&path), "{told}");
}

#[test]
fn something_that_is_no_database_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("denizen.db");
    let text = "this is a letter, not a database\n".repeat(500);
    fs::write(&path, &text).unwrap();
    let told = refusal(folder.path());
    assert!(
        told.contains("is not a database") && told.contains("Move that file away"),
        "{told}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn another_programs_database_is_left_alone() {
    let folder = TempDir::new().unwrap();
    look_into(folder.path())
        .execute_batch("CREATE TABLE theirs (a)")
        .unwrap();
    let told = refusal(folder.path());
    assert!(told.contains("another program"), "{told}");
}

#[tokio::test]
async fn damage_in_the_middle_is_told_with_a_remedy() {
    let Home { store, folder } = home();
    let many = (0..400).map(|number| added(message(&format!("m{number}"), &"words ".repeat(50))));
    store.commit(&community(), batch_of(many)).await.unwrap();
    drop(store);
    let path = folder.path().join("denizen.db");
    let mut bytes = fs::read(&path).unwrap();
    // The schema on the first pages stays, everything after is noise.
    for (place, byte) in bytes.iter_mut().enumerate().skip(20 * 4096) {
        *byte = (place % 251) as u8;
    }
    fs::write(&path, bytes).unwrap();
    let told = match Sqlite::open(folder.path()) {
        Err(error) => error.to_string(),
        Ok(store) => {
            let query = MessageQuery {
                room: room(),
                before: None,
                after: None,
                limit: 1_000,
            };
            store
                .messages(&community(), query)
                .await
                .expect_err("noise was read as messages")
                .to_string()
        }
    };
    assert!(
        told.contains("is damaged") && told.contains("Put a copy in its place"),
        "{told}"
    );
}

#[tokio::test]
async fn a_copy_is_whole_private_and_never_over_something_else() {
    let home = home();
    home.add("m1", "the lighthouse").await;
    let target = TempDir::new().unwrap();
    let copy = target.path().join("denizen.db");
    home.store.export_copy(&copy).await.unwrap();
    assert_eq!(mode(&copy), 0o600);
    home.add("m2", "later").await;
    let told = home.store.export_copy(&copy).await.unwrap_err().to_string();
    assert!(told.contains("is there already"), "{told}");
    assert_sound(&look_into(target.path()));
    let opened = Sqlite::open(target.path()).unwrap();
    assert_eq!(
        opened
            .search(&community(), &room(), "lighthouse", &[], 5)
            .await
            .unwrap()
            .len(),
        1
    );
    assert!(
        opened
            .message(&community(), &MessageId::new("m2"))
            .await
            .unwrap()
            .is_none()
    );
    let nowhere = target.path().join("no/such/folder/copy.db");
    let told = home.store.export_copy(&nowhere).await.unwrap_err().to_string();
    assert!(told.contains("cannot write"), "{told}");
}
