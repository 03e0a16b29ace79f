//! Denizen's side of `make e2e-wire`: lists what the mind asks, and asks what it is told, through the real clients.
//!
//! `wire corpus FOLDER` plays the scenarios and writes one question of each kind, a line of JSON each.
//! `wire drive` reads orders from its input, a line of JSON each, and writes what came of each.

mod corpus;
mod drive;

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["corpus", folder] => {
            for question in corpus::questions(Path::new(folder)) {
                println!("{}", json!({"of": question.of, "request": question.request}));
            }
            ExitCode::SUCCESS
        }
        ["drive"] => match drive::run().await {
            Ok(()) => ExitCode::SUCCESS,
            Err(problem) => {
                eprintln!("{problem}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("say `wire corpus FOLDER` or `wire drive`");
            ExitCode::FAILURE
        }
    }
}
