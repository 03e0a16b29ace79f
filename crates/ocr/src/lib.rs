//! Reads the text of shared screens without any language model, where no model that sees is at hand.
//!
//! Two readers fulfil the shell's `TextReader` port: the program `tesseract`, run once a picture, and PP-OCR models in
//! ONNX format, run in this process. [`Readers`] chooses between them by the settings.

mod choice;
#[cfg(test)]
mod choice_tests;
mod plane;
#[cfg(test)]
mod plane_tests;
mod ppocr;
mod rows;
#[cfg(test)]
mod rows_tests;
mod tesseract;

pub use choice::{Readers, Report};
pub use ppocr::PpOcr;
pub use tesseract::Tesseract;
