//! Real readers on real screens: `tesseract` where it is installed, and the models of the folder in
//! `DENIZEN_OCR_MODEL`. `make e2e-ocr` runs it; it says how many lines each reader got, and fails below half.
//! Other pictures can be named as arguments: what is read of them is printed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use ocr::{PpOcr, Readers};
use runtime::ports::{ReadLine, TextReader};
use settings::{Document, Settings};
use vocabulary::PictureKind;

const SCREENS: [&str; 4] = ["editor.png", "editor_small.jpg", "page.png", "game.jpg"];

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(run())
}

async fn run() -> ExitCode {
    let readers = readers();
    if readers.is_empty() {
        println!(
            "Nobody to try: install tesseract, or set DENIZEN_OCR_MODEL to a folder with PP-OCR models (and ORT_DYLIB_PATH to libonnxruntime.so)"
        );
        return ExitCode::FAILURE;
    }
    let named: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let mut good = true;
    for reader in readers {
        println!("== {}", reader.name());
        good &= if named.is_empty() {
            count(&*reader).await
        } else {
            print(&*reader, &named).await
        };
    }
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn readers() -> Vec<Arc<dyn TextReader>> {
    let machine = Readers::of_this_machine();
    let mut document = Document::default();
    document.set("voice.streamWatch.textReader", "auto".into());
    let settings = Settings::read(&document).expect("valid settings");
    let mut readers: Vec<Arc<dyn TextReader>> = machine.choose(&settings).into_iter().collect();
    if let Some(folder) = std::env::var_os("DENIZEN_OCR_MODEL") {
        let library = std::env::var_os("ORT_DYLIB_PATH").map(PathBuf::from);
        readers.push(Arc::new(PpOcr::at(Path::new(&folder), library.as_deref())));
    }
    readers
}

/// Counts the lines that were read letter by letter.
async fn count(reader: &dyn TextReader) -> bool {
    let (mut all, mut got) = (0, 0);
    for name in SCREENS {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/screens")
            .join(name);
        let wanted = std::fs::read_to_string(file.with_extension("txt")).expect("the lines of the screen");
        let started = Instant::now();
        let Some(lines) = read(reader, &file).await else {
            return false;
        };
        let took = started.elapsed();
        let text: Vec<String> = lines.iter().map(|line| folded(&line.text)).collect();
        let missing: Vec<&str> = wanted
            .lines()
            .filter(|line| !text.iter().any(|read| read.contains(&folded(line))))
            .collect();
        let (lines, missed) = (wanted.lines().count(), missing.len());
        println!(
            "{name}: {} of {lines} lines, {} ms",
            lines - missed,
            took.as_millis()
        );
        for line in missing {
            println!("    not read: {line}");
        }
        all += lines;
        got += lines - missed;
    }
    println!("together: {got} of {all} lines");
    got * 2 >= all
}

async fn print(reader: &dyn TextReader, files: &[PathBuf]) -> bool {
    for file in files {
        println!("-- {}", file.display());
        let Some(lines) = read(reader, file).await else {
            return false;
        };
        for line in lines {
            println!(
                "{:.2} at {:.2},{:.2}: {}",
                line.confidence, line.left, line.top, line.text
            );
        }
    }
    true
}

async fn read(reader: &dyn TextReader, file: &Path) -> Option<Vec<ReadLine>> {
    let bytes = Bytes::from(std::fs::read(file).expect("a picture"));
    let kind = match file.extension().and_then(|ending| ending.to_str()) {
        Some("png") => PictureKind::Png,
        Some("webp") => PictureKind::Webp,
        _ => PictureKind::Jpeg,
    };
    match reader.read(kind, bytes).await {
        Ok(lines) => Some(lines),
        Err(problem) => {
            println!("{}: {problem}", file.display());
            None
        }
    }
}

/// Blanks are not letters.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
