//! `denizen why --would`: what it would do with a message, by a running Denizen's dry run.

use std::fmt::Write;
use std::process::ExitCode;

use explain::PromptAccount;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::Client;

/// A message that nobody writes.
#[derive(Clone, Copy, Debug)]
pub struct Imagined<'a> {
    pub room: &'a str,
    pub author: &'a str,
    pub text: &'a str,
}

/// What is told of a dry run.
#[derive(Debug, Deserialize)]
struct Shown {
    sentence: String,
    chain: Vec<Line>,
    prompt: Option<Prompt>,
}

#[derive(Debug, Deserialize)]
struct Line {
    sentence: String,
    entry: Entry,
}

#[derive(Debug, Deserialize)]
struct Entry {
    name: String,
}

#[derive(Debug, Deserialize)]
struct Prompt {
    account: PromptAccount,
}

pub async fn run(client: &Client, imagined: &Imagined<'_>, as_json: bool) -> anyhow::Result<ExitCode> {
    let path = format!("/api/rooms/{}/dry-run", imagined.room);
    let body = json!({"author": imagined.author, "text": imagined.text});
    let answer: Value = client.post(&path, &body).await?;
    if as_json {
        println!("{}", serde_json::to_string_pretty(&answer)?);
    } else {
        print!("{}", told(&serde_json::from_value(answer)?)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn told(shown: &Shown) -> Result<String, std::fmt::Error> {
    let mut text = format!("{}\n\n", shown.sentence);
    for line in &shown.chain {
        writeln!(text, "{:<26} {}", line.entry.name, line.sentence)?;
    }
    if let Some(Prompt { account }) = &shown.prompt {
        writeln!(
            text,
            "\nthe prompt: about {} of {} tokens, and at most {} for the answer",
            account.tokens, account.window_tokens, account.answer_tokens
        )?;
        for part in account.parts.iter().filter(|part| part.wanted_tokens > 0) {
            let cut = match part.wanted_tokens.saturating_sub(part.tokens) {
                0 => String::new(),
                cut => format!(" ({cut} left out)"),
            };
            writeln!(text, "{:>9}  {:<18} {}{cut}", part.tokens, part.name, part.remark)?;
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::told;

    #[test]
    fn a_dry_run_is_told_with_what_its_prompt_takes() {
        let shown = json!({
            "sentence": "A model would be asked for a reply, 6.0 s after the message.",
            "chain": [{"sentence": "Alice wrote 5 characters.", "entry": {"name": "text_message_received"}}],
            "prompt": {"account": {
                "parts": [
                    {"kind": "section", "name": "persona", "fate": "trimmed", "tokens": 20, "wantedTokens": 50, "capTokens": 20, "remark": "identity.persona"},
                    {"kind": "section", "name": "user_facts", "fate": "empty", "tokens": 0, "wantedTokens": 0, "capTokens": 400, "remark": ""},
                ],
                "tokens": 20, "windowTokens": 8000, "answerTokens": 800
            }}
        });
        let told = told(&serde_json::from_value(shown).unwrap()).unwrap();
        assert_eq!(
            told,
            "A model would be asked for a reply, 6.0 s after the message.\n\n\
             text_message_received      Alice wrote 5 characters.\n\n\
             the prompt: about 20 of 8000 tokens, and at most 800 for the answer\n       \
             20  persona            identity.persona (30 left out)\n"
        );
    }
}
