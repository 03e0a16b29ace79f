//! Values of the configuration reach the server and nobody else.

use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

use crate::bench::{Bench, TOKEN, servers, small};

#[tokio::test]
async fn a_process_gets_its_variables_and_none_of_ours() {
    let bench = Bench::new(&servers(
        json!({"small": small(json!({"env": {"SMALL_SIZE": "${TOKEN}-x", "LEVEL": "high"}}))}),
    ));
    bench.until_ready("small").await;
    let variable = async |name: &str| {
        bench
            .call("small__variable", json!({"name": name}))
            .await
            .unwrap()
    };
    // It has it, or there would be nothing to hide; and a model does not see it.
    assert_eq!(variable("SMALL_SIZE").await, "[hidden]");
    assert_eq!(variable("LEVEL").await, "high");
    assert_ne!(variable("PATH").await, "not set");
    assert_eq!(variable("CARGO_MANIFEST_DIR").await, "not set");
}

#[tokio::test]
async fn a_secret_is_in_no_status_no_error_and_no_debug_output() {
    let bench = Bench::new(&servers(json!({
        "small": small(json!({})),
        "refused": small(json!({"args": ["--refuse-to-start"]})),
        "away": {"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Bearer ${TOKEN}", "X-Bad": "${TOKEN}\n"}},
    })));
    bench.until_ready("small").await;
    let refused = bench
        .until("refused", |status| status.unwrap().detail.contains("last words"))
        .await
        .unwrap();
    assert!(
        refused.detail.contains("the token [hidden] is not accepted"),
        "{}",
        refused.detail
    );
    bench
        .until("away", |status| status.unwrap().detail.contains("not connected"))
        .await;
    let told = bench.everything_told().await;
    assert!(!told.contains(TOKEN), "{told}");
}

#[tokio::test]
async fn a_secret_is_in_no_log_line() {
    let log = Log::default();
    // Everything of this crate, and of the others what an operator sees who has not asked for more.
    let filter = tracing_subscriber::EnvFilter::new("info,mcp=trace");
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(log.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let bench = Bench::new(&servers(
        json!({"small": small(json!({})), "refused": small(json!({"args": ["--refuse-to-start"]}))}),
    ));
    bench.until_ready("small").await;
    bench
        .until("refused", |status| status.unwrap().detail.contains("last words"))
        .await;
    bench.call("small__echo", json!({"text": "hello"})).await.unwrap();
    let written = log.text();
    assert!(
        written.contains("small server starts with the token [hidden]"),
        "{written}"
    );
    assert!(!written.contains(TOKEN), "{written}");
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;

    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}
