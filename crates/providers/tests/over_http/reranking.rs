//! A cross-encoder in a folder: what it judges, and what is said of one that cannot be used.

use std::path::Path;
use std::sync::Arc;

use providers::embedding::EmbedderOptions;
use providers::reranking::{open, open_with};
use runtime::ports::{MemoryFault, Reranker};
use settings::{RerankerSettings, Settings};
use stand_ins::write_cross_encoder;
use vocabulary::{Author, AuthorKind, CapturedTurn, Found, Place, Record, Scores, TurnKind, WallTime};

const WORDS: [&str; 12] = [
    "where", "does", "the", "boat", "lie", "in", "harbour", "we", "talked", "of", "soup", "alice",
];

fn settings(folder: &Path) -> RerankerSettings {
    RerankerSettings {
        path: folder.display().to_string(),
    }
}

/// None on a machine without ONNX Runtime, where nothing is tried.
async fn opened(folder: &Path) -> Option<Result<Arc<dyn Reranker>, MemoryFault>> {
    match open(&settings(folder)).await {
        Ok(reranker) => Some(Ok(reranker.expect("a folder is named"))),
        Err(fault) => {
            let there_is_none = fault.to_string().contains("ONNX Runtime was not found");
            if there_is_none && EmbedderOptions::default().onnx_library.is_none() {
                println!("there is no ONNX Runtime on this machine: nothing was tried");
                return None;
            }
            Some(Err(fault))
        }
    }
}

fn found(text: &str) -> Found {
    Found {
        record: Record::Turn(CapturedTurn {
            id: text.into(),
            place: Place {
                community: "local".into(),
                room: "lounge".into(),
                private: false,
            },
            session: "s".into(),
            number: 1,
            speaker: Author {
                id: "alice".into(),
                name: "Alice".to_owned(),
                kind: AuthorKind::Person,
            },
            kind: TurnKind::Typed,
            text: text.to_owned(),
            at: WallTime(0),
        }),
        scores: Scores {
            confidence: 0.5,
            ..Scores::default()
        },
        matched: Vec::new(),
        through: Vec::new(),
    }
}

#[tokio::test]
async fn a_cross_encoder_judges_what_answers_by_one_number_or_by_two() {
    for numbers in [1, 2] {
        let folder = tempfile::tempdir().expect("a folder");
        write_cross_encoder(folder.path(), &WORDS, numbers).expect("a model");
        let Some(reranker) = opened(folder.path()).await else {
            return;
        };
        let reranker = reranker.expect("a model that can be used");
        assert!(reranker.name().starts_with("onnx:"), "{}", reranker.name());
        let long = format!(
            "{}the boat lie in the harbour.",
            "we talked of soup. ".repeat(100)
        );
        let found = [
            found("the boat lie in the harbour"),
            found("we talked of soup"),
            found(&long),
        ];
        let sure = reranker
            .judge("where does the boat lie?", &found)
            .await
            .expect("judged")
            .expect("nobody else asks");
        assert_eq!(sure.len(), 3);
        assert!(sure[0] > 0.4 && sure[1] < 0.4, "{sure:?}");
        assert!(sure[2] > 0.4, "the best part of a long text is judged: {sure:?}");
        let again = reranker
            .judge("where does the boat lie?", &found)
            .await
            .expect("judged")
            .expect("nobody else asks");
        assert_eq!(sure, again);
    }
}

#[tokio::test]
async fn of_many_finds_the_best_are_judged_and_no_other_is_surer() {
    let folder = tempfile::tempdir().expect("a folder");
    write_cross_encoder(folder.path(), &WORDS, 1).expect("a model");
    let Some(reranker) = opened(folder.path()).await else {
        return;
    };
    let found: Vec<Found> = (0..30).map(|_| found("we talked of soup")).collect();
    let reranker = reranker.expect("a model that can be used");
    let sure = reranker
        .judge("where does the boat lie?", &found)
        .await
        .expect("judged")
        .expect("nobody else asks");
    assert_eq!(sure.len(), 30);
    assert!(sure[10..].iter().all(|sure_of| *sure_of <= sure[0]), "{sure:?}");
    let nothing = reranker.judge("boat", &[]).await.expect("judged");
    assert!(nothing.is_some_and(|nothing| nothing.is_empty()));
}

#[tokio::test]
async fn without_a_folder_nobody_judges() {
    let none = open(&Settings::default().reranker)
        .await
        .expect("nothing is named");
    assert!(none.is_none());
}

#[tokio::test]
async fn a_folder_without_a_model_or_a_library_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let fault = open(&settings(folder.path()))
        .await
        .err()
        .expect("an empty folder");
    let expected = format!(
        "memory.reranker.path ({}) cannot be used: there is no model.onnx",
        folder.path().display()
    );
    assert!(fault.to_string().starts_with(&expected), "{fault}");
    write_cross_encoder(folder.path(), &WORDS, 1).expect("a model");
    let library = folder.path().join("no-such-library.so");
    let opening = open_with(&settings(folder.path()), Some(library.clone())).await;
    // Another test of this process may have loaded one before; the process has one for good.
    if let Err(fault) = opening {
        let text = fault.to_string();
        assert!(text.contains("ONNX Runtime was not found"), "{text}");
        assert!(text.contains(&library.display().to_string()), "{text}");
    }
}

#[tokio::test]
async fn a_model_that_is_cut_off_or_gives_three_numbers_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    write_cross_encoder(folder.path(), &WORDS, 3).expect("a model");
    let Some(three) = opened(folder.path()).await else {
        return;
    };
    let text = three.err().expect("three numbers").to_string();
    assert!(
        text.contains("model.onnx is not one for judging what answers a question"),
        "{text}"
    );
    assert!(
        text.contains("[-1, 3]") && text.contains("one or two numbers a pair"),
        "{text}"
    );

    write_cross_encoder(folder.path(), &WORDS, 1).expect("a model");
    let file = folder.path().join("model.onnx");
    let whole = std::fs::read(&file).expect("a file");
    std::fs::write(&file, &whole[..whole.len() / 2]).expect("half a file");
    let text = opened(folder.path())
        .await
        .expect("the library is there")
        .err()
        .expect("half a model")
        .to_string();
    assert!(
        text.contains("memory.reranker.path") && text.contains("model.onnx cannot be used"),
        "{text}"
    );

    std::fs::write(&file, &whole).expect("the whole file");
    std::fs::write(folder.path().join("tokenizer.json"), "{").expect("half a tokenizer");
    let text = opened(folder.path()).await.expect("the library is there").err();
    let text = text.expect("half a tokenizer").to_string();
    assert!(
        text.contains("tokenizer.json cannot be used: it is not a tokenizer"),
        "{text}"
    );
}
