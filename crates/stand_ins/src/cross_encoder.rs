//! A cross-encoder made by hand, small enough to read: it counts the words that a question and a passage share. Written as the
//! ONNX file that a real one is, so that the whole way through ONNX Runtime can be tested.

use std::io;
use std::path::Path;

use serde_json::{Map, json};

/// What marks have a number of their own, beside the words.
const MARKS: [&str; 8] = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", ".", ",", "?", ":"];
/// ONNX's numbers for kinds of elements.
const FLOAT: u64 = 1;
const INT64: u64 = 7;

/// Writes a model folder. The model knows these words and gives so many numbers a pair: of one, four times the number of
/// shared words above one; of two, that less and more.
pub fn write_cross_encoder(folder: &Path, words: &[&str], numbers: usize) -> io::Result<()> {
    let vocabulary = MARKS.iter().chain(words).enumerate();
    let vocabulary: Map<String, _> = vocabulary
        .map(|(number, word)| ((*word).to_owned(), json!(number)))
        .collect();
    let tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
        "decoder": null,
        "model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": vocabulary},
    });
    std::fs::write(folder.join("tokenizer.json"), tokenizer.to_string())?;
    std::fs::write(folder.join("model.onnx"), model(numbers))
}

fn model(numbers: usize) -> Vec<u8> {
    let several: &[&str] = match numbers {
        1 => &["yes"],
        2 => &["no", "yes"],
        _ => &["no", "yes", "no"],
    };
    let mut graph = Proto::default();
    for (op, inputs, output) in [
        ("Unsqueeze", &["input_ids", "second"][..], "asked_ids"),
        ("Unsqueeze", &["input_ids", "first"], "told_ids"),
        ("Equal", &["asked_ids", "told_ids"], "is_same"),
        ("Cast", &["is_same"], "same"),
        ("Cast", &["token_type_ids"], "is_told"),
        ("Sub", &["one", "is_told"], "is_asked"),
        ("Unsqueeze", &["is_asked", "second"], "asked"),
        ("Unsqueeze", &["is_told", "first"], "told"),
        ("Mul", &["asked", "told"], "across"),
        ("Mul", &["same", "across"], "shared"),
        ("ReduceSum", &["shared", "both"], "sum"),
        ("Unsqueeze", &["sum", "first"], "count"),
        // The mark that ends a text is shared always.
        ("Sub", &["count", "two"], "more"),
        ("Mul", &["more", "four"], "yes"),
        ("Neg", &["yes"], "no"),
        ("Concat", several, "logits"),
    ] {
        graph.message(1, &node(op, inputs, output));
    }
    graph.text(2, "shared words");
    for (name, axes) in [("first", &[1][..]), ("second", &[2]), ("both", &[1, 2])] {
        let mut tensor = Proto::default();
        tensor.number(1, axes.len() as u64);
        tensor.number(2, INT64);
        axes.iter().for_each(|axis| tensor.number(7, *axis));
        tensor.text(8, name);
        graph.message(5, &tensor);
    }
    for (name, value) in [("one", 1.0_f32), ("two", 2.0), ("four", 4.0)] {
        let mut tensor = Proto::default();
        tensor.number(2, FLOAT);
        tensor.text(8, name);
        tensor.bytes(9, &value.to_le_bytes());
        graph.message(5, &tensor);
    }
    for name in ["input_ids", "attention_mask", "token_type_ids"] {
        graph.message(11, &block(name, INT64, None));
    }
    graph.message(12, &block("logits", FLOAT, Some(numbers as u64)));
    let mut opset = Proto::default();
    opset.text(1, "");
    opset.number(2, 13);
    let mut model = Proto::default();
    model.number(1, 8);
    model.message(7, &graph);
    model.message(8, &opset);
    model.0
}

fn node(op: &str, inputs: &[&str], output: &str) -> Proto {
    let mut node = Proto::default();
    inputs.iter().for_each(|input| node.text(1, input));
    node.text(2, output);
    node.text(4, op);
    let attribute = match op {
        "Cast" => Some(("to", FLOAT)),
        "ReduceSum" => Some(("keepdims", 0)),
        "Concat" => Some(("axis", 1)),
        _ => None,
    };
    if let Some((name, value)) = attribute {
        let mut attribute = Proto::default();
        attribute.text(1, name);
        attribute.number(3, value);
        // It is a whole number.
        attribute.number(20, 2);
        node.message(5, &attribute);
    }
    node
}

/// A block of two sides, the first free, as the second unless it is told.
fn block(name: &str, kind: u64, width: Option<u64>) -> Proto {
    let (mut batch, mut side) = (Proto::default(), Proto::default());
    batch.text(2, "batch");
    match width {
        Some(width) => side.number(1, width),
        None => side.text(2, "tokens"),
    }
    let mut shape = Proto::default();
    shape.message(1, &batch);
    shape.message(1, &side);
    let mut tensor = Proto::default();
    tensor.number(1, kind);
    tensor.message(2, &shape);
    let mut typed = Proto::default();
    typed.message(1, &tensor);
    let mut info = Proto::default();
    info.text(1, name);
    info.message(2, &typed);
    info
}

/// A message of protocol buffers, as bytes.
#[derive(Default)]
struct Proto(Vec<u8>);

impl Proto {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn number(&mut self, field: u64, number: u64) {
        self.varint(field << 3);
        self.varint(number);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, field: u64, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    fn message(&mut self, field: u64, message: &Proto) {
        self.bytes(field, &message.0);
    }
}
