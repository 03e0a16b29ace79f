//! The real `tesseract`, on machines that have it; elsewhere the test only says that there is none.

use std::path::Path;

use bytes::Bytes;
use ocr::Readers;
use settings::Settings;
use vocabulary::PictureKind;

#[tokio::test]
async fn the_program_that_is_installed_reads_most_of_a_screen() {
    // The default: the models' folder is not set, so it is the program or nobody.
    let Some(reader) = Readers::of_this_machine().choose(&Settings::default()) else {
        println!("there is no tesseract on this machine: nothing was tried");
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
    let picture = Bytes::from(std::fs::read(folder.join("editor_small.jpg")).expect("the picture"));
    let wanted = std::fs::read_to_string(folder.join("editor_small.txt")).expect("its lines");
    let lines = reader
        .read(PictureKind::Jpeg, picture)
        .await
        .unwrap_or_else(|problem| panic!("{}: {problem}", reader.name()));
    let read = |wanted: &&str| lines.iter().any(|line| line.text.contains(*wanted));
    let got = wanted.lines().filter(read).count();
    assert!(
        got * 2 >= wanted.lines().count(),
        "{} read {got} lines of {wanted}\nnamely {lines:#?}",
        reader.name()
    );
    for line in &lines {
        let within = 0.0..=1.0;
        assert!(
            within.contains(&line.left) && within.contains(&line.top) && line.height > 0.0,
            "{line:?}"
        );
        assert!((0.0..=1.0).contains(&line.confidence));
    }
    let order = |text: &str| lines.iter().position(|line| line.text.contains(text));
    assert!(order("Build failed") < order("main.rs"), "from top to bottom");
}
