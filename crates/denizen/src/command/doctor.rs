//! `denizen doctor`: is everything in order, and if not, what to do.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use providers::{Depth, Finding, Keys, Models};
use runtime::ports::{Language, Store, StoreError};
use settings::Settings;
use storage::Sqlite;

use super::block_on;

#[derive(Debug, Args)]
pub struct DoctorOptions {
    /// Also ask the chosen model something tiny, which may cost a fraction of a cent.
    #[arg(long)]
    deep: bool,
}

pub fn run(data: &Path, options: &DoctorOptions) -> anyhow::Result<ExitCode> {
    providers::install_tls();
    let findings = block_on(examine(data, options))?;
    let mut problems = 0;
    for finding in &findings {
        println!(
            "{} {:<22} {}",
            if finding.ok { "ok " } else { "!! " },
            finding.what,
            finding.detail
        );
        if let Some(remedy) = &finding.remedy {
            println!("{:26} → {remedy}", "");
        }
        problems += usize::from(!finding.ok);
    }
    match problems {
        0 => println!("\nEverything is in order."),
        1 => println!("\n1 problem."),
        more => println!("\n{more} problems."),
    }
    Ok(if problems == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn examine(data: &Path, options: &DoctorOptions) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut settings = Settings::default();
    match Sqlite::open(data) {
        Ok(store) => {
            findings.push(good(
                "storage",
                format!("{} opens, and its schema is current", data.display()),
            ));
            findings.push(match store.settings().await {
                Ok(saved) => match Settings::read(&saved.document) {
                    Ok(read) => {
                        settings = read;
                        good("settings", format!("version {}, all values valid", saved.version))
                    }
                    Err(errors) => {
                        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
                        bad(
                            "settings",
                            list.join("; "),
                            "run `denizen settings migrate`, or reset what is named",
                        )
                    }
                },
                Err(error) => bad("settings", error.to_string(), "see storage"),
            });
        }
        Err(error) => findings.push(bad(
            "storage",
            error.to_string(),
            "choose another folder with --data, or restore it from a copy",
        )),
    }
    findings.push(match Sqlite::lock(data) {
        Ok(_) => good(
            "process",
            "no Denizen runs on this folder at the moment".to_owned(),
        ),
        Err(StoreError::Busy { .. }) => good("process", "a Denizen is running on this folder".to_owned()),
        Err(error) => bad("process", error.to_string(), "see storage"),
    });
    match Keys::from_env_and_file(|name| std::env::var(name).ok(), &data.join("keys.toml")) {
        Ok(keys) => {
            let models = Models::new(keys);
            models.configure(&settings).await;
            findings.extend(
                models
                    .examine(if options.deep { Depth::Deep } else { Depth::Shallow })
                    .await,
            );
        }
        Err(error) => findings.push(bad("keys", error.to_string(), "correct the file, or remove it")),
    }
    Ok(findings)
}

fn good(what: &str, detail: String) -> Finding {
    Finding {
        what: what.to_owned(),
        ok: true,
        detail,
        remedy: None,
    }
}

fn bad(what: &str, detail: String, remedy: &str) -> Finding {
    Finding {
        what: what.to_owned(),
        ok: false,
        detail,
        remedy: Some(remedy.to_owned()),
    }
}
