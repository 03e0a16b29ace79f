//! Opens a page in the browser, or reads it, and prints what a model would be told of it:
//!
//!     cargo run --package denizen-web-tools --example browse -- https://example.org [question]
//!     cargo run --package denizen-web-tools --example browse -- --scrape https://example.org

use std::process::ExitCode;

use settings::Settings;

#[tokio::main]
async fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let scrape = arguments.first().is_some_and(|first| first == "--scrape");
    if scrape {
        arguments.remove(0);
    }
    let mut settings = Settings::default();
    let allowed = std::env::var("ALLOWED_PRIVATE_HOSTS").unwrap_or_default();
    settings.tools.allowed_private_hosts = allowed.split_whitespace().map(str::to_owned).collect();
    let told = match arguments.as_slice() {
        [url] if scrape => web_tools::scrape_once(url, &settings).await,
        [url, question @ ..] if !scrape && question.len() < 2 => {
            let question = question.first().map(String::as_str);
            web_tools::browse_once(url, None, question, &settings).await
        }
        _ => Err("give [--scrape] ADDRESS [QUESTION]".to_owned()),
    };
    match told {
        Ok(told) => {
            println!("{told}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
