//! What stands in a model folder: the files that must be there, and what the others tell about the model.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::OnnxError;
use crate::pooling::Pooling;

/// What a message means shows in its beginning, and the work grows with the square of the length.
const TOKENS_MAX: usize = 512;
/// Below this a number in a configuration is not a length.
const TOKENS_MIN: usize = 8;
/// A configuration larger than this is something else.
const CONFIGURATION_BYTES_MAX: u64 = 1 << 20;

/// What is put before a text, where the model's makers say so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompts {
    pub query: String,
    pub passage: String,
}

/// A model folder that was looked through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) model: PathBuf,
    pub(crate) tokenizer: PathBuf,
    /// The folder's name and the first eight digits of the model's SHA-256.
    pub(crate) name: String,
    /// The name families of models are known by.
    pub(crate) lineage: String,
    pub(crate) pooling: Option<Pooling>,
    pub(crate) prompts: Option<Prompts>,
    /// None where only the tokenizer may know.
    pub(crate) tokens_max: Option<usize>,
}

impl Folder {
    pub(crate) fn look_through(path: &Path) -> Result<Self, OnnxError> {
        let missing = |file| OnnxError::MissingFile {
            file,
            folder: path.to_owned(),
        };
        let model = first_file(path, &["model.onnx", "onnx/model.onnx"]).ok_or(missing("model.onnx"))?;
        let tokenizer =
            first_file(path, &["tokenizer.json", "onnx/tokenizer.json"]).ok_or(missing("tokenizer.json"))?;
        let plain_name = plain_name(path);
        let configuration = configuration(path, "config.json");
        let lineage = match configuration["_name_or_path"].as_str() {
            // A path of the machine the model was made on says nothing.
            Some(name) if !name.trim().is_empty() && !name.starts_with(['/', '.']) => {
                format!("{plain_name} {name}")
            }
            _ => plain_name.clone(),
        };
        Ok(Self {
            name: format!("{plain_name}-{}", fingerprint(&model)?),
            lineage,
            pooling: Pooling::from_configuration(&self::configuration(path, "1_Pooling/config.json")),
            prompts: prompts(&self::configuration(path, "config_sentence_transformers.json")),
            tokens_max: tokens_max(path, &configuration),
            path: path.to_owned(),
            model,
            tokenizer,
        })
    }

    /// Folders in which the library may lie.
    pub(crate) fn library_places(&self) -> Vec<&Path> {
        let mut places = vec![self.path.as_path()];
        places.extend(self.model.parent().filter(|parent| *parent != self.path));
        places
    }
}

/// The longest input in tokens that the model was made for, and that is worth its time.
pub(crate) fn bounded_tokens(known: Option<usize>) -> usize {
    known.unwrap_or(TOKENS_MAX).min(TOKENS_MAX)
}

fn first_file(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    names
        .iter()
        .map(|name| folder.join(name))
        .find(|path| path.is_file())
}

/// The folder's own name, also where it is given as `.` or with a slash at its end.
fn plain_name(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = whole
        .file_name()
        .map_or_else(|| "model".to_owned(), |name| name.to_string_lossy().into_owned());
    name.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Eight digits that change when the weights do.
fn fingerprint(model: &Path) -> Result<String, OnnxError> {
    let mut hasher = Sha256::new();
    hash_file(model, &mut hasher)?;
    // Large models keep their weights beside the graph.
    let mut data = model.as_os_str().to_owned();
    data.push("_data");
    if Path::new(&data).is_file() {
        hash_file(Path::new(&data), &mut hasher)?;
    }
    let digest = hasher.finalize();
    Ok(digest[..4].iter().map(|byte| format!("{byte:02x}")).collect())
}

fn hash_file(path: &Path, hasher: &mut Sha256) -> Result<(), OnnxError> {
    let bad = |error: std::io::Error| OnnxError::BadFile {
        file: path.to_owned(),
        detail: error.to_string(),
    };
    let mut file = File::open(path).map_err(bad)?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        let read = file.read(&mut buffer).map_err(bad)?;
        if read == 0 {
            return Ok(());
        }
        hasher.update(&buffer[..read]);
    }
}

/// A configuration file's content, or nothing: none of them is needed.
fn configuration(folder: &Path, name: &str) -> Value {
    let path = folder.join(name);
    match path.metadata() {
        Ok(metadata) if metadata.is_file() && metadata.len() <= CONFIGURATION_BYTES_MAX => {}
        _ => return Value::Null,
    }
    std::fs::read(path)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or(Value::Null)
}

fn prompts(configuration: &Value) -> Option<Prompts> {
    let named = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| configuration["prompts"][*name].as_str())
            .map(str::to_owned)
    };
    let query = named(&["query", "retrieval.query"]);
    let passage = named(&["passage", "document", "retrieval.passage"]);
    if query.is_none() && passage.is_none() {
        return None;
    }
    Some(Prompts {
        query: query.unwrap_or_default(),
        passage: passage.unwrap_or_default(),
    })
}

fn tokens_max(folder: &Path, configuration: &Value) -> Option<usize> {
    let of_sentences = &self::configuration(folder, "sentence_bert_config.json")["max_seq_length"];
    let of_tokenizer = &self::configuration(folder, "tokenizer_config.json")["model_max_length"];
    let of_positions = length(&configuration["max_position_embeddings"]);
    let said = length(of_sentences).or(length(of_tokenizer)).or(of_positions)?;
    Some(said.min(of_positions.unwrap_or(said)))
}

/// Tokenizers without a limit write a number with thirty digits, which is no length.
fn length(value: &Value) -> Option<usize> {
    let length = usize::try_from(value.as_u64()?).ok()?;
    (TOKENS_MIN..=1 << 20).contains(&length).then_some(length)
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
