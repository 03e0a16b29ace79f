//! Reading by the program `tesseract`: it is given the brightness of a picture, larger than it was, and says where
//! which words stand.

mod process;
#[cfg(test)]
mod process_tests;
mod tsv;
#[cfg(test)]
mod tsv_tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use runtime::ports::{ReadLine, TextReader, Undecodable};
use tokio::sync::Semaphore;
use vocabulary::PictureKind;

use crate::plane::Plane;
use process::Run;

/// Text of a screen is small for a program that was made for paper: it reads best at about twice the size.
const ENLARGED: usize = 2;
/// Beyond so many pixels across, a picture is large enough.
const WIDTH_ENOUGH: usize = 2_000;
/// After so long it is taken to be stuck, whatever the deadline of whoever asks.
const PATIENCE: Duration = Duration::from_secs(120);
/// A page of text in whatever arrangement, which did best on screens: sparse text (11) tears lines apart.
const PAGE: [&str; 7] = ["stdin", "stdout", "--psm", "3", "--dpi", "150", "tsv"];

/// The program, wherever it is installed. One picture at a time.
#[derive(Debug)]
pub struct Tesseract {
    program: PathBuf,
    turn: Arc<Semaphore>,
}

impl Tesseract {
    pub fn at(program: &Path) -> Self {
        Self {
            program: program.to_owned(),
            turn: Arc::new(Semaphore::new(1)),
        }
    }
}

#[async_trait]
impl TextReader for Tesseract {
    async fn read(&self, kind: PictureKind, bytes: Bytes) -> Result<Vec<ReadLine>, Undecodable> {
        let turn = self.turn.clone().acquire_owned().await;
        let turn = turn.map_err(|_| Undecodable("it is being taken down".to_owned()))?;
        let prepared = tokio::task::spawn_blocking(move || prepared(kind, &bytes)).await;
        let page = prepared.map_err(|_| Undecodable("the picture could not be scaled".to_owned()))??;
        let (width, height) = (page.width, page.height);
        let run = Run::start(&self.program, &PAGE, portable(page), turn).map_err(Undecodable)?;
        let output = tokio::time::timeout(PATIENCE, run.output()).await.map_err(|_| {
            let seconds = PATIENCE.as_secs();
            Undecodable(format!(
                "{} was not done after {seconds} s and was ended",
                self.program.display()
            ))
        })?;
        let table = output.map_err(Undecodable)?;
        Ok(tsv::lines(&table, width, height))
    }

    fn name(&self) -> String {
        format!("tesseract ({})", self.program.display())
    }
}

/// Decodes here, so that the program is never given a stranger's file.
fn prepared(kind: PictureKind, bytes: &[u8]) -> Result<Plane, Undecodable> {
    let plane = Plane::decoded(kind, bytes)?;
    if plane.width >= WIDTH_ENOUGH {
        return Ok(plane);
    }
    Ok(plane.scaled(plane.width * ENLARGED, plane.height * ENLARGED))
}

/// The simplest format there is for grey pictures.
fn portable(plane: Plane) -> Vec<u8> {
    let mut file = format!("P5\n{} {}\n255\n", plane.width, plane.height).into_bytes();
    file.extend(plane.data);
    file
}
